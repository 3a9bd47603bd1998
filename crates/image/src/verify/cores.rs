//! The tables of each core of an image, and those that they share.
//!
//! With one core there is one set of tables, and it means what it says. With several, each core has
//! its own, in its own numbers: here they are read, told in the description's numbers, and what
//! stands beside them is held against each other, the names and the description.

use super::VerifyError;
use super::file::File;
use super::finding::Findings;
use super::names::Names;
use super::ranges::{PAGE, meet};
use super::{Subject, mail, restarts};
use crate::roles::GateRole;
use fusee_image_format::{Blob, CORE_BYTES, CoreBlob, CoreSystem, Order};
use fusee_image_format::{System as Tables, SystemComponent, TreeBlob, TreeSystem, tables_of};
use fusee_kernel::cores::{GlobalProtocol, RequestSlot};
use fusee_kernel::{Capability, GateKind, Protocol, ThreadIndex};
use fusee_model::derived::Derived;
use fusee_model::{GateId, Origin, Policy, Protocol as Described, Sourced, System};
use std::collections::BTreeSet;

/// One core's tables.
pub(crate) struct Core {
    /// As they are.
    pub(crate) raw: Tables,
    /// With capabilities for the description's gates, and its priorities.
    pub(crate) told: Tables,
    /// The names of what they number.
    pub(crate) names: Names,
    /// The tables behind them, where there are several.
    pub(crate) between: Option<CoreSystem>,
    /// The tables of schedulers, where there are some.
    pub(crate) trees: Option<TreeSystem>,
    /// Bytes of all of it.
    pub(crate) length: u64,
}

impl Core {
    /// Returns the tables of each core.
    pub(crate) fn all(
        file: &File,
        names: &Names,
        findings: &mut Findings,
    ) -> Result<Vec<Core>, VerifyError> {
        let count = names.cores.len().max(1);
        (0..count).map(|core| Core::read(file, names, core, findings)).collect()
    }

    fn read(
        file: &File,
        names: &Names,
        core: usize,
        findings: &mut Findings,
    ) -> Result<Core, VerifyError> {
        let start = tables_of(file.platform().memory_map(), core);
        let head = file.bytes(start, Blob::HEAD_BYTES as u64).ok_or(VerifyError::NoTables)?;
        let length = Blob::length(&head).map_err(VerifyError::Tables)?;
        let bytes = file.bytes(start, length as u64).ok_or(VerifyError::NoTables)?;
        let raw = Tables::decode(&bytes).map_err(VerifyError::Tables)?;
        if names.cores.is_empty() {
            let (told, names) = (raw.clone(), names.clone());
            let (trees, length) = trees(file, &raw, (start, length))?;
            return Core { raw, told, names, between: None, trees, length }.fits();
        }
        let behind = start + CoreBlob::offset(length) as u64;
        let head = file.bytes(behind, CoreBlob::HEAD_BYTES as u64).ok_or(VerifyError::NoTables)?;
        let more = CoreBlob::length(&head).map_err(VerifyError::Tables)?;
        let bytes = file.bytes(behind, more as u64).ok_or(VerifyError::NoTables)?;
        let between = CoreSystem::decode(&bytes).map_err(VerifyError::Tables)?;
        let told = told(&raw, names, core, findings);
        let names = names.of_core(core)?;
        let length = behind - start + more as u64;
        Core { raw, told, names, between: Some(between), trees: None, length }.fits()
    }

    fn fits(self) -> Result<Core, VerifyError> {
        self.names.fit(&self.raw)?;
        Ok(self)
    }
}

/// Returns the tables of schedulers behind those of a system, and the length of both.
fn trees(
    file: &File,
    raw: &Tables,
    (start, length): (u64, usize),
) -> Result<(Option<TreeSystem>, u64), VerifyError> {
    if !raw.header.trees {
        return Ok((None, length as u64));
    }
    let behind = start + TreeBlob::offset(length) as u64;
    let head = file.bytes(behind, TreeBlob::HEAD_BYTES as u64).ok_or(VerifyError::NoTables)?;
    let more = TreeBlob::length(&head).map_err(VerifyError::Tables)?;
    let bytes = file.bytes(behind, more as u64).ok_or(VerifyError::NoTables)?;
    let trees = TreeSystem::decode(&bytes).map_err(VerifyError::Tables)?;
    Ok((Some(trees), behind - start + more as u64))
}

