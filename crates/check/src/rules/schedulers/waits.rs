//! A dispatched thread at a gate at which no thread can lend it time.

use std::collections::BTreeSet;

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{
    Algorithm, ComponentId, Gate, GateId, NotificationId, Protocol, Scheduler, Step, System, Task,
    TaskId,
};

use crate::finding::Finding;
use crate::view::{Owner, View};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0585"),
    name: "dispatched-at-gate",
    severity: Severity::Error,
    what: "A thread that a scheduler dispatches, or a scheduler, can come to an exclusive gate \
           where nobody could lend it time as it should be: `fifo`, or one that is `inherited` \
           (of `ceiling` gates: any of them) and shared with another tree, with a task that is \
           not above the tree, or, in a table or a server, with any of the kernel's own; or to \
           one that is found free (`fixed`, `srp`, `non_preemptive`) in the tree of a server; or \
           in which an event is waited for; or to a lock of its own component. What is said of \
           `inherited` gates holds of components with `dependencies`, too, so of locks that are \
           components.",
    why: "Its budget can end while it holds the gate. At an `inherited` one whoever waits lends it \
          its own time, and it runs at the highest priority of those; one that is found free it \
          leaves before anything else happens. At a `fifo` gate nobody lends, and nobody could \
          say how long it takes. A less urgent lender would buy it the tree's priority, and what \
          tasks of the kernel lend is in nobody's slots; a server's threads would use more than \
          its capacity; who waits for an event inside cannot be helped.",
    example: r#"
import <std_connector.camkes>;
procedure Bus { void access(); };
component Store { provides Bus bus; }
component Scheduler { control; }
component Worker { control; uses Bus bus; }
assembly {
    composition {
        component Store store;
        component Scheduler root;
        component Worker worker;
        component Worker other;
        connection seL4RPCCall c(from worker.bus, from other.bus, to store.bus);
    }
    configuration {
        worker.scheduler = "root";
        worker.period = "10 ms";
        worker.wcet = "1 ms";
        other.period = "10 ms";
        other.wcet = "1 ms";
        store.bus_wcet = "10 us";
        store.bus_priority_protocol = "fifo";
    }
}
"#,
    instead: "Make the gate `inherited`, or `propagated`, or `fixed` where nothing has a capacity; \
              give the others a scheduler of the same tree, or a higher priority than the tree's.",
    reference: "Fusee book, \"Schedulers as components\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let system = view.system;
    let gates = system.gate_ids().filter(|(_, gate)| gate.is_exclusive());
    let mut found: Vec<Finding> =
        gates.filter_map(|(id, gate)| of_gate(view, (id, gate))).collect();
    found.extend(system.lock_services().filter_map(|id| of_services(view, id)));
    found.extend(super::of_trees(system).iter().filter_map(|&task| own_lock(system, task)));
    found
}

/// Returns the obstacle to lending where threads of a tree sleep on each other's account through a
/// component.
fn of_services(view: &View<'_>, id: ComponentId) -> Option<Finding> {
    let (system, component) = (view.system, view.system.component(id));
    let gates = system.gate_ids().filter(|(_, gate)| gate.component == id);
    let behind = gates.flat_map(|(gate, _)| view.derived.gate(gate).tasks.iter().copied());
    let at_home = system.task_ids().filter(|(_, task)| task.component == id).map(|(own, _)| own);
    let users: BTreeSet<TaskId> = behind.chain(at_home).collect();
    let &own = users.iter().find(|&&task| system.root_scheduler(task).is_some())?;
    let tree = system.root_scheduler(own)?;
    let &stranger = users.iter().find(|&&task| !may_share(system, tree, task))?;
    let (why, note) = unshared(system, (own, stranger));
    let [own, other] = [own, stranger].map(|task| system.task(task));
    let text = format!("`{}` has a scheduler, and can sleep in `{}`", own.name, component.name);
    let finding =
        Finding::of(&RULE, text).at(component.origin, format!("and so can `{}`", other.name));
    Some(finding.because(other.origin, why).note(note))
}

/// Returns why a task may not lend to a thread of a tree, and what to do.
fn unshared(system: &System, (own, stranger): (TaskId, TaskId)) -> (&'static str, &'static str) {
    match system.root_scheduler(stranger) {
        Some(_) => ("it is in another tree", "let one scheduler stand above both"),
        None if system.level(stranger) <= system.level(own) => (
            "its priority is not above the tree's",
            "what it lends would run at the tree's priority: raise its own above that",
        ),
        None => (
            "no scheduler gives it time",
            "what it lends would be in nobody's slot: give it one, or make the gate `propagated`",
        ),
    }
}

