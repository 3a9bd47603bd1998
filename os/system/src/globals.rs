//! The gates between cores, from the image's tables to one core's kernel.

use crate::decode::table;
use crate::stack::Stack;
use crate::{Memory, Refusal};
use fusee_image_format::{BelowEntry, Blob, CoreBlob, CoreHeader, GlobalEntry, Malformed};
use fusee_kernel::cores::{CoreTables, Debt, GlobalConfig, GlobalProtocol, Home, MailboxConfig};
use fusee_kernel::cores::{PostLimit, RequestSlot, RestartConfig};
use fusee_kernel::{
    Capability, ComponentIndex, GateIndex, GateKind, GlobalIndex, MailboxIndex, NotificationIndex,
    RestartIndex, SeatIndex, ThreadIndex,
};

/// A stack of an activation in a gate below its own.
#[derive(Debug, Clone, Copy)]
struct Below {
    global: GlobalIndex,
    gate: GateIndex,
    stack: Stack,
}

/// The target of a component's slot on another core.
#[derive(Debug, Clone, Copy)]
struct Slot {
    /// A gate or mutex between cores, or none.
    global: GlobalIndex,
    /// The kind of gate.
    kind: GateKind,
    /// The mailbox of a notification that belongs to another core, or none.
    mailbox: MailboxIndex,
    /// The bits that a signal with it adds there.
    bits: u32,
}

/// One core's part in the gates between cores.
pub struct Globals {
    /// The number of the core, and of all cores.
    pub header: CoreHeader,
    pub(crate) tables: CoreTables<'static>,
    pub(crate) home: &'static mut Home,
    pub(crate) debts: &'static mut [Debt],
    /// For each component, what is behind each of its slots.
    named: &'static [&'static [Slot]],
    /// For each gate between cores, its own stack among those of the gates.
    stacks: &'static [usize],
    below: &'static [Below],
}

impl Globals {
    /// Decodes the image's data of one core.
    pub(crate) fn of(
        memory: &mut impl Memory,
        blob: &Blob<'_>,
        core: &CoreBlob<'_>,
    ) -> Result<Globals, Refusal> {
        let count = core.globals.len();
        let first = |rows: usize| rows.checked_sub(count).ok_or(Malformed::Count);
        let first_gate = GateIndex(first(blob.gates.len())? as u16);
        let seats: &'static [RequestSlot] = table(memory, &core.seats, |seat| seat)?;
        let none = GlobalConfig::of(GlobalProtocol::Msrp, &[], 0);
        let globals = memory.filled(count, none)?;
        for (place, row) in globals.iter_mut().zip(core.globals.iter()) {
            let GlobalEntry { protocol, depth, first_seat, seats: own } =
                row.ok_or(Malformed::Row)?;
            let end = usize::from(first_seat) + usize::from(own);
            let seats = seats.get(usize::from(first_seat)..end).ok_or(Malformed::Count)?;
            *place = GlobalConfig::of(protocol, seats, depth);
        }
        let restarts = table(memory, &core.restarts, |restart| restart)?;
        let tables = CoreTables {
            core: core.header.core,
            first_gate,
            first_turn: NotificationIndex(first(blob.notifications.len())? as u16),
            globals,
            seats: own_seats(memory, (core.header.core, blob.threads.len()), globals)?,
            mailboxes: table(memory, &core.mailboxes, |mailbox| mailbox)?,
            limits: limits(memory, core, blob.threads.len())?,
            restarts,
            restart_of: restart_of(memory, blob.components.len(), restarts)?,
        };
        let home = memory.filled(1, Home::EMPTY)?.first_mut().ok_or(Malformed::Count)?;
        let (named, stacks) = (named(memory, blob, &tables)?, stacks(memory, blob, first_gate)?);
        let below = below(memory, blob, core)?;
        let debts = memory.filled(tables.limits.len(), Debt::NONE)?;
        Ok(Globals { header: core.header, tables, home, debts, named, stacks, below })
    }

