//! The gates that tasks pass, how often, and the gates that raise tasks.
//!
//! The *rise* of a gate is the highest level to which a thread can be raised
//! while it is inside: the highest level among the tasks that reach the
//! gate, its own ceiling if it has one, and the rise of every gate from within
//! which it is invoked, since a thread that waits here from within there passes
//! on what it has inherited there. Whoever comes here with a lock of a component in
//! hand passes on what those lend it who wait for the lock. So the rise never falls
//! along a chain of invocations, and a section that matters to a level is the outermost
//! one whose rise reaches that level, with everything in it.

use std::collections::BTreeMap;

use fusee_model::derived::{Derived, Urgency};
use fusee_model::{Body, Gate, GateId, Origin, Policy, Protocol, Step, System, TaskId};

use crate::levels::{Levels, boost};
use crate::lock_order::Order;

/// A place where a task passes an exclusive gate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Passage {
    pub(crate) gate: GateId,
    pub(crate) method: Option<usize>,
    /// Smallest rise, over all ways to get here, of the highest exclusive gate on the way; -1: a
    /// way without any.
    pub(crate) below: i16,
    /// The invocation's place.
    pub(crate) origin: Origin,
}

/// The gates that the tasks of one core pass.
pub(crate) struct Reach {
    /// For each gate, the highest level to which a thread inside can be raised; -1: no thread comes
    /// here.
    pub(crate) rise: Vec<i16>,
    /// For each gate, the level at or above which a thread inside runs immediately; -1: none.
    pub(crate) ceiling: Vec<i16>,
    /// For each gate between cores, the level of a request of this core; -1: it has none.
    pub(crate) request: Vec<i16>,
    /// For each `ceiling` gate, the level at or below which no thread enters such gates while it is
    /// held; -1: another protocol.
    pub(crate) threshold: Vec<i16>,
    /// For each task, its passages of exclusive gates, each (gate, method) once.
    pub(crate) passages: Vec<Vec<Passage>>,
    /// For each gate, the tasks that request it or an exclusive gate nested in it, and how often in
    /// one job.
    pub(crate) requests: Vec<Vec<(TaskId, u64)>>,
    /// For each gate, the exclusive gates that can be invoked from within it, in order.
    pub(crate) nested: Vec<Vec<GateId>>,
    /// For each task, how often one job passes each exclusive gate at most, by gate.
    pub(crate) counts: Vec<BTreeMap<GateId, u64>>,
}

/// Returns `true` if the kernel lets only one thread into a gate.
pub(crate) fn is_exclusive(system: &System, gate: GateId) -> bool {
    system.gate(gate).is_exclusive()
}

/// Returns the level at or above which a thread inside runs immediately; -1 for gates that raise no
/// thread before another one waits.
///
/// Under earliest deadline that is the shortest relative deadline among the users of an `srp` gate:
/// taken before a window starts, such a gate has given its holder a deadline no later than the
/// window's own.
fn ceiling(system: &System, derived: &Derived, levels: &Levels, gate: On) -> i16 {
    let (described, facts) = (system.gate(gate.gate), derived.gate(gate.gate));
    if described.direct || facts.tasks.is_empty() {
        return -1;
    }
    match (described.protocol.value, system.policy_on(gate.core)) {
        // From the moment of asking the thread stands at this level on its own core, also while it
        // waits.
        (protocol, _) if protocol.is_global() && !protocol.suspends() => {
            urgency(derived, levels, gate)
        }
        (Protocol::NonPreemptive, _) => levels.top(),
        (Protocol::Fixed | Protocol::Srp, Policy::FixedPriority) => {
            facts.ceiling.map_or(-1, |ceiling| match Urgency::of_ceiling(ceiling) {
                Urgency::Top => levels.top(),
                _ => i16::from(ceiling),
            })
        }
        (Protocol::Srp, Policy::EarliestDeadline) => {
            facts.tasks.iter().map(|&task| levels.base(task)).max().unwrap_or(-1)
        }
        _ => -1,
    }
}

/// A gate as seen from a core.
#[derive(Clone, Copy)]
struct On {
    gate: GateId,
    core: u32,
}

/// Returns the level of a request at a gate between cores; -1: the core has none.
fn urgency(derived: &Derived, levels: &Levels, On { gate, core }: On) -> i16 {
    let mut cores = derived.gate(gate).on_cores.iter();
    match cores.find(|on| on.core == core).map(|on| on.urgency) {
        Some(Urgency::Priority(priority)) => i16::from(priority),
        Some(Urgency::Boost(priority)) => boost(priority),
        Some(Urgency::Top) => levels.top(),
        None => -1,
    }
}

/// Returns the ceiling of a `ceiling` gate, to which it raises no thread by itself; -1 for other
/// gates.
fn threshold(system: &System, derived: &Derived, gate: GateId) -> i16 {
    let (described, facts) = (system.gate(gate), derived.gate(gate));
    match described.protocol.value {
        Protocol::Ceiling if !described.direct && !facts.tasks.is_empty() => {
            facts.ceiling.map_or(-1, i16::from)
        }
        _ => -1,
    }
}

