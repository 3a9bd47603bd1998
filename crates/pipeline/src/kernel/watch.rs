//! The kernel's paths as a machine takes them, beside their bounds.
//!
//! The machine says which instructions of the kernel it executes, one by one. A
//! path begins where traps arrive, or where the kernel has been woken, and ends
//! where the next one begins. Which entry it was is told by the blocks that it
//! went through: those that the analysis found for it. A path that no entry
//! explains, because it goes through code that none of them reaches or through
//! what two of them reach apart, would be one that the analysis has missed.

use std::collections::{BTreeMap, BTreeSet};

use fusee_model::Duration;
use fusee_wcet_kernel::{IDLE, Kernel};

use fusee_run::Looking;

use super::clock::Clock;
use crate::kernel::Paths;
use crate::problem::Problem;

/// The paths that were seen of all entries.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// The longest path of each entry, in their order; nothing: it was never taken.
    pub longest: Vec<Option<u64>>,
    /// The number of paths.
    pub paths: u64,
    /// Paths that no entry explains.
    pub unexplained: u64,
    /// Paths of an entry about gates that it explains for gates of no protocol: refused calls.
    pub refused: u64,
}

/// A path under way.
struct Path {
    /// When it began.
    begun: u64,
    /// Bits of the entries that it can be.
    entries: u64,
}

struct Watch {
    /// Addresses where paths begin.
    begins: BTreeSet<u64>,
    /// For each instruction the entries whose blocks it is in.
    reached: BTreeMap<u64, u64>,
    /// Entries that are bounded by protocol besides.
    parted: u64,
    under_way: Option<Path>,
    /// When the next path began, if a trap was seen.
    trapped: Option<u64>,
    /// The instruction before, and when it was over.
    last: Option<(u64, u64)>,
    /// When the one before that was over.
    before: u64,
    seen: Seen,
}

/// Boots the image for so long and counts.
///
/// # Errors
/// The image can't be read, or the machine fails.
pub fn observe(duration: Duration, paths: &Paths, clock: Clock) -> Result<Seen, Problem> {
    let image = fusee_run::Image::read(&paths.image)?;
    let mut watch = Watch::of(&paths.kernel, paths);
    let code = paths.kernel.program().code().next().unwrap_or(0..0);
    let code = paths.kernel.started().vector..code.end;
    let stays = std::slice::from_ref(&code);
    match clock {
        Clock::Instructions => {
            let (mut instructions, mut last) = (0, None);
            fusee_run::watch(&image, duration, stays, &mut |at| {
                instructions += u64::from(last.replace(at) != Some(at));
                watch.see(at, instructions);
            })?;
        }
        Clock::Cycles { wait_states, .. } => {
            let looking = Looking { code: stays, latency: Some(wait_states) };
            fusee_run::watch_cycles(&image, duration, &looking, &mut |seen| match seen.address {
                Some(at) => watch.see(at, seen.cycle),
                None => watch.trap(seen.cycle),
            })?;
        }
    }
    Ok(watch.seen)
}

impl Watch {
    fn of(kernel: &Kernel, paths: &Paths) -> Self {
        let vector = kernel.started().vector;
        let mut reached: BTreeMap<u64, u64> = BTreeMap::new();
        for (index, (_, bound)) in paths.rows().enumerate() {
            // Wherever instructions begin: their lengths are multiples of two bytes.
            for at in
                bound.coverage.reached.iter().flat_map(|(&first, &last)| (first..=last).step_by(2))
            {
                *reached.entry(at).or_default() |= 1 << index;
            }
        }
        let seen = Seen { longest: vec![None; paths.rows().count()], ..Seen::default() };
        let parts = |name: &str| paths.passages.iter().any(|passage| passage.entry == name);
        let names = paths.bounds.entries.iter().enumerate();
        let parted = names.filter(|(_, entry)| parts(&entry.name));
        let parted = parted.fold(0, |all, (index, _)| all | 1 << index);
        for (index, _) in
            paths.bounds.entries.iter().enumerate().filter(|(_, entry)| entry.name == IDLE)
        {
            paths
                .bounds
                .resumptions
                .iter()
                .for_each(|&at| *reached.entry(at).or_default() |= 1 << index);
        }
        let started = kernel.started();
        let traps = [vector, started.interrupt(7), started.interrupt(11)];
        let begins = traps.into_iter().chain(paths.bounds.resumptions.iter().copied()).collect();
        Self {
            begins,
            reached,
            parted,
            under_way: None,
            trapped: None,
            last: None,
            before: 0,
            seen,
        }
    }

