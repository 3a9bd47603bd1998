//! The search among small changes, one more at a time.
//!
//! All choices that differ in one change are judged, then all that differ from the best of these in
//! one more, and so on. A change is another priority, another protocol, another budget, another
//! policy, or another core for tasks that move together, with protocols for the gates that come to
//! be between cores by that and those that no longer are. Two choices that mean the same are judged
//! once: only the order within a core counts, not the numbers.

use std::collections::HashSet;

use fusee_model::derived::Derived;
use fusee_model::priorities::HIGHEST_ASSIGNED;
use fusee_model::{Duration, GateId, Policy, Priority, Protocol, System, TaskId};

use super::freedom::Freedom;
use super::judge::{Judge, Judged, by_priority};
use super::setting::{Choice, Setting, Subject};
use crate::packings::together;
use crate::priced::costs_of;

/// The number of choices from which the search goes on.
const WIDTH: usize = 30;

/// The most changes that are made one after the other.
const DEEPEST: usize = 6;

/// A search among small changes.
pub(super) struct Nearest<'a> {
    pub(super) judge: &'a Judge<'a>,
    pub(super) freedom: &'a Freedom,
    pub(super) cores: u32,
}

/// The meaning of a choice: for each task its core and place in the core's order, then all else.
type Meaning = Vec<u64>;

impl Nearest<'_> {
    /// Returns the first choice found under which all holds, with the fewest values of those found
    /// together with it.
    pub(super) fn search(&self, start: Judged) -> Option<Judged> {
        let mut seen = HashSet::from([meaning(&start.system)]);
        let mut front = vec![start];
        for _ in 0..DEEPEST {
            let mut next: Vec<Judged> = Vec::new();
            let mut holding: Vec<Judged> = Vec::new();
            for state in &front {
                for choice in self.changes(&state.choice, &state.system) {
                    let Some(system) = self.judge.system(&choice) else { continue };
                    if !seen.insert(meaning(&system)) {
                        continue;
                    }
                    let Some(judged) = self.judge.judge(choice) else { break };
                    match self.judge.accepts(&judged) {
                        true => holding.push(judged),
                        false => next.push(judged),
                    }
                }
            }
            let edits = |one: &Judged| (one.choice.settings().len(), -one.least_slack());
            if let Some(best) = holding.into_iter().min_by_key(edits) {
                return Some(best);
            }
            if next.is_empty() || self.judge.left.get() == 0 {
                return None;
            }
            next.sort_by_key(Judged::rank);
            next.truncate(WIDTH);
            front = next;
        }
        None
    }

    /// Returns the choice with the largest least slack that single changes lead to.
    pub(super) fn slackest(&self, start: Judged) -> Judged {
        let mut best = start;
        loop {
            let changes = self.changes(&best.choice, &best.system);
            let judged = changes.into_iter().filter_map(|choice| self.judge.judge(choice));
            let better = judged
                .filter(|one| one.least_slack() > best.least_slack() && self.judge.accepts(one))
                .max_by_key(Judged::least_slack);
            match better {
                Some(better) => best = better,
                None => return best,
            }
        }
    }

    /// Returns the choices that one change makes of another, those with the fewest values first.
    fn changes(&self, choice: &Choice, system: &System) -> Vec<Choice> {
        let mut all = Vec::new();
        for subject in self.freedom.all() {
            match subject {
                Subject::Priority(task) => self.priorities(choice, system, task, &mut all),
                Subject::Protocol(gate) => self.protocols(choice, system, gate, &mut all),
                Subject::Budget(task) => all.extend(self.budget(choice, system, task)),
                Subject::Policy => {
                    let other = Policy::WORDS.iter().map(|&(_, policy)| policy);
                    let other = other.filter(|&policy| Some(policy) != system.common_policy());
                    all.extend(other.map(|policy| choice.with(Setting::Policy(policy))));
                }
                Subject::Core(_) => {}
            }
        }
        self.moves(choice, system, &mut all);
        let mut all: Vec<Choice> = all.into_iter().map(|one| self.plain(one)).collect();
        all.sort_by_key(|one| one.settings().len());
        all
    }

    /// Leaves out values that the description gives.
    fn plain(&self, choice: Choice) -> Choice {
        let described = self.judge.described;
        let same = |setting: &&Setting| {
            let subject = setting.subject();
            let stays = match subject {
                Subject::Priority(_) => subject.is_given(described),
                _ => true,
            };
            stays && subject.value(described) == Some(**setting)
        };
        let known: Vec<Subject> =
            choice.settings().iter().filter(same).map(|one| one.subject()).collect();
        known.into_iter().fold(choice, |choice, subject| choice.without(subject))
    }

    /// Adds the choices in which a task stands elsewhere in the order of its core.
    fn priorities(&self, choice: &Choice, system: &System, id: TaskId, all: &mut Vec<Choice>) {
        let task = system.task(id);
        if !by_priority(system, id) {
            return;
        }
        let now = task.priority.value;
        let others = system.task_ids().filter(|(other, _)| *other != id);
        let mut levels: Vec<Priority> = others
            .filter(|(_, other)| other.core == task.core && other.release.is_some())
            .map(|(_, other)| other.priority.value)
            .flat_map(|level| [level.saturating_add(1), level, level.saturating_sub(1)])
            .filter(|&level| level != now && level <= HIGHEST_ASSIGNED)
            .collect();
        levels.push(0);
        levels.sort_unstable_by_key(|&level| (level.abs_diff(now), level));
        levels.dedup();
        all.extend(levels.into_iter().map(|level| choice.with(Setting::Priority(id, level))));
        if choice.settings().iter().any(|one| one.subject() == Subject::Priority(id)) {
            all.push(choice.without(Subject::Priority(id)));
        }
    }

    /// Adds the choices in which a gate has another protocol that fits it.
    fn protocols(&self, choice: &Choice, system: &System, id: GateId, all: &mut Vec<Choice>) {
        let derived = Derived::of(system);
        let now = system.gate(id).protocol.value;
        let others = fitting(system, &derived, id).into_iter().filter(|&one| one != now);
        all.extend(others.map(|protocol| choice.with(Setting::Protocol(id, protocol))));
    }

    /// Returns the choice in which a budget is the least that never ends.
    fn budget(&self, choice: &Choice, system: &System, id: TaskId) -> Option<Choice> {
        let mut tried = system.clone();
        let budget = tried.tasks[id.index()].budget.as_mut()?;
        let now = budget.amount.value;
        // From the least, so that a budget that is too large becomes smaller.
        budget.amount.value = Duration(1);
        let costs = costs_of(&tried, self.judge.costs, self.judge.proved);
        let lasting = fusee_bounds::lasting_budgets(&tried, &Derived::of(&tried), &costs);
        self.judge.spends(2 * system.tasks.len() as u64);
        let (_, least) = lasting.into_iter().find(|&(task, _)| task == id)?;
        (least != now).then(|| choice.with(Setting::Budget(id, least)))
    }

    /// Adds the choices in which tasks that move together are on another core.
    fn moves(&self, choice: &Choice, system: &System, all: &mut Vec<Choice>) {
        if self.cores < 2 {
            return;
        }
        let derived = Derived::of(system);
        let tasks: Vec<TaskId> = system.task_ids().map(|(id, _)| id).collect();
        let groups = together(system, &derived, &tasks);
        for group in groups.iter().filter(|group| group.iter().all(|&id| self.freedom.core(id))) {
            for core in 0..self.cores {
                if group.iter().all(|&id| system.task(id).core == core) {
                    continue;
                }
                let moved = group
                    .iter()
                    .fold(choice.clone(), |choice, &id| choice.with(Setting::Core(id, core)));
                self.fitted(&moved, system, all);
            }
        }
    }

    /// Adds a choice of cores with protocols for the gates that need others then: between cores
    /// each in turn, and on one core inheritance.
    fn fitted(&self, choice: &Choice, before: &System, all: &mut Vec<Choice>) {
        let Some(system) = self.judge.system(choice) else { return };
        let derived = Derived::of(&system);
        let several = |id: GateId| derived.gate(id).cores.len() > 1;
        let misfit: Vec<GateId> = (system.gate_ids())
            .filter(|(id, gate)| gate.is_exclusive() && several(*id) != gate.is_global())
            .map(|(id, _)| id)
            .filter(|&id| self.freedom.has(Subject::Protocol(id)))
            .collect();
        let was = Derived::of(before);
        let newly =
            misfit.iter().copied().filter(|&id| several(id) || was.gate(id).cores.len() > 1);
        let newly: Vec<GateId> = newly.collect();
        let with = |between: Protocol| {
            newly.iter().fold(choice.clone(), |choice, &id| {
                let protocol = if several(id) { between } else { Protocol::Inherited };
                choice.with(Setting::Protocol(id, protocol))
            })
        };
        let policy = system.common_policy().unwrap_or(Policy::EarliestDeadline);
        let between = Protocol::between_cores_to_try(policy);
        let used = if newly.iter().any(|&id| several(id)) { between.len() } else { 1 };
        all.extend(between.into_iter().take(used).map(with));
    }
}

