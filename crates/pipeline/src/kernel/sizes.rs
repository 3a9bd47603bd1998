//! The size of a system, as far as loops of the kernel depend on it.

use std::collections::BTreeMap;

use fusee_diagnostics::Diagnostic;
use fusee_image_format::{Blob, Malformed, Platform, TreeBlob};
use fusee_isa::language::Width;
use fusee_kernel::{Capability, GateConfig, GateIndex, Protocol};
use fusee_wcet::program::Program;
use petgraph::Direction;
use petgraph::algo::toposort;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;

use super::trees::Trees;
use crate::rules;

/// The sizes that facts about the kernel name.
pub(super) struct Sizes {
    /// Bytes of a register.
    word: u64,
    /// The number of all threads.
    threads: u64,
    /// Those without the one that starts the system.
    pub(super) tasks: u64,
    /// The most frames of a thread above its home.
    pub(super) depth: u64,
    /// The most mutexes of one component that a thread can hold: those that it may lock, no deeper
    /// than it may be.
    locks: u64,
    /// The most gates of which a thread can be inside above one for which others can wait.
    above: u64,
    /// The number of times that a chain of waiting threads can go on from one holder to another.
    onward: u64,
    /// Schedulers that are components.
    pub(super) trees: Trees,
}

impl Sizes {
    /// Those of the system that is in a program's memory.
    pub(super) fn of(program: &Program, platform: Platform) -> Result<Self, Diagnostic> {
        let bytes = tables(program, platform)?;
        let behind = platform.memory_map().blob + TreeBlob::offset(bytes.len()) as u64;
        let trees = Trees::of(|length| loaded(program, behind, length)).map_err(malformed)?;
        let blob = Blob::parse(&bytes).map_err(malformed)?;
        let (threads, depth) = (blob.threads.len() as u64, u64::from(blob.header.depth));
        let chain = u64::from(blob.header.chain);
        let tasks = threads - u64::from(blob.header.boot_thread != u16::MAX);
        let may = Capabilities { blob: &blob };
        let (locks, above) = (may.locks().min(depth), may.above().unwrap_or(depth).min(depth));
        Ok(Self {
            word: platform.word_bytes(),
            threads,
            tasks,
            depth,
            locks,
            above,
            onward: may.onward().unwrap_or(chain).min(chain),
            trees,
        })
    }

    /// Returns `true` if no size of another system is larger.
    pub(super) fn include(&self, other: &Self) -> bool {
        let (own, other) = (self.by_name(), other.by_name());
        other.iter().all(|(name, size)| own.get(name).is_some_and(|own| size <= own))
    }

    /// By the names that the facts file has for them.
    pub(super) fn by_name(&self) -> BTreeMap<&'static str, u64> {
        BTreeMap::from([
            ("word", self.word),
            ("threads", self.threads),
            ("depth", self.depth),
            ("locks", self.locks),
            ("above", self.above),
            ("onward", self.onward),
            ("schedulers", self.trees.schedulers),
            ("levels", self.trees.levels),
            ("activated", self.trees.activated),
            ("sharers", self.trees.sharers),
            ("principals", self.trees.principals),
        ])
    }
}

/// Returns the tables of the system that is in a program's memory.
pub(crate) fn tables(program: &Program, platform: Platform) -> Result<Vec<u8>, Diagnostic> {
    let first = platform.memory_map().blob;
    let head = loaded(program, first, Blob::HEAD_BYTES);
    Ok(loaded(program, first, Blob::length(&head).map_err(malformed)?))
}

fn loaded(program: &Program, at: u64, length: usize) -> Vec<u8> {
    let bytes = (at..at + length as u64).map_while(|at| program.initial(at, Width::Byte));
    bytes.map(|byte| byte as u8).collect()
}

fn malformed(_: Malformed) -> Diagnostic {
    Diagnostic::error(rules::NOT_THIS_IMAGE, "the image has no tables of a system")
}

/// The capabilities of components.
pub(super) struct Capabilities<'b> {
    pub(super) blob: &'b Blob<'b>,
}

impl<'b> Capabilities<'b> {
    fn components(&self) -> std::ops::Range<usize> {
        0..self.blob.components.len()
    }

