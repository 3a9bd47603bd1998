//! Systems about which a search can prove something.
//!
//! "There is none" rests on facts about bounds (module `order`: they depend on which tasks are
//! above, and a task that moves up loses nothing; module `decide`: one more task never helps
//! another). They hold where tasks meet only at gates at which they stay on their cores and
//! priorities decide. Of protocols on one core `fixed` alone is tried where the kernel costs
//! nothing: whoever is inside runs at the ceiling at once, so a job finds its gates free and waits
//! for one section at most, which no other protocol undercuts. Where costs differ, `inherited` is
//! tried as well. Between cores these are `mrsp` and `msrp`; `mpcp` lets others in while a thread
//! is suspended, so that an order of its own may hold (module `suspending`).

use fusee_bounds::{Analysis, is_plain};
use fusee_model::{Policy, PrioritySource, Protocol, System, TaskId};

use super::freedom::Freedom;
use super::setting::Subject;

/// The reach of the proofs about a description.
pub(super) struct Class {
    /// The reason for which finding none proves nothing; none: it does.
    pub(super) doubt: Option<&'static str>,
    /// `true` if gates may come to be between cores whose threads may wait suspended.
    pub(super) suspends: bool,
    /// `true` if kernel paths cost something.
    costly: bool,
    /// `true` if priorities decide on all cores.
    by_priority: bool,
    /// The load of each task, in millionths of a core.
    loads: Vec<u64>,
}

impl Class {
    /// Returns the reach of proofs about a description with these choices.
    pub(super) fn of(system: &System, analysis: &Analysis, freedom: &Freedom, cores: u32) -> Self {
        let loads = analysis.tasks.iter().map(|bound| {
            let (wcet, release) = (bound.wcet?, system.task(bound.task).release.as_ref()?);
            let period = u128::from(release.period.value.ns().max(1));
            u64::try_from(u128::from(wcet.ns()) * 1_000_000 / period).ok()
        });
        let loads = loads.map(|load| load.unwrap_or(0)).collect();
        let costly = analysis.has_kernel_costs;
        let doubt = doubt(system, freedom, cores).or_else(|| {
            let mut gates = system.gates.iter();
            let refuses = gates.any(|gate| gate.protocol.value == Protocol::Ceiling);
            (costly && refuses).then_some("kernels with `ceiling` gates have other costs")
        });
        let by_priority = system.common_policy() == Some(Policy::FixedPriority);
        let is_gate = |subject: Subject| matches!(subject, Subject::Protocol(_));
        let suspends = cores > 1 && by_priority && freedom.all().any(is_gate);
        Self { doubt, suspends, costly, by_priority, loads }
    }

    /// Returns `true` if kernel paths cost something.
    pub(super) fn is_costly(&self) -> bool {
        self.costly
    }

    /// Returns the load of a task, in millionths of a core, rounded down.
    pub(super) fn load(&self, task: TaskId) -> u64 {
        self.loads.get(task.index()).copied().unwrap_or(0)
    }

    /// Returns the protocols that a search for a proof tries at a gate.
    pub(super) fn options(&self, between_cores: bool) -> &'static [Protocol] {
        match (between_cores, self.costly) {
            (true, _) if !self.by_priority => &[Protocol::Msrp],
            (false, _) if !self.by_priority => &[Protocol::Srp, Protocol::Inherited],
            (true, _) => &[Protocol::Mrsp, Protocol::Msrp],
            (false, false) => &[Protocol::Fixed],
            (false, true) => &[Protocol::Fixed, Protocol::Inherited],
        }
    }
}

/// Returns the reason for which finding none proves nothing.
fn doubt(system: &System, freedom: &Freedom, cores: u32) -> Option<&'static str> {
    if freedom.has(Subject::Policy) {
        return Some("other policies were tried only in part");
    }
    if !is_plain(system) {
        return Some(
            "events, budgets, locks, schedulers, deadlines that decide or code that is not \
             trusted make bounds rest on each other",
        );
    }
    let used = || system.gates.iter().filter(|gate| gate.is_exclusive());
    if used().any(|gate| gate.given_ceiling.is_some()) {
        return Some("a ceiling is given");
    }
    let fixed = |gate: &&fusee_model::Gate| {
        matches!(gate.protocol.value, Protocol::Fifo | Protocol::Ceiling | Protocol::Mpcp)
    };
    let mut gates = system.gate_ids().filter(|(_, gate)| gate.is_exclusive());
    if gates.any(|(id, gate)| fixed(&gate) && !freedom.has(Subject::Protocol(id))) {
        return Some("a protocol is given under which bounds depend on the whole order");
    }
    let kept = |(id, task): (TaskId, &fusee_model::Task)| {
        task.priority_source != PrioritySource::Given
            && task.release.is_some()
            && !freedom.has(Subject::Priority(id))
    };
    if system.task_ids().any(kept) {
        return Some("priorities that are left out are kept, and follow from the others");
    }
    let untimed =
        |(id, task): (TaskId, &fusee_model::Task)| task.release.is_none() && freedom.core(id);
    if cores > 1 && system.task_ids().any(untimed) {
        return Some("tasks without timing stay on their cores");
    }
    None
}
