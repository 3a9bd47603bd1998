//! The search over cores and protocols that proves what it does not find.
//!
//! Groups of tasks that must share a core get their cores one after the other, the largest load
//! first. A branch ends where under no protocols and no priorities those already placed meet their
//! deadlines: one more task never makes a bound of another one smaller, neither does a gate that
//! comes to be between cores. Cores on which nothing is are alike. So a whole tree without an
//! answer shows that there is none, where [`Class`] says that orders are found exactly.
//!
//! Costs of the kernel depend on how many cores the finished system uses. A branch ends only if it
//! fails with the costs of each number of cores that is still possible.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::{GateId, Protocol, System, TaskId};

use super::chosen::Chosen;
use super::class::Class;
use super::freedom::Freedom;
use super::judge::Judge;
use super::order::{Found, Levels, Orders, Part};
use super::setting::{Choice, Subject};
use crate::packings::together;
use crate::priced::costs_of;

/// The most combinations of protocols that are tried for one placement.
const MOST_PROTOCOLS: usize = 64;

/// The outcome for a description.
pub(super) enum Verdict {
    /// A choice under which all required deadlines hold, by the analysis of their tasks.
    Found(Choice),
    /// There is none, but for protocols under which somebody waits suspended.
    None,
    /// None was found, and here is why that shows nothing.
    Unknown(&'static str),
}

/// A search for a choice under which some deadlines hold.
pub(super) struct Decider<'a> {
    pub(super) judge: &'a Judge<'a>,
    pub(super) freedom: &'a Freedom,
    /// The tasks whose deadlines must hold.
    pub(super) required: Vec<bool>,
    pub(super) cores: u32,
    pub(super) class: &'a Class,
}

/// The parts of a search that stay the same.
struct Tree<'t> {
    orders: Orders<'t>,
    groups: Vec<Vec<TaskId>>,
    /// The cost tables of systems on one core, on two and so on.
    tables: Vec<CostTable>,
    /// The search was not exact.
    doubt: Cell<bool>,
    answer: RefCell<Option<(System, Levels)>>,
}

/// The core of each task, as far as it has one.
pub(super) type Places = Vec<Option<u32>>;

