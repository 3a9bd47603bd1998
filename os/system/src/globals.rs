//! The gates between cores, from the image's tables to one core's kernel.

use crate::decode::table;
use crate::system::Stack;
use crate::{Memory, Refusal};
use fusee_image_format::{BelowEntry, Blob, CoreBlob, CoreHeader, GlobalEntry, Malformed};
use fusee_kernel::cores::{CoreTables, GlobalConfig, GlobalProtocol, Home, Seat};
use fusee_kernel::{
    Capability, ComponentIndex, GateIndex, GlobalIndex, NotificationIndex, SeatIndex, ThreadIndex,
};

/// A stack of an activation in a gate below its own.
#[derive(Debug, Clone, Copy)]
struct Below {
    global: GlobalIndex,
    gate: GateIndex,
    stack: Stack,
}

/// One core's part in the gates between cores.
pub struct Globals {
    /// Which core, of how many.
    pub header: CoreHeader,
    pub(crate) tables: CoreTables<'static>,
    pub(crate) home: &'static mut Home,
    /// For each component, the gate between cores behind each of its slots, or none.
    named: &'static [&'static [GlobalIndex]],
    /// For each gate between cores, its own stack among those of the gates.
    stacks: &'static [usize],
    below: &'static [Below],
}

impl Globals {
    /// What the image says of one core.
    pub(crate) fn of(
        memory: &mut impl Memory,
        blob: &Blob<'_>,
        core: &CoreBlob<'_>,
    ) -> Result<Globals, Refusal> {
        let count = core.globals.len();
        let first = |rows: usize| rows.checked_sub(count).ok_or(Malformed::Count);
        let first_gate = GateIndex(first(blob.gates.len())? as u16);
        let seats: &'static [Seat] = table(memory, &core.seats, |seat| seat)?;
        let none = GlobalConfig { protocol: GlobalProtocol::Msrp, seats: &[], depth: 0 };
        let globals = memory.filled(count, none)?;
        for (place, row) in globals.iter_mut().zip(core.globals.iter()) {
            let GlobalEntry { protocol, depth, first_seat, seats: own } =
                row.ok_or(Malformed::Row)?;
            let end = usize::from(first_seat) + usize::from(own);
            let seats = seats.get(usize::from(first_seat)..end).ok_or(Malformed::Count)?;
            *place = GlobalConfig { protocol, seats, depth };
        }
        let tables = CoreTables {
            core: core.header.core,
            first_gate,
            first_turn: NotificationIndex(first(blob.notifications.len())? as u16),
            globals,
            seats: own_seats(memory, (core.header.core, blob.threads.len()), globals)?,
        };
        let home = memory.filled(1, Home::EMPTY)?.first_mut().ok_or(Malformed::Count)?;
        let (named, stacks) = (named(memory, blob, first_gate)?, stacks(memory, blob, first_gate)?);
        let below = below(memory, blob, core)?;
        Ok(Globals { header: core.header, tables, home, named, stacks, below })
    }

    /// The number of a thread of this core among those of all cores.
    #[inline(always)]
    pub fn number(&self, thread: ThreadIndex) -> usize {
        usize::from(self.header.first_thread) + thread.at()
    }

    /// The gate between cores that a component names by a slot.
    pub fn named(&self, component: ComponentIndex, slot: u16) -> Option<GlobalIndex> {
        let slots = self.named.get(component.at())?;
        slots.get(usize::from(slot)).copied().filter(|global| global.is_some())
    }

    /// What the build knows of the gates.
    pub fn configs(&self) -> &'static [GlobalConfig<'static>] {
        self.tables.globals
    }

    /// A thread's seat at a gate.
    pub fn seat(&self, global: GlobalIndex, thread: ThreadIndex) -> SeatIndex {
        self.tables.seat(global, thread)
    }

    /// The gate's number on its core.
    pub fn stand_in(&self, global: GlobalIndex) -> GateIndex {
        self.tables.stand_in(global)
    }

    /// Where, among the stacks of the gates, that of a gate between cores is.
    pub(crate) fn stack(&self, global: GlobalIndex) -> usize {
        self.stacks[global.at()]
    }

    /// Which of the stacks below an activation's gate it has in another.
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

/// Whether a capability leads to a stand-in, and to whose.
fn global(capability: Capability, first: GateIndex) -> GlobalIndex {
    match capability {
        Capability::Gate(gate) if gate.is_some() && gate.0 >= first.0 => {
            GlobalIndex(gate.0 - first.0)
        }
        _ => GlobalIndex::NONE,
    }
}

/// What a one-core kernel is shown of a capability: a gate between cores is none of its own, so
/// that its short way does not take it.
pub(crate) fn shown(capability: Capability, first: GateIndex) -> Capability {
    if global(capability, first).is_some() { Capability::Empty } else { capability }
}

fn named(
    memory: &mut impl Memory,
    blob: &Blob<'_>,
    first: GateIndex,
) -> Result<&'static [&'static [GlobalIndex]], Refusal> {
    let all: &'static [GlobalIndex] =
        table(memory, &blob.capabilities, |capability| global(capability, first))?;
    let none: &'static [GlobalIndex] = &[];
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
