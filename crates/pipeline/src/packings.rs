//! Placements worth an analysis.
//!
//! What ties tasks together is placed as one. A notification belongs to the core of those who wait
//! for it, so whoever signals it or waits for it shares that core. A gate inside of which there is
//! another cannot be between cores, since the inner one may have to be; and none can where
//! deadlines decide. A thread without timing demands nothing that could be packed; it stays on
//! core 0.

use std::collections::BTreeSet;

use fusee_analysis::placement::{Fit, Order, Placement};
use fusee_analysis::{Request, Task as Packed, TaskSet};
use fusee_bounds::Analysis;
use fusee_model::derived::Derived;
use fusee_model::{GateId, NotificationId, Protocol, System, TaskId};

/// The ways to pack tasks, first the one that keeps shared things on one core.
const FITS: [Fit; 5] = [Fit::ResourceAware, Fit::Worst, Fit::Best, Fit::First, Fit::Next];

/// The orders in which tasks are packed.
const ORDERS: [Order; 3] = [Order::DecreasingUtilization, Order::IncreasingPeriod, Order::Given];

/// A description on one core with what follows from it.
#[derive(Clone, Copy)]
pub(crate) struct Described<'a> {
    pub(crate) system: &'a System,
    pub(crate) derived: &'a Derived,
    pub(crate) analysis: &'a Analysis,
}

/// Different placements: the core of each task. Cores are numbered as tasks first use them, so
/// that two that differ only in names are one, and none between others is idle.
pub(crate) fn all(of: &Described<'_>, cores: u32) -> Vec<Vec<u32>> {
    let Described { system, derived, analysis } = *of;
    let groups = together(system, derived, &timed(system, analysis));
    let Some(set) = packed(of, &groups, cores) else { return Vec::new() };
    let ways = ORDERS.iter().flat_map(|&order| FITS.map(|fit| Placement { fit, order }));
    let mut found: Vec<Vec<u32>> = Vec::new();
    for way in ways {
        let Some(placed) = way.place_by_utilization(&set) else { continue };
        let mut places = vec![0; system.tasks.len()];
        for (group, member) in groups.iter().zip(placed.tasks()) {
            group.iter().for_each(|task| places[task.index()] = member.core as u32);
        }
        let places = renumbered(&places);
        if !found.contains(&places) {
            found.push(places);
        }
    }
    found
}

/// Execution and period of a task, if it has both.
fn demand(system: &System, analysis: &Analysis, task: TaskId) -> Option<(u64, f64)> {
    let wcet = analysis.tasks.get(task.index())?.wcet?;
    Some((wcet.ns(), system.task(task).release.as_ref()?.period.value.ns() as f64))
}

fn timed(system: &System, analysis: &Analysis) -> Vec<TaskId> {
    let all = (0..system.tasks.len()).map(TaskId::from);
    all.filter(|&task| demand(system, analysis, task).is_some()).collect()
}

/// A thing that keeps tasks on one core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tie {
    /// They signal it or wait for it.
    Event(NotificationId),
    /// They use it, and it cannot be between cores.
    Gate(GateId),
}

/// Returns the tasks, those that must share a core together.
pub(crate) fn together(system: &System, derived: &Derived, tasks: &[TaskId]) -> Vec<Vec<TaskId>> {
    let mut groups: Vec<(Vec<TaskId>, BTreeSet<Tie>)> = Vec::new();
    for &task in tasks {
        let (mut members, mut own) = (vec![task], ties(system, derived, task));
        groups.retain(|(others, theirs)| {
            let apart = theirs.is_disjoint(&own);
            if !apart {
                members.extend(others);
                own.extend(theirs);
            }
            apart
        });
        groups.push((members, own));
    }
    let mut groups: Vec<Vec<TaskId>> = groups.into_iter().map(|(members, _)| members).collect();
    groups.iter_mut().for_each(|members| members.sort_unstable());
    groups.sort_unstable();
    groups
}

/// Returns the ties of a task to others.
fn ties(system: &System, derived: &Derived, task: TaskId) -> BTreeSet<Tie> {
    let exclusive = |gate: GateId| system.gate(gate).is_exclusive();
    let one_core_only =
        |gate: GateId| exclusive(gate) && derived.within(gate).into_iter().any(exclusive);
    let gates = derived.task(task).gates.iter().copied().filter(|&gate| one_core_only(gate));
    gates.map(Tie::Gate).chain(system.notifications_of(task).into_iter().map(Tie::Event)).collect()
}

/// Returns the groups as tasks that share gates, all on core 0 of so many.
fn packed(of: &Described<'_>, groups: &[Vec<TaskId>], cores: u32) -> Option<TaskSet> {
    let Described { system, derived, analysis } = *of;
    let exclusive = |group: &[TaskId]| -> Vec<Request> {
        let gates: BTreeSet<usize> = group
            .iter()
            .flat_map(|&task| &derived.task(task).gates)
            .filter(|&&gate| system.gate(gate).is_exclusive())
            .map(|gate| gate.index())
            .collect();
        gates.into_iter().map(|gate| Request::new(gate, 1, 1)).collect()
    };
    let requests: Vec<Vec<Request>> = groups.iter().map(|group| exclusive(group)).collect();
    let task = |(group, requests): (&Vec<TaskId>, &Vec<Request>)| {
        let demands: Vec<(u64, f64)> =
            group.iter().filter_map(|&task| demand(system, analysis, task)).collect();
        let period = demands.iter().fold(1.0, |most: f64, &(_, period)| most.max(period));
        let wcet: f64 = demands.iter().map(|&(wcet, own)| wcet as f64 * (period / own)).sum();
        // Requests are one tick each here: which gates are shared is all that packing asks.
        let wcet = (wcet.ceil() as u64).max(requests.len() as u64).max(1);
        Packed::implicit(wcet, period as u64, 0)
    };
    let tasks = groups.iter().zip(&requests).map(task).collect();
    let set = TaskSet::new(tasks).ok()?.with_requests(requests).ok()?;
    set.with_cores(usize::try_from(cores).ok()?).ok()
}

fn renumbered(places: &[u32]) -> Vec<u32> {
    let mut names = Vec::new();
    let name = |&core: &u32| {
        let known = names.iter().position(|&known| known == core);
        known.unwrap_or_else(|| {
            names.push(core);
            names.len() - 1
        }) as u32
    };
    places.iter().map(name).collect()
}

/// Puts each task on a core.
pub(crate) fn put(system: &mut System, core: impl Fn(usize) -> u32) {
    for (number, task) in system.tasks.iter_mut().enumerate() {
        task.core = core(number);
    }
}

/// Gives each exclusive gate a protocol for as many cores as use it: the one between cores that
/// is asked for where it has none, and inheritance where it needs none.
pub(crate) fn fit_protocols(system: &mut System, between: Option<Protocol>) {
    let derived = Derived::of(system);
    for (number, gate) in system.gates.iter_mut().enumerate() {
        let several = derived.gates[number].cores.len() > 1;
        let protocol = gate.protocol.value;
        let fitting = match (several, protocol.is_global()) {
            _ if !gate.is_exclusive() => None,
            (true, false) => between,
            (false, true) => Some(Protocol::Inherited),
            _ => None,
        };
        if let Some(fitting) = fitting {
            gate.protocol.value = fitting;
            gate.given_ceiling = None;
        }
    }
}
