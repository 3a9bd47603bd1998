//! The observations of calls and loops: the numbers of facts about them.
//!
//! How often a loop iterates is counted without any notion of it but the ways that
//! runs have taken: where control comes back to an address from one that it always
//! comes to by that address, it iterates; the loop is what lies on such ways.

use std::collections::{BTreeMap, BTreeSet};

use fusee_testing::interpreter::{Before, Interpreter};
use fusee_wcet::program::Program;
use petgraph::algo::dominators::simple_fast;
use petgraph::{Graph, Incoming};

/// The most that any run has shown.
pub(crate) struct Shown {
    /// The number of calls of a function under way at the same time, by its address.
    pub(crate) under_way: BTreeMap<u64, u64>,
    /// Its calls within a call that is not within another one of it, that one included.
    pub(crate) calls: BTreeMap<u64, u64>,
    /// The number of iterations of a loop when it is entered, by its header; 0 of other addresses
    /// that some run came to.
    pub(crate) iterations: BTreeMap<u64, u64>,
    /// The number of times that control comes back to an address in one call.
    pub(crate) comes_back: BTreeMap<u64, u64>,
}

/// The observations of the runs so far.
#[derive(Default)]
pub(crate) struct Seen {
    under_way: BTreeMap<u64, u64>,
    calls: BTreeMap<u64, u64>,
    /// The addresses that each call of a function came to, one after the other.
    ways: BTreeMap<u64, Vec<Vec<u64>>>,
}

/// A call that is under way.
struct Call {
    entry: u64,
    back: Before,
    way: Vec<u64>,
}

/// The calls of one run.
struct Run<'s> {
    seen: &'s mut Seen,
    functions: BTreeSet<u64>,
    calls: Vec<Call>,
    /// Calls of each function since it was under way first.
    within: BTreeMap<u64, u64>,
}

impl Seen {
    /// Executes a function; gives its instructions.
    pub(crate) fn run(&mut self, program: &Program, on: &mut Interpreter<'_>, entry: u64) -> u64 {
        let functions = program.symbols().iter().filter(|symbol| symbol.code);
        let functions = functions.map(|symbol| symbol.address).collect();
        let mut run = Run { seen: self, functions, calls: Vec::new(), within: BTreeMap::new() };
        let mut count = 0;
        on.follow(entry, 0, |before| {
            count += 1;
            run.see(before);
        });
        while run.calls.pop().map(|call| run.ended(call)).is_some() {}
        count
    }

    /// Returns the most of all.
    pub(crate) fn shown(self) -> Shown {
        let (mut iterations, mut comes_back) = (BTreeMap::new(), BTreeMap::new());
        for (&entry, ways) in &self.ways {
            let loops = loops(entry, ways);
            for way in ways {
                way.iter().for_each(|&at| raise(&mut iterations, at, 0));
                count(way, &loops, &mut iterations);
                let mut visits = BTreeMap::<u64, u64>::new();
                way.iter().for_each(|&at| *visits.entry(at).or_default() += 1);
                visits.into_iter().for_each(|(at, visits)| raise(&mut comes_back, at, visits - 1));
            }
        }
        Shown { under_way: self.under_way, calls: self.calls, iterations, comes_back }
    }
}

impl Run<'_> {
    fn see(&mut self, before: Before) {
        let is_back =
            |call: &mut Call| (call.back.link, call.back.stack) == (before.at, before.stack);
        while let Some(call) = self.calls.pop_if(is_back) {
            self.ended(call);
        }
        if self.functions.contains(&before.at) {
            self.begin(before);
        }
        if let Some(call) = self.calls.last_mut() {
            call.way.push(before.at);
        }
    }

    fn begin(&mut self, back: Before) {
        let entry = back.at;
        let under_way = self.calls.iter().filter(|call| call.entry == entry).count() as u64 + 1;
        if under_way == 1 {
            self.within.insert(entry, 0);
        }
        let within = self.within.entry(entry).or_default();
        *within += 1;
        raise(&mut self.seen.calls, entry, *within);
        raise(&mut self.seen.under_way, entry, under_way);
        self.calls.push(Call { entry, back, way: Vec::new() });
    }

    fn ended(&mut self, call: Call) {
        self.seen.ways.entry(call.entry).or_default().push(call.way);
    }
}

/// Returns the loops of a function, by their headers, as far as these ways through it show them.
fn loops(entry: u64, ways: &[Vec<u64>]) -> BTreeMap<u64, BTreeSet<u64>> {
    let mut graph = Graph::<u64, ()>::new();
    let mut nodes = BTreeMap::from([(entry, graph.add_node(entry))]);
    for pair in ways.iter().flat_map(|way| way.windows(2)) {
        let [from, to] =
            [pair[0], pair[1]].map(|at| *nodes.entry(at).or_insert_with(|| graph.add_node(at)));
        graph.update_edge(from, to, ());
    }
    let dominators = simple_fast(&graph, nodes[&entry]);
    let mut loops: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
    for (from, header) in graph.edge_indices().filter_map(|edge| graph.edge_endpoints(edge)) {
        if dominators.dominators(from).is_some_and(|mut all| all.any(|one| one == header)) {
            let inside = loops.entry(graph[header]).or_default();
            inside.insert(graph[header]);
            let mut open = vec![from];
            while let Some(at) = open.pop() {
                if inside.insert(graph[at]) {
                    open.extend(graph.neighbors_directed(at, Incoming));
                }
            }
        }
    }
    loops
}

/// Counts the iterations of all loops on a way.
fn count(way: &[u64], loops: &BTreeMap<u64, BTreeSet<u64>>, most: &mut BTreeMap<u64, u64>) {
    let mut now: BTreeMap<u64, u64> = BTreeMap::new();
    for pair in way.windows(2) {
        if let Some(inside) = loops.get(&pair[1]) {
            let iterations = now.entry(pair[1]).or_default();
            *iterations = if inside.contains(&pair[0]) { *iterations + 1 } else { 0 };
            raise(most, pair[1], *iterations);
        }
    }
}

fn raise(numbers: &mut BTreeMap<u64, u64>, at: u64, to: u64) {
    let number = numbers.entry(at).or_default();
    *number = to.max(*number);
}