    pub(super) fn of(&self, component: usize) -> impl Iterator<Item = Capability> + use<'b> {
        let entry = self.blob.components.get(component);
        let (first, count) = entry
            .map_or((0, 0), |entry| (entry.first_capability as usize, entry.capabilities as usize));
        self.blob.capabilities.iter().skip(first).take(count).flatten()
    }

    /// Returns the mutexes that a component may lock.
    fn mutexes(&self, component: usize) -> impl Iterator<Item = GateConfig> {
        self.of(component).filter_map(|may| match may {
            Capability::Mutex(gate) => self.gate(gate),
            _ => None,
        })
    }

    /// Returns the gates that a component may pass.
    fn gates(&self, component: usize) -> impl Iterator<Item = GateConfig> {
        self.of(component).filter_map(|may| match may {
            Capability::Gate(gate) => self.gate(gate),
            _ => None,
        })
    }

    fn gate(&self, gate: GateIndex) -> Option<GateConfig> {
        self.blob.gates.get(gate.at()).map(|gate| gate.config)
    }

    /// Returns the most mutexes that one component may lock.
    fn locks(&self) -> u64 {
        self.components().map(|component| self.mutexes(component).count() as u64).max().unwrap_or(0)
    }

    /// See [`Sizes::above`].
    fn above(&self) -> Option<u64> {
        Some(self.longest(|_| true)?.saturating_sub(1))
    }

    /// See [`Sizes::onward`]: from the gate of one to that of the next leads what that one has
    /// passed in between, and no thread waits where many can be inside.
    fn onward(&self) -> Option<u64> {
        Some(self.longest(|gate| gate.protocol != Protocol::Propagated)?.saturating_sub(1))
    }

    /// The most of the gates that count, and mutexes, on the way of requests from component to
    /// component, those of the start apart. None: some component gets back to itself, or shares a
    /// mutex.
    fn longest(&self, counts: impl Fn(&GateConfig) -> bool) -> Option<u64> {
        let mut ways = self.ways(counts)?;
        let start = self.blob.threads.get(self.blob.header.boot_thread.into());
        let start = start.map(|thread| NodeIndex::new(thread.config.component.at()));
        // Where nobody gets to, nobody waits for who has left from there.
        if let Some(start) =
            start.filter(|&start| ways.edges_directed(start, Direction::Incoming).next().is_none())
        {
            ways.retain_edges(|ways, way| {
                ways.edge_endpoints(way).is_none_or(|(from, _)| from != start)
            });
        }
        longest(&ways)
    }

    /// The components with the number of their mutexes, and from each to each that it may ask, by a
    /// gate that counts or by one that does not. None: some component shares a mutex, or a gate
    /// leads nowhere.
    fn ways(&self, counts: impl Fn(&GateConfig) -> bool) -> Option<DiGraph<u64, u64>> {
        let mut ways = DiGraph::new();
        for component in self.components() {
            if self.mutexes(component).any(|mutex| mutex.component.at() != component) {
                return None;
            }
            ways.add_node(self.mutexes(component).count() as u64);
        }
        for from in self.components() {
            for gate in self.gates(from) {
                let (from, to) = (NodeIndex::new(from), NodeIndex::new(gate.component.at()));
                ways.node_weight(to)?;
                ways.add_edge(from, to, counts(&gate).into());
            }
        }
        Some(ways)
    }
}

/// Returns the largest sum of nodes and edges on any way. None: some way leads back to where it
/// was.
fn longest(ways: &DiGraph<u64, u64>) -> Option<u64> {
    let order = toposort(ways, None).ok()?;
    let mut longest = vec![0; ways.node_count()];
    for from in order.into_iter().rev() {
        let further =
            ways.edges(from).map(|way| way.weight() + longest[way.target().index()]).max();
        longest[from.index()] = ways[from] + further.unwrap_or(0);
    }
    longest.into_iter().max()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four components with the given mutexes, and the kinds of gates by which they ask each other.
    fn ways(mutexes: [u64; 4], edges: &[(u32, u32, u64)]) -> DiGraph<u64, u64> {
        let mut ways = DiGraph::new();
        for count in mutexes {
            ways.add_node(count);
        }
        ways.extend_with_edges(edges);
        ways
    }

    #[test]
    fn the_longest_way_counts_gates_and_mutexes() {
        let edges = [(0, 1, 1), (1, 2, 1), (0, 2, 1), (3, 2, 0)];
        assert_eq!(longest(&ways([0; 4], &edges)), Some(2));
        assert_eq!(longest(&ways([0, 0, 0, 3], &edges)), Some(3), "a gate that does not count");
        assert_eq!(
            longest(&ways([1, 0, 2, 4], &edges)),
            Some(6),
            "a way may be longer that has fewer gates"
        );
        assert_eq!(longest(&ways([1, 0, 2, 4], &edges[..3])), Some(5), "or none");
        assert_eq!(longest(&DiGraph::new()), None, "there is no system without components");
    }

    #[test]
    fn a_way_back_has_no_length() {
        assert_eq!(longest(&ways([0; 4], &[(0, 1, 1), (1, 2, 0), (2, 0, 0)])), None);
        assert_eq!(longest(&ways([0; 4], &[(0, 1, 1), (3, 3, 1)])), None);
    }
}
