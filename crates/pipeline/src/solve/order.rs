//! Priorities of tasks whose cores and gates' protocols are chosen.
//!
//! Levels are filled from the lowest (Audsley 1991): a task may stand at one if it meets its
//! deadline with all that are not yet placed above it. Where a bound depends on which tasks are
//! above and not on their order, and no bound grows when its task moves up, this finds an order
//! whenever there is one: whoever may stand at a level may stay there in every order, since the
//! others only lose a task above them. Tasks with a fixed level stand between the others, so that
//! there may be too few levels for all that may stand there; which of them do is then not tried,
//! and nothing is shown by finding none.

use std::cell::RefCell;
use std::collections::HashMap;

use fusee_bounds::{fits, is_plain};
use fusee_model::costs::CostTable;
use fusee_model::derived::Derived;
use fusee_model::priorities::HIGHEST_ASSIGNED;
use fusee_model::{Duration, Priority, Protocol, System, TaskId};

use super::freedom::Freedom;
use super::judge::Judge;
use super::setting::Subject;

/// Some tasks of a system, as a system of their own without chains.
pub(super) struct Part {
    pub(super) system: System,
    /// The number of each of its tasks in the whole system.
    pub(super) ids: Vec<TaskId>,
}

impl Part {
    /// Returns the tasks of a system that are kept.
    pub(super) fn of(system: &System, keep: impl Fn(TaskId) -> bool) -> Self {
        let ids: Vec<TaskId> = system.task_ids().map(|(id, _)| id).filter(|&id| keep(id)).collect();
        let mut part = system.clone();
        part.tasks = ids.iter().map(|&id| system.task(id).clone()).collect();
        part.chains.clear();
        Self { system: part, ids }
    }
}

/// The result of a search that is exact as long as it says so.
pub(super) enum Found<T> {
    /// There is one.
    Yes(T),
    /// There is none.
    No,
    /// None was found.
    Unknown,
}

/// The search for priorities.
pub(super) struct Orders<'a> {
    judge: &'a Judge<'a>,
    freedom: &'a Freedom,
    /// The tasks whose deadlines must hold, by their numbers in the whole system.
    required: &'a [bool],
    /// The outcomes of cores, by all that they depend on where kernel paths cost nothing.
    known: RefCell<HashMap<Vec<u64>, OnCore>>,
}

/// The levels that a search has given to tasks of the whole system.
pub(super) type Levels = Vec<(TaskId, Priority)>;

/// The outcome of the search on a core.
#[derive(Clone)]
enum OnCore {
    /// All have a level.
    Fits(Levels),
    /// So many tasks have none.
    Fails {
        missing: usize,
        /// `true` if it is certain that not all can have one.
        is_certain: bool,
    },
    /// No analysis was left.
    Ended,
}

/// One core while its levels are filled.
struct Filling {
    system: System,
    /// The tasks without a level, those to be tried first in front.
    open: Vec<TaskId>,
    placed: Levels,
    /// `true` if there were too few levels for all that might stand at one.
    crowded: bool,
}

impl<'a> Orders<'a> {
    /// Returns a search in which these deadlines must hold.
    pub(super) fn new(judge: &'a Judge<'a>, freedom: &'a Freedom, required: &'a [bool]) -> Self {
        Self { judge, freedom, required, known: RefCell::default() }
    }

    /// Returns levels of all free tasks under which the required deadlines hold on each core.
    pub(super) fn of(&self, part: &Part, costs: &CostTable) -> Found<Levels> {
        let derived = Derived::of(&part.system);
        let mut levels = Vec::new();
        for core in 0..part.system.cores() {
            match self.known_on(part, &derived, costs, core) {
                OnCore::Fits(own) => levels.extend(own),
                OnCore::Fails { is_certain: true, .. } => return Found::No,
                OnCore::Fails { is_certain: false, .. } | OnCore::Ended => return Found::Unknown,
            }
        }
        Found::Yes(levels)
    }

    /// Returns the number of tasks that find no level; none where no analysis was left.
    pub(super) fn missing(&self, part: &Part, costs: &CostTable) -> Option<usize> {
        let derived = Derived::of(&part.system);
        let mut all = 0;
        for core in 0..part.system.cores() {
            match self.known_on(part, &derived, costs, core) {
                OnCore::Fits(_) => {}
                OnCore::Fails { missing, .. } => all += missing,
                OnCore::Ended => return None,
            }
        }
        Some(all)
    }

