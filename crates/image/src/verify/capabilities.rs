//! The gates, events and locks that each domain can name.

use super::Subject;
use super::finding::Findings;
use super::names::Gate;
use crate::roles::{GateRole, NotificationRole};
use fusee_kernel::Capability;
use fusee_model::derived::Derived;
use fusee_model::{Body, ComponentId, GateId, InterfaceKind, NotificationId, Step, System};
use std::collections::{BTreeMap, BTreeSet};

/// Something that a capability allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Right {
    Pass(u16),
    Signal(u16),
    Wait(u16),
    Lock(u16),
    Acknowledge(u16),
    /// The gate and the thread.
    Sleep(u16, u16),
}

impl Right {
    fn text(self, subject: &Subject<'_>) -> String {
        let names = subject.names;
        match self {
            Right::Pass(gate) => format!("pass gate `{}`", names.gate(gate)),
            Right::Signal(notification) => format!("signal `{}`", names.notification(notification)),
            Right::Wait(notification) => format!("wait for `{}`", names.notification(notification)),
            Right::Lock(gate) => format!("lock `{}`", names.gate(gate)),
            Right::Acknowledge(line) => format!("acknowledge interrupt line {line}"),
            Right::Sleep(gate, thread) => {
                let name = names.threads.get(usize::from(thread)).map(|thread| &thread.name);
                let name = name.map_or_else(|| format!("thread {thread}"), |n| format!("`{n}`"));
                format!("let threads sleep on account of {name} by gate `{}`", names.gate(gate))
            }
        }
    }
}

/// Compares each domain's rights with those that locks, callbacks and setting up need, and with the
/// description's.
pub(crate) fn check(subject: &Subject<'_>, system: Option<&System>, findings: &mut Findings) {
    let (tables, names) = (subject.tables, subject.names);
    let mut tables_of: BTreeMap<usize, &Vec<Capability>> = BTreeMap::new();
    for (component, name) in tables.components.iter().zip(&names.components) {
        if component.address_space == 0 && component.capabilities.is_empty() {
            continue;
        }
        let first = tables_of.entry(name.domain).or_insert(&component.capabilities);
        if **first != component.capabilities {
            findings.unsound(format!(
                "`{}` may name other things than the rest of its domain",
                name.name
            ));
        }
    }
    let own = own(subject);
    for (domain, table) in tables_of {
        let mut found = rights(subject, domain, table, findings);
        // Those are of each core on its own (`check_sleepers`).
        found.retain(|right| !matches!(right, Right::Sleep(..)));
        let of_system = system.map(|system| described(subject, system, domain));
        let mut expected = of_system
            .unwrap_or_else(|| found.iter().copied().filter(|r| !is_own(subject, *r)).collect());
        expected.extend(own.get(&domain).into_iter().flatten());
        found.retain(|right| expected.contains(right) || !sets_up(subject, domain, *right));
        compare(subject, domain, (&found, &expected), findings);
    }
    if let Some(system) = system {
        interrupts(subject, system, findings);
    }
}

/// Says what a domain has in the image alone, or by the description alone.
fn compare(
    subject: &Subject<'_>,
    domain: usize,
    (found, expected): (&BTreeSet<Right>, &BTreeSet<Right>),
    findings: &mut Findings,
) {
    let name = &subject.names.domains[domain].name;
    for right in found.difference(expected) {
        let what = right.text(subject);
        findings.differs(format!(
            "domain `{name}` can {what} in the image, and not by the description"
        ));
    }
    for right in expected.difference(found) {
        let what = right.text(subject);
        findings.differs(format!(
            "domain `{name}` can {what} by the description, and not in the image"
        ));
    }
}

/// Compares the threads on whose account a core's components may let threads sleep with those of
/// the system as that core has it.
pub(crate) fn check_sleepers(subject: &Subject<'_>, system: &System, findings: &mut Findings) {
    let mut all: BTreeMap<usize, BTreeSet<Right>> = BTreeMap::new();
    for (component, name) in subject.tables.components.iter().zip(&subject.names.components) {
        let sleep = |capability: &Capability| match *capability {
            Capability::Thread(gate, thread) => Some(Right::Sleep(gate.0, thread.0)),
            _ => None,
        };
        let rights = component.capabilities.iter().filter_map(sleep);
        all.entry(name.domain).or_default().extend(rights);
    }
    for (domain, found) in all {
        let expected = sleeping(subject, system, &members(subject, system, domain));
        compare(subject, domain, (&found, &expected.into_iter().collect()), findings);
    }
}

