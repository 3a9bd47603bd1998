//! Level by level: the first history that breaks a rule is a shortest one.

/// States that are searched.
pub(crate) trait Space {
    /// A state whose steps have not been taken yet.
    type Node;

    /// A rule that does not hold, and how it came to that.
    type Violation;

    /// Takes every step from a state, checks it, and adds the states that are new.
    fn expand(
        &mut self,
        node: &Self::Node,
        new: &mut Vec<Self::Node>,
    ) -> Result<(), Self::Violation>;

    /// Distinct states so far.
    fn states(&self) -> usize;
}

/// The progress of a search.
pub(crate) struct Extent<V> {
    /// Steps of the longest of the shortest histories.
    pub(crate) depth: usize,
    /// The first violation.
    pub(crate) violation: Option<V>,
    /// `true` if all states were visited.
    pub(crate) complete: bool,
}

/// Visits every state that can be reached from one, up to `limit` states.
pub(crate) fn search<S: Space>(
    space: &mut S,
    start: S::Node,
    limit: usize,
) -> Extent<S::Violation> {
    let mut extent = Extent { depth: 0, violation: None, complete: false };
    let mut level = vec![start];
    while !level.is_empty() {
        let mut next = Vec::new();
        // What has been expanded goes at once: a level of nodes is most of a search's memory.
        for node in level.drain(..) {
            if let Err(violation) = space.expand(&node, &mut next) {
                extent.violation = Some(violation);
                return extent;
            }
            if space.states() > limit {
                return extent;
            }
        }
        extent.depth += usize::from(!next.is_empty());
        level = next;
    }
    extent.complete = true;
    extent
}
