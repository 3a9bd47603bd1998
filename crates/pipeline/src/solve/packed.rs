//! Placements of large systems: packing, then moves.
//!
//! The library's packings are where the search starts. What counts is how many tasks find no level
//! on their core. A group of tasks moves to another core, or two change places, or gates between
//! cores get another protocol; the change stays if no more tasks are left over than before, which
//! lets the search walk along plains. What is tried is drawn from a fixed seed.

use fusee_model::derived::Derived;
use fusee_model::{GateId, Policy, Protocol, System, TaskId};

use super::chosen::Chosen;
use super::freedom::Freedom;
use super::judge::{Judge, Judged};
use super::order::{Found, Orders, Part};
use super::setting::{Choice, Subject};
use crate::packings::{Described, all, fit_protocols, put, together};
use crate::priced::costs_of;

/// The number of packings from which tasks are moved, the best first.
const STARTS: usize = 3;

/// The moves from each of them.
const MOVES: usize = 2_000;

/// A search among placements.
pub(super) struct Packing<'a> {
    judge: &'a Judge<'a>,
    freedom: &'a Freedom,
    cores: u32,
    orders: Orders<'a>,
    /// The tasks that move together.
    groups: Vec<Vec<TaskId>>,
}

/// Cores of all tasks and the protocol of gates between cores.
#[derive(Clone)]
struct State {
    places: Vec<u32>,
    between: Protocol,
    /// The number of tasks that find no level.
    missing: usize,
}

impl<'a> Packing<'a> {
    /// Returns a search for a choice under which the deadlines of all tasks hold.
    pub(super) fn new(
        judge: &'a Judge<'a>,
        freedom: &'a Freedom,
        cores: u32,
        required: &'a [bool],
    ) -> Self {
        let system = judge.described;
        let tasks: Vec<TaskId> = system.task_ids().map(|(id, _)| id).collect();
        let is_free = |group: &Vec<TaskId>| group.iter().all(|&id| freedom.core(id));
        let mut groups = together(system, &Derived::of(system), &tasks);
        groups.retain(is_free);
        Self { judge, freedom, cores, orders: Orders::new(judge, freedom, required), groups }
    }

    /// Returns the first choice under which all holds.
    pub(super) fn search(&self) -> Option<Judged> {
        let mut states: Vec<State> = Vec::new();
        for places in self.packings() {
            for between in self.protocols() {
                let state = self.state(places.clone(), between)?;
                if let Some(found) = self.finished(&state) {
                    return Some(found);
                }
                states.push(state);
            }
        }
        states.sort_by_key(|state| state.missing);
        states.into_iter().take(STARTS).zip(1..).find_map(|(state, seed)| self.moved(state, seed))
    }

    /// Moves tasks as long as no more of them are left over.
    fn moved(&self, start: State, seed: u64) -> Option<Judged> {
        let mut draw = Draw(seed);
        let mut state = start;
        for _ in 0..MOVES {
            let next = self.neighbour(&state, &mut draw)?;
            if next.missing > state.missing {
                continue;
            }
            state = next;
            if let Some(found) = self.finished(&state) {
                return Some(found);
            }
        }
        None
    }

    /// Returns a state that differs in one move; none where no analysis is left.
    fn neighbour(&self, state: &State, draw: &mut Draw) -> Option<State> {
        let (mut places, mut between) = (state.places.clone(), state.between);
        let group = self.groups.get(draw.below(self.groups.len())?)?;
        let from = places[group[0].index()];
        match draw.below(8)? {
            0 => {
                let all = self.protocols();
                between = all[draw.below(all.len())?];
            }
            1..=3 => {
                let other = self.groups.get(draw.below(self.groups.len())?)?;
                let to = places[other[0].index()];
                other.iter().for_each(|id| places[id.index()] = from);
                group.iter().for_each(|id| places[id.index()] = to);
            }
            _ => {
                let to = u32::try_from(draw.below(self.cores as usize)?).ok()?;
                group.iter().for_each(|id| places[id.index()] = to);
            }
        }
        self.state(places, between)
    }

    /// Returns a state with the number of tasks that are left over in it.
    fn state(&self, places: Vec<u32>, between: Protocol) -> Option<State> {
        let part = Part::of(&self.placed(&places, between), |_| true);
        let costs = costs_of(&part.system, self.judge.costs, self.judge.proved);
        let missing = self.orders.missing(&part, &costs)?;
        Some(State { places, between, missing })
    }

    /// Returns the choice that a state is, if all holds under it.
    fn finished(&self, state: &State) -> Option<Judged> {
        if state.missing > 0 {
            return None;
        }
        let system = self.placed(&state.places, state.between);
        let part = Part::of(&system, |_| true);
        let costs = costs_of(&system, self.judge.costs, self.judge.proved);
        let Found::Yes(levels) = self.orders.of(&part, &costs) else { return None };
        let (judge, freedom, cores) = (self.judge, self.freedom, self.cores);
        let choice: Choice = Chosen { judge, freedom, cores }.choice(&system, &levels);
        judge.judge(choice).filter(|judged| judge.accepts(judged))
    }

    /// Returns the library's packings, those tasks apart whose cores are given.
    fn packings(&self) -> Vec<Vec<u32>> {
        let described = self.judge.described;
        let mut one_core = described.clone();
        put(&mut one_core, |_| 0);
        fit_protocols(&mut one_core, None);
        let (derived, analysis) = (Derived::of(&one_core), self.judge.analysis(&one_core));
        let packed = Described { system: &one_core, derived: &derived, analysis: &analysis };
        let mut found = all(&packed, self.cores);
        for places in &mut found {
            for (id, task) in described.task_ids().filter(|(id, _)| !self.freedom.core(*id)) {
                places[id.index()] = task.core;
            }
        }
        found
    }

    /// Returns the protocols for gates between cores.
    fn protocols(&self) -> Vec<Protocol> {
        let policy = self.judge.described.common_policy().unwrap_or(Policy::EarliestDeadline);
        Protocol::between_cores_to_try(policy)
    }

    /// Returns the system with its tasks on these cores and a protocol where a gate needs one.
    fn placed(&self, places: &[u32], between: Protocol) -> System {
        let mut system = self.judge.described.clone();
        put(&mut system, |task| places[task]);
        let derived = Derived::of(&system);
        let by_priority = system.common_policy() == Some(Policy::FixedPriority);
        let local = if by_priority { Protocol::Fixed } else { Protocol::Srp };
        for number in 0..system.gates.len() {
            let id = GateId::from(number);
            let gate = &mut system.gates[number];
            if gate.is_exclusive() && self.freedom.has(Subject::Protocol(id)) {
                let several = derived.gate(id).cores.len() > 1;
                gate.protocol.value = if several { between } else { local };
            }
        }
        system
    }
}

/// Numbers by chance, the same in every run.
struct Draw(u64);

impl Draw {
    /// Returns a number below the limit; none where that is 0.
    fn below(&mut self, limit: usize) -> Option<usize> {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).ok()?.checked_rem(limit)
    }
}
