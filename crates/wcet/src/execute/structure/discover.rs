//! The code that an entry leads to, and the facts that are missing about it.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;

use super::edges::{Called, Edges};
use super::{Part, Structure};
use crate::execute::engine::{Missing, asked};
use crate::execute::granted::{Facts, Used};
use crate::flow::{Function, Loop, Node, loops};
use crate::machine::Machine;

/// The message about a loop whose iterations no fact gives.
const LOOP: &str = "an execution came to no end, and no fact says how often this loop iterates";
/// The message about a function that calls itself.
const RECURSION: &str = "an execution came to no end, and no fact says how deep this function \
                         calls itself";

impl<M: Machine> Structure<'_, M> {
    /// Finds all functions that the entry leads to.
    pub(super) fn discover(&mut self) {
        let mut open = vec![self.entry];
        while let Some(entry) = open.pop() {
            if self.parts.contains_key(&entry) {
                continue;
            }
            let function = match self.code.function(self.subject.setting.program(), entry) {
                Ok((function, _)) => function,
                Err(error) => {
                    self.lacks.push((entry, error.to_string(), Missing::Nothing));
                    continue;
                }
            };
            // Only what these blocks call is looked at, as facts may exclude the others.
            let edges = self.reached(&function);
            open.extend(called_by(&edges));
            let costs = vec![0; edges.len()];
            self.ask_for_loops(&function, &edges);
            self.parts.insert(entry, Part { function, edges, costs });
        }
        self.ask_for_depths();
    }

    /// Returns what follows each block that is reached from a function's entry.
    fn reached(&mut self, function: &Function) -> Vec<Option<Edges>> {
        let mut edges: Vec<Option<Edges>> = function.blocks.iter().map(|_| None).collect();
        let mut seen = vec![false; edges.len()];
        let mut open: Vec<usize> = function.block_at(function.entry).into_iter().collect();
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            edges[at] = self.edges_of(function, &function.blocks[at]);
            open.extend(edges[at].iter().flat_map(|edges| edges.next.iter().copied()));
        }
        edges
    }

    /// Asks for the iterations of loops that are reached and that no fact tells of.
    fn ask_for_loops(&mut self, function: &Function, edges: &[Option<Edges>]) {
        let facts = self.subject.facts;
        let mut loops = Vec::new();
        let mut around = Vec::new();
        nested(function, &function.nest, &mut around, &mut loops);
        for (looping, around) in loops {
            let mut inside = BTreeSet::new();
            looping.blocks(&mut inside);
            // Facts may cut every way back, and a loop that cannot come back needs no number.
            let turns = inside
                .iter()
                .filter_map(|&block| edges[block].as_ref())
                .any(|edges| edges.next.iter().any(|next| looping.headers.contains(next)));
            if turns && granted(facts, (function, looping), &around).is_none() {
                let (headers, what) = asked(function, looping, LOOP);
                let lack = |header| (header, what.clone(), Missing::LoopBound);
                self.lacks.extend(headers.into_iter().map(lack));
            }
        }
    }

    /// Asks for the depth of functions that call themselves: in each circle of calls there must be
    /// one of which a fact says how deep it is.
    fn ask_for_depths(&mut self) {
        let Facts { recursion, calls, .. } = self.subject.facts;
        let is_given = |entry: &u64| recursion.contains_key(entry) || calls.contains_key(entry);
        for circle in circles(&self.parts, is_given) {
            // One function with a limit breaks the circle. The lowest address is the same in each
            // run.
            let first = circle.into_iter().min();
            self.lacks.extend(first.map(|one| (one, RECURSION.to_owned(), Missing::Recursion)));
        }
    }
}

/// Returns the circles in which functions call one another, where those are left out that `without`
/// tells.
pub(super) fn circles(
    parts: &BTreeMap<u64, Part>,
    without: impl Fn(&u64) -> bool,
) -> Vec<Vec<u64>> {
    let mut graph = DiGraph::<u64, ()>::new();
    let nodes: BTreeMap<u64, _> = parts
        .keys()
        .filter(|entry| !without(entry))
        .map(|&entry| (entry, graph.add_node(entry)))
        .collect();
    for (entry, &node) in &nodes {
        for called in called_by(&parts[entry].edges) {
            if let Some(&to) = nodes.get(&called) {
                // How often one function calls another makes no difference to circles.
                graph.update_edge(node, to, ());
            }
        }
    }
    let is_circle = |nodes: &Vec<_>| {
        nodes.len() > 1 || nodes.iter().any(|&node| graph.contains_edge(node, node))
    };
    let all = tarjan_scc(&graph).into_iter().filter(is_circle);
    all.map(|nodes| nodes.into_iter().map(|node| graph[node]).collect()).collect()
}

/// Returns the functions that blocks call.
pub(super) fn called_by(edges: &[Option<Edges>]) -> BTreeSet<u64> {
    let calls = edges.iter().flatten().flat_map(|edges| edges.calls.iter().flatten());
    let function = |called: &Called| match *called {
        Called::Function(entry) => Some(entry),
        Called::Stated(..) | Called::End => None,
    };
    calls.filter_map(function).collect()
}

/// Collects the loops among nodes, each with the first addresses of those around it.
fn nested<'f>(
    function: &Function,
    nodes: &'f [Node],
    around: &mut Vec<u64>,
    into: &mut Vec<(&'f Loop, Vec<u64>)>,
) {
    for looping in loops(nodes) {
        into.push((looping, around.clone()));
        around.push(function.blocks[looping.headers[0]].address());
        nested(function, &looping.body, around, into);
        around.pop();
    }
}

/// Returns the most iterations of a loop in a function for each entry, and the fact that says so;
/// `around` are the headers of the loops that it is in.
///
/// A total grants for a call of the function, or an iteration of a loop around, no less than each
/// entry takes.
pub(super) fn granted(
    facts: &Facts,
    (function, looping): (&Function, &Loop),
    around: &[u64],
) -> Option<(Used, u64)> {
    let counts =
        |during: Option<u64>| during.is_none_or(|at| at == function.entry || around.contains(&at));
    let totals = facts.totals.iter().enumerate();
    let totals = totals
        .filter(|(_, total)| counts(total.during) && total.looping.is_loop(function, looping))
        .map(|(index, total)| (Used::Total(index), total.iterations));
    facts.bounds(function, looping).chain(totals).min_by_key(|&(_, bound)| bound)
}
