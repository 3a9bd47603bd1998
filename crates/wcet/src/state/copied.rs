//! Addresses that are copied in pieces.
//!
//! Who copies memory of which nobody knows how it is aligned copies byte by byte,
//! also the addresses in it. None of these bytes says anything, but all of them
//! side by side are the address again. So a number that was loaded from a part
//! of an address remembers of which, and does so where it is stored.

use super::{State, remember};
use crate::setting::Setting;
use crate::value::{Base, Range, Value};
use fusee_isa::language::{Operand, Width};

/// The most that are remembered; forgetting is sound.
const KEPT: usize = 64;

/// A piece of an address.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Piece {
    pub(super) address: Value,
    /// The index of its first byte.
    pub(super) at: u64,
    pub(super) width: Width,
}

/// The numbers that are pieces of addresses, by symbol.
#[derive(Debug, Clone, Default)]
pub(super) struct Pieces {
    entries: Vec<(u32, Piece)>,
}

impl Pieces {
    fn of(&self, value: Value) -> Option<Piece> {
        // A number with something added is no piece any more.
        let (Base::Symbol(symbol), Some(0)) = (value.base, value.range.as_constant()) else {
            return None;
        };
        self.of_symbol(symbol)
    }

    pub(super) fn of_symbol(&self, symbol: u32) -> Option<Piece> {
        self.entries.iter().find(|(name, _)| *name == symbol).map(|&(_, piece)| piece)
    }

    /// Forgets what is not known on the other side as well.
    pub(super) fn meet(&mut self, other: &Pieces) {
        self.entries.retain(|entry| other.entries.contains(entry));
    }

    /// Forgets what is known of a number, and of an address.
    pub(super) fn forget(&mut self, name: u32) {
        self.entries
            .retain(|(piece, whole)| *piece != name && whole.address.base != Base::Symbol(name));
    }

    /// Returns all that is known.
    pub(super) fn entries(&self) -> &[(u32, Piece)] {
        &self.entries
    }
}

impl State {
    /// Returns which piece of which address lies at a place, if one does.
    pub(super) fn piece_at(
        &self,
        place: Value,
        width: Width,
        setting: Setting<'_>,
    ) -> Option<Piece> {
        // A kernel's memory is known by what always holds, and that has no pieces of addresses.
        let offset = place.range.as_constant().filter(|_| !self.has_invariant)?;
        if let Some(piece) =
            self.memory.own(place.base, offset, width).and_then(|value| self.pieces.of(value))
        {
            return Some(piece);
        }
        let (begin, address) =
            self.memory.cell_around(place.base, offset, width, setting.register_width())?;
        // Of other numbers the parts are known as numbers.
        let is_address = address.base == Base::Stack || self.is_pointer(address.base);
        let piece = Piece { address, at: offset.abs_diff(begin), width };
        (is_address && address.range.as_constant().is_some()).then_some(piece)
    }

    /// A number that is this piece, with a name by which it is known.
    pub(super) fn name_piece(&mut self, number: Range, piece: Piece) -> Value {
        let value = self.named(Value::number(number));
        // A known number gets no name, and is no piece then: its address is not put
        // together, which is sound.
        if let Base::Symbol(symbol) = value.base {
            remember(&mut self.pieces.entries, (symbol, piece), KEPT);
        }
        value
    }

    /// Returns what a place holds to which a register's number is stored that is a piece of an
    /// address.
    pub(super) fn stored_piece(&mut self, operand: Operand, width: Width) -> Option<Value> {
        // Stored with another width it would be another piece, or none.
        let piece = self.pieces.of(self.operand(operand)).filter(|piece| piece.width == width)?;
        Some(self.name_piece(Range::of_width(width, true), piece))
    }

    /// Returns the address of which all pieces lie at a place, side by side.
    pub(super) fn put_together(
        &self,
        place: Value,
        width: Width,
        setting: Setting<'_>,
    ) -> Option<Value> {
        // An address fills a register, and most programs copy none in pieces.
        if width != setting.register_width() || self.pieces.entries.is_empty() {
            return None;
        }
        let offset = place.range.as_constant()?;
        let (mut address, mut at) = (None, 0);
        while at < width.bytes() {
            let cell = self.memory.cell_at(place.base, offset.checked_add(at as i64)?)?;
            // Each piece must lie as far from the beginning as it did in the address.
            let piece = self.pieces.of(cell).filter(|piece| piece.at == at)?;
            // Pieces of two addresses make none.
            if address.is_some_and(|address| address != piece.address) {
                return None;
            }
            address = Some(piece.address);
            at += piece.width.bytes();
        }
        address
    }
}
