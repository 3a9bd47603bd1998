//! Addresses that are copied in pieces.
//!
//! Who copies memory of which nobody knows how it is aligned copies byte by byte,
//! also the addresses in it. None of these bytes says anything, but all of them
//! side by side are the address again. So a number that was loaded from a part
//! of an address remembers of which, and does so where it is stored.

use super::{State, remember};
use crate::language::{Operand, Width};
use crate::program::Program;
use crate::value::{Base, Range, Value};

/// How many are remembered; forgetting is sound.
const KEPT: usize = 64;

/// A piece of an address.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Piece {
    address: Value,
    /// Which of its bytes is the first.
    at: u64,
    width: Width,
}

/// Which numbers are pieces of addresses, by symbol.
#[derive(Debug, Clone, Default)]
pub(super) struct Pieces {
    entries: Vec<(u32, Piece)>,
}

impl Pieces {
    fn of(&self, value: Value) -> Option<Piece> {
        let (Base::Symbol(symbol), Some(0)) = (value.base, value.range.as_constant()) else { return None };
        self.entries.iter().find(|(name, _)| *name == symbol).map(|&(_, piece)| piece)
    }

    /// Forgets what is not known on the other side as well.
    pub(super) fn meet(&mut self, other: &Pieces) {
        self.entries.retain(|entry| other.entries.contains(entry));
    }

    /// Whether each piece here is one of the same address there: `theirs` says which symbol stands for one, and
    /// `covers` whether an address is the other's.
    pub(super) fn tell_no_more(
        &self,
        other: &Pieces,
        theirs: impl Fn(u32) -> Option<u32>,
        covers: impl Fn(Value, Value) -> bool,
    ) -> bool {
        self.entries.iter().all(|&(name, mine)| {
            let Some(symbol) = theirs(name) else { return true };
            let same =
                |piece: Piece| (piece.at, piece.width) == (mine.at, mine.width) && covers(mine.address, piece.address);
            other.of(Value::based(Base::Symbol(symbol))).is_some_and(same)
        })
    }
}

impl State {
    /// Which piece of which address lies at a place, if one does.
    pub(super) fn piece_at(&self, place: Value, width: Width, program: &Program) -> Option<Piece> {
        let offset = place.range.as_constant().filter(|_| !self.is_kernel)?;
        if let Some(piece) = self.memory.own(place.base, offset, width).and_then(|value| self.pieces.of(value)) {
            return Some(piece);
        }
        let (begin, address) = self.memory.cell_around(place.base, offset, width, program.register_width())?;
        let is_address = address.base == Base::Stack || self.is_pointer(address.base);
        let piece = Piece { address, at: offset.abs_diff(begin), width };
        (is_address && address.range.as_constant().is_some()).then_some(piece)
    }

    /// A number that is this piece, with a name by which it is known.
    pub(super) fn name_piece(&mut self, number: Range, piece: Piece) -> Value {
        let value = self.named(Value::number(number));
        if let Base::Symbol(symbol) = value.base {
            remember(&mut self.pieces.entries, (symbol, piece), KEPT);
        }
        value
    }

    /// What a place holds to which a register's number is stored that is a piece of an address.
    pub(super) fn stored_piece(&mut self, operand: Operand, width: Width) -> Option<Value> {
        let piece = self.pieces.of(self.operand(operand)).filter(|piece| piece.width == width)?;
        Some(self.name_piece(Range::of_width(width, true), piece))
    }

    /// The address of which all pieces lie at a place, side by side.
    pub(super) fn put_together(&self, place: Value, width: Width, program: &Program) -> Option<Value> {
        if width != program.register_width() || self.pieces.entries.is_empty() {
            return None;
        }
        let offset = place.range.as_constant()?;
        let (mut address, mut at) = (None, 0);
        while at < width.bytes() {
            let cell = self.memory.cell_at(place.base, offset.checked_add(at as i64)?)?;
            let piece = self.pieces.of(cell).filter(|piece| piece.at == at)?;
            if address.is_some_and(|address| address != piece.address) {
                return None;
            }
            address = Some(piece.address);
            at += piece.width.bytes();
        }
        address
    }
}
