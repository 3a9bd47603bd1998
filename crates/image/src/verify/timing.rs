//! Threads, gates and limits, against the description.

use super::finding::Findings;
use super::{Subject, chain, trees};
use crate::roles::{GateRole, NotificationRole, ThreadRole};
use fusee_image_format::Header;
use fusee_kernel::{
    Budget, GateKind, NEVER, NotificationKind, OnFault as KernelOnFault, Overrun as KernelOverrun,
    Protocol, Release,
};
use fusee_model::derived::{Derived, GateFacts};
use fusee_model::{
    Gate, LockKind, OnFault, Overrun, Policy, Protocol as Described, ReleaseKind, System,
    TOP_PRIORITY, Task,
};
use fusee_tables::kernel_policy;
use std::collections::BTreeSet;

/// Checks the rules for the tables of any core.
pub(crate) fn check_header(subject: &Subject<'_>, core: usize, findings: &mut Findings) {
    let (tables, names) = (subject.tables, subject.names);
    let header = &tables.header;
    let boots = names
        .threads
        .get(usize::from(header.boot_thread))
        .is_some_and(|thread| thread.role == ThreadRole::Boot);
    // The first of several cores sets everything up.
    if boots != (core == 0) || (core > 0 && header.boot_thread != u16::MAX) {
        findings.differs("the thread that sets everything up is not the one that is named");
    }
    if header.cores != 1 {
        findings.differs(format!("the tables are for {} cores, the kernel runs one", header.cores));
    }
    let ceilings = tables.gates.iter().map(|gate| gate.config.protocol.ceiling());
    let highest = tables
        .threads
        .iter()
        .map(|thread| thread.config.priority)
        .chain(ceilings)
        .max()
        .unwrap_or(0);
    if header.levels != u16::from(highest) + 1 {
        findings.differs(format!(
            "there are {} levels of priority, the highest in use is {highest}",
            header.levels
        ));
    }
    chain::check(subject, findings);
    let map = header.platform.memory_map();
    let end = header.records.saturating_add(header.records_bytes);
    let pages = subject.pages.iter().flatten().map(|page| page.physical);
    let memory = pages.filter(|&page| !header.platform.is_device(page));
    let free = memory.map(|page| page + super::ranges::PAGE).max().unwrap_or(map.ram);
    let others = subject.cores.iter().map(|core| core.raw.header.records);
    let next = others.filter(|&other| other > header.records).min().unwrap_or(map.ram_end);
    if header.records < free || end != next {
        let start = header.records;
        findings.unsound(format!(
            "records go to {start:#x} to {end:#x}, they belong between {free:#x} and the memory's \
             end"
        ));
    }
}

/// Checks the scheduling policy on a core of the described system.
pub(crate) fn check_policy(
    (core, header): (usize, &Header),
    system: &System,
    findings: &mut Findings,
) {
    let described = kernel_policy(system, core as u32);
    if header.policy != described {
        let found = header.policy;
        findings.differs(format!(
            "the policy of core {core} is `{found}` in the image, `{described}` by the description"
        ));
    }
}

/// Everything that the description says of time.
pub(crate) fn check(subject: &Subject<'_>, system: &System, findings: &mut Findings) {
    let (tables, derived) = (subject.tables, Derived::of(system));
    let startup = system.startup_time().ns();
    let slice = system.slice().map_or(NEVER, |slice| slice.ns());
    let deepest = derived.gates.iter().map(|gate| gate.depth).max().unwrap_or(0);
    let locks =
        subject.names.gates.iter().filter(|gate| gate.role == GateRole::Mutex).count() as u32;
    let depth = derived.longest_nesting.max(deepest + 1) + locks;
    let header = &tables.header;
    for (what, found, described) in [
        ("start-up time", header.startup, startup),
        ("time slice", header.time_slice, slice),
        ("nesting depth", u64::from(header.depth), u64::from(depth)),
        ("number of waiting releases", u64::from(header.backlog), 16),
    ] {
        if found != described {
            findings.differs(format!(
                "the {what} is {found} in the image, {described} by the description"
            ));
        }
    }
    for (index, task) in system.tasks.iter().enumerate() {
        if let Some(thread) = tables.threads.get(index) {
            check_task((system, task), &thread.config, startup, findings);
        }
    }
    check_gates(subject, system, &derived, findings);
    check_components(subject, system, findings);
    check_extras(subject, system, findings);
}