/// Returns a core's tables in the description's numbers.
fn told(raw: &Tables, names: &Names, core: usize, findings: &mut Findings) -> Tables {
    let mut told = raw.clone();
    for capability in told.components.iter_mut().flat_map(|component| &mut component.capabilities) {
        let (gate, verb) = match capability {
            Capability::Gate(gate) => (gate, "pass"),
            Capability::Mutex(gate) => (gate, "lock"),
            _ => continue,
        };
        if names.globals.iter().any(|global| global.gate == usize::from(gate.0)) {
            let name = names.gate(gate.0);
            findings.unsound(format!("a component can {verb} `{name}` beside the other cores"));
        }
        if let Some(global) = names.globals.iter().find(|global| global.number == gate.0) {
            gate.0 = global.gate as u16;
        }
    }
    let levels = &names.cores[core].levels;
    let priority = |level: u8| levels.get(usize::from(level)).copied().unwrap_or(level);
    for thread in &mut told.threads {
        thread.config.priority = priority(thread.config.priority);
    }
    for gate in &mut told.gates {
        if let Protocol::Fixed { ceiling } = &mut gate.config.protocol {
            *ceiling = priority(*ceiling);
        }
    }
    told
}

/// Returns the system as one core has it.
pub(crate) fn part(system: &System, core: usize) -> System {
    let mut part = system.clone();
    part.chains.clear();
    part.settings.policy = system.policy_given(core as u32);
    part.settings.core_policies.clear();
    part.settings.startup = Some(Sourced { value: system.startup_time(), origin: Origin::NONE });
    part.tasks.retain(|task| task.core as usize == core);
    part.tasks.iter_mut().for_each(|task| task.core = 0);
    for (id, _) in system.gate_ids().filter(|(_, gate)| gate.protocol.value.is_global()) {
        part.gates[id.index()].protocol.value = match system.mutex(id) {
            Some(_) => Described::Inherited,
            None => Described::Propagated,
        };
    }
    // Where policies differ, a kernel by deadlines has its own word for what only others reach.
    if system.common_policy().is_none() && part.policy_on(0) == Policy::EarliestDeadline {
        let unreached = Derived::of(&part).gates.into_iter().map(|facts| facts.tasks.is_empty());
        for (gate, unreached) in part.gates.iter_mut().zip(unreached) {
            if unreached && matches!(gate.protocol.value, Described::Fixed | Described::Ceiling) {
                gate.protocol.value = Described::Inherited;
            }
        }
    }
    part
}

/// Compares what stands behind the tables of several cores.
pub(crate) fn check(subject: &Subject<'_>, system: Option<&System>, findings: &mut Findings) {
    let Some(first) = subject.cores.first().and_then(|core| core.between.as_ref()) else { return };
    check_shared(subject, first, findings);
    let mut threads = 0;
    for (number, core) in subject.cores.iter().enumerate() {
        let Some(between) = &core.between else { continue };
        let head = between.header;
        let named = subject.names.cores[number].first_thread;
        if core.raw.header.platform != subject.file.platform() {
            findings.differs(format!("the tables of core {number} are for another machine"));
        }
        let place = (usize::from(head.core), usize::from(head.cores), head.first_thread);
        if place != (number, subject.cores.len(), threads) || named != threads {
            findings.differs(format!("core {number} is told that it is another: {head:?}"));
        }
        let same = (head.shared, head.shared_bytes)
            == (first.header.shared, first.header.shared_bytes)
            && (&between.globals, &between.seats, &between.below)
                == (&first.globals, &first.seats, &first.below)
            && (&between.mailboxes, &between.restarts) == (&first.mailboxes, &first.restarts)
            && between.senders == first.senders;
        if !same {
            findings.unsound(format!("core {number} shares other gates or events than core 0"));
        }
        if !are_alike(&core.raw, &subject.cores[0].raw)
            || core.raw.openings != subject.cores[0].raw.openings
        {
            findings.unsound(format!("core {number} gives components other rights than core 0"));
        }
        check_stand_ins(subject, number, findings);
        threads += core.raw.threads.len() as u16;
    }
    check_names(subject, first, findings);
    if let Some(system) = system {
        describe(subject, first, system, findings);
        mail::describe(subject, first, system, findings);
        restarts::describe(subject, first, system, findings);
    }
}

