//! The analysis as plain data for other tools.
//!
//! Names and nanoseconds only, so that whoever reads the JSON needs nothing else
//! of Fusee. Fields may be added, never renamed.

use fusee_model::derived::{Derived, GateFacts, OnCore, Urgency};
use fusee_model::{Policy, System};
use serde::Serialize;

use crate::bound::{Analysis, Bound, SupplyBound, TaskBound};

/// The whole analysis.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// The system's name.
    pub system: String,
    /// The platform whose kernel costs are in the bounds.
    pub platform: String,
    /// The policy that chooses the running task, where it is not fixed priorities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<&'static str>,
    /// `true` if every deadline is guaranteed; `null`: there is none.
    pub schedulable: Option<bool>,
    /// One entry for each task.
    pub tasks: Vec<TaskSummary>,
    /// The time that schedulers' tables give for certain.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub supplies: Vec<SupplySummary>,
    /// One entry for each gate.
    pub gates: Vec<GateSummary>,
}

/// The time of the core that a task has for certain.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SupplySummary {
    /// The name of the task.
    pub task: String,
    /// The scheduler that gives it.
    pub from: Option<String>,
    /// The period after which it repeats.
    pub every_ns: u64,
    /// The least in any window of that length.
    pub least_ns: u64,
    /// The longest time without any.
    pub gap_ns: u64,
    /// The most that it can take from tasks below in a window of that length; `null`: that is in
    /// what its scheduler takes.
    pub interference_ns: Option<u64>,
}

/// One task; `null` where something is not given or has no bound.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TaskSummary {
    /// The task's name.
    pub name: String,
    /// The task's base priority.
    pub priority: u8,
    /// The task's core.
    pub core: u32,
    /// Period or minimum inter-arrival time.
    pub period_ns: Option<u64>,
    /// The relative deadline in nanoseconds.
    pub deadline_ns: Option<u64>,
    /// The release jitter in nanoseconds.
    pub jitter_ns: u64,
    /// Execution of one job with all its invocations, without the kernel.
    pub wcet_ns: Option<u64>,
    /// The bound on its response time.
    #[serde(flatten)]
    pub bound: BoundSummary,
    /// `true` if the deadline is guaranteed; `null` for a task without release, which has none.
    pub schedulable: Option<bool>,
    /// Deadline minus bound.
    pub slack_ns: Option<i128>,
    /// The theorem behind the bound.
    pub theorem: Option<&'static str>,
    /// The tasks that interfere.
    pub interference: Vec<PartSummary>,
    /// The tasks that block.
    pub blocking: Vec<PartSummary>,
    /// The tasks on other cores that it waits for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<PartSummary>,
}

/// A bound on a response time, and what it is made of; `null`: there is none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct BoundSummary {
    /// Blocking by lower tasks within the bound.
    pub blocking_ns: Option<u64>,
    /// Interference by other tasks within the bound.
    pub interference_ns: Option<u64>,
    /// Waiting for other cores and for events within the bound, where there is any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting_ns: Option<u64>,
    /// Kernel time within the bound.
    pub kernel_ns: Option<u64>,
    /// Time within the bound in which others have the core by a table of slots, where there is any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub withheld_ns: Option<u64>,
    /// The bound on the response time.
    pub response_bound_ns: Option<u64>,
}

/// A part of a bound.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PartSummary {
    /// The name of the task.
    pub task: String,
    /// Inside which gate, for blocking; before which one, for waiting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<String>,
    /// The number of jobs, for interference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jobs: Option<u64>,
    /// The number of requests, for waiting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests: Option<u64>,
    /// The event, for waiting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// `true` if it waits suspended; left out where not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suspended: Option<bool>,
    /// The length in nanoseconds.
    pub time_ns: u64,
}

/// The summary of one gate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GateSummary {
    /// The name as `component.interface`.
    pub name: String,
    /// The gate's protocol.
    pub protocol: &'static str,
    /// Ceiling, given or derived; `null` if no task gets there, or for a gate between cores.
    pub ceiling: Option<u8>,
    /// For a gate between cores, what a request has on each core.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cores: Vec<GateOnCore>,
    /// The number of stacks.
    pub stacks: u32,
    /// Threads that a pool on seL4 would need.
    pub rpc_threads: u32,
    /// Tasks that reach it.
    pub tasks: Vec<String>,
}

/// A gate between cores, as one of them sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GateOnCore {
    /// The core in question.
    pub core: u32,
    /// The urgency of a request there: `priority`, `boost` (above all priorities) or `top`.
    pub urgency: &'static str,
    /// The priority that counts, or that orders the boosts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<u8>,
    /// Tasks of the core that use it.
    pub tasks: Vec<String>,
}

impl GateOnCore {
    /// Returns each core's view of a gate; nothing where it is of one core.
    pub fn of_gate(system: &System, facts: &GateFacts) -> Vec<Self> {
        let on_core = |on: &OnCore| {
            let (urgency, priority) = match on.urgency {
                Urgency::Priority(priority) => ("priority", Some(priority)),
                Urgency::Boost(priority) => ("boost", Some(priority)),
                Urgency::Top => ("top", None),
            };
            let tasks = on.tasks.iter().map(|&task| system.task(task).name.clone()).collect();
            Self { core: on.core, urgency, priority, tasks }
        };
        facts.on_cores.iter().map(on_core).collect()
    }
}