fn check_task(
    (system, task): (&System, &Task),
    config: &fusee_kernel::ThreadConfig,
    startup: u64,
    findings: &mut Findings,
) {
    let name = &task.name;
    let mut same = |what: &str, found: String, described: String| {
        if found != described {
            findings.differs(format!(
                "the {what} of `{name}` is {found} in the image, {described} by the description"
            ));
        }
    };
    same("component", config.component.0.to_string(), task.component.0.to_string());
    same("priority", config.priority.to_string(), level(system, task).to_string());
    same("core", config.core.to_string(), task.core.to_string());
    let period = task.release.as_ref().map(|release| release.period.value.ns());
    let deadline = task.deadline.map(|deadline| deadline.value.ns()).or(period).unwrap_or(NEVER);
    same("deadline", config.deadline.to_string(), deadline.to_string());
    let budget = task.budget.as_ref().map(|budget| Budget {
        amount: budget.amount.value.ns(),
        overrun: match budget.overrun {
            Overrun::Suspend => KernelOverrun::Suspend,
            Overrun::Continue => KernelOverrun::Continue,
            Overrun::Notify(id) => {
                KernelOverrun::Notify(fusee_kernel::NotificationIndex(id.0 as u16))
            }
        },
    });
    same("budget", format!("{:?}", config.budget), format!("{budget:?}"));
    let release = match (&task.release, config.release) {
        (None, _) => Release::Once { offset: startup },
        // Nobody in the system may be there to signal; then releases come as densely as they may.
        (Some(release), Release::Sporadic { .. })
            if matches!(release.kind, ReleaseKind::Notification(_)) =>
        {
            Release::Sporadic { separation: release.period.value.ns(), jitter: 0 }
        }
        (Some(release), _) => Release::Periodic {
            period: release.period.value.ns(),
            offset: startup.saturating_add(release.offset.ns()),
        },
    };
    same("release", format!("{:?}", config.release), format!("{release:?}"));
}

/// Returns the protocol that the kernel of the system's policy has for a described one.
fn expected(system: &System, described: Described) -> Described {
    match described {
        Described::Srp | Described::NonPreemptive
            if system.policy_on(0) == Policy::FixedPriority =>
        {
            Described::Fixed
        }
        _ => described,
    }
}

/// Returns a task's priority or that of its tree, or where deadlines decide, how many distinct
/// spans from a latest release to its deadline are as long as its own or longer.
fn level(system: &System, task: &Task) -> usize {
    let span = |task: &Task| {
        let release = task.release.as_ref()?;
        let deadline = task.deadline.map_or(release.period.value, |deadline| deadline.value);
        Some(deadline.ns().saturating_sub(release.jitter.value.ns()))
    };
    let place = system.tasks.iter().position(|other| other.name == task.name);
    let own = place.map_or(task.priority.value, |place| trees::level(system, place));
    match (system.policy_on(0), span(task)) {
        (Policy::FixedPriority, _) => usize::from(own),
        (Policy::EarliestDeadline, None) => 0,
        (Policy::EarliestDeadline, Some(own)) => {
            let longer: BTreeSet<u64> =
                system.tasks.iter().filter_map(span).filter(|&other| other >= own).collect();
            longer.len()
        }
    }
}

/// Returns a gate's ceiling; where deadlines decide, the level of its user that has the shortest
/// span.
fn ceiling(system: &System, gate: &Gate, facts: &GateFacts) -> usize {
    let by_priority = system.policy_on(0) == Policy::FixedPriority;
    match gate.protocol.value {
        Described::NonPreemptive if by_priority => usize::from(TOP_PRIORITY),
        _ if by_priority => usize::from(facts.ceiling.unwrap_or(0)),
        _ => facts.tasks.iter().map(|&task| level(system, system.task(task))).max().unwrap_or(0),
    }
}

