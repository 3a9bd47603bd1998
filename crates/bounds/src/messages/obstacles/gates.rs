//! Gates that keep a task from a bound, as diagnostics.

use fusee_model::{GateId, TaskId};

use super::super::message::Message;
use super::Unbounded;
use crate::rules;

/// Returns the message about a task that waits suspended and may be late.
pub(super) fn late(at: Unbounded<'_>, task: TaskId, gate: GateId) -> Message {
    let gate = at.system.gate(gate);
    let who = at.who(task);
    let text = format!(
        "{who} waits suspended at `{}`, and may not be done before its next release",
        gate.name
    );
    at.message(&rules::LATE, text, (gate.protocol.origin, "who waits here is suspended"))
}

/// Returns the message about a gate for whose protocol no theorem is known under the core's policy.
pub(super) fn no_theorem(at: Unbounded<'_>, gate: GateId) -> Message {
    let gate = at.system.gate(gate);
    let policy = at.system.policy_on(at.own().core).name();
    let word = gate.protocol.value.name();
    let text =
        format!("none is known for the `{word}` gate `{}` here, under `{policy}`", gate.name);
    at.message(&rules::NO_THEOREM, text, (gate.protocol.origin, "this gate"))
}

/// Returns the message about a task that can get into a recursion or a deadlock.
pub(super) fn cycle(at: Unbounded<'_>, task: TaskId, gate: GateId) -> Message {
    let gate = at.system.gate(gate);
    let text = format!("`{}` can get into a cycle over `{}`", at.name(task), gate.name);
    at.message(&rules::CYCLE, text, (gate.origin, "a gate of the cycle"))
}

/// Returns the message about an exclusive gate that several cores use.
pub(super) fn several_cores(at: Unbounded<'_>, gate: GateId) -> Message {
    let gate = at.system.gate(gate);
    let text = format!("`{}` is used from several cores", gate.name);
    at.message(&rules::SEVERAL_CORES, text, (gate.origin, "this gate"))
}

/// Returns the message about unbounded priority inversion: who waits, who runs, and who is inside.
pub(super) fn inversion(at: Unbounded<'_>, gate: GateId, tasks: [TaskId; 3]) -> Message {
    let gate = at.system.gate(gate);
    let [victim, middle, holder] = tasks.map(|task| at.system.task(task));
    let text = format!(
        "`{}` can wait for `{}` at `{}` while `{}` runs (priority inversion)",
        victim.name, holder.name, gate.name, middle.name
    );
    let raises = format!("`{}` does not raise who is inside", gate.name);
    let message = at.message(&rules::INVERSION, text, (gate.protocol.origin, &raises));
    let does = [(victim, "waits"), (middle, "runs"), (holder, "is inside")];
    does.into_iter().fold(message, |message, (task, does)| {
        let label = format!("`{}`, priority {}, {does}", task.name, task.priority.value);
        message.place(at.places, task.origin, label)
    })
}
