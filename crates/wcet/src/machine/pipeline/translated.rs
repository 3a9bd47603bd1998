//! An execution below page tables, followed walk by walk.
//!
//! A bound counts each page once from wherever nothing is translated
//! ([`Footprint`](super::Footprint)). Along a single execution the translations
//! themselves can be followed, and the two lines of tables that each walk loads
//! through the data cache. So what is said of a walk can be held against hardware.

use super::{HELD_UP, PAGE, Pipeline, TRANSLATIONS, Timing, WALK};
use crate::machine::pipeline::again::Why;
use crate::machine::{Access, Follows, Machine};
use fusee_isa::language::Instruction;

/// Bytes of an entry of a table.
const ENTRY: u64 = 4;
/// Entries of a table.
const ENTRIES: u64 = 1024;

/// Instructions that can be under way before the one that a walk is for.
const UNDER_WAY: usize = 3;

/// A core whose pages of 4 KiB are found by tables of two levels, at the addresses that they map.
#[derive(Debug, Clone)]
pub struct Translated<'p> {
    core: Pipeline<'p>,
    root: u64,
    leaf: u64,
}

impl<'p> Translated<'p> {
    /// With the addresses of the first table and of the only one that it names.
    pub fn new(core: Pipeline<'p>, root: u64, leaf: u64) -> Self {
        Self { core, root, leaf }
    }

    /// Cycles of a walk: both entries come through the data cache. A load right before it may be
    /// waiting for a line that one of them evicts; then it waits for that once more.
    fn walk(&self, timing: &mut Timing, before: &Before, page: u64) -> u64 {
        // A walk waits until the bus has written what waits.
        let mut cycles = WALK + u64::from(timing.writing);
        // The upper half of a page's number tells the entry of the first table, the lower
        // half that of the second.
        let entries = [self.root + page / ENTRIES * ENTRY, self.leaf + page % ENTRIES * ENTRY];
        if let Some(shape) = &self.core.loads {
            for line in entries.map(|entry| shape.line_of(entry)) {
                let found = timing.data.access(shape, line);
                let evicted = before.0.iter().flatten();
                let again = evicted.filter(|&&at| shape.compete(shape.line_of(at), line)).count();
                let lines = again as u64 + u64::from(found.costs());
                cycles += lines * u64::from(self.core.data_miss());
            }
        }
        timing.pass(cycles as u32);
        // Nothing of what was fetched before is saved behind a walk.
        timing.ahead.end();
        timing.held_up = HELD_UP;
        cycles
    }
}

/// The memory of a core below page tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Translating {
    core: Timing,
    code: Kept,
    data: Kept,
    before: Before,
}

/// The addresses that the last instructions have loaded, the last one first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Before([Option<u64>; UNDER_WAY]);

impl Before {
    fn note(&mut self, load: Option<u64>) {
        self.0.rotate_right(1);
        self.0[0] = load;
    }
}

/// Translations, the oldest last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Kept(Vec<u64>);

impl Kept {
    /// Returns whether a page has to be looked up. The oldest makes room, used or not.
    fn lacks(&mut self, page: u64) -> bool {
        if self.0.contains(&page) {
            return false;
        }
        self.0.insert(0, page);
        self.0.truncate(TRANSLATIONS);
        true
    }
}

impl Follows for Translated<'_> {
    type Timing = Translating;

    fn begin(&self) -> Translating {
        let (code, data) = (Kept::default(), Kept::default());
        Translating { core: self.core.at_entry(), code, data, before: Before::default() }
    }

    fn follow(
        &self,
        timing: &mut Translating,
        instruction: &Instruction,
        accesses: &[Access],
        taken: bool,
    ) -> u64 {
        let (mut cycles, mut done_again) = (0, false);
        if timing.code.lacks(instruction.address / PAGE) {
            cycles += self.walk(&mut timing.core, &timing.before, instruction.address / PAGE);
        }
        for access in accesses {
            // In a single execution each address is one number.
            let page = access.address.range.low() as u64 / PAGE;
            if timing.data.lacks(page) {
                // The access is done again behind its walk, and what was fetched behind it with it.
                self.core.again(&mut timing.core, instruction, Why::Line);
                cycles += self.walk(&mut timing.core, &timing.before, page);
                done_again = true;
            }
        }
        cycles += self.core.execute(&mut timing.core, instruction, accesses, taken);
        if done_again {
            // The line that was on its way by then had to come before the load was fetched again.
            timing.core.ahead.end();
        }
        let loaded = accesses.iter().find(|access| !access.write || access.atomic);
        timing.before.note(loaded.map(|access| access.address.range.low() as u64));
        cycles
    }
}