    /// Ends the run of a thread: a trap begins.
    fn trap(&mut self, now: u64) {
        self.trapped = Some(now);
    }

    /// The machine has executed the instruction at this address.
    ///
    /// It begins one that reaches a device a second time, to do so at the right moment: that is one
    /// instruction, as its count of instructions has it. None in the kernel jumps to itself.
    fn see(&mut self, at: u64, now: u64) {
        let last = self.last.replace((at, now));
        if last.is_some_and(|(before, _)| before == at) {
            return;
        }
        let ended = last.map_or(0, |(_, ended)| ended);
        if self.begins.contains(&at) {
            // Before a path that no trap begins the machine has slept: that took what it takes to
            // begin to sleep.
            let trapped = self.trapped.take();
            self.close(if trapped.is_some() { ended } else { ended.min(self.before + 1) });
            self.under_way = Some(Path { begun: trapped.unwrap_or(ended), entries: u64::MAX });
        }
        self.before = ended;
        let Some(path) = &mut self.under_way else { return };
        path.entries &= self.reached.get(&at).copied().unwrap_or(0);
    }

    fn close(&mut self, ended: u64) {
        let Some(path) = self.under_way.take() else { return };
        self.seen.paths += 1;
        self.seen.unexplained += u64::from(path.entries == 0);
        let no_other = path.entries & !self.parted == 0;
        self.seen.refused += u64::from(path.entries != 0 && no_other);
        for (index, longest) in self.seen.longest.iter_mut().enumerate() {
            if path.entries >> index & 1 == 1 {
                *longest = (*longest).max(Some(ended - path.begun));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_that_no_entry_reaches_explains_nothing() {
        let seen = Seen { longest: vec![None, None], ..Seen::default() };
        let reached = BTreeMap::from([(0x100, 3), (0x102, 3), (0x110, 1), (0x120, 2)]);
        let begins = BTreeSet::from([0x100]);
        let (under_way, trapped, last, before, parted) = (None, None, None, 0, 0);
        let mut watch = Watch { begins, reached, parted, under_way, trapped, last, before, seen };
        // Before the first trap nothing counts; then one path of each kind: both are told apart,
        // two are not explained. What is begun twice counts once.
        let paths = [
            &[0x50][..],
            &[0x100, 0x102, 0x102, 0x110],
            &[0x100, 0x120],
            &[0x100, 0x110, 0x120],
            &[0x100, 0x130],
        ];
        let times = [&[1][..], &[2, 3, 3, 4], &[5, 6], &[7, 8, 9], &[10, 11]];
        for (path, times) in paths.into_iter().zip(times) {
            path.iter().zip(times).for_each(|(&at, &now)| watch.see(at, now));
        }
        watch.close(11);
        assert_eq!((watch.seen.paths, watch.seen.unexplained), (4, 2));
        assert_eq!(watch.seen.longest, [Some(3), Some(2)]);
    }

    #[test]
    fn a_path_lasts_from_its_trap_and_no_sleep_is_of_one() {
        let seen = Seen { longest: vec![None], ..Seen::default() };
        let reached = BTreeMap::from([(0x100, 1), (0x104, 1), (0x108, 1)]);
        let begins = BTreeSet::from([0x100, 0x108]);
        let (under_way, trapped, last, before, parted) = (None, None, None, 0, 0);
        let mut watch = Watch { begins, reached, parted, under_way, trapped, last, before, seen };
        watch.trap(10);
        // The last one sleeps, and is over when it has slept.
        [(0x100, 30), (0x104, 900), (0x108, 905)]
            .into_iter()
            .for_each(|(at, now)| watch.see(at, now));
        assert_eq!(watch.seen.longest, [Some(21)]);
        watch.trap(2000);
        watch.see(0x100, 2020);
        assert_eq!((watch.seen.longest[0], watch.seen.paths), (Some(21), 2));
    }
}
