//! Gates at which a thread waits suspended, where nothing else helps.
//!
//! Under `mpcp` a bound depends on the whole order, also on that of tasks of other cores. So orders
//! are tried one after the other, and before that placements are refuted that fail even if nobody
//! waits for other cores: with gates between cores open to all (`propagated`) each bound is that of
//! the same order without waits, which no protocol undercuts where the kernel costs nothing.

use std::cell::Cell;

use fusee_model::derived::Derived;
use fusee_model::priorities::HIGHEST_ASSIGNED;
use fusee_model::{GateId, Priority, PrioritySource, Protocol, System, TaskId};

use super::chosen::Chosen;
use super::decide::{Decider, Places, Verdict};
use super::order::{Found, Levels, Orders, Part};
use super::setting::Subject;
use crate::priced::costs_of;

/// More tasks than these have too many orders.
const MOST_TASKS: usize = 7;

/// The most combinations of protocols that are tried for one placement.
const MOST_PROTOCOLS: usize = 256;

/// Decides about all choices: those in which nobody waits suspended come first.
pub(super) fn decided(decider: &Decider<'_>) -> Verdict {
    match decider.decide() {
        Verdict::None if decider.class.suspends => {
            Suspending { decider, doubt: Cell::new(false) }.decide()
        }
        verdict => verdict,
    }
}

/// A search for a choice with suspended waits.
struct Suspending<'a> {
    decider: &'a Decider<'a>,
    /// `true` if not all could be tried.
    doubt: Cell<bool>,
}

impl Suspending<'_> {
    /// Decides about choices in which somebody waits suspended.
    fn decide(&self) -> Verdict {
        let decider = self.decider;
        let too_many = Verdict::Unknown("`mpcp` at gates between cores was tried only in part");
        let fixed = |(id, task): (TaskId, &fusee_model::Task)| {
            task.release.is_some() && !decider.freedom.has(Subject::Priority(id))
        };
        let described = decider.judge.described;
        let is_small = described.tasks.len() <= MOST_TASKS;
        if !is_small || decider.class.is_costly() || described.task_ids().any(fixed) {
            return too_many;
        }
        let (groups, places) = decider.groups();
        if let Some((system, levels)) = self.branch(&groups, places) {
            let Decider { judge, freedom, cores, .. } = *decider;
            return Verdict::Found(Chosen { judge, freedom, cores }.choice(&system, &levels));
        }
        if self.doubt.get() || decider.judge.left.get() == 0 { too_many } else { Verdict::None }
    }

    /// Returns a finished system with levels under which the required deadlines hold.
    fn branch(&self, groups: &[Vec<TaskId>], places: Places) -> Option<(System, Levels)> {
        if self.decider.judge.left.get() == 0 || !self.may_hold(&places) {
            return None;
        }
        let Some((group, rest)) = groups.split_first() else { return self.ordered(&places) };
        let cores = self.decider.candidates(group[0], &places);
        cores.into_iter().find_map(|core| {
            let mut places = places.clone();
            group.iter().for_each(|id| places[id.index()] = Some(core));
            self.branch(rest, places)
        })
    }

    /// Returns the system with these places.
    fn placed(&self, places: &Places) -> System {
        let mut system = self.decider.judge.described.clone();
        for (task, core) in system.tasks.iter_mut().zip(places) {
            task.core = core.unwrap_or(0);
        }
        system
    }

    /// Returns `true` if deadlines may hold if nobody waits for other cores.
    fn may_hold(&self, places: &Places) -> bool {
        let decider = self.decider;
        let mut part = Part::of(&self.placed(places), |id: TaskId| places[id.index()].is_some());
        if part.ids.is_empty() {
            return true;
        }
        let derived = Derived::of(&part.system);
        for number in 0..part.system.gates.len() {
            let id = GateId::from(number);
            let free = decider.freedom.has(Subject::Protocol(id));
            let gate = &mut part.system.gates[number];
            if gate.is_exclusive() && derived.gate(id).cores.len() > 1 {
                gate.protocol.value = Protocol::Propagated;
            } else if gate.is_exclusive() && free {
                gate.protocol.value = Protocol::Fixed;
            }
        }
        let costs = costs_of(&part.system, decider.judge.costs, decider.judge.proved);
        let (judge, freedom) = (decider.judge, decider.freedom);
        let orders = Orders::new(judge, freedom, &decider.required);
        !matches!(orders.of(&part, &costs), Found::No)
    }

    /// Returns the system on these cores with protocols, one of which suspends, and an order of all
    /// tasks under which the required deadlines hold.
    fn ordered(&self, places: &Places) -> Option<(System, Levels)> {
        let system = self.placed(places);
        for protocols in self.protocols(&system) {
            let mut system = system.clone();
            for (gate, protocol) in protocols {
                system.gates[gate.index()].protocol.value = protocol;
            }
            let open: Vec<TaskId> = (system.task_ids())
                .filter(|(_, task)| task.release.is_some())
                .map(|(id, _)| id)
                .collect();
            if let Some(levels) = self.order(&mut system, open, Vec::new()) {
                return Some((system, levels));
            }
        }
        None
    }

    /// Returns the combinations of protocols of which one suspends.
    fn protocols(&self, system: &System) -> Vec<Vec<(GateId, Protocol)>> {
        let derived = Derived::of(system);
        let mut all: Vec<Vec<(GateId, Protocol)>> = vec![Vec::new()];
        for (id, gate) in system.gate_ids() {
            let facts = derived.gate(id);
            let free = gate.is_exclusive() && self.decider.freedom.has(Subject::Protocol(id));
            if !free || facts.tasks.is_empty() {
                continue;
            }
            let options: &[Protocol] = match facts.cores.len() > 1 {
                true => &[Protocol::Mpcp, Protocol::Mrsp, Protocol::Msrp],
                false => &[Protocol::Fixed, Protocol::Inherited],
            };
            let with = |one: &Vec<(GateId, Protocol)>, option: Protocol| {
                let mut one = one.clone();
                one.push((id, option));
                one
            };
            all = (all.iter())
                .flat_map(|one| options.iter().map(move |&option| with(one, option)))
                .collect();
            if all.len() > MOST_PROTOCOLS {
                self.doubt.set(true);
                all.truncate(MOST_PROTOCOLS);
            }
        }
        all.retain(|one| one.iter().any(|(_, protocol)| protocol.suspends()));
        all
    }

    /// Gives the tasks that are left each level in turn, from the highest down.
    fn order(&self, system: &mut System, open: Vec<TaskId>, given: Levels) -> Option<Levels> {
        if open.is_empty() {
            return self.holds(system).then_some(given);
        }
        let level = HIGHEST_ASSIGNED - Priority::try_from(given.len()).ok()?;
        open.iter().find_map(|&task| {
            let rest = open.iter().copied().filter(|&other| other != task).collect();
            let own = &mut system.tasks[task.index()];
            own.priority.value = level;
            own.priority_source = PrioritySource::Given;
            let mut given = given.clone();
            given.push((task, level));
            self.order(system, rest, given)
        })
    }

    /// Returns `true` if the required deadlines hold and the checks accept the system.
    fn holds(&self, system: &System) -> bool {
        let decider = self.decider;
        if !decider.judge.spends(system.tasks.len() as u64) {
            return false;
        }
        let analysis = decider.judge.analysis(system);
        let mut tasks = analysis.tasks.iter().zip(&decider.required);
        tasks.all(|(task, &required)| !required || task.is_schedulable())
            && decider.judge.refusal(system).is_none()
    }
}
