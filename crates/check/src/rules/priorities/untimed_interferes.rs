//! A task without timing above tasks with timing.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Algorithm, PrioritySource, Task, TaskId};

use crate::finding::Finding;
use crate::rules::policies::by_deadline;
use crate::view::{View, list};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0550"),
    name: "untimed-task-interferes",
    severity: Severity::Warning,
    what: "A task without a period, of which nobody knows how long it runs, has the priority of a \
           task with a period, or a higher one, on the same core.",
    why: "Its control thread is started once and may run for as long as it likes: nothing below it \
          has a bound. The CAmkES default priority is 254: a control thread that was left alone \
          stands above nearly everything.",
    example: r#"
component Pump { control; }
component Shell { control; }
assembly {
    composition { component Pump pump; component Shell shell; }
    configuration { pump.period = "10 ms"; pump.wcet = "1 ms"; }
}
"#,
    instead: "Give it a low priority, for example `shell.priority = 0;`, or a `wcet` if it ends, \
              or both a period and a `wcet` if it does not.",
    reference: "CAmkES manual, \"Thread priorities\"; Fusee book, \"Describing timing\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    // Who has a scheduler delays others by what that decides.
    let is_kernels = |id: TaskId| view.system.scheduler_of(id).is_none();
    let matters = |id: TaskId| is_kernels(id) && !decides_only(view, id);
    let once = view.system.task_ids().filter(|&(id, t)| t.release.is_none() && matters(id));
    let once = once.filter(|(_, t)| !by_deadline(view.system, t.core));
    // A task in a cycle has that rule's message.
    let unknown =
        once.filter(|(id, _)| view.demands.task(*id).is_none() && !view.derived.task(*id).cyclic);
    unknown.filter_map(|(_, task)| finding(view, task)).collect()
}

/// Returns `true` if a task is a scheduler that comes with Fusee and delays others by no more than
/// its threads ask for, or it gives them.
fn decides_only(view: &View<'_>, id: TaskId) -> bool {
    let Some(own) = view.system.scheduler(id) else { return false };
    let is_timed = |task: TaskId| {
        view.system.task(task).release.is_some() || view.demands.task(task).is_some()
    };
    match own.algorithm {
        Algorithm::Own => false,
        Algorithm::Partitions | Algorithm::DeferrableServer => true,
        Algorithm::FixedPriority | Algorithm::EarliestDeadline | Algorithm::RoundRobin => {
            own.threads.iter().all(|thread| is_timed(thread.value))
        }
        Algorithm::PriorityServers => {
            let is_limited = |task: TaskId| view.system.account_limit(task).ns() > 0;
            own.threads.iter().all(|own| is_timed(own.value) || is_limited(own.value))
        }
    }
}

fn finding(view: &View<'_>, task: &Task) -> Option<Finding> {
    let system = view.system;
    let is_kernels = |id: &TaskId| system.scheduler_of(*id).is_none();
    let below =
        |other: &&Task| other.core == task.core && other.priority.value <= task.priority.value;
    let victims = view.timed().filter(|(id, _, _)| is_kernels(id)).map(|(_, t, _)| t);
    let victims: Vec<&Task> = victims.filter(below).collect();
    let first = victims.first()?;
    let names: Vec<&str> = victims.iter().map(|t| t.name.as_str()).collect();
    let source = match task.priority_source {
        PrioritySource::Default => format!("{}, the default", task.priority.value),
        _ => task.priority.value.to_string(),
    };
    let message = format!(
        "task `{}` has no period and can delay {} without a bound",
        task.name,
        list(&names)
    );
    Some(
        Finding::of(&RULE, message)
            .at(task.priority.origin, format!("priority {source}; nothing says how long it runs"))
            .because(
                first.origin,
                format!("task `{}` has priority {}", first.name, first.priority.value),
            )
            .note(format!(
                "give `{}` a low priority, or say with `wcet` how long it runs",
                task.name
            )),
    )
}