/// Returns the policy of all cores, unless it is what decides where nothing is said.
pub fn policy_name(system: &System) -> Option<&'static str> {
    match system.common_policy() {
        Some(policy) => Some(policy).filter(|policy| !policy.is_default()).map(Policy::name),
        None => Some("mixed"),
    }
}

/// Returns the analysis of a system as plain data.
pub fn summary(system: &System, derived: &Derived, analysis: &Analysis) -> Summary {
    Summary {
        system: system.name.clone(),
        platform: analysis.platform.clone(),
        policy: policy_name(system),
        schedulable: analysis.has_deadlines().then(|| analysis.is_schedulable()),
        tasks: analysis.tasks.iter().map(|task| task_summary(system, task)).collect(),
        supplies: analysis.supplies.iter().map(|own| supply_summary(system, own)).collect(),
        gates: gates(system, derived),
    }
}

fn supply_summary(system: &System, own: &SupplyBound) -> SupplySummary {
    let from = system.scheduler_of(own.task);
    SupplySummary {
        task: system.task(own.task).name.clone(),
        from: from.map(|from| system.task(from.task).name.clone()),
        every_ns: own.every.ns(),
        least_ns: own.least.ns(),
        gap_ns: own.gap.ns(),
        interference_ns: own.interference.map(|most| most.ns()),
    }
}

/// Returns the gates of a system as plain data.
pub fn gates(system: &System, derived: &Derived) -> Vec<GateSummary> {
    let tasks =
        |ids: &[fusee_model::TaskId]| ids.iter().map(|&t| system.task(t).name.clone()).collect();
    let all = system.gates.iter().zip(&derived.gates);
    all.map(|(gate, facts)| GateSummary {
        name: gate.name.clone(),
        protocol: gate.protocol.value.name(),
        // Between cores a gate has an urgency on each core, and no single ceiling.
        ceiling: facts.ceiling.filter(|_| facts.on_cores.is_empty()),
        cores: GateOnCore::of_gate(system, facts),
        stacks: facts.stacks,
        rpc_threads: facts.rpc_threads,
        tasks: tasks(&facts.tasks),
    })
    .collect()
}

fn task_summary(system: &System, analysed: &TaskBound) -> TaskSummary {
    let task = system.task(analysed.task);
    let bound = analysed.bound.as_ref().ok();
    TaskSummary {
        name: task.name.clone(),
        priority: task.priority.value,
        core: task.core,
        period_ns: task.release.as_ref().map(|r| r.period.value.ns()),
        deadline_ns: analysed.deadline.map(|d| d.ns()),
        jitter_ns: task.release.as_ref().map_or(0, |r| r.jitter.value.ns()),
        wcet_ns: analysed.wcet.map(|w| w.ns()),
        bound: BoundSummary {
            blocking_ns: bound.map(|b| b.blocking_time().ns()),
            interference_ns: bound.map(|b| b.interference_time().ns()),
            // Most systems have nothing of that kind, and need not have the field.
            waiting_ns: bound.map(|b| b.all_waiting_time().ns()).filter(|&time| time > 0),
            kernel_ns: bound.map(|b| b.kernel.ns()),
            withheld_ns: bound.map(|b| b.withheld.ns()).filter(|&time| time > 0),
            response_bound_ns: bound.map(|b| b.response.ns()),
        },
        schedulable: analysed.deadline.map(|_| analysed.is_schedulable()),
        slack_ns: analysed.slack(),
        theorem: bound.map(|b| b.theorem.name()),
        interference: bound.map(|b| interference(system, b)).unwrap_or_default(),
        blocking: bound.map(|b| blocking(system, b)).unwrap_or_default(),
        waiting: bound.map(|b| waiting(system, b)).unwrap_or_default(),
    }
}

fn interference(system: &System, bound: &Bound) -> Vec<PartSummary> {
    let part = |p: &crate::Interference| PartSummary {
        task: system.task(p.task).name.clone(),
        gate: None,
        jobs: Some(p.jobs),
        requests: None,
        event: None,
        suspended: None,
        time_ns: p.time.ns(),
    };
    bound.interference.iter().map(part).collect()
}

fn blocking(system: &System, bound: &Bound) -> Vec<PartSummary> {
    let part = |p: &crate::BlockingPart| PartSummary {
        task: system.task(p.task).name.clone(),
        gate: Some(system.gate(p.gate).name.clone()),
        jobs: None,
        requests: None,
        event: None,
        suspended: None,
        time_ns: p.time.ns(),
    };
    bound.blocking.iter().map(part).collect()
}

fn waiting(system: &System, bound: &Bound) -> Vec<PartSummary> {
    let part = |p: &crate::WaitingPart, suspended: Option<bool>| PartSummary {
        task: system.task(p.task).name.clone(),
        gate: Some(system.gate(p.gate).name.clone()),
        jobs: None,
        requests: Some(p.requests),
        event: None,
        suspended,
        time_ns: p.time.ns(),
    };
    let suspended = bound.suspension.iter().map(|p| part(p, Some(true)));
    let event = |p: &crate::EventPart| PartSummary {
        task: system.task(p.task).name.clone(),
        gate: None,
        jobs: None,
        requests: None,
        event: Some(system.notifications[p.event.index()].name.clone()),
        suspended: Some(true),
        time_ns: p.time.ns(),
    };
    let events = bound.events.iter().map(event);
    bound.waiting.iter().map(|p| part(p, None)).chain(suspended).chain(events).collect()
}
