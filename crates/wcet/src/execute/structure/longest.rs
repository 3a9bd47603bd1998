//! The longest way through functions, from the inside out.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::Part;
use super::discover::{called_by, circles, granted};
use super::edges::Called;
use super::routes::{Route, Routes};
use crate::execute::granted::{Facts, Used};
use crate::flow::{Function, Loop, Node};

/// So many calls are looked at, each function once for what is under way around it.
const MOST: usize = 1 << 15;

/// The time of a way, and the way.
type Way = (u128, Route);

/// The longest ways through some code.
#[derive(Debug, Clone, Default)]
struct Through {
    /// To a header of the loop around it.
    back: Option<Way>,
    /// To blocks outside of it.
    exits: BTreeMap<usize, Way>,
    /// To the caller.
    returned: Option<Way>,
    /// To where a path ends.
    ended: Option<Way>,
}

/// The code in a function that ways are looked for in.
struct Inside<'f> {
    part: &'f Part,
    /// The blocks of the loop, and its headers; nothing where it is the whole function.
    looping: Option<(BTreeSet<usize>, &'f [usize])>,
}

/// The functions under way where one is called: the number of calls of each that matters for it,
/// and the functions whose calls are all counted at once.
type Within = (Vec<(u64, u64)>, Vec<u64>);

/// The search for the longest way.
pub(super) struct Longest<'s> {
    parts: &'s BTreeMap<u64, Part>,
    facts: &'s Facts,
    pub(super) routes: Routes,
    pub(super) used: BTreeSet<Used>,
    /// The loop that takes longest, by its header.
    pub(super) most: Option<(u64, u128)>,
    /// The functions that call themselves.
    recursive: BTreeSet<u64>,
    /// The functions that each leads to.
    leads_to: BTreeMap<u64, BTreeSet<u64>>,
    known: BTreeMap<(u64, Within), Rc<Through>>,
    /// The calls under way of each function that calls itself.
    active: BTreeMap<u64, u64>,
    /// The functions under way of which the first call takes the time of all.
    counted: BTreeSet<u64>,
    /// The headers of the loops around in the function under way.
    around: Vec<u64>,
    /// The time of all iterations that totals grant to the function under way, where these are
    /// summed up.
    totals: Option<Vec<Way>>,
    /// The function whose calls are too many.
    too_many: Option<u64>,
}

fn longer(one: Option<Way>, other: Option<Way>) -> Option<Way> {
    [one, other].into_iter().flatten().max_by_key(|&(time, _)| time)
}

impl<'s> Longest<'s> {
    pub(super) fn new(parts: &'s BTreeMap<u64, Part>, facts: &'s Facts) -> Self {
        let recursive = circles(parts, |_| false).into_iter().flatten().collect();
        let leads_to = parts.keys().map(|&entry| (entry, closure(parts, entry))).collect();
        let (routes, used, most, known) = Default::default();
        let (active, counted, around, totals, too_many) = Default::default();
        Self {
            parts,
            facts,
            routes,
            used,
            most,
            recursive,
            leads_to,
            known,
            active,
            counted,
            around,
            totals,
            too_many,
        }
    }

    /// Returns the longest way from a function's entry to its return, or to where a path ends;
    /// nothing where there is none.
    ///
    /// # Errors
    /// The function whose calls are too many.
    pub(super) fn of(&mut self, entry: u64) -> Result<Option<Way>, u64> {
        let through = self.call(entry);
        match self.too_many {
            Some(function) => Err(function),
            None => Ok(longer(through.returned, through.ended)),
        }
    }

    /// Returns a function that calls itself so that its calls multiply, if there is one of which no
    /// fact says how many there are in all.
    pub(super) fn multiplies(&self) -> Option<u64> {
        self.recursive.iter().copied().find(|entry| !self.facts.calls.contains_key(entry))
    }

    /// Returns the ways through a call of a function.
    fn call(&mut self, entry: u64) -> Rc<Through> {
        // The first call that is under way takes the time of this one.
        if self.counted.contains(&entry) {
            let returned = Some((0, Routes::START));
            return Rc::new(Through { returned, ..Through::default() });
        }
        let active = self.active.get(&entry).copied().unwrap_or(0);
        if let Some(&most) = self.facts.recursion.get(&entry)
            && active >= most
        {
            // A way that needs a deeper call than the fact allows is no way.
            self.used.insert(Used::Recursion(entry));
            return Rc::default();
        }
        // Nothing else decides over the ways through it, so equal calls share one result.
        let key = (entry, self.within(entry));
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        // What comes out now does not matter: the message names this function instead of a time.
        if self.known.len() >= MOST {
            self.too_many.get_or_insert(entry);
            return Rc::default();
        }
        // Of a function that does not call itself, each call is counted where it is made.
        let calls = self.facts.calls.get(&entry).filter(|_| self.recursive.contains(&entry));
        self.active.insert(entry, active + 1);
        let through = match calls {
            Some(&calls) => self.all_calls(entry, calls),
            None => self.function(entry),
        };
        self.active.insert(entry, active);
        let through = Rc::new(through);
        self.known.insert(key, through.clone());
        through
    }

