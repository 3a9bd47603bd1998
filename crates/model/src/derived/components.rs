//! Strongly connected components of a directed graph.
//!
//! Tarjan's algorithm with its own stack, so that a chain of a hundred thousand
//! gates does not need as deep a call stack. It finds the components in reverse
//! topological order, which is all that the passes above it need.

/// The components of one graph.
pub(super) struct Components {
    /// Members of each component, ascending; a component comes after all that it can reach.
    pub(super) members: Vec<Vec<usize>>,
    /// The component of each node.
    pub(super) of_node: Vec<usize>,
}

const UNSEEN: usize = usize::MAX;

struct Search<'a> {
    successors: &'a [Vec<usize>],
    index: Vec<usize>,
    low: Vec<usize>,
    open: Vec<usize>,
    is_open: Vec<bool>,
    next: usize,
    found: Components,
}

impl Components {
    pub(super) fn of(successors: &[Vec<usize>]) -> Self {
        let count = successors.len();
        let found = Components { members: Vec::new(), of_node: vec![UNSEEN; count] };
        let (index, low, is_open) = (vec![UNSEEN; count], vec![0; count], vec![false; count]);
        let mut search =
            Search { successors, index, low, open: Vec::new(), is_open, next: 0, found };
        for node in 0..count {
            if search.index[node] == UNSEEN {
                search.visit(node);
            }
        }
        search.found
    }

    /// Nodes with every predecessor outside its own component before it.
    pub(super) fn topological(&self) -> Vec<usize> {
        self.members.iter().rev().flatten().copied().collect()
    }

    /// Returns `true` if a node lies on a cycle.
    pub(super) fn is_cyclic(&self, node: usize, successors: &[Vec<usize>]) -> bool {
        self.members[self.of_node[node]].len() > 1 || successors[node].contains(&node)
    }
}

impl Search<'_> {
    fn enter(&mut self, node: usize) {
        self.index[node] = self.next;
        self.low[node] = self.next;
        self.next += 1;
        self.open.push(node);
        self.is_open[node] = true;
    }

    fn visit(&mut self, root: usize) {
        self.enter(root);
        let mut path = vec![(root, 0)];
        while let Some((node, position)) = path.last_mut() {
            let node = *node;
            if let Some(&next) = self.successors[node].get(*position) {
                *position += 1;
                if self.index[next] == UNSEEN {
                    self.enter(next);
                    path.push((next, 0));
                } else if self.is_open[next] {
                    self.low[node] = self.low[node].min(self.index[next]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                self.low[parent] = self.low[parent].min(self.low[node]);
            }
            self.close(node);
        }
    }

    fn close(&mut self, node: usize) {
        if self.low[node] != self.index[node] {
            return;
        }
        let mut members = Vec::new();
        while let Some(member) = self.open.pop() {
            self.is_open[member] = false;
            self.found.of_node[member] = self.found.members.len();
            members.push(member);
            if member == node {
                break;
            }
        }
        members.sort_unstable();
        self.found.members.push(members);
    }
}