/// Returns the obstacle to lending at a gate that threads of a tree use.
fn of_gate(view: &View<'_>, (id, gate): (GateId, &Gate)) -> Option<Finding> {
    let system = view.system;
    let users = &view.derived.gate(id).tasks;
    let &own = users.iter().find(|&&task| system.root_scheduler(task).is_some())?;
    let name = &system.task(own).name;
    let text = format!("`{name}` has a scheduler, and can wait at `{}`", gate.name);
    let finding = Finding::of(&RULE, text);
    let protocol = gate.protocol.value;
    let is_free = protocol.is_found_free();
    let served = users.iter().find_map(|&task| server_above(system, task)).filter(|_| is_free);
    let lends = matches!(protocol, Protocol::Inherited | Protocol::Ceiling);
    if system.lock_component(id).is_some() || served.is_some() || !(lends || is_free) {
        let word = protocol.name();
        let finding = finding.at(gate.protocol.origin, format!("this gate is `{word}`"));
        let finding = served.into_iter().fold(finding, |finding, server| {
            finding.because(server.origin, "inside, this one's capacity could be exceeded")
        });
        return Some(finding.note("at an `inherited` gate who waits lends its time to the holder"));
    }
    if let Some(event) = awaited_within(view, id) {
        let event = &system.notifications[event.index()];
        let finding = finding.at(gate.origin, "in here an event is waited for");
        let finding = finding.because(event.origin, "who lends cannot hurry this");
        return Some(finding.note("wait before entering, or return at once with what has arrived"));
    }
    if is_free {
        // Nobody waits, and nobody lends.
        return None;
    }
    let tree = system.root_scheduler(own)?;
    let waiting = waiting(view, (id, gate));
    let &stranger = waiting.iter().find(|&&task| !may_share(system, tree, task))?;
    let other = system.task(stranger);
    let (why, note) = unshared(system, (own, stranger));
    let name = &other.name;
    let how = match users.contains(&stranger) {
        true => format!("and so can `{name}`"),
        false => format!("whoever is inside keeps `{name}` from other `ceiling` gates"),
    };
    let finding = finding.at(gate.origin, how);
    Some(finding.because(other.origin, why).note(note))
}

/// Returns the tasks that may wait for the holder of a gate, in order: whoever holds a `ceiling`
/// gate keeps others from all such gates.
fn waiting(view: &View<'_>, (id, gate): (GateId, &Gate)) -> BTreeSet<TaskId> {
    let is_alike = |(other, described): &(GateId, &Gate)| {
        let both = gate.protocol.value == Protocol::Ceiling;
        *other == id || both && described.protocol.value == Protocol::Ceiling
    };
    let gates = view.system.gate_ids().filter(is_alike);
    gates.flat_map(|(id, _)| view.derived.gate(id).tasks.iter().copied()).collect()
}

/// Returns a scheduler above a task whose threads have a capacity, or time of their own, for some
/// while: they would use more of that in a section that does not end when it is used up.
fn server_above(system: &System, task: TaskId) -> Option<&Task> {
    let has_capacity = |own: &&Scheduler| {
        matches!(own.algorithm, Algorithm::DeferrableServer | Algorithm::PriorityServers)
    };
    let server = system.schedulers_above(task).into_iter().find(has_capacity)?;
    Some(system.task(server.task))
}

/// Returns `true` if a task may lend to the threads of a tree: one of them, or one above it whose
/// loans are in no thread's slot.
fn may_share(system: &System, tree: &Scheduler, task: TaskId) -> bool {
    match system.root_scheduler(task) {
        Some(other) => other == tree,
        None => {
            let shares =
                matches!(tree.algorithm, Algorithm::Partitions | Algorithm::DeferrableServer);
            !shares && system.level(task) > system.level(tree.task)
        }
    }
}

/// Returns an event for which a thread waits behind a gate.
fn awaited_within(view: &View<'_>, gate: GateId) -> Option<NotificationId> {
    let within: Vec<GateId> = view.derived.within(gate).into_iter().chain([gate]).collect();
    view.bodies().find_map(|(owner, body)| {
        let Owner::Method(id, ..) = owner else { return None };
        let waits = body.steps.iter().find_map(|step| match *step {
            Step::Wait(event) => Some(event),
            _ => None,
        });
        waits.filter(|_| within.contains(&id))
    })
}

/// Returns a lock of a thread's own component. A mutex that no list of calls mentions is no gate of
/// the model's.
fn own_lock(system: &System, task: TaskId) -> Option<Finding> {
    let own = system.task(task);
    let lock = system.component(own.component).code.locks.first()?;
    let text = format!("`{}` has a scheduler, and its component has `{}`", own.name, lock.name);
    Some(Finding::of(&RULE, text).at(lock.origin, "it could wait for this"))
}