    /// Returns the outcome on a core, from memory where it is known.
    fn known_on(&self, part: &Part, derived: &Derived, costs: &CostTable, core: u32) -> OnCore {
        if !costs.is_zero() || !is_plain(&part.system) {
            return self.on_core(part, costs, core);
        }
        let key = surroundings(part, derived, core);
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let found = self.on_core(part, costs, core);
        if !matches!(found, OnCore::Ended) {
            self.known.borrow_mut().insert(key, found.clone());
        }
        found
    }

    fn is_free(&self, part: &Part, task: TaskId) -> bool {
        self.freedom.has(Subject::Priority(part.ids[task.index()]))
    }

    fn on_core(&self, part: &Part, costs: &CostTable, core: u32) -> OnCore {
        let mut system = part.system.clone();
        let own: Vec<TaskId> =
            system.task_ids().filter(|(_, task)| task.core == core).map(|(id, _)| id).collect();
        let (mut open, given): (Vec<TaskId>, Vec<TaskId>) =
            own.into_iter().partition(|&task| self.is_free(part, task));
        // The longest deadlines first, so that the order stays close to deadline-monotonic.
        let deadline =
            |id: TaskId| system.task(id).deadline.map_or(Duration::ZERO, |given| given.value);
        open.sort_by_key(|&id| {
            let required = self.required[part.ids[id.index()].index()];
            (required, std::cmp::Reverse(deadline(id)), std::cmp::Reverse(id))
        });
        for &id in &open {
            system.tasks[id.index()].priority.value = HIGHEST_ASSIGNED;
        }
        let mut fixed: Vec<Priority> =
            given.iter().map(|&id| system.task(id).priority.value).collect();
        fixed.sort_unstable();
        fixed.dedup();
        let mut filling = Filling { system, open, placed: Vec::new(), crowded: false };
        let mut floor = 0_u16;
        for level in fixed {
            if !self.fill(part, costs, (&mut filling, floor..u16::from(level))) {
                return OnCore::Ended;
            }
            let at = given.iter().copied();
            let mut at = at.filter(|&id| filling.system.task(id).priority.value == level);
            if !at.all(|id| self.holds(part, &filling.system, costs, id)) {
                return filling.failed(self.judge);
            }
            floor = u16::from(level) + 1;
        }
        let rest = floor..u16::from(HIGHEST_ASSIGNED) + 1;
        if !rest.is_empty() && !self.fill(part, costs, (&mut filling, rest)) {
            return OnCore::Ended;
        }
        match filling.open.is_empty() {
            true => OnCore::Fits(
                filling.placed.iter().map(|&(id, level)| (part.ids[id.index()], level)).collect(),
            ),
            false => filling.failed(self.judge),
        }
    }

    /// Fills levels from the lowest with the tasks that may stand there; `false`: no analysis is
    /// left.
    fn fill(
        &self,
        part: &Part,
        costs: &CostTable,
        (filling, levels): (&mut Filling, std::ops::Range<u16>),
    ) -> bool {
        let end = levels.end;
        for level in levels {
            let Ok(level) = Priority::try_from(level) else { break };
            // All that are open stand at the highest level, where the last may stay.
            if filling.open.len() > 1 && level == HIGHEST_ASSIGNED {
                filling.crowded = true;
                return true;
            }
            let found = self.first(part, costs, filling, level);
            if self.judge.left.get() == 0 {
                return false;
            }
            let Some(at) = found else { return true };
            let id = filling.open.remove(at);
            filling.placed.push((id, level));
        }
        // No level is left below the next fixed one: beside it whoever could stand there would be.
        if let Some(next) = Priority::try_from(end).ok().filter(|&next| next < HIGHEST_ASSIGNED) {
            if let Some(at) = self.first(part, costs, filling, next) {
                let id = filling.open[at];
                filling.system.tasks[id.index()].priority.value = HIGHEST_ASSIGNED;
                filling.crowded = true;
            }
        } else {
            filling.crowded |= !filling.open.is_empty();
        }
        self.judge.left.get() > 0
    }