    /// Returns what is under way that matters for a call of a function.
    fn within(&self, entry: u64) -> Within {
        let Some(led_to) = self.leads_to.get(&entry) else { return Within::default() };
        let matters =
            |function: &u64| self.recursive.contains(function) && led_to.contains(function);
        let active = self.active.iter().map(|(&function, &often)| (function, often));
        let active = active.filter(|(function, often)| *often > 0 && matters(function)).collect();
        (active, self.counted.iter().copied().filter(matters).collect())
    }

    /// Returns the ways through a call that takes the time of all calls within it: none of them
    /// takes longer by itself than the longest.
    fn all_calls(&mut self, entry: u64, calls: u64) -> Through {
        self.used.insert(Used::Calls(entry));
        self.counted.insert(entry);
        let own = self.function(entry);
        self.counted.remove(&entry);
        // A call may end for good instead of coming back, so the longer of both stands for each
        // call.
        let Some((time, route)) = longer(own.returned, own.ended) else { return own };
        let route = self.routes.repeated(Routes::START, route, calls.into());
        let all = Some((time.saturating_mul(calls.into()), route));
        Through { returned: own.returned.and(all), ended: own.ended.and(all), ..Through::default() }
    }

    /// Returns the ways through a function, each loop as often as facts grant it for each entry,
    /// or in all if that is less.
    fn function(&mut self, entry: u64) -> Through {
        // Loops and totals of the caller are not those of this function.
        let around = std::mem::take(&mut self.around);
        let totals = self.totals.take();
        let each = self.body(entry);
        let function = &self.parts[&entry].function;
        let has_total =
            function.all_loops().into_iter().any(|one| self.total(function, one).is_some());
        let found = match has_total {
            true => {
                self.totals = Some(Vec::new());
                let once = self.body(entry);
                let sums = self.totals.take().unwrap_or_default();
                let all =
                    sums.into_iter().fold((0, Routes::START), |one, sum| self.behind(one, sum));
                // Both counts are bounds, by entry and in all, so the lesser one may be taken.
                let least = |each: Option<Way>, once: Option<Way>, this: &mut Self| {
                    let once = once.map(|once| this.behind(all, once));
                    [each, once].into_iter().flatten().min_by_key(|&(time, _)| time)
                };
                Through {
                    returned: least(each.returned, once.returned, self),
                    ended: least(each.ended, once.ended, self),
                    ..Through::default()
                }
            }
            false => each,
        };
        (self.around, self.totals) = (around, totals);
        found
    }

    /// The total of a loop that counts during one call of its function.
    fn total(&self, function: &Function, looping: &Loop) -> Option<(usize, u64)> {
        let counts = |during: Option<u64>| during.is_none_or(|at| at == function.entry);
        let totals = self.facts.totals.iter().enumerate();
        totals
            .filter(|(_, one)| counts(one.during) && one.looping.is_loop(function, looping))
            .map(|(index, one)| (index, one.iterations))
            .min_by_key(|&(_, iterations)| iterations)
    }

    fn body(&mut self, entry: u64) -> Through {
        let part = &self.parts[&entry];
        let inside = Inside { part, looping: None };
        let start = part.function.block_at(entry).map(|start| (start, (0, Routes::START)));
        self.nodes(&inside, &part.function.nest, start.into_iter().collect())
    }

    /// Goes on behind one way by another.
    fn behind(&mut self, (before, route): Way, (time, way): Way) -> Way {
        (before.saturating_add(time), self.routes.repeated(route, way, 1))
    }

    /// Returns the ways through nodes, from the blocks at which some arrive.
    fn nodes(
        &mut self,
        inside: &Inside<'_>,
        nodes: &[Node],
        mut arrived: BTreeMap<usize, Way>,
    ) -> Through {
        let mut through = Through::default();
        for node in nodes {
            let onward = match node {
                Node::Block(block) => {
                    let Some(way) = arrived.remove(block) else { continue };
                    self.block(inside.part, *block, way)
                }
                Node::Loop(looping) => {
                    // An iteration from any header is covered below, so the longest arrival stands
                    // for all.
                    let ways = looping.headers.iter().map(|header| arrived.remove(header));
                    let Some(way) = ways.fold(None, longer) else { continue };
                    self.looping(inside.part, looping, way)
                }
            };
            through.returned = longer(through.returned, onward.returned);
            through.ended = longer(through.ended, onward.ended);
            for (block, way) in onward.exits {
                let is_back = inside.looping.as_ref().is_some_and(|(_, all)| all.contains(&block));
                let is_here = inside.looping.as_ref().is_none_or(|(all, _)| all.contains(&block));
                let place = match (is_back, is_here) {
                    (true, _) => {
                        through.back = longer(through.back, Some(way));
                        continue;
                    }
                    (_, true) => &mut arrived,
                    _ => &mut through.exits,
                };
                let longest = longer(place.get(&block).copied(), Some(way)).unwrap_or(way);
                place.insert(block, longest);
            }
        }
        through
    }

