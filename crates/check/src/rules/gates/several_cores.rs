//! A gate that is used from more than one core, with a protocol for one.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Duration, Gate, GateId, Protocol, TaskId};

use crate::finding::Finding;
use crate::rules::cores::is_held;
use crate::rules::policies::deadlines_at;
use crate::view::View;
use crate::ways;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0507"),
    name: "several-cores",
    severity: Severity::Error,
    what: "Tasks on different cores can get to the same exclusive gate, and its protocol is one \
           core's.",
    why: "`fixed`, `inherited` and the others are protocols for one core: a raised priority means \
          nothing to a thread on another one. Between cores there are `msrp` (who waits keeps its \
          core to itself), `mrsp` (who waits can be preempted, and executes the section of a \
          preempted owner) and `mpcp` (who waits is suspended).",
    example: r#"
import <std_connector.camkes>;
procedure Log { void put(); };
component Logger { provides Log log; }
component Pump { control; uses Log log; }
assembly {
    composition {
        component Logger logger;
        component Pump one;
        component Pump two;
        connection seL4RPCCall calls(from one.log, from two.log, to logger.log);
    }
    configuration {
        one.calls = ["log"];
        two.calls = ["log"];
        one.core = 0;
        two.core = 1;
        logger.log_priority_protocol = "inherited";
    }
}
"#,
    instead: "Give it the protocol that the message proposes, or put the tasks on one core, or \
              give each core its own instance.",
    reference: "Gai, Lipari and Di Natale 2001 (MSRP); Burns and Wellings 2013 (MrsP); Rajkumar \
                1990 (MPCP); Fusee book, \"The kernel on several cores\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let gates = view.system.gate_ids().filter(|(_, gate)| is_held(gate));
    // A gate within one that is between cores is another rule's matter.
    let around = ways::around(view, Gate::is_global);
    let alone = gates.filter(|(id, _)| around[id.index()].iter().all(Option::is_none));
    alone.filter_map(|(id, gate)| finding(view, id, gate)).collect()
}

fn finding(view: &View<'_>, id: GateId, gate: &Gate) -> Option<Finding> {
    let (here, there) = two_cores(view, &view.derived.gate(id).tasks)?;
    let (one, two) = (view.system.task(here), view.system.task(there));
    let message = format!("`{}` is used from cores {} and {}", gate.name, one.core, two.core);
    let word = gate.protocol.value.name();
    let finding = Finding::of(&RULE, message)
        .at(gate.protocol.origin, format!("`{word}` works on one core"))
        .because(one.origin, format!("task `{}` runs on core {}", one.name, one.core))
        .because(two.origin, format!("task `{}` runs on core {}", two.name, two.core));
    let elsewhere = "put the tasks on one core, or give each core its own instance";
    let (protocol, why) = proposal(view, id);
    let (word, line) = (protocol.name(), format!("{}_priority_protocol", gate.name));
    let finding = finding.note(why).note(format!("or {elsewhere}"));
    // Where nothing is written there is nothing to replace.
    Some(if gate.protocol.origin == gate.origin {
        finding.note(format!("write `{line} = \"{word}\";`"))
    } else {
        finding.fix(format!("use `{word}`"), gate.protocol.origin, format!("\"{word}\""))
    })
}

fn two_cores(view: &View<'_>, tasks: &[TaskId]) -> Option<(TaskId, TaskId)> {
    let first = *tasks.first()?;
    let other =
        tasks.iter().find(|&&t| view.system.task(t).core != view.system.task(first).core)?;
    Some((first, *other))
}

/// Returns the protocol that fits, and why: of those that do the one that disturbs least, which is
/// `msrp` unless a task that has nothing to do with the gate and is above all who have would be
/// kept waiting on its core.
fn proposal(view: &View<'_>, id: GateId) -> (Protocol, String) {
    if view.system.mutex(id).is_some() {
        return (Protocol::Msrp, "`msrp` is the protocol of mutexes between cores".to_owned());
    }
    if deadlines_at(view, id).is_some() {
        return (Protocol::Msrp, "`msrp` goes with deadlines".to_owned());
    }
    let facts = view.derived.gate(id);
    let above = |core: u32| {
        let on = |t: &TaskId| view.system.task(*t).core == core;
        let users = facts.tasks.iter().copied().filter(on);
        let highest = users.map(|t| view.system.task(t).priority.value).max();
        let tasks = view.system.tasks.iter().filter(move |t| t.core == core);
        tasks.filter(move |t| Some(t.priority.value) > highest).max_by_key(|t| t.priority.value)
    };
    match facts.cores.iter().find_map(|&core| above(core)) {
        Some(task) => (
            Protocol::Mrsp,
            format!(
                "`mrsp` fits: task `{}` is above all users on core {} and goes on while they wait",
                task.name, task.core
            ),
        ),
        None => (Protocol::Msrp, format!("`msrp` fits: {}", nobody_else(view, id))),
    }
}

/// Returns the reason for which it does no harm that no task preempts a waiting one.
fn nobody_else(view: &View<'_>, id: GateId) -> String {
    let longest = (0..view.system.gate(id).methods.len())
        .map(|method| view.demands.method(id.index(), method))
        .try_fold(Duration::ZERO, |longest, next| Some(longest.max(next?)));
    let others = view.derived.gate(id).cores.len() - 1;
    let nobody = "no task is above the users on their cores, and it costs least";
    match longest {
        Some(longest) => {
            let wait = Duration(longest.0.saturating_mul(others as u64));
            format!("{nobody}; a request waits for {wait} at most")
        }
        None => nobody.to_owned(),
    }
}