/// Returns `true` if components are the same on two cores, and may do the same, but for the threads
/// that they may name: those are of one core.
fn are_alike(one: &Tables, other: &Tables) -> bool {
    let lasting = |tables: &Tables| -> Vec<SystemComponent> {
        let mut components = tables.components.clone();
        let names_none = |capability: &Capability| !matches!(capability, Capability::Thread(..));
        components.iter_mut().for_each(|own| own.capabilities.retain(names_none));
        components
    };
    lasting(one) == lasting(other)
}

/// Checks that no domain has the memory that cores share.
fn check_shared(subject: &Subject<'_>, first: &CoreSystem, findings: &mut Findings) {
    let map = subject.tables.header.platform.memory_map();
    let start = first.header.shared;
    let end = start.saturating_add(first.header.shared_bytes);
    let kernels = (map.ram, map.ram + subject.cores.len() as u64 * CORE_BYTES);
    let records = subject.cores.iter().map(|core| {
        let header = &core.raw.header;
        (header.records, header.records.saturating_add(header.records_bytes))
    });
    let tables = subject.table_pages.iter().map(|&page| (page, page.saturating_add(PAGE)));
    let open = subject.protection.ranges().iter().map(|&(start, end, _)| (start, end));
    let loaded = subject.file.loaded().map(|(at, bytes)| (at, at + bytes.len() as u64));
    let mut taken = records.chain(tables).chain(open).chain(loaded).chain([kernels]);
    if end > map.ram_end || taken.any(|range| meet(range, (start, end))) {
        findings.unsound(format!("what cores share, at {start:#x}, is somebody else's as well"));
    }
}

/// A core's requests are where the kernel looks for them, and as urgent as their protocol asks.
fn check_stand_ins(subject: &Subject<'_>, number: usize, findings: &mut Findings) {
    let core = &subject.cores[number];
    let first = core.raw.gates.len().saturating_sub(subject.names.globals.len());
    let highest = core.raw.threads.iter().map(|thread| thread.config.priority).max().unwrap_or(0);
    let levels = &subject.names.cores[number].levels;
    if levels.windows(2).any(|pair| pair[0] > pair[1]) {
        findings.differs(format!("the levels of core {number} are not in order: {levels:?}"));
    }
    for (index, global) in subject.names.globals.iter().enumerate() {
        let place = first + index;
        let (Some(gate), Some(described)) =
            (core.raw.gates.get(place), core.raw.gates.get(global.gate))
        else {
            findings.differs(format!("core {number} lacks a gate between cores"));
            continue;
        };
        let (config, name) = (&gate.config, subject.names.gate(global.number));
        let by_deadline = core.raw.header.policy.order() == Order::Deadline;
        let ceiling = match config.protocol {
            Protocol::Fixed { ceiling } if !by_deadline => Some(ceiling),
            Protocol::NonPreemptive if by_deadline => None,
            _ => {
                findings.unsound(format!("core {number} does not keep requests at `{name}` apart"));
                continue;
            }
        };
        let right = usize::from(global.number) == place
            && subject.names.gates[place].role == GateRole::Between
            && config.component == described.config.component
            && (config.kind, config.stacks) == (described.config.kind, 1)
            && described.config.stacks == u16::from(config.kind == GateKind::Mutex);
        if !right {
            findings.differs(format!("core {number} has `{name}` otherwise than it is named"));
        }
        let users = global.seats.iter().filter_map(|seat| {
            let place = subject.names.cores[number].threads.iter().position(|own| own == seat)?;
            Some(core.raw.threads.get(place)?.config.priority)
        });
        let Some(user) = users.max() else { continue };
        let urgent = match (global.protocol.as_str(), ceiling) {
            ("mrsp", Some(ceiling)) => ceiling >= user,
            // Above every thread, whether it uses the gate or not.
            (_, Some(ceiling)) => ceiling > highest,
            // So is who is not preempted, and only one protocol asks for that.
            (word, None) => word == "msrp",
        };
        if !urgent {
            findings
                .unsound(format!("requests at `{name}` are not urgent enough on core {number}"));
        }
    }
}

