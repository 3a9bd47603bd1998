//! The time that page tables, and others on the core, add to a program's.
//!
//! The processor finds physical addresses in a few translations that it keeps, of
//! code and of data, and looks up in page tables what it does not have; the oldest
//! one makes room. So of a program that touches no more pages than there are
//! translations each page is looked up once from wherever it begins without any,
//! and nothing need be known of the order.
//!
//! A walk waits until nothing else is under way, loads from two lines through the
//! data cache, and then the access that it is for is done again. It evicts two
//! lines of data at most. The cache has one way: a line that was evicted is loaded
//! once more, and from there on the cache is as it would have been. That makes the
//! cost of a walk a sum, whenever it comes, and that of losing all caches the lines
//! that the program uses.
//!
//! A load that is done again may bring about more (`again.rs`): instructions behind
//! it were fetched before, and their lines may evict each other. Not where no two
//! lines of the program compete.

use std::collections::BTreeSet;

use super::ahead::SKEW;
use super::{PAGE, Pipeline, TRANSLATIONS, WALK};
use crate::machine::cache::Shape;
use crate::machine::description::Description;
use crate::machine::{Bytes, Machine};
use fusee_isa::language::{Class, Instruction};

/// Instructions that are fetched behind another one before it sends fetching elsewhere.
const BEHIND: u64 = 4;
/// Walks for a page that no code has: its own, and those for the translations that it drives out,
/// each of which drives out the next.
const STRAY_WALKS: u64 = 1 + TRANSLATIONS as u64;

/// The parts of the processor that a program uses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Footprint {
    code: BTreeSet<u64>,
    data: BTreeSet<u64>,
    code_pages: BTreeSet<u64>,
    data_pages: BTreeSet<u64>,
    /// True if two lines of code can evict each other.
    competes: bool,
    /// Instructions behind which fetching may go to any page.
    pub strays: BTreeSet<u64>,
}

impl Footprint {
    /// Returns the pages of code and of data, where these are more than there are translations.
    pub fn excess(&self) -> Option<(usize, usize)> {
        let pages = (self.code_pages.len(), self.data_pages.len());
        (pages.0.max(pages.1) > TRANSLATIONS).then_some(pages)
    }
}