impl Reach {
    pub(crate) fn of(system: &System, derived: &Derived, levels: &Levels, core: u32) -> Self {
        let all = || (0..system.gates.len()).map(GateId::from);
        let ceiling: Vec<i16> =
            all().map(|gate| ceiling(system, derived, levels, On { gate, core })).collect();
        let request: Vec<i16> =
            all().map(|gate| urgency(derived, levels, On { gate, core })).collect();
        let threshold: Vec<i16> = all().map(|gate| threshold(system, derived, gate)).collect();
        let here = |task: &TaskId| system.task(*task).core == core;
        let users = |gate: GateId| {
            let tasks = derived.gate(gate).tasks.iter().copied().filter(here);
            // By deadlines a user that is released late stands highest, and may do so whenever it
            // asks.
            tasks.map(|task| levels.highest(task)).max().unwrap_or(-1)
        };
        // A waiting user raises whoever is inside, as a request and a ceiling do. The highest
        // counts, since each of them may be what comes.
        let own = |gate: GateId| {
            users(gate)
                .max(request[gate.index()])
                .max(ceiling[gate.index()])
                .max(threshold[gate.index()])
        };
        let rise = rises(derived, &lent(system), all().map(own).collect());
        let nested = nested(system, derived);
        let rank = ranks(system, derived);
        // Tasks of other cores pass nothing here.
        let nothing = Body::default();
        let bodies = system.tasks.iter().map(|t| if t.core == core { &t.body } else { &nothing });
        let walks: Vec<Walk> =
            bodies.map(|body| Walk::of(system, derived, &rise, &rank, body)).collect();
        let counts: Vec<BTreeMap<GateId, u64>> = walks.iter().map(|w| w.counts.clone()).collect();
        let requests = requests(system, &nested, &counts);
        let passages = walks.into_iter().map(|w| w.passages).collect();
        Self { rise, ceiling, request, threshold, passages, requests, nested, counts }
    }

    /// Returns `true` if a task passes, within a gate that it can hold, a gate nested in it.
    pub(crate) fn is_nested_in(&self, inner: GateId, outer: GateId) -> bool {
        self.nested[outer.index()].binary_search(&inner).is_ok()
    }
}

/// Returns the pairs of gates by which a waiting task may be raised, which it passes on where it
/// waits for others: a task that waits for a lock of a component, on to gates that its owner comes
/// to, and to other locks.
fn lent(system: &System) -> Vec<(GateId, GateId)> {
    let order = Order::of(system);
    if !order.nests() {
        return Vec::new();
    }
    let is_lock = |&(id, _): &(GateId, &Gate)| system.lock_component(id).is_some();
    let locks: Vec<GateId> = system.gate_ids().filter(is_lock).map(|(id, _)| id).collect();
    let on = order.entered().flat_map(|(keeper, gate)| {
        let own = system.gate_ids().filter(move |(_, lock)| lock.component == keeper);
        own.map(move |(lock, _)| (lock, gate))
    });
    // An owner may wait for any lock that comes later in the order, so each rise is passed on to
    // all.
    let between = locks.iter().flat_map(|&one| locks.iter().map(move |&other| (one, other)));
    between.chain(on).collect()
}

/// Returns each gate's own rise, with the rises of all gates from within which it is invoked, and
/// of all gates to that a thread raised there may pass its rise on.
fn rises(derived: &Derived, lent: &[(GateId, GateId)], mut rise: Vec<i16>) -> Vec<i16> {
    let invoked = derived
        .order
        .iter()
        .flat_map(|&id| derived.gate(id).callees.iter().map(move |&callee| (id, callee)));
    let all: Vec<(GateId, GateId)> = invoked.chain(lent.iter().copied()).collect();
    // One pass where there is no cycle; a cycle needs as many as it takes to go round.
    loop {
        let mut changed = false;
        for &(id, callee) in &all {
            if rise[callee.index()] < rise[id.index()] {
                rise[callee.index()] = rise[id.index()];
                changed = true;
            }
        }
        if !changed {
            return rise;
        }
    }
}

/// For each gate, the exclusive gates below it; complete also where gates form a cycle.
fn nested(system: &System, derived: &Derived) -> Vec<Vec<GateId>> {
    let mut nested: Vec<Vec<GateId>> = vec![Vec::new(); system.gates.len()];
    loop {
        let mut changed = false;
        // Callees come first, so that without a cycle one pass is enough.
        for &id in derived.order.iter().rev() {
            let mut below = Vec::new();
            for &callee in &derived.gate(id).callees {
                below.extend(is_exclusive(system, callee).then_some(callee));
                below.extend_from_slice(&nested[callee.index()]);
            }
            below.sort_unstable();
            below.dedup();
            if below.len() > nested[id.index()].len() {
                nested[id.index()] = below;
                changed = true;
            }
        }
        if !changed || derived.cycles.is_empty() {
            return nested;
        }
    }
}