fn check_gates(subject: &Subject<'_>, system: &System, derived: &Derived, findings: &mut Findings) {
    for (((id, gate), facts), found) in
        system.gate_ids().zip(&derived.gates).zip(&subject.tables.gates)
    {
        let (name, config) = (&gate.name, &found.config);
        let described = expected(system, gate.protocol.value);
        if fusee_tables::described(config.protocol) != described {
            let described = described.name();
            findings.differs(format!(
                "gate `{name}` is {:?} in the image, {described} by the description",
                config.protocol
            ));
        }
        let ceiling = ceiling(system, gate, facts);
        let callbacks =
            subject.names.threads.iter().any(|thread| thread.role == ThreadRole::Callback);
        let found = usize::from(config.protocol.ceiling());
        let fits = ceiling == found || (callbacks && found > ceiling);
        if matches!(described, Described::Fixed | Described::Srp) && !fits {
            findings.differs(format!(
                "the ceiling of gate `{name}` is {found} in the image, {ceiling} by the description"
            ));
        }
        if u32::from(config.component.0) != gate.component.0 {
            findings.differs(format!(
                "gate `{name}` leads to another component than by the description"
            ));
        }
        if (config.kind == GateKind::Mutex) != system.mutex(id).is_some() {
            findings.differs(format!(
                "`{name}` is {:?} in the image, and not by the description",
                config.kind
            ));
        }
        let between = subject.names.globals.iter().any(|global| global.gate == id.index());
        // A mutex is entered nowhere, and counts one.
        let entered = !(between || gate.direct && !described.is_exclusive())
            || config.kind == GateKind::Mutex;
        let stacks = if entered { facts.stacks.max(1) } else { 0 };
        let found = u32::from(config.stacks);
        if found != stacks && !(callbacks && found > stacks) {
            findings.differs(format!(
                "gate `{name}` has {found} stacks in the image, {stacks} by the description"
            ));
        }
        if gate.direct && found != 0 && gate.protocol.value == Described::Propagated {
            findings.differs(format!("gate `{name}` is only called directly, and has stacks"));
        }
    }
}

fn check_components(subject: &Subject<'_>, system: &System, findings: &mut Findings) {
    if subject.tables.components.last().is_some_and(|boot| boot.on_fault != KernelOnFault::Dead) {
        findings.differs("a fault of the boot component does not end it");
    }
    for (component, found) in system.components.iter().zip(&subject.tables.components) {
        let right = matches!(
            (component.on_fault, found.on_fault),
            (OnFault::Continue, KernelOnFault::Continue)
                | (OnFault::Dead, KernelOnFault::Dead)
                | (OnFault::Restart, KernelOnFault::Restart)
        );
        if !right {
            let (name, image, described) = (&component.name, found.on_fault, component.on_fault);
            findings.differs(format!(
                "a fault in `{name}` ends as {image:?} in the image, {described:?} by the \
                 description"
            ));
        }
    }
}

/// Objects that the description implies: their owners, and that they carry no time of their own.
fn check_extras(subject: &Subject<'_>, system: &System, findings: &mut Findings) {
    let (tables, names) = (subject.tables, subject.names);
    // Only the first of several cores sets components up; a mutex counts a stack everywhere.
    let first = names.threads.iter().any(|thread| thread.role == ThreadRole::Boot);
    for (gate, name) in tables.gates.iter().zip(&names.gates).skip(system.gates.len()) {
        let boots = first || matches!(name.role, GateRole::Mutex | GateRole::Thread);
        let (wanted, kind) = match name.role {
            GateRole::Mutex | GateRole::Thread => (Protocol::Inherited, GateKind::Mutex),
            GateRole::Between => continue,
            GateRole::Interface | GateRole::Init => (Protocol::Propagated, GateKind::Interface),
        };
        let config = &gate.config;
        if u32::from(config.component.0) != name.component
            || config.protocol != wanted
            || config.kind != kind
            || config.stacks != u16::from(boots)
        {
            findings.differs(format!("gate `{}` is not as its role asks: {config:?}", name.name));
        }
    }
    let startup = tables.header.startup;
    for (thread, name) in tables.threads.iter().zip(&names.threads).skip(system.tasks.len()) {
        let offset = if name.role == ThreadRole::Boot { 0 } else { startup };
        let config = &thread.config;
        let home = usize::from(config.component.0);
        let fine = config.release == Release::Once { offset }
            && config.deadline == NEVER
            && config.budget.is_none();
        if !fine || config.core != 0 {
            findings.differs(format!("thread `{}` is not as its role asks: {config:?}", name.name));
        }
        let priority = priority(subject, system, name, home);
        if config.priority != priority {
            let (name, found) = (&name.name, config.priority);
            findings.differs(format!(
                "thread `{name}` has priority {found} in the image, {priority} by its role"
            ));
        }
        if (name.role == ThreadRole::Boot) != (home == system.components.len()) {
            findings.differs(format!(
                "thread `{}` starts in a component that is not its own",
                name.name
            ));
        }
    }
    check_notifications(subject, system, findings);
}

