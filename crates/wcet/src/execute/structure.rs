//! Bounds from facts alone: the longest way through the code, nothing executed.
//!
//! Where facts give the iterations of each loop, the targets of each computed
//! jump, the depth of each recursion and the time of all that is not in the
//! program, there are finitely many ways, whatever values do. The longest of them
//! is found from the inside out: an iteration of a loop takes no longer than the
//! longest way from one of its headers to one of them, so a loop that is entered
//! takes as many of these as it iterates, and the longest way from a header to
//! where it is left. A call takes the longest way through its function. Ways that
//! values exclude count as well, so that the bound is looser than an execution's;
//! but it is there, however much an execution would have to do.

mod costs;
mod discover;
mod edges;
mod longest;
mod routes;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::code::Code;
use super::engine::Missing;
use super::granted::Used;
use super::subject::Subject;
use super::{Bound, Grounds, Obstacle};
use crate::flow::Function;
use crate::machine::Machine;
use edges::Edges;
use longest::Longest;

/// The message about a bound that rests on facts alone.
const ALONE: &str = "each loop iterates and each function calls itself as often as facts allow: \
                     the program was not executed, and the bound may be loose";
const RETURNS: &str = "a return leads back to its caller";
const TOO_MANY: &str = "the depths that facts allow come to too many calls to look at: how many \
                        there are in all decides";
const TOO_LONG: &str = "the iterations and calls that facts allow multiply to more than fits into \
                        64 bits";

/// Something that facts have to say before they suffice.
type Lack = (u64, String, Missing);

/// A function as far as the entry leads into it.
struct Part {
    function: Rc<Function>,
    /// For each block that is reached, what follows it.
    edges: Vec<Option<Edges>>,
    /// For each of them, its longest time.
    costs: Vec<u64>,
}

/// The code that an entry leads to, with what facts say of it.
pub(super) struct Structure<'a, M> {
    subject: Subject<'a, M>,
    entry: u64,
    code: Code,
    parts: BTreeMap<u64, Part>,
    lacks: Vec<Lack>,
    grounds: Grounds,
}

impl<'a, M: Machine> Structure<'a, M> {
    /// Returns the bound of an entry; where facts do not suffice, without a time, and with what
    /// they would have to say.
    pub(super) fn bound(subject: Subject<'a, M>, entry: u64) -> Bound {
        let code = Code::new(subject.facts.flows(subject.setting));
        let (parts, lacks, grounds) = Default::default();
        let mut structure = Self { subject, entry, code, parts, lacks, grounds };
        structure.discover();
        // One missing fact leaves no bound, and then the times of blocks are not needed.
        if !structure.lacks.is_empty() || !structure.find_costs() {
            return structure.without_time();
        }
        structure.with_time()
    }

    /// Returns what stands in the way.
    fn without_time(self) -> Bound {
        let obstacle = |(address, what, missing): Lack| {
            let symbol = self.subject.setting.describe(address);
            Obstacle { address, fact: missing.fact(&symbol), symbol, what }
        };
        // Several ways may lack the same fact, and each fact is named once.
        let obstacles: BTreeSet<Obstacle> = self.lacks.into_iter().map(obstacle).collect();
        Bound { obstacles: obstacles.into_iter().collect(), ..Bound::default() }
    }

    fn with_time(mut self) -> Bound {
        let mut longest = Longest::new(&self.parts, self.subject.facts);
        let found = longest.of(self.entry);
        self.grounds.facts_used.append(&mut longest.used);
        // Times are added up in 128 bits, so one that does not fit into 64 is seen here.
        let lack = match &found {
            Err(recursive) => Some((*recursive, TOO_MANY.to_owned(), Missing::Calls)),
            Ok(Some((time, _))) if u64::try_from(*time).is_err() => {
                let looping = longest.most.map_or(self.entry, |(header, _)| header);
                // Calls within calls multiply most, so a fact about them helps most.
                let (at, missing) = match longest.multiplies() {
                    Some(function) => (function, Missing::Calls),
                    None => (looping, Missing::LoopBound),
                };
                Some((at, TOO_LONG.to_owned(), missing))
            }
            Ok(_) => None,
        };
        let path = match found {
            Ok(Some((_, route))) => longest.routes.list(route),
            _ => Vec::new(),
        };
        // Without a way there is nothing to bound, and the path would say nothing.
        if lack.is_some() || path.is_empty() {
            self.lacks.extend(lack);
            return self.without_time();
        }
        let program = self.subject.setting.program();
        for assumption in [ALONE, RETURNS] {
            self.grounds.assumptions.insert(assumption.to_owned());
        }
        self.grounds.assumptions.extend(self.subject.machine.assumptions());
        self.grounds.assumptions.extend(self.grounds.of_faults(program));
        let blocks = || self.parts.values().flat_map(|part| &part.function.blocks);
        let on_path: BTreeSet<u64> = path.iter().map(|visit| visit.block).collect();
        let on_it = blocks().filter(|block| on_path.contains(&block.address()));
        let addresses = |block: &crate::flow::Block| {
            (block.address(), block.instructions.iter().map(|one| one.address).collect())
        };
        let mut bound = Bound {
            // The visits add up to the longest time, which fits, and so the path always explains
            // the bound.
            time: Some(path.iter().map(|visit| visit.time).sum()),
            code: on_it.map(addresses).collect(),
            // Prices change nothing here. With nothing left over or overdrawn none is looked for.
            left: vec![0; self.subject.facts.totals.len()],
            path,
            grounds: self.grounds,
            ..Bound::default()
        };
        for part in self.parts.values() {
            for (block, _) in
                part.function.blocks.iter().zip(&part.edges).filter(|(_, e)| e.is_some())
            {
                bound.coverage.reached.insert(block.address(), block.last().address);
            }
        }
        bound
    }

    /// The bound rests on a fact.
    fn rest_on(&mut self, facts: impl IntoIterator<Item = Used>) {
        self.grounds.facts_used.extend(facts);
    }
}