fn rights(
    subject: &Subject<'_>,
    domain: usize,
    table: &[Capability],
    findings: &mut Findings,
) -> BTreeSet<Right> {
    let name = &subject.names.domains[domain].name;
    let mut found = BTreeSet::new();
    for (slot, capability) in table.iter().enumerate() {
        let right = match *capability {
            Capability::Empty => {
                findings.differs(format!("slot {slot} of domain `{name}` is empty"));
                continue;
            }
            Capability::Gate(gate) => Right::Pass(gate.0),
            Capability::Wait(notification) => Right::Wait(notification.0),
            Capability::Mutex(gate) => Right::Lock(gate.0),
            Capability::Acknowledge(line) => Right::Acknowledge(line),
            Capability::Thread(gate, thread) => Right::Sleep(gate.0, thread.0),
            Capability::Signal(notification, bits) => {
                if bits != 1 {
                    findings.differs(format!(
                        "slot {slot} of domain `{name}` signals with bits {bits:#x}, 1 is meant"
                    ));
                }
                Right::Signal(notification.0)
            }
        };
        if !found.insert(right) {
            let what = right.text(subject);
            findings
                .differs(format!("slot {slot} of domain `{name}` repeats an earlier one: {what}"));
        }
    }
    found
}

/// Rights that follow from the roles of appended objects, by domain.
fn own(subject: &Subject<'_>) -> BTreeMap<usize, BTreeSet<Right>> {
    let names = subject.names;
    let domain =
        |component: u32| names.components.get(component as usize).map(|component| component.domain);
    let boot = names.domains.len().wrapping_sub(1);
    let mut all: BTreeMap<usize, BTreeSet<Right>> = BTreeMap::new();
    for (index, gate) in names.gates.iter().enumerate() {
        let (place, right) = match gate.role {
            GateRole::Init => (Some(boot), Right::Pass(index as u16)),
            GateRole::Mutex => (domain(gate.component), Right::Lock(index as u16)),
            GateRole::Interface | GateRole::Between | GateRole::Thread => continue,
        };
        all.entry(place.unwrap_or(usize::MAX)).or_default().insert(right);
    }
    for (index, role) in names.notification_roles.iter().enumerate() {
        if let Some(place) =
            role.component.filter(|_| role.role != NotificationRole::Event).and_then(domain)
        {
            all.entry(place)
                .or_default()
                .extend([Right::Signal(index as u16), Right::Wait(index as u16)]);
        }
    }
    all
}

/// Returns `true` if a right is the boot domain's to begin the first job of a thread that an event
/// releases: whether that sets itself up, only its code knows.
fn sets_up(subject: &Subject<'_>, domain: usize, right: Right) -> bool {
    let Right::Signal(event) = right else { return false };
    // On whichever core.
    let mut notifications =
        subject.cores.iter().filter_map(|core| core.raw.notifications.get(usize::from(event)));
    domain + 1 == subject.names.domains.len()
        && notifications.any(|notification| notification.releases.is_some())
}

/// Returns `true` if a right is one of [`own`]'s.
fn is_own(subject: &Subject<'_>, right: Right) -> bool {
    let role = |gate: u16| subject.names.gates.get(usize::from(gate)).map(|gate| gate.role);
    let roles = &subject.names.notification_roles;
    let event = |index: u16| {
        roles.get(usize::from(index)).is_some_and(|r| r.role == NotificationRole::Event)
    };
    match right {
        Right::Pass(gate) => role(gate) != Some(GateRole::Interface),
        Right::Lock(_) => true,
        Right::Signal(notification) | Right::Wait(notification) => !event(notification),
        Right::Acknowledge(_) | Right::Sleep(..) => false,
    }
}

/// Returns the rights that the description gives to a domain's components.
fn described(subject: &Subject<'_>, system: &System, domain: usize) -> BTreeSet<Right> {
    let mut rights = BTreeSet::new();
    let members = members(subject, system, domain);
    for &index in &members {
        for (position, interface) in system.components[index].interfaces.iter().enumerate() {
            match interface.kind {
                InterfaceKind::Uses(Some(gate)) if !system.gate(gate).direct => {
                    rights.insert(Right::Pass(gate.0 as u16));
                }
                InterfaceKind::Consumes(Some(notification)) => {
                    rights.insert(Right::Wait(notification.0 as u16));
                    let line = subject
                        .tables
                        .interrupts
                        .iter()
                        .position(|line| u32::from(line.notification.0) == notification.0);
                    rights.extend(line.map(|line| Right::Acknowledge(line as u16)));
                }
                InterfaceKind::Emits(_) => rights.extend(consumers(system, index, position)),
                _ => {}
            }
        }
    }
    let mut bodies: Vec<&Body> = Vec::new();
    bodies.extend(
        system
            .tasks
            .iter()
            .filter(|task| members.contains(&task.component.index()))
            .map(|task| &task.body),
    );
    for gate in
        system.gates.iter().filter(|gate| !gate.direct && members.contains(&gate.component.index()))
    {
        bodies.extend(gate.methods.iter().map(|method| &method.body));
    }
    follow(system, bodies, &mut rights);
    rights
}

