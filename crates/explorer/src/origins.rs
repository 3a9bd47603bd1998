//! The step by which a search came to each of its states.

/// For each state: the one it was first reached from, and by which step. The first is the start.
#[derive(Debug)]
pub(crate) struct Origins<S>(Vec<(u32, S)>);

impl<S: Copy> Origins<S> {
    /// Returns an empty list of origins.
    pub(crate) fn new() -> Self {
        Origins(Vec::new())
    }

    /// The number of a new state, which is reached from another by a step; of the start both are
    /// anything.
    pub(crate) fn add(&mut self, from: u32, step: S) -> u32 {
        self.0.push((from, step));
        self.0.len() as u32 - 1
    }

    /// Returns the steps from the start to a state, and one more.
    pub(crate) fn path(&self, from: u32, last: S) -> Vec<S> {
        let mut steps = vec![last];
        let mut at = from;
        while at != 0 {
            let (origin, step) = self.0[at as usize];
            steps.push(step);
            at = origin;
        }
        steps.reverse();
        steps
    }
}