    /// Returns the number of a thread of this core among those of all cores.
    #[inline(always)]
    pub fn number(&self, thread: ThreadIndex) -> usize {
        usize::from(self.header.first_thread) + thread.at()
    }

    /// Returns the gate or mutex between cores that a component names by a slot.
    pub fn named(
        &self,
        component: ComponentIndex,
        slot: u16,
        kind: GateKind,
    ) -> Option<GlobalIndex> {
        let slot = self.slot(component, slot)?;
        (slot.global.is_some() && slot.kind == kind).then_some(slot.global)
    }

    /// Returns `true` if a thread of this core holds a mutex between cores.
    #[inline(always)]
    pub fn holds_mutex(&self) -> bool {
        self.home.held != 0
    }

    /// Returns the mailbox that a component names by a slot, and what a signal with it adds there.
    pub fn mailbox(&self, component: ComponentIndex, slot: u16) -> Option<(MailboxIndex, u32)> {
        let slot = self.slot(component, slot)?;
        slot.mailbox.is_some().then_some((slot.mailbox, slot.bits))
    }

    fn slot(&self, component: ComponentIndex, slot: u16) -> Option<&Slot> {
        self.named.get(component.at())?.get(usize::from(slot))
    }

    /// Returns the build's descriptions of the mailboxes.
    pub fn mailboxes(&self) -> &'static [MailboxConfig] {
        self.tables.mailboxes
    }

    /// Returns the number of components that are restarted between cores.
    pub fn restarts(&self) -> usize {
        self.tables.restarts.len()
    }

    /// Returns the build's descriptions of the gates.
    pub fn configs(&self) -> &'static [GlobalConfig<'static>] {
        self.tables.globals
    }

    /// Returns a thread's seat at a gate.
    pub fn seat(&self, global: GlobalIndex, thread: ThreadIndex) -> SeatIndex {
        self.tables.seat(global, thread)
    }

    /// Returns the gate's number on its core.
    pub fn stand_in(&self, global: GlobalIndex) -> GateIndex {
        self.tables.stand_in(global)
    }

    /// Returns the index of a gate's stack among those of all gates.
    pub(crate) fn stack(&self, global: GlobalIndex) -> usize {
        self.stacks[global.at()]
    }

    /// Returns the index of the stack that a gate's activation has in another gate.
    pub fn below(&self, global: GlobalIndex, gate: GateIndex) -> Option<usize> {
        self.below.iter().position(|below| (below.global, below.gate) == (global, gate))
    }

    /// One of the stacks below an activation's gate.
    pub(crate) fn stack_below(&self, number: usize) -> &'static Stack {
        &self.below[number].stack
    }
}

/// For each gate between cores, for each thread of this core: its seat.
fn own_seats(
    memory: &mut impl Memory,
    (core, threads): (u8, usize),
    globals: &[GlobalConfig<'_>],
) -> Result<&'static [SeatIndex], Refusal> {
    let all = memory.filled(globals.len() * threads, SeatIndex::NONE)?;
    for (global, config) in globals.iter().enumerate() {
        for (number, seat) in config.seats.iter().enumerate().filter(|(_, seat)| seat.core == core)
        {
            let within = Some(seat.thread.at()).filter(|&thread| thread < threads);
            let place = within.and_then(|thread| all.get_mut(global * threads + thread));
            *place.ok_or(Malformed::Count)? = SeatIndex(number as u16);
        }
    }
    Ok(all)
}

/// For each mailbox, for each of so many threads of this core: how often it may signal that.
fn limits(
    memory: &mut impl Memory,
    core: &CoreBlob<'_>,
    threads: usize,
) -> Result<&'static [PostLimit], Refusal> {
    let all = memory.filled(core.mailboxes.len() * threads, PostLimit::NEVER)?;
    for sender in core.senders.iter() {
        let sender = sender.ok_or(Malformed::Row)?;
        if sender.core == core.header.core {
            let within = Some(sender.thread.at()).filter(|&thread| thread < threads);
            let place = within.map(|thread| sender.mailbox.at() * threads + thread);
            let place = place.and_then(|place| all.get_mut(place));
            *place.ok_or(Malformed::Count)? = sender.limit;
        }
    }
    Ok(all)
}