impl Pipeline<'_> {
    /// Returns what a program uses that executes these blocks, by the addresses of their first and
    /// last instructions, and touches these bytes.
    pub fn footprint(&self, blocks: impl Iterator<Item = (u64, u64)>, bytes: &Bytes) -> Footprint {
        let mut used = Footprint::default();
        for (first, last) in blocks {
            let mut at = first;
            while let Some(instruction) = self.program.instruction(at).ok().filter(|_| at <= last) {
                if self.fetched_from(&mut used, &instruction) {
                    used.strays.insert(at);
                }
                at = instruction.next_address();
            }
        }
        // Without a cache of data only pages are counted, so any line will do.
        let line = |shape: &Option<Shape>| shape.as_ref().map_or(PAGE, |shape| shape.line);
        let line = line(&self.loads);
        for (first, last) in &bytes.spans {
            used.data.extend(first / line..=last / line);
            used.data_pages.extend(first / PAGE..=last / PAGE);
        }
        if let Some(shape) = &self.fetches {
            // Two lines of one set are two that can evict each other, as there is one way.
            let sets: BTreeSet<u64> = used.code.iter().map(|line| line % shape.sets).collect();
            used.competes = sets.len() < used.code.len();
        }
        used
    }

    /// Notes what is fetched with an instruction, behind it, and where a wrong way leads; says
    /// whether that may be anywhere.
    fn fetched_from(&self, used: &mut Footprint, instruction: &Instruction) -> bool {
        self.note_fetch(used, instruction.address);
        // Behind a trap nothing is executed, but its successors were fetched before.
        let behind = (instruction.class == Class::System).then(|| instruction.next_address());
        // Either outcome of a branch may occur, so both wrong ways count.
        let misled = [false, true].into_iter().filter_map(|taken| self.misled(instruction, taken));
        let ways: Vec<u64> = misled.chain(behind).collect();
        ways.into_iter().fold(false, |strays, way| strays | self.astray_from(used, way))
    }

    /// The same of a wrong way: as far as its instructions get to the decoder.
    fn astray_from(&self, used: &mut Footprint, mut at: u64) -> bool {
        for _ in 0..self.description.control.wrong_way {
            self.note_fetch(used, at);
            // Of a word that is no full instruction, or that may change, nobody knows what
            // the decoder takes it for.
            let next = self.program.instruction(at).ok().filter(|next| next.size == 4);
            let Some(next) = next.filter(|_| !self.program.is_writable(at)) else { return true };
            at = self.follows(&next).unwrap_or(next.next_address());
        }
        self.note_fetch(used, at);
        false
    }

    /// Notes the fetch of an instruction, and those behind it before it gets to the decoder.
    fn note_fetch(&self, used: &mut Footprint, at: u64) {
        let last = at.wrapping_add(4 * BEHIND);
        used.code_pages.extend([at / PAGE, last / PAGE]);
        if let Some(shape) = &self.fetches {
            used.code.extend(shape.line_of(at)..=shape.line_of(last));
        }
    }

    /// Returns the most by which a program is later that begins, or goes on, without any
    /// translation.
    fn translations(&self, used: &Footprint) -> u64 {
        (used.code_pages.len() + used.data_pages.len()) as u64 * self.walk(used)
    }

    /// Returns the most that all walks make a program later that calls so often, each time coming
    /// back without any translation, and goes so often from where fetching may stray. `None`: no
    /// number can be so large.
    pub fn walks(&self, used: &Footprint, calls: u64, strays: u64) -> Option<u64> {
        // The first stretch begins at the entry, and each call begins another one.
        let stretches = calls.checked_add(1)?.checked_mul(self.translations(used))?;
        stretches.checked_add(strays.checked_mul(self.stray_page(used))?)
    }

    /// Returns the most that it costs to fetch once from a page that is not the program's.
    fn stray_page(&self, used: &Footprint) -> u64 {
        STRAY_WALKS * self.walk(used)
    }

    /// Returns the most by which a program is later that was interrupted once: it finds no
    /// translation, no line in a cache, and nothing fetched.
    pub fn interruption(&self, used: &Footprint) -> u64 {
        let line = u64::from(self.description.memory.line);
        let lines = |shape: &Option<Shape>, used: &BTreeSet<u64>| {
            // No more lines are lost than a cache has, and none that the program does not use.
            let most = shape.as_ref().map_or(0, |shape| shape.sets * u64::from(shape.ways));
            most.min(used.len() as u64)
        };
        let code = lines(&self.fetches, &used.code) * line;
        let data = lines(&self.loads, &used.data) * (line + self.done_again(used));
        // What the trap has broken off, and the first instructions behind it.
        code + data + self.translations(used) + 2 * self.trap()
    }

    /// Returns the most by which a walk makes a program later, that it evicts two lines included.
    ///
    /// A line that is on its way when a walk begins comes before what is done again is fetched, and
    /// not while that waits for its own line.
    fn walk(&self, used: &Footprint) -> u64 {
        let line = u64::from(self.description.memory.line);
        let not_ahead = WALK.max(line.saturating_sub(u64::from(SKEW)));
        WALK + not_ahead + 2 * line + self.done_again(used) + 2 * (line + self.done_again(used))
    }

    /// Returns what a load adds at most that is done again where it would not be otherwise.
    fn done_again(&self, used: &Footprint) -> u64 {
        let memory = &self.description.memory;
        let each = u64::from(memory.line) + u64::from(SKEW);
        if used.competes { u64::from(memory.fetched_ahead) * each } else { u64::from(SKEW) }
    }
}

impl Description {
    /// Returns the most for which what is under way keeps an interrupt from being taken: three
    /// instructions, each with a walk, and a division.
    pub fn under_way(&self) -> u64 {
        u64::from(self.issue.divide) + 3 * (2 * WALK + 4 * u64::from(self.memory.line))
    }
}
