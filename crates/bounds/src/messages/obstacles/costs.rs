//! Kernel costs that do not hold for a system, as diagnostics.

use fusee_model::{ComponentId, GateId, Policy, TaskId};

use super::super::message::Message;
use super::Unbounded;
use crate::body::BodyRef;
use crate::rules;

/// The largest number of threads that the kernel can be measured with.
const MOST_MEASURED: u32 = 100;

/// Returns the message about a method whose messages do not fit into registers.
pub(super) fn message(at: Unbounded<'_>, task: TaskId, body: BodyRef) -> Message {
    let text = format!("what the messages of `{}` cost is unknown", body.name(at.system));
    let place = (body.origin(at.system), "not only scalars in registers");
    at.by_way_of(task, at.message(&rules::MESSAGE, text, place))
}

/// Returns the message about a gate of a protocol that the table does not know.
pub(super) fn passage(at: Unbounded<'_>, task: TaskId, gate: GateId) -> Message {
    let gate = at.system.gate(gate);
    let word = gate.protocol.value.name();
    let text = format!("what passing the `{word}` gate `{}` costs is unknown", gate.name);
    let place = |label| at.message(&rules::PASSAGE, text.clone(), (gate.protocol.origin, label));
    let message = match gate.is_global() {
        true => place("the table of costs lacks what it takes between cores")
            .note(format!(
                "that is `invoke.{word}`, `return.{word}`, and `lock`, `look`, `lose`, `gain` and \
                 `pass` of `[cores]`"
            ))
            .note("without costs (`--platform sim`) the protocol alone has a bound"),
        false => place("the table of costs leaves it out"),
    };
    at.by_way_of(task, message)
}

/// Returns the message about costs of a kernel with another policy.
pub(super) fn policy(at: Unbounded<'_>, known: Policy) -> Message {
    let system = at.system;
    let core = (0..system.cores()).find(|&core| system.policy_on(core) != known).unwrap_or(0);
    let (own, known) = (system.policy_on(core).name(), known.name());
    let text = format!("kernel costs are known for `{known}`, and this is `{own}`");
    let place = system.policy_given(core).map_or(at.own().origin, |policy| policy.origin);
    at.message(&rules::PASSAGE, text, (place, "a kernel with other paths"))
}

/// Returns the message about costs of a kernel without mutexes that are words.
pub(super) fn no_words(at: Unbounded<'_>) -> Message {
    let text =
        "kernel costs are known where each lock is a call, and here is an `optimistic` mutex";
    at_mutex(at, text.to_owned(), "a kernel with other paths")
}

/// Returns the message about more mutexes at once than the costs of words hold for.
pub(super) fn words(at: Unbounded<'_>, held: u32, most: u32) -> Message {
    let text = format!(
        "a thread may hold {held} mutexes at once, and some are `optimistic`: what those cost is \
         known for {most}"
    );
    at_mutex(at, text, "an unlock looks at all that are held and waited for")
}

/// Returns a message at the first mutex that is a word.
fn at_mutex(at: Unbounded<'_>, text: String, label: &str) -> Message {
    let mutex = at.system.mutex_words().next();
    let place = mutex.map_or(at.own().origin, |(_, lock)| lock.locking.origin);
    at.message(&rules::PASSAGE, text, (place, label))
}

/// Returns the message about a component with more mutexes than the costs of a fault hold for: how
/// many it has, and the most.
pub(super) fn words_of(at: Unbounded<'_>, component: ComponentId, mutexes: [u32; 2]) -> Message {
    let (component, [has, most]) = (at.system.component(component), mutexes);
    let text = format!(
        "`{}` has {has} mutexes, and some of the system are `optimistic`: what a fault costs there \
         is known for {most}",
        component.name
    );
    at.message(&rules::PASSAGE, text, (component.origin, "a fault looks at all of them"))
}

/// Returns the message about costs of a kernel in which nobody sleeps on another's account.
pub(super) fn no_services(at: Unbounded<'_>, component: ComponentId) -> Message {
    let component = at.system.component(component);
    let text = format!(
        "what it costs to sleep on another's account, as `{}` lets threads do, is unknown",
        component.name
    );
    at.message(&rules::PASSAGE, text, (component.origin, "a kernel with other paths"))
        .note("the table of costs lacks `[dependencies]`")
}

/// Returns the message about more threads than the costs hold for.
pub(super) fn threads(at: Unbounded<'_>, threads: u32, most: u32) -> Message {
    let system = at.system;
    let events = threads.saturating_sub(system.tasks.len() as u32);
    let counted = match events {
        0 => String::new(),
        _ => format!(", {events} of them for callbacks of events"),
    };
    let text =
        format!("there may be {threads} threads{counted}, and kernel costs are known for {most}");
    let message = at.at_own(&rules::SIZE, text);
    // The cost of more of them is measured by priorities on one core.
    let plain = system.schedulers.is_empty()
        && system.cores() == 1
        && system.policy_on(0) == Policy::FixedPriority;
    match plain && threads <= MOST_MEASURED {
        true => message.note(format!(
            "`fusee measure --threads {threads} --output FILE.toml` finds out what the kernel \
             costs with so many on a platform, for `--costs FILE.toml`"
        )),
        false => message,
    }
}

/// Returns the message about more schedulers than the costs hold for.
pub(super) fn schedulers(at: Unbounded<'_>, schedulers: u32, most: u32) -> Message {
    let text = format!("there are {schedulers} schedulers, and what they take is known for {most}");
    at.at_own(&rules::SIZE, text)
}

/// Returns the message about gates that are nested deeper than the costs hold for.
pub(super) fn nesting(at: Unbounded<'_>, nesting: u32, most: u32) -> Message {
    let text = format!("gates are nested {nesting} deep, and kernel costs are known for {most}");
    at.at_own(&rules::SIZE, text)
}

/// Returns the message about more cores than the costs hold for.
pub(super) fn cores(at: Unbounded<'_>, cores: u32, most: u32) -> Message {
    let text =
        format!("{cores} cores execute at the same time, and kernel costs are known for {most}");
    at.at_own(&rules::SIZE, text).note("cores that share a memory wait for each other there").note(
        format!(
            "`fusee measure --cores {cores} -o FILE.toml` measures the kernels of as many, for \
             `--costs FILE.toml`"
        ),
    )
}

/// Returns the message about longer chains of threads that wait than the costs hold for.
pub(super) fn chain(at: Unbounded<'_>, chain: u32, most: u32) -> Message {
    let text = format!(
        "threads may wait for each other along {chain} gates, and kernel costs are known for {most}"
    );
    at.at_own(&rules::SIZE, text)
}