/// Returns the protocols that bar others and fit the cores and policies of a gate's users.
fn fitting(system: &System, derived: &Derived, id: GateId) -> Vec<Protocol> {
    let cores = &derived.gate(id).cores;
    let by_priority = cores.iter().all(|&core| system.policy_on(core) == Policy::FixedPriority);
    match (by_priority, cores.len() > 1) {
        (true, true) => Protocol::between_cores_to_try(Policy::FixedPriority),
        (true, false) => vec![Protocol::Inherited, Protocol::Fixed],
        (false, true) => Protocol::between_cores_to_try(Policy::EarliestDeadline),
        (false, false) => vec![Protocol::Inherited, Protocol::Srp],
    }
}

/// Returns the meaning of a system.
fn meaning(system: &System) -> Meaning {
    let place = |task: &fusee_model::Task| {
        let mates = system.tasks.iter().filter(|other| other.core == task.core);
        let above = mates.filter(|other| other.priority.value > task.priority.value).count();
        (u64::from(task.core) << 32) | above as u64
    };
    let budget = |task: &fusee_model::Task| {
        task.budget.as_ref().map_or(u64::MAX, |budget| budget.amount.value.ns())
    };
    let protocol = |gate: &fusee_model::Gate| {
        let at = Protocol::ALL.iter().position(|&one| one == gate.protocol.value);
        at.unwrap_or(0) as u64
    };
    let policy = (0..system.cores()).map(|core| match system.policy_on(core) {
        Policy::FixedPriority => 0,
        Policy::EarliestDeadline => 1,
    });
    let tasks = system.tasks.iter().map(place).chain(system.tasks.iter().map(budget));
    tasks.chain(system.gates.iter().map(protocol)).chain(policy).collect()
}
