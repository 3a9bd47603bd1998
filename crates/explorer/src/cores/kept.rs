//! Counts of restorations of initial data, and the frames that are younger.

use fusee_kernel::GlobalIndex;
use fusee_kernel::cores::{GlobalConfig, Host, Inside, OneCore};

use super::rule::ensure;
use super::{Checked, Rule};

/// The restarts of a component, as a history tells them.
#[derive(Debug, Clone)]
pub struct Kept {
    /// The number of times that the initial data have been put back as a whole.
    pub times: u32,
    /// For each core, thread and depth: how often they had been when that frame began.
    pub since: Vec<Vec<Vec<u32>>>,
    /// The number of times that a fault has ended it.
    falls: u32,
    /// For each global gate, for each depth of its section that is under way.
    sections: Vec<Vec<Part>>,
}

/// A section's stay in a component, at a depth, as a history tells it.
#[derive(Debug, Clone, Copy, Default)]
struct Part {
    /// The number of restorations of the initial data before it began to run there.
    since: u32,
    /// The number of ends by a fault that the core knew of on which it came there.
    known: u32,
}

impl Kept {
    /// Before the start.
    pub(super) fn start(tables: &[OneCore<'_>]) -> Vec<Kept> {
        let frames = |one: &fusee_kernel::Tables<'_>| {
            vec![vec![0; usize::from(one.depth) + 1]; one.threads.len()]
        };
        let since: Vec<_> = tables.iter().map(|(one, _)| frames(one)).collect();
        let Some((_, shared)) = tables.first() else { return Vec::new() };
        let parts =
            |global: &GlobalConfig<'_>| vec![Part::default(); 1 + usize::from(global.depth)];
        let sections = shared.globals.iter().map(parts).collect();
        vec![Kept { times: 0, since, falls: 0, sections }; shared.restarts.len()]
    }

    /// Notes that a core's step has put the last piece back, has ended the component, or has begun
    /// a section or brought it deeper.
    pub(super) fn follow(all: &mut [Kept], (before, after): (&Host, &Host), core: &OneCore<'_>) {
        for (number, kept) in all.iter_mut().enumerate() {
            let (old, new) = (&before.restarts[number], &after.restarts[number]);
            kept.times += u32::from(new.written < old.written);
            let newest = new.restart.newest.entering();
            kept.falls += u32::from(old.restart.newest.entering() != newest);
            let component = core.1.restarts[number].component.at();
            let own = &after.cores[usize::from(core.1.core)].store.components()[component];
            let known = kept.falls - u32::from(own.entering() != newest);
            for (global, parts) in kept.sections.iter_mut().enumerate() {
                let (old, new) = (&before.gates[global].gate, &after.gates[global].gate);
                let begins = new.owner.is_some() && new.owner != old.owner;
                if begins || new.depth > old.depth {
                    parts[usize::from(new.depth)].known = known;
                }
            }
        }
    }

    /// Notes that a thread begins in a component.
    pub(super) fn begin(&mut self, core: usize, thread: usize, depth: u8) {
        self.since[core][thread][usize::from(depth)] = self.times;
    }

    /// Notes that a thread goes on in a component one frame deeper.
    pub(super) fn go_on(&mut self, core: usize, thread: usize, depth: u8) {
        let frames = &mut self.since[core][thread];
        frames[usize::from(depth)] = frames[usize::from(depth) - 1];
    }

    /// Returns the number of restorations before a section began to run where it is.
    pub(super) fn section_since(&self, inside: &Inside) -> u32 {
        self.sections[inside.global.at()][usize::from(inside.depth)].since
    }

    /// Notes that a section begins to run in a component.
    pub(super) fn begin_section(&mut self, inside: &Inside) {
        let part = &mut self.sections[inside.global.at()][usize::from(inside.depth)];
        part.since = self.times;
    }
}

/// A section that fails at its depth, in a component that a fault ends, has a reason for it: the
/// component has ended since the section came there, or it is dead.
pub(super) fn may_fail(
    all: &[Kept],
    (one, shared): &OneCore<'_>,
    (before, global): (&Host, GlobalIndex),
) -> Checked {
    let gate = &before.gates[global.at()];
    let depth = usize::from(gate.gate.depth);
    let component = match depth.checked_sub(1) {
        Some(top) => gate.visits[top].component,
        None => one.gates[shared.stand_in(global).at()].component,
    };
    let Some(number) = shared.restart_of(component) else { return Ok(()) };
    let kept = &all[number.at()];
    let dead = before.restarts[number.at()].restart.newest.is_dead();
    let known = kept.sections[global.at()][depth].known;
    ensure(Rule::Restarts, dead || known < kept.falls, || {
        format!("g{}'s section fails in what has not ended since", global.0)
    })
}