/// Returns the components of software in a domain.
fn members(subject: &Subject<'_>, system: &System, domain: usize) -> Vec<usize> {
    let is_inside = |index: &usize| {
        let named = subject.names.components.get(*index);
        named.is_some_and(|component| component.domain == domain)
    };
    let all = 0..system.components.len();
    all.filter(|&index| !system.components[index].hardware).filter(is_inside).collect()
}

/// Returns the threads on whose account components of a domain may let threads sleep: those whose
/// code gets there.
fn sleeping(subject: &Subject<'_>, system: &System, members: &[usize]) -> Vec<Right> {
    let derived = Derived::of(system);
    let comes = system.task_ids().map(|(id, task)| {
        let gates = derived.task(id).gates.iter().map(|&gate| system.gate(gate).component);
        gates.chain([task.component]).any(|at| members.contains(&at.index()))
    });
    let coming: Vec<bool> = comes.collect();
    let mut rights = Vec::new();
    for &index in members.iter().filter(|&&index| system.components[index].dependencies) {
        let gates = subject.names.gates.iter().enumerate();
        let row = gates
            .filter(|(_, gate)| gate.role == GateRole::Thread && gate.component as usize == index);
        let of_thread = |(thread, (gate, _)): (usize, (usize, &Gate))| {
            (coming.get(thread) == Some(&true)).then_some(Right::Sleep(gate as u16, thread as u16))
        };
        rights.extend(row.enumerate().filter_map(of_thread));
    }
    rights
}

/// Returns the events behind an emitted interface.
fn consumers(system: &System, component: usize, position: usize) -> Vec<Right> {
    let id = ComponentId::from(component);
    let here = |end: &fusee_model::End| end.component == id && end.interface == position;
    let connections =
        system.connections.iter().filter(|connection| connection.from.iter().any(here));
    let ends = connections.flat_map(|connection| &connection.to);
    ends.filter_map(|end| match system.component(end.component).interfaces[end.interface].kind {
        InterfaceKind::Consumes(Some(notification)) => Some(Right::Signal(notification.0 as u16)),
        _ => None,
    })
    .collect()
}

/// Adds the rights that bodies use, with direct calls and sections.
fn follow<'a>(system: &'a System, mut bodies: Vec<&'a Body>, rights: &mut BTreeSet<Right>) {
    let mut seen: BTreeSet<GateId> = BTreeSet::new();
    let number = |notification: NotificationId| notification.0 as u16;
    while let Some(body) = bodies.pop() {
        for step in &body.steps {
            match *step {
                Step::Compute { .. } => {}
                Step::Emit(notification) => {
                    rights.insert(Right::Signal(number(notification)));
                }
                Step::Wait(notification) => {
                    rights.insert(Right::Wait(number(notification)));
                }
                Step::Invoke { gate, .. } if system.gate(gate).direct => {
                    if seen.insert(gate) {
                        bodies.extend(system.gate(gate).methods.iter().map(|method| &method.body));
                    }
                }
                Step::Invoke { gate, .. } if system.mutex(gate).is_some() => {
                    rights.insert(Right::Lock(gate.0 as u16));
                    if seen.insert(gate) {
                        bodies
                            .extend(system.gate(gate).methods.iter().map(|section| &section.body));
                    }
                }
                Step::Invoke { gate, .. } => {
                    rights.insert(Right::Pass(gate.0 as u16));
                }
            }
        }
    }
}

/// Each interrupt comes from a device that the description connects to the event.
fn interrupts(subject: &Subject<'_>, system: &System, findings: &mut Findings) {
    let mut expected: BTreeSet<(u64, u16)> = BTreeSet::new();
    for (index, device) in
        system.components.iter().enumerate().filter(|(_, component)| component.hardware)
    {
        for (position, interface) in device.interfaces.iter().enumerate() {
            let line = match device.attribute(&format!("{}_irq_number", interface.name)) {
                Some(fusee_model::Value::Integer(line)) => u64::try_from(*line).ok(),
                _ => None,
            };
            let signals = consumers(system, index, position).into_iter();
            expected.extend(signals.filter_map(|right| match (right, line) {
                (Right::Signal(notification), Some(line)) => Some((line, notification)),
                _ => None,
            }));
        }
    }
    // Of several cores, each interrupt reaches one.
    let lines = subject.cores.iter().flat_map(|core| &core.raw.interrupts);
    let lines: Vec<(u64, u16)> = lines
        .filter(|line| subject.cores.len() == 1 || line.source != 0)
        .map(|line| (u64::from(line.source), line.notification.0))
        .collect();
    let found: BTreeSet<(u64, u16)> = lines.iter().copied().collect();
    if found.len() != lines.len() {
        findings.differs("an interrupt reaches more than one core");
    }
    for (line, notification) in found.symmetric_difference(&expected) {
        let name = subject.names.notification(*notification);
        let (yes, no) = match found.contains(&(*line, *notification)) {
            true => ("in the image", "by the description"),
            false => ("by the description", "in the image"),
        };
        findings.differs(format!("interrupt {line} signals `{name}` {yes}, and not {no}"));
    }
}
