//! Memory where a path is the only one: bytes, and addresses in the stack.

use std::collections::{BTreeMap, HashMap};

use super::bits::Bits;
use super::number::{Number, Piece};
use crate::program::Program;
use crate::setting::Setting;
use crate::state::State;
use fusee_isa::language::Width;

const BYTES: usize = 4096;
const NEAR: usize = 64;

/// The mark of a byte of which nothing is known.
const ANY: u8 = 0;
const KNOWN: u8 = 1;
/// A byte of what is no number.
const PART: u8 = 2;
/// Nothing is loaded there: it may be a device.
const OUTSIDE: u8 = 3;
/// Some bits of it.
const BITS: u8 = 4;

struct Page {
    bytes: [u8; BYTES],
    known: [u8; BYTES],
    /// The bits that are not known, of bytes of which some are.
    unknown: [u8; BYTES],
}

/// A place: in the stack, so far from its pointer at entry, or at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Place {
    pub(super) in_stack: bool,
    pub(super) at: i64,
}

impl Place {
    /// So many bytes further.
    pub(super) fn further(self, by: i64) -> Self {
        Self { at: self.at.wrapping_add(by), ..self }
    }
}

pub(super) struct Memory<'p> {
    /// The state where the path begins.
    begin: (State, Setting<'p>),
    pages: HashMap<(bool, i64), usize>,
    all: Vec<Page>,
    /// Pages that were looked at last, by the low bits of their numbers.
    near: [((bool, i64), usize); NEAR],
    /// Values that are no numbers, by their place.
    others: BTreeMap<Place, (Width, Number)>,
}

impl<'p> Memory<'p> {
    pub(super) fn new(begin: State, setting: Setting<'p>) -> Self {
        // No page has the number in these first entries, so each of them misses at first.
        let (pages, all, others) = (HashMap::new(), Vec::new(), BTreeMap::new());
        Self { begin: (begin, setting), pages, all, near: [((false, i64::MIN), 0); NEAR], others }
    }

    fn page(&mut self, in_stack: bool, number: i64) -> &mut Page {
        let key = (in_stack, number);
        // Most accesses go to a few pages, and a look-up in the map takes longer than all the rest.
        let place = number as usize % NEAR;
        if self.near[place].0 != key {
            let next = self.all.len();
            let index = *self.pages.entry(key).or_insert(next);
            if index == next {
                // The file says nothing of the stack.
                let page = if in_stack { Page::nothing() } else { self.loaded(number) };
                self.all.push(page);
            }
            self.near[place] = (key, index);
        }
        &mut self.all[self.near[place].1]
    }

    /// Returns a page as it is where the path begins.
    fn loaded(&self, number: i64) -> Page {
        let (state, setting) = &self.begin;
        let program: &Program = setting.program();
        let mut page = Page::nothing();
        for index in 0..BYTES {
            let at = number * BYTES as i64 + index as i64;
            let is_loaded = program.initial(setting.wrap(at as u64), Width::Byte).is_some();
            // Where nothing is loaded there may be a device, which need not give back what is
            // stored.
            (page.bytes[index], page.known[index]) = match state.byte(at, *setting) {
                _ if !is_loaded => (0, OUTSIDE),
                Some(byte) => (byte, KNOWN),
                None => (0, ANY),
            };
        }
        page
    }

    /// Returns what is no number, in one piece or in bytes.
    fn other(&self, place: Place, width: Width) -> Number {
        match self.others.get(&place) {
            Some(&(own, number)) if own == width => return number,
            Some(&(own, number)) if width == Width::Byte && own != width => {
                return Piece::of(number, 0).map_or(Number::Any, Number::Piece);
            }
            _ => {}
        }
        // Only a whole register or one byte can stand for what is no number.
        if width != self.begin.1.register_width() && width != Width::Byte {
            return Number::Any;
        }
        if width == Width::Byte {
            return self.inside(place).map_or(Number::Any, Number::Piece);
        }
        let byte = |index: u64| {
            let place = Place { at: place.at.checked_add_unsigned(index)?, ..place };
            match self.others.get(&place) {
                Some(&(Width::Byte, Number::Piece(piece))) => Some(piece.whole()),
                _ => None,
            }
        };
        // Bytes make a whole only if all of them are of one thing and in its order.
        let whole = byte(0).map(|(whole, _)| whole);
        let is_next = |index: u64| byte(index) == whole.map(|whole| (whole, index));
        whole.filter(|_| (0..width.bytes()).all(is_next)).unwrap_or(Number::Any)
    }