/// For each component its restart, where there are some.
fn restart_of(
    memory: &mut impl Memory,
    components: usize,
    restarts: &[RestartConfig],
) -> Result<&'static [RestartIndex], Refusal> {
    let components = if restarts.is_empty() { 0 } else { components };
    let all = memory.filled(components, RestartIndex::NONE)?;
    for (number, restart) in restarts.iter().enumerate() {
        let place = all.get_mut(restart.component.at()).ok_or(Malformed::Count)?;
        *place = RestartIndex(number as u16);
    }
    Ok(all)
}

/// Returns the target of a capability that is not of this core.
fn slot(capability: Capability, tables: &CoreTables<'_>) -> Slot {
    let (global, mailbox) = (GlobalIndex::NONE, MailboxIndex::NONE);
    let none = Slot { global, kind: GateKind::Interface, mailbox, bits: 0 };
    let between = |gate, kind| {
        let global = tables.global(gate).unwrap_or(GlobalIndex::NONE);
        Slot { global, kind, ..none }
    };
    match capability {
        Capability::Gate(gate) => between(gate, GateKind::Interface),
        Capability::Mutex(gate) => between(gate, GateKind::Mutex),
        Capability::Signal(notification, bits) => {
            let mailbox = tables.elsewhere(notification).unwrap_or(MailboxIndex::NONE);
            Slot { mailbox, bits, ..none }
        }
        _ => none,
    }
}

/// Returns a capability as a one-core kernel is shown it: a target between cores or on another core
/// is none of its own, so that its fast paths do not take it.
pub(crate) fn shown(capability: Capability, tables: &CoreTables<'_>) -> Capability {
    let elsewhere = match capability {
        Capability::Gate(gate) | Capability::Mutex(gate) => tables.global(gate).is_some(),
        Capability::Signal(notification, _) | Capability::Wait(notification) => {
            tables.elsewhere(notification).is_some()
        }
        _ => false,
    };
    if elsewhere { Capability::Empty } else { capability }
}

fn named(
    memory: &mut impl Memory,
    blob: &Blob<'_>,
    tables: &CoreTables<'_>,
) -> Result<&'static [&'static [Slot]], Refusal> {
    let all: &'static [Slot] =
        table(memory, &blob.capabilities, |capability| slot(capability, tables))?;
    let none: &'static [Slot] = &[];
    let components = memory.filled(blob.components.len(), none)?;
    for (place, row) in components.iter_mut().zip(blob.components.iter()) {
        let row = row.ok_or(Malformed::Row)?;
        *place = crate::decode::part(all, row.first_capability, row.capabilities)?;
    }
    Ok(components)
}

fn stacks(
    memory: &mut impl Memory,
    blob: &Blob<'_>,
    first: GateIndex,
) -> Result<&'static [usize], Refusal> {
    let own = memory.filled(blob.gates.len() - first.at(), 0)?;
    let mut next = 0;
    for (number, gate) in blob.gates.iter().enumerate() {
        if let Some(place) = number.checked_sub(first.at()).and_then(|at| own.get_mut(at)) {
            *place = next;
        }
        next += usize::from(gate.ok_or(Malformed::Row)?.config.stacks);
    }
    Ok(own)
}

fn below(
    memory: &mut impl Memory,
    blob: &Blob<'_>,
    core: &CoreBlob<'_>,
) -> Result<&'static [Below], Refusal> {
    let none = Below { global: GlobalIndex::NONE, gate: GateIndex::NONE, stack: Stack::default() };
    let all = memory.filled(core.below.len(), none)?;
    for (place, row) in all.iter_mut().zip(core.below.iter()) {
        let BelowEntry { global, gate, entry, stack } = row.ok_or(Malformed::Row)?;
        let entered = blob.gates.get(gate.at()).ok_or(Malformed::Row)?;
        let component = entered.config.component.at();
        let stack = crate::decode::stack(blob, stack, component, entry)?;
        *place = Below { global, gate, stack };
    }
    Ok(all)
}