/// The names say what the tables say.
fn check_names(subject: &Subject<'_>, first: &CoreSystem, findings: &mut Findings) {
    let seats = |seats: &[RequestSlot]| -> Vec<usize> {
        let number = |seat: &RequestSlot| {
            let core = subject.names.cores.get(usize::from(seat.core))?;
            core.threads.get(seat.thread.at()).copied()
        };
        seats.iter().map(|seat| number(seat).unwrap_or(usize::MAX)).collect()
    };
    if first.globals.len() != subject.names.globals.len() {
        findings.differs("other gates between cores are named than are there");
    }
    for (entry, named) in first.globals.iter().zip(&subject.names.globals) {
        let from = usize::from(entry.first_seat);
        let own = first.seats.get(from..from + usize::from(entry.seats)).unwrap_or_default();
        if (word(entry.protocol), seats(own), entry.depth)
            != (named.protocol.as_str(), named.seats.clone(), named.depth)
        {
            let name = subject.names.gate(named.number);
            findings.differs(format!("`{name}` is another gate between cores than is named"));
        }
    }
    for below in &first.below {
        let gate = subject.names.gates.get(below.gate.at());
        if gate.is_none_or(|gate| gate.entry != below.entry) {
            let name = subject.names.gate(below.gate.0);
            findings.unsound(format!("an activation enters `{name}` at {:#x}", below.entry));
        }
    }
}

const fn word(protocol: GlobalProtocol) -> &'static str {
    match protocol {
        GlobalProtocol::Msrp => "msrp",
        GlobalProtocol::Mrsp => "mrsp",
        GlobalProtocol::Mpcp => "mpcp",
    }
}

/// The gates between cores are the description's, with its users.
fn describe(subject: &Subject<'_>, first: &CoreSystem, system: &System, findings: &mut Findings) {
    let derived = Derived::of(system);
    let described =
        || system.gate_ids().filter(|(_, gate)| !gate.direct && gate.protocol.value.is_global());
    let mut differs = |name: &str, what: &str| {
        findings.differs(format!(
            "the {what} of gate `{name}` between cores are not those of the description"
        ));
    };
    let mut passed = BTreeSet::new();
    for (index, (id, gate)) in described().enumerate() {
        let Some(entry) = first.globals.get(index) else {
            differs(&gate.name, "requests");
            continue;
        };
        if word(entry.protocol) != gate.protocol.value.name()
            || subject.names.globals.get(index).is_none_or(|global| global.gate != id.index())
        {
            differs(&gate.name, "rules");
        }
        let seats = derived.gate(id).tasks.iter().map(|&task| {
            let own = system.task(task);
            let before = system.tasks[..task.index()].iter();
            let thread = before.filter(|other| other.core == own.core).count() as u16;
            RequestSlot {
                core: own.core as u8,
                thread: ThreadIndex(thread),
                rank: own.priority.value,
            }
        });
        let from = usize::from(entry.first_seat);
        let found = first.seats.get(from..from + usize::from(entry.seats)).unwrap_or_default();
        if !seats.eq(found.iter().copied()) {
            differs(&gate.name, "users");
        }
        below(&derived, system, id, &mut |gate| {
            passed.insert((index, gate));
        });
    }
    if first.globals.len() != described().count() {
        findings.differs("the image has other gates between cores than the description");
    }
    let found: BTreeSet<(usize, usize)> =
        first.below.iter().map(|below| (below.global.at(), below.gate.at())).collect();
    if found != passed || found.len() != first.below.len() {
        findings.differs("activations pass other gates than by the description");
    }
}

/// The gates with code of their own that are passed from a gate on.
fn below(derived: &Derived, system: &System, from: GateId, found: &mut dyn FnMut(usize)) {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(gate) = open.pop() {
        for &callee in derived.gate(gate).callees.iter().filter(|&&callee| seen.insert(callee)) {
            open.push(callee);
            if !system.gate(callee).direct {
                found(callee.index());
            }
        }
    }
}

/// The stacks of one core in the tables of another: those of gates between cores.
pub(crate) fn check_stacks(subject: &Subject<'_>, findings: &mut Findings) {
    let own = |core: &Core| -> Vec<_> {
        let first = core.raw.gates.len().saturating_sub(subject.names.globals.len());
        let before: usize =
            core.raw.gates[..first].iter().map(|gate| usize::from(gate.config.stacks)).sum();
        core.raw.gate_stacks.get(before..).unwrap_or_default().to_vec()
    };
    let Some(first) = subject.cores.first().map(own) else { return };
    for (number, core) in subject.cores.iter().enumerate().skip(1) {
        if own(core) != first {
            findings.unsound(format!("core {number} puts activations on stacks of its own"));
        }
    }
}