/// The boot thread is as urgent as the most urgent other one; a callback's thread as its interface
/// or component says. Where deadlines decide, all of these yield to the tasks.
fn priority(
    subject: &Subject<'_>,
    system: &System,
    name: &super::names::Thread,
    home: usize,
) -> u8 {
    let threads = subject.tables.threads.iter().zip(&subject.names.threads);
    if system.policy_on(0) == Policy::EarliestDeadline {
        return 0;
    }
    if name.role == ThreadRole::Boot {
        let others = threads.filter(|(_, name)| name.role != ThreadRole::Boot);
        return others.map(|(thread, _)| thread.config.priority).max().unwrap_or(0);
    }
    let Some(component) = system.components.get(home) else { return 0 };
    let interface = name.name.rsplit('.').next().unwrap_or("");
    let given = |attribute: &str| match component.attribute(attribute) {
        Some(fusee_model::Value::Integer(priority)) => u8::try_from(*priority).ok(),
        _ => None,
    };
    given(&format!("{interface}_priority")).or_else(|| given("priority")).unwrap_or(254)
}

/// Returns `true` if a semaphore counts from where its lock says, a mutex that is held from one
/// invocation to another begins free, or a registration with nothing.
fn is_extra(
    subject: &Subject<'_>,
    system: &System,
    index: usize,
    kind: NotificationKind,
    initial: u32,
) -> bool {
    let role = &subject.names.notification_roles[index];
    match role.role {
        NotificationRole::Event => return false,
        NotificationRole::Registration | NotificationRole::Turn => {
            return kind == NotificationKind::Merging && initial == 0;
        }
        NotificationRole::Held => {
            return kind == (NotificationKind::Counting { limit: 1 }) && initial == 1;
        }
        NotificationRole::Semaphore => {}
    }
    let owner = role.component.map_or(usize::MAX, |component| component as usize);
    let locks =
        system.components.get(owner).into_iter().flat_map(|component| &component.code.locks);
    let locks: Vec<_> = locks.filter(|lock| lock.kind != LockKind::Mutex).collect();
    let before = &subject.names.notification_roles[system.notifications.len()..index];
    let same = before
        .iter()
        .filter(|r| r.role == NotificationRole::Semaphore && r.component == role.component);
    let position = same.count();
    locks.get(position).is_some_and(|lock| {
        let limit = if lock.kind == LockKind::BinarySemaphore { 1 } else { u32::MAX };
        kind == NotificationKind::Counting { limit } && initial == lock.initial
    })
}

fn check_notifications(subject: &Subject<'_>, system: &System, findings: &mut Findings) {
    use NotificationKind::{Counting, Merging};
    for (index, found) in subject.tables.notifications.iter().enumerate() {
        let name = subject.names.notification(index as u16);
        let described = system.notifications.get(index);
        let right = match (described, found.kind) {
            (Some(described), Counting { limit }) => {
                described.counting && limit == u32::MAX && found.initial == 0
            }
            (Some(described), Merging) => !described.counting && found.initial == 0,
            (None, kind) => is_extra(subject, system, index, kind, found.initial),
        };
        let bound = |task: &Task| {
            task.release.as_ref().is_some_and(
                |r| matches!(r.kind, ReleaseKind::Notification(id) if id.index() == index),
            )
        };
        let nobody = found.releases == fusee_kernel::ThreadIndex::NONE;
        let releases = nobody || system.tasks.get(found.releases.at()).is_some_and(bound);
        let sporadic = |task: usize| {
            matches!(
                subject.tables.threads.get(task).map(|t| t.config.release),
                Some(Release::Sporadic { .. })
            )
        };
        let first = system
            .tasks
            .iter()
            .enumerate()
            .position(|(task, described)| bound(described) && sporadic(task));
        let left_out = nobody && first.is_some();
        if !right || !releases || left_out {
            findings.differs(format!("event `{name}` is not as described: {found:?}"));
        }
    }
}
