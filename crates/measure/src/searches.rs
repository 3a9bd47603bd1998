//! The length of cores' searches for a present request.
//!
//! A path that passes a section on looks through the requests for the first that is present, so it
//! takes the longest where all before the last one are absent. Who is present, and which core
//! executes, follows from what cores did at the gate, one after the other. So what a system has
//! shown can be held against what it is meant to show, without a word of the kernel's.

use std::collections::VecDeque;

use fusee_model::Waiting;

use crate::path_between::PathsBetween;
use crate::{Between, NotMeasured, Recorder, Section};

/// An mrsp gate, at which one core has one request.
#[derive(Debug, Default)]
struct Gate {
    /// Each request's core, and whether it is present.
    queue: VecDeque<(usize, bool)>,
    executing: Option<usize>,
}

impl Gate {
    fn set(&mut self, core: usize, is_present: bool) {
        let mut own = self.queue.iter_mut().filter(|(other, _)| *other == core);
        if let Some(request) = own.next() {
            request.1 = is_present;
        }
    }

    /// A core takes the activation if no core executes it and its own request is present.
    fn take(&mut self, core: usize) {
        if self.queue.contains(&(core, true)) {
            self.executing = self.executing.or(Some(core));
        }
    }

    /// Returns the number of requests before the first that is present; none: none is.
    fn passed(&self) -> Option<u64> {
        self.queue.iter().position(|&(_, is_present)| is_present).map(|place| place as u64)
    }
}

/// Returns the most requests that were passed over where the core that executes an mrsp gate's
/// section loses its thread.
pub fn longest_search(recorder: &Recorder) -> Option<u64> {
    let (mut gate, mut found) = (Gate::default(), None);
    for (held, path) in recorder.in_order() {
        let core = path.core;
        match held.section {
            Section::Ask => {
                gate.queue.push_back((core, true));
                gate.take(core);
            }
            Section::Gain => {
                gate.set(core, true);
                gate.take(core);
            }
            Section::Look => gate.take(core),
            Section::Lose => {
                gate.set(core, false);
                if gate.executing == Some(core) {
                    gate.executing = None;
                    found = found.max(gate.passed());
                }
            }
            Section::Leave => {
                let is_own = gate.queue.pop_front().is_some_and(|(owner, _)| owner == core);
                let goes_on = matches!(gate.queue.front(), Some(&(next, is_present))
                    if next == core || !is_present);
                if is_own || !goes_on {
                    gate.executing = None;
                }
            }
            Section::Pass => {}
        }
    }
    found
}

impl Between {
    /// Checks that a run has shown all that the system is for: with each number of requests that
    /// can be there a call and a return or a hand-over, and where cores execute for others that
    /// with all of them there, and a search that passes over all but one.
    ///
    /// # Errors
    /// What is missing.
    pub fn is_shown_by(&self, recorder: &Recorder) -> Result<(), NotMeasured> {
        let mut paths = PathsBetween::default();
        paths.add_of(self, recorder);
        let paths = paths.all();
        let (word, users) = (self.guard.name(), self.users as u64);
        let has = |name: &str, waiting| {
            let name = format!("{word}.{name}");
            let found = paths.iter().any(|path| path.name == name && path.waiting == waiting);
            let cores = self.cores;
            let missing = || NotMeasured(format!("{name} on {cores} cores with {waiting} waiting"));
            found.then_some(()).ok_or_else(missing)
        };
        for waiting in 0..=users {
            has("lock", waiting)?;
            has("unlock", waiting)?;
        }
        match self.guard.protocol().waiting() {
            Some(Waiting::Helps) => {}
            // Of many who wait on one core the first alone comes from another one.
            Some(Waiting::Suspended) => return has("handover", users),
            _ => return (1..=users).try_for_each(|waiting| has("handover", waiting)),
        }
        has("help", users)?;
        let found = longest_search(recorder);
        let missing =
            || NotMeasured(format!("a search past {users} on {} cores ({found:?})", self.cores));
        (found == Some(users)).then_some(()).ok_or_else(missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Held, KernelPath};

    fn path((number, &(core, section)): (usize, &(usize, Section))) -> KernelPath {
        let number = number as u64;
        let sections = vec![Held { section, held: 10, requests: 1, from: 5, number }];
        KernelPath { core, length: 100, sections, sleeps: false }
    }

    #[test]
    fn who_is_absent_is_passed_over() {
        use Section::{Ask, Gain, Leave, Look, Lose};
        let steps = [(0, Ask), (1, Ask), (2, Ask), (1, Lose), (0, Lose), (2, Look)];
        let shown = |steps: &[(usize, Section)]| {
            let mut recorder = Recorder::new(3);
            recorder.paths = steps.iter().enumerate().map(path).collect();
            longest_search(&recorder)
        };
        // The owner, and the one behind it, which did not execute when it lost its core.
        assert_eq!(shown(&steps), Some(2));
        // Another core than the owner's ends its section, and goes on with that of who is absent;
        // who
        // then loses its core executes nothing.
        let helped = [&steps[..4], &[(0, Gain), (0, Leave), (2, Look), (1, Gain), (1, Lose)]];
        assert_eq!(shown(&helped.concat()), None);
    }
}