    /// Returns the byte of what begins before it.
    fn inside(&self, place: Place) -> Option<Piece> {
        // No register has more than 8 bytes, so nothing further before reaches to here.
        let first = Place { at: place.at.saturating_sub(7), ..place };
        let (one, &(width, number)) = self.others.range(first..place).next_back()?;
        let byte = place.at.abs_diff(one.at);
        Piece::of(number, byte).filter(|_| byte < width.bytes())
    }

    pub(super) fn load(&mut self, place: Place, width: Width, signed: bool) -> Number {
        let mut number = 0u64;
        for index in 0..width.bytes() as i64 {
            let at = place.at.wrapping_add(index);
            let page = self.page(place.in_stack, at.div_euclid(BYTES as i64));
            let offset = at.rem_euclid(BYTES as i64) as usize;
            match page.known[offset] {
                KNOWN => number |= u64::from(page.bytes[offset]) << (8 * index),
                _ => return self.load_part(place, width, signed),
            }
        }
        let unused = 64 - width.bits();
        Number::Known(match signed {
            true => ((number << unused) as i64 >> unused) as u64,
            false => number,
        })
    }

    /// The same where not all bytes are known.
    fn load_part(&mut self, place: Place, width: Width, signed: bool) -> Number {
        let (mut bits, mut has_part) = (Bits { value: 0, unknown: 0 }, false);
        for index in 0..width.bytes() as i64 {
            let at = place.at.wrapping_add(index);
            let page = self.page(place.in_stack, at.div_euclid(BYTES as i64));
            let offset = at.rem_euclid(BYTES as i64) as usize;
            let byte = match page.known[offset] {
                KNOWN => (page.bytes[offset], 0),
                BITS => (page.bytes[offset], page.unknown[offset]),
                _ => (0, !0),
            };
            has_part |= page.known[offset] == PART;
            bits.put(index, byte);
        }
        // An address says more than the bits around it, so it comes first.
        match self.other(place, width) {
            other if has_part && other != Number::Any => other,
            _ => Number::of_bits(bits.extended(width, signed)),
        }
    }

    pub(super) fn store(&mut self, place: Place, (number, width): (Number, Width), whole: Width) {
        let known = match number {
            Number::Known(_) => KNOWN,
            Number::Bits(_) => BITS,
            // Only whole addresses are found again later, and bytes that were loaded from one.
            Number::Stack(_) | Number::Entry(_) if width == whole => PART,
            Number::Piece(_) if width == Width::Byte => PART,
            _ => ANY,
        };
        let bits = number.bits();
        let length = width.bytes() as i64;
        // Many programs keep no address in memory, and need no search.
        if !self.others.is_empty() {
            self.break_parts(place, length);
        }
        let mut is_outside = false;
        for index in 0..length {
            let at = place.at.wrapping_add(index);
            let page = self.page(place.in_stack, at.div_euclid(BYTES as i64));
            let offset = at.rem_euclid(BYTES as i64) as usize;
            is_outside |= page.known[offset] == OUTSIDE;
            if page.known[offset] != OUTSIDE {
                (page.bytes[offset], page.unknown[offset]) = bits.byte(index);
                // A byte with all of its bits known is a number, whatever the rest of the word is.
                page.known[offset] = match (known, page.unknown[offset]) {
                    (BITS, 0) => KNOWN,
                    (known, _) => known,
                };
            }
        }
        if known == PART && !is_outside {
            self.others.insert(place, (width, number));
        }
    }

    /// Leaves the other bytes of what is overwritten in part.
    fn break_parts(&mut self, place: Place, length: i64) {
        // A register that begins up to 7 bytes before reaches into this place.
        let first = Place { at: place.at.saturating_sub(7), ..place };
        let behind = Place { at: place.at.saturating_add(length), ..place };
        let hit: Vec<(Place, (Width, Number))> = self
            .others
            .range(first..behind)
            .filter(|(one, (width, _))| one.at.saturating_add(width.bytes() as i64) > place.at)
            .map(|(&one, &part)| (one, part))
            .collect();
        for (one, (width, number)) in hit {
            self.others.remove(&one);
            for byte in 0..width.bytes() {
                let left = Place { at: one.at.saturating_add_unsigned(byte), ..one };
                match Piece::of(number, byte).filter(|_| !(place..behind).contains(&left)) {
                    Some(piece) => {
                        self.others.insert(left, (Width::Byte, Number::Piece(piece)));
                    }
                    // Of the rest nothing is known. The bytes that are stored now get their marks
                    // behind this.
                    None => {
                        let page = self.page(left.in_stack, left.at.div_euclid(BYTES as i64));
                        page.known[left.at.rem_euclid(BYTES as i64) as usize] = ANY;
                    }
                }
            }
        }
    }
}

impl Page {
    fn nothing() -> Self {
        Self { bytes: [0; BYTES], known: [ANY; BYTES], unknown: [0; BYTES] }
    }
}
