//! Paths of gates between cores, by what is asked for there.
//!
//! What one core's path takes is its number of instructions, from the trap that begins it
//! to the instruction that leaves the kernel or falls asleep. What two cores do together
//! is the sum of both paths.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{Between, Held, KernelPath, Recorder, Section};

/// The counts of a path, in systems of so many cores with so many waiting threads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathBetween {
    /// The name as it is shown.
    pub name: String,
    /// Cores of the system.
    pub cores: u64,
    /// Requests that are at the gate already, or stay there.
    pub waiting: u64,
    /// The number of times that it was taken.
    pub runs: u64,
    /// The shortest time in ticks.
    pub min: u64,
    /// The longest time in ticks.
    pub max: u64,
}

impl PathBetween {
    /// Returns the counts as JSON, for programs.
    pub fn json(&self) -> Value {
        json!({
            "name": self.name,
            "cores": self.cores,
            "waiting": self.waiting,
            "runs": self.runs,
            "min": self.min,
            "max": self.max,
        })
    }
}

/// Counts by name, cores and waiting threads.
#[derive(Debug, Clone, Default)]
pub struct PathsBetween(BTreeMap<(String, u64, u64), (u64, u64, u64)>);

impl PathsBetween {
    /// Adds one more run.
    pub fn add(&mut self, name: &str, (cores, waiting): (u64, u64), (min, max): (u64, u64)) {
        let new = (0, u64::MAX, 0);
        let counted = self.0.entry((name.to_owned(), cores, waiting)).or_insert(new);
        *counted = (counted.0 + 1, counted.1.min(min), counted.2.max(max));
    }

    /// Adds the paths that a system showed.
    pub fn add_of(&mut self, between: &Between, recorder: &Recorder) {
        let protocol = between.guard.name();
        let cores = between.cores as u64;
        let order = recorder.in_order();
        for (at, &(held, path)) in order.iter().enumerate() {
            let requests = u64::from(held.requests);
            self.add("gate_lock.held", (cores, requests), (held.held, held.held));
            if path.first() != Some(&held) {
                continue;
            }
            let (alone, length) = (path.sections.len() == 1, path.length);
            let mut add = |name: &str, waiting, length| {
                self.add(&format!("{protocol}.{name}"), (cores, waiting), (length, length));
            };
            match held.section {
                Section::Ask if alone => add("lock", requests, length),
                Section::Leave if alone => add("unlock", requests.saturating_sub(1), length),
                _ => {}
            }
            let together = match held.section {
                Section::Leave if requests > 1 => "handover",
                Section::Lose if between.guard.protocol().helps() => "help",
                _ => continue,
            };
            if let Some(answer) = answer(&order[at..]) {
                add(together, requests - 1, length + answer.length);
            }
        }
    }

    /// All, by name.
    pub fn all(&self) -> Vec<PathBetween> {
        let path = |(key, counted): (&(String, u64, u64), &(u64, u64, u64))| PathBetween {
            name: key.0.clone(),
            cores: key.1,
            waiting: key.2,
            runs: counted.0,
            min: counted.1,
            max: counted.2,
        };
        self.0.iter().map(path).collect()
    }
}

/// Returns the path on which another core goes on with the gate's section, told by the first path.
/// The core that tells may end its own path later.
fn answer<'p>(order: &[(Held, &'p KernelPath)]) -> Option<&'p KernelPath> {
    let ((_, first), rest) = order.split_first()?;
    for (held, path) in rest {
        match held.section {
            Section::Look if !path.sleeps => return (path.core != first.core).then_some(path),
            Section::Lose | Section::Leave => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Guard;
    use fusee_model::Policy;
    use fusee_model::Protocol;

    fn path(core: usize, length: u64, section: Option<(Section, u64)>) -> KernelPath {
        let held = |(section, number)| Held { section, held: 10, requests: 2, from: 5, number };
        KernelPath {
            core,
            length,
            sections: section.map(held).into_iter().collect(),
            sleeps: false,
        }
    }

    /// Between a return and the look that it causes, cores do what has nothing to do with the gate;
    /// and the look may be over before the path of the return.
    #[test]
    fn a_hand_over_is_counted_across_paths_of_one_core() {
        let mut recorder = Recorder::new(2);
        recorder.paths = vec![
            path(1, 500, Some((Section::Look, 1))),
            path(0, 800, Some((Section::Leave, 0))),
            path(0, 300, None),
        ];
        let (guard, policy) = (Guard::Gate(Protocol::Msrp), Policy::FixedPriority);
        let between = Between { guard, cores: 2, users: 1, budgets: false, policy };
        let mut paths = PathsBetween::default();
        paths.add_of(&between, &recorder);
        let all = paths.all();
        let found = all.iter().find(|path| path.name == "msrp.handover").expect("it is counted");
        assert_eq!((found.waiting, found.runs, found.max), (1, 1, 1_300));
    }
}