    /// Returns the ways through a loop that is entered by a way.
    fn looping(&mut self, part: &Part, looping: &Loop, before: Way) -> Through {
        let header = part.function.blocks[looping.headers[0]].address();
        let bound = granted(self.facts, (&part.function, looping), &self.around);
        let mut blocks = BTreeSet::new();
        looping.blocks(&mut blocks);
        let inside = Inside { part, looping: Some((blocks, &looping.headers)) };
        // Each iteration may begin at any of the headers.
        let starts = looping.headers.iter().map(|&header| (header, (0, Routes::START))).collect();
        self.around.push(header);
        let one = self.nodes(&inside, &looping.body, starts);
        self.around.pop();
        let mut begun = before;
        if let Some((time, route)) = one.back {
            let total = self.total(&part.function, looping).filter(|_| self.totals.is_some());
            let (fact, times) = match (total, bound) {
                (Some((index, times)), _) => (Used::Total(index), times),
                (None, Some(bound)) => bound,
                // A missing fact has been asked for before.
                (None, None) => return Through::default(),
            };
            self.rest_on(fact, &part.function, looping);
            // A product that saturates is more than 64 bits hold, and is refused in the end.
            let all = time.saturating_mul(times.into());
            if self.most.is_none_or(|(_, most)| all > most) {
                self.most = Some((header, all));
            }
            let from = if total.is_some() { Routes::START } else { before.1 };
            let route = self.routes.repeated(from, route, times.into());
            match (total, &mut self.totals) {
                (Some(_), Some(totals)) => totals.push((all, route)),
                _ => begun = (before.0.saturating_add(all), route),
            }
        }
        // Whoever leaves has all iterations behind it at most, and then goes from a header to the
        // exit.
        let mut on = |way: Way| self.behind(begun, way);
        Through {
            back: None,
            exits: one.exits.into_iter().map(|(block, way)| (block, on(way))).collect(),
            returned: one.returned.map(&mut on),
            ended: one.ended.map(&mut on),
        }
    }

    fn rest_on(&mut self, fact: Used, function: &Function, looping: &Loop) {
        self.used.insert(fact);
        if let Used::Loop(_) = fact {
            let headers = function.addresses(&function.back_to(looping));
            self.used.extend(headers.into_iter().map(Used::Loop));
        }
    }

    /// Returns the ways through a block to what follows it.
    fn block(&mut self, part: &Part, index: usize, (before, route): Way) -> Through {
        let Some(edges) = &part.edges[index] else { return Through::default() };
        let (address, cost) = (part.function.blocks[index].address(), part.costs[index]);
        // Nothing of a replaced block is executed: its stated time comes with what it calls.
        let own = match edges.is_replaced {
            true => (before, route),
            false => (before.saturating_add(cost.into()), self.routes.block(route, address, cost)),
        };
        let mut on = Some(own);
        let mut ended = edges.ends.then_some(own);
        if let Some(calls) = &edges.calls {
            on = edges.skips.then_some(own);
            for called in calls {
                let (back, end) = self.called(*called, own);
                on = longer(on, back);
                ended = longer(ended, end);
            }
        }
        let exits = on.iter().flat_map(|&way| edges.next.iter().map(move |&next| (next, way)));
        let exits = exits.collect();
        Through { back: None, exits, returned: on.filter(|_| edges.returns), ended }
    }

    /// Returns the longest ways behind something that is called: back from it, and to where a path
    /// ends.
    fn called(&mut self, called: Called, before: Way) -> (Option<Way>, Option<Way>) {
        match called {
            Called::End => (None, Some(before)),
            Called::Stated(at, time) => {
                let route = self.routes.block(before.1, at, time);
                (Some((before.0.saturating_add(time.into()), route)), None)
            }
            Called::Function(entry) => {
                let through = self.call(entry);
                let mut on = |way: Way| self.behind(before, way);
                (through.returned.map(&mut on), through.ended.map(&mut on))
            }
        }
    }
}

/// Returns the functions that calls lead to from a function, itself included.
fn closure(parts: &BTreeMap<u64, Part>, entry: u64) -> BTreeSet<u64> {
    let (mut found, mut open) = (BTreeSet::new(), vec![entry]);
    while let Some(entry) = open.pop() {
        if found.insert(entry)
            && let Some(part) = parts.get(&entry)
        {
            open.extend(called_by(&part.edges));
        }
    }
    found
}