impl Decider<'_> {
    /// Decides about choices in which nobody waits suspended.
    pub(super) fn decide(&self) -> Verdict {
        let (groups, places) = self.groups();
        let tables = (1..=self.cores).map(|cores| self.table(cores)).collect();
        let orders = Orders::new(self.judge, self.freedom, &self.required);
        let tree =
            Tree { orders, groups, tables, doubt: Cell::new(false), answer: RefCell::new(None) };
        // What is placed from the beginning may fail by itself.
        if self.feasible(&tree, &places) {
            self.branch(&tree, 0, places);
        }
        if let Some((system, levels)) = tree.answer.take() {
            let chosen = Chosen { judge: self.judge, freedom: self.freedom, cores: self.cores };
            return Verdict::Found(chosen.choice(&system, &levels));
        }
        match (tree.doubt.get(), self.class.doubt) {
            _ if self.judge.left.get() == 0 => Verdict::Unknown("the search came to its end"),
            (true, _) => Verdict::Unknown("there were too many combinations to try all"),
            (false, Some(doubt)) => Verdict::Unknown(doubt),
            (false, None) => Verdict::None,
        }
    }

    /// Returns the groups of tasks whose cores are free, the largest load first, and the cores of
    /// all others.
    pub(super) fn groups(&self) -> (Vec<Vec<TaskId>>, Places) {
        let system = self.judge.described;
        let derived = Derived::of(system);
        let all: Vec<TaskId> = system.task_ids().map(|(id, _)| id).collect();
        let movable = |&id: &TaskId| self.freedom.core(id) && system.task(id).release.is_some();
        let mut places: Places =
            all.iter().map(|id| (!movable(id)).then_some(system.task(*id).core)).collect();
        let mut free = Vec::new();
        for group in together(system, &derived, &all) {
            match group.iter().find_map(|id| places[id.index()]) {
                Some(core) => group.iter().for_each(|id| {
                    places[id.index()].get_or_insert(core);
                }),
                None => free.push(group),
            }
        }
        let load = |group: &Vec<TaskId>| group.iter().map(|&id| self.class.load(id)).sum::<u64>();
        free.sort_by_key(|group| (std::cmp::Reverse(load(group)), group.clone()));
        (free, places)
    }

    /// Returns the costs of the system on so many cores.
    fn table(&self, cores: u32) -> CostTable {
        let mut system = self.judge.described.clone();
        system.tasks.iter_mut().for_each(|task| task.core = task.core.min(cores - 1));
        if let Some(task) = system.tasks.last_mut() {
            task.core = cores - 1;
        }
        costs_of(&system, self.judge.costs, self.judge.proved)
    }

    /// Gives the next group each core in turn; ends with the first answer.
    fn branch(&self, tree: &Tree<'_>, next: usize, places: Places) {
        let Some(group) = tree.groups.get(next) else { return };
        for core in self.candidates(group[0], &places) {
            let mut places = places.clone();
            group.iter().for_each(|id| places[id.index()] = Some(core));
            if self.feasible(tree, &places) {
                self.branch(tree, next + 1, places);
            }
            if tree.answer.borrow().is_some() || self.judge.left.get() == 0 {
                return;
            }
        }
    }

    /// Returns the cores to try: first the described one, then those with the least load, of those
    /// on which nothing is only one.
    pub(super) fn candidates(&self, task: TaskId, places: &Places) -> Vec<u32> {
        let described = self.judge.described.task(task).core;
        let mut loads = vec![(0_u64, false); self.cores as usize];
        for (at, core) in places.iter().enumerate() {
            if let Some(load) = core.and_then(|core| loads.get_mut(core as usize)) {
                load.0 += self.class.load(TaskId::from(at));
                load.1 = true;
            }
        }
        let mut all: Vec<u32> = (0..self.cores).collect();
        let empty = |core: u32| !loads[core as usize].1;
        let first = all.iter().copied().filter(|&core| empty(core));
        let first = first.min_by_key(|&core| (core != described, core));
        all.retain(|&core| !empty(core) || Some(core) == first);
        all.sort_by_key(|&core| (core != described, loads[core as usize].0, core));
        all
    }

    /// Returns `true` if tasks that are placed may meet their deadlines together; keeps the answer
    /// where all are placed.
    fn feasible(&self, tree: &Tree<'_>, places: &Places) -> bool {
        let mut system = self.judge.described.clone();
        for (task, core) in system.tasks.iter_mut().zip(places) {
            task.core = core.unwrap_or(0);
        }
        let is_whole = places.iter().all(Option::is_some);
        let part = Part::of(&system, |id| places[id.index()].is_some());
        if part.ids.is_empty() {
            return true;
        }
        let (combinations, is_all) = self.protocols(&part.system);
        let mut open = !is_all;
        for protocols in combinations {
            let mut part = Part { system: part.system.clone(), ids: part.ids.clone() };
            for (gate, protocol) in protocols {
                part.system.gates[gate.index()].protocol.value = protocol;
            }
            for table in self.possible(tree, &part.system, is_whole) {
                match tree.orders.of(&part, &table) {
                    Found::No => {}
                    Found::Unknown => open = true,
                    Found::Yes(_) if !is_whole => return true,
                    Found::Yes(levels) => {
                        part.system.chains.clone_from(&system.chains);
                        if self.is_allowed(&part.system, &levels) {
                            tree.answer.replace(Some((part.system, levels)));
                            return true;
                        }
                        // Another order might be accepted.
                        open = true;
                    }
                }
            }
        }
        // What is open of a part is looked into where more is placed.
        if open && is_whole {
            tree.doubt.set(true);
        }
        open && !is_whole
    }

    /// Returns the costs that a system may have when all tasks are placed, each once.
    fn possible<'t>(
        &self,
        tree: &'t Tree<'_>,
        system: &System,
        is_whole: bool,
    ) -> Vec<Cow<'t, CostTable>> {
        if is_whole {
            return vec![Cow::Owned(costs_of(system, self.judge.costs, self.judge.proved))];
        }
        let mut tables: Vec<Cow<'t, CostTable>> = Vec::new();
        for table in tree.tables.iter().skip(system.cores() as usize - 1) {
            if !tables.iter().any(|known| known.as_ref() == table) {
                tables.push(Cow::Borrowed(table));
            }
        }
        tables
    }

    /// Returns `true` if the checks accept a finished system.
    fn is_allowed(&self, system: &System, levels: &Levels) -> bool {
        let mut system = system.clone();
        for &(task, level) in levels {
            system.tasks[task.index()].priority.value = level;
        }
        self.judge.refusal(&system).is_none()
    }

    /// Returns the combinations of protocols to try, each with the gates that get another one, and
    /// `true` if these are all.
    fn protocols(&self, system: &System) -> (Vec<Vec<(GateId, Protocol)>>, bool) {
        let mut is_all = true;
        let derived = Derived::of(system);
        let mut all: Vec<Vec<(GateId, Protocol)>> = vec![Vec::new()];
        for (id, gate) in system.gate_ids() {
            let facts = derived.gate(id);
            let free = gate.is_exclusive() && self.freedom.has(Subject::Protocol(id));
            if !free || facts.tasks.is_empty() {
                continue;
            }
            let options = self.class.options(facts.cores.len() > 1);
            if all.len() * options.len() > MOST_PROTOCOLS {
                is_all = false;
                all.iter_mut().for_each(|one| one.push((id, options[0])));
                continue;
            }
            let with = |one: &Vec<(GateId, Protocol)>, option: Protocol| {
                let mut one = one.clone();
                one.push((id, option));
                one
            };
            all = (all.iter())
                .flat_map(|one| options.iter().map(move |&option| with(one, option)))
                .collect();
        }
        (all, is_all)
    }
}