fn requests(
    system: &System,
    nested: &[Vec<GateId>],
    counts: &[BTreeMap<GateId, u64>],
) -> Vec<Vec<(TaskId, u64)>> {
    let mut around: Vec<Vec<GateId>> = vec![Vec::new(); system.gates.len()];
    for (outer, inner) in nested.iter().enumerate() {
        for gate in inner {
            around[gate.index()].push(GateId::from(outer));
        }
    }
    let mut requests: Vec<Vec<(TaskId, u64)>> = vec![Vec::new(); system.gates.len()];
    for (task, counts) in counts.iter().enumerate() {
        let mut sum: BTreeMap<GateId, u64> = BTreeMap::new();
        for (&gate, &count) in counts {
            // In a cycle a gate is nested in itself, and its own requests must not count twice.
            let outer = around[gate.index()].iter().copied().filter(|&g| g != gate);
            for holder in outer.chain([gate]) {
                let slot = sum.entry(holder).or_default();
                *slot = slot.saturating_add(count);
            }
        }
        for (gate, count) in sum {
            requests[gate.index()].push((TaskId::from(task), count));
        }
    }
    requests
}

/// One task's way down through the methods, callers before callees.
struct Walk {
    passages: Vec<Passage>,
    counts: BTreeMap<GateId, u64>,
}

/// A method that the task comes to, with the facts known about it.
#[derive(Clone, Copy)]
struct Visit {
    times: u64,
    below: i16,
}

struct Walker<'a> {
    system: &'a System,
    rise: &'a [i16],
    /// Position of each method in the order of callers before callees.
    rank: &'a [Vec<usize>],
    /// Methods still to walk through, by rank.
    ahead: BTreeMap<usize, Visit>,
    passages: BTreeMap<(GateId, Option<usize>), Passage>,
    counts: BTreeMap<GateId, u64>,
}

fn ranks(system: &System, derived: &Derived) -> Vec<Vec<usize>> {
    let mut rank: Vec<Vec<usize>> = system.gates.iter().map(|g| vec![0; g.methods.len()]).collect();
    for (position, &(gate, method)) in derived.method_order.iter().enumerate() {
        rank[gate.index()][method] = position;
    }
    rank
}

impl Walk {
    fn of(
        system: &System,
        derived: &Derived,
        rise: &[i16],
        rank: &[Vec<usize>],
        body: &Body,
    ) -> Self {
        let (passages, counts) = (BTreeMap::new(), BTreeMap::new());
        let mut walker = Walker { system, rise, rank, ahead: BTreeMap::new(), passages, counts };
        walker.body(body, Visit { times: 1, below: -1 }, None);
        // Callers come before callees. So when a method is reached, all ways to it are known, and
        // it is walked through once.
        while let Some((position, visit)) = walker.ahead.pop_first() {
            let (gate, method) = derived.method_order[position];
            let exclusive = is_exclusive(system, gate);
            let below = if exclusive { visit.below.max(rise[gate.index()]) } else { visit.below };
            walker.body(
                &system.gate(gate).methods[method].body,
                Visit { below, ..visit },
                Some(position),
            );
        }
        Walk { passages: walker.passages.into_values().collect(), counts: walker.counts }
    }
}

impl Walker<'_> {
    /// Walks through a body; `position` is its rank, if it is a method's.
    fn body(&mut self, body: &Body, visit: Visit, position: Option<usize>) {
        for step in &body.steps {
            if let Step::Invoke { gate, method, origin, .. } = *step
                && gate.index() < self.rise.len()
            {
                self.invoke(
                    Passage { gate, method, below: visit.below, origin },
                    visit.times,
                    position,
                );
            }
        }
    }

    fn invoke(&mut self, passage: Passage, times: u64, from: Option<usize>) {
        let Passage { gate, method, below, .. } = passage;
        if is_exclusive(self.system, gate) {
            let count = self.counts.entry(gate).or_default();
            *count = count.saturating_add(times);
            let known = self.passages.entry((gate, method)).or_insert(passage);
            // A way with no gate above makes the section an outermost one, whatever other ways
            // there are.
            if below < known.below {
                *known = passage;
            }
        }
        // A call that names no method may be of any, so all of them are walked through.
        let methods = self.rank[gate.index()].len();
        let range = method.map_or(0..methods, |m| m..m + 1);
        for m in range.filter(|&m| m < methods) {
            let rank = self.rank[gate.index()][m];
            // A recursion leads back; the task gets no bound for it, and the walk must end.
            if from.is_some_and(|from| rank <= from) {
                continue;
            }
            let slot = self.ahead.entry(rank).or_insert(Visit { times: 0, below });
            *slot = Visit { times: slot.times.saturating_add(times), below: slot.below.min(below) };
        }
    }
}
