//! The sections that can be held when an interval starts.

use crate::TaskSet;

/// B(t): sections that can be held when an interval of length t starts.
#[derive(Debug, Clone, Default)]
pub struct Blocking {
    sections: Vec<Held>,
}

/// A section blocks intervals of `from` up to, not including, `until`.
#[derive(Debug, Clone, Copy)]
struct Held {
    from: u64,
    until: u64,
    length: u64,
}

impl Blocking {
    /// Returns the blocking of a set without resources.
    pub fn none() -> Self {
        Self::default()
    }

    /// The sections of a core under the stack resource policy.
    pub fn stack_resource(set: &TaskSet, core: usize) -> Self {
        let earliest: Vec<Option<u64>> = (0..set.resources())
            .map(|q| {
                let windows = set.users(q).filter(|(_, t)| t.core == core);
                windows.map(|(_, t)| t.deadline.saturating_sub(t.jitter)).min()
            })
            .collect();
        Self::of(set, core, |resource| earliest[resource])
    }

    /// The sections of a core if they are not preempted.
    pub fn non_preemptive(set: &TaskSet, core: usize) -> Self {
        Self::of(set, core, |_| Some(0))
    }

    fn of(set: &TaskSet, core: usize, from: impl Fn(usize) -> Option<u64>) -> Self {
        let mut sections = Vec::new();
        for (i, task) in set.on_core(core) {
            for section in set.sections(i) {
                let until = task.deadline.saturating_sub(task.jitter);
                if let Some(from) = from(section.request.resource).filter(|&from| from < until) {
                    sections.push(Held { from, until, length: section.request.length });
                }
            }
        }
        Self { sections }
    }

    /// Returns the blocking B(t) at an instant.
    pub fn at(&self, t: u64) -> u64 {
        self.sections
            .iter()
            .filter(|s| s.from <= t && t < s.until)
            .map(|s| s.length)
            .max()
            .unwrap_or(0)
    }

    /// The first t from which on nothing blocks.
    pub fn end(&self) -> u64 {
        self.sections.iter().map(|s| s.until).max().unwrap_or(0)
    }
}