    /// Returns the first open task that may stand at a level, where it is put.
    fn first(
        &self,
        part: &Part,
        costs: &CostTable,
        filling: &mut Filling,
        level: Priority,
    ) -> Option<usize> {
        for at in 0..filling.open.len() {
            let id = filling.open[at];
            filling.system.tasks[id.index()].priority.value = level;
            if self.holds(part, &filling.system, costs, id) {
                return Some(at);
            }
            filling.system.tasks[id.index()].priority.value = HIGHEST_ASSIGNED;
        }
        None
    }

    /// Returns `true` if a task's deadline holds, or need not.
    fn holds(&self, part: &Part, system: &System, costs: &CostTable, id: TaskId) -> bool {
        let needed = self.required[part.ids[id.index()].index()];
        let timed = system.task(id).release.is_some();
        if !needed || !timed {
            return true;
        }
        // Elsewhere the whole system is analyzed for one task.
        let price = if is_plain(system) { 1 } else { system.tasks.len() as u64 };
        self.judge.spends(price) && fits(system, &Derived::of(system), costs, id)
    }
}

impl Filling {
    /// Returns the outcome where a task finds no place.
    fn failed(&self, judge: &Judge<'_>) -> OnCore {
        match judge.left.get() {
            0 => OnCore::Ended,
            _ => OnCore::Fails { missing: self.open.len().max(1), is_certain: !self.crowded },
        }
    }
}

/// Returns all that the bounds of a core depend on where kernel paths cost nothing: its tasks, and
/// of each gate that they pass the protocol and all users with their cores.
fn surroundings(part: &Part, derived: &Derived, core: u32) -> Vec<u64> {
    let number = |id: TaskId| u64::from(part.ids[id.index()].0);
    let mut key = vec![u64::from(core)];
    let tasks = part.system.task_ids().filter(|(_, task)| task.core == core);
    key.extend(tasks.map(|(id, _)| number(id)));
    for (id, gate) in part.system.gate_ids() {
        let facts = derived.gate(id);
        if facts.cores.contains(&core) {
            let protocol = Protocol::ALL.iter().position(|&one| one == gate.protocol.value);
            key.extend([u64::MAX, u64::from(id.0), protocol.unwrap_or(0) as u64]);
            let users = facts.tasks.iter();
            key.extend(
                users.flat_map(|&user| [number(user), u64::from(part.system.task(user).core)]),
            );
        }
    }
    key
}

/// Returns levels from the highest down in the order of those that were found, each used once, so
/// that tasks that keep no level of their own fit between them; those that were found where a task
/// has a fixed level.
pub(super) fn spread(system: &System, free: impl Fn(TaskId) -> bool, found: &Levels) -> Levels {
    let fixed: Vec<Priority> =
        (system.task_ids().filter(|(id, task)| !free(*id) && task.release.is_some()))
            .map(|(_, task)| task.priority.value)
            .collect();
    if !fixed.is_empty() {
        return found.clone();
    }
    let taken: Vec<Priority> = (system.task_ids().filter(|(id, _)| !free(*id)))
        .map(|(_, task)| task.priority.value)
        .collect();
    let mut queues: Vec<Levels> = vec![Vec::new(); system.cores() as usize];
    for &(task, level) in found {
        queues[system.task(task).core as usize].push((task, level));
    }
    // The lowest first, so that the most urgent of each core is taken from the end.
    queues.iter_mut().for_each(|queue| queue.sort_by_key(|&(_, level)| level));
    let deadline = |id: TaskId| system.task(id).deadline.map(|given| given.value);
    let mut free_levels = (0..=HIGHEST_ASSIGNED).rev().filter(|level| !taken.contains(level));
    let mut spread = Vec::new();
    loop {
        let heads = queues.iter_mut().filter(|queue| !queue.is_empty());
        let first = heads.min_by_key(|queue| queue.last().map(|&(task, _)| (deadline(task), task)));
        let Some((task, _)) = first.and_then(Vec::pop) else { return spread };
        let Some(level) = free_levels.next() else { return found.clone() };
        spread.push((task, level));
    }
}
