//! How often initial data have been put back, and which frames are younger.

use fusee_kernel::cores::{Host, OneCore};

/// What a history says of a restart.
#[derive(Debug, Clone)]
pub struct Kept {
    /// How often the initial data have been put back as a whole.
    pub times: u32,
    /// For each core, thread and depth: how often they had been when that frame began.
    pub since: Vec<Vec<Vec<u32>>>,
}

impl Kept {
    /// Before the start.
    pub(super) fn start(tables: &[OneCore<'_>]) -> Vec<Kept> {
        let frames = |one: &fusee_kernel::Tables<'_>| {
            vec![vec![0; usize::from(one.depth) + 1]; one.threads.len()]
        };
        let since: Vec<_> = tables.iter().map(|(one, _)| frames(one)).collect();
        let count = tables.first().map_or(0, |(_, shared)| shared.restarts.len());
        vec![Kept { times: 0, since }; count]
    }

    /// Notes that a step has put the last piece back.
    pub(super) fn follow(all: &mut [Kept], before: &Host, after: &Host) {
        for (number, kept) in all.iter_mut().enumerate() {
            let (old, new) = (before.restarts[number].written, after.restarts[number].written);
            kept.times += u32::from(new < old);
        }
    }

    /// Notes that a thread begins in a component.
    pub(super) fn begin(&mut self, core: usize, thread: usize, depth: u8) {
        self.since[core][thread][usize::from(depth)] = self.times;
    }
}
