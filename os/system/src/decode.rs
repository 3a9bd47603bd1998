//! From the image's tables to the kernel's.

use crate::restarts::{Restart, Restarts};
use crate::stack::Stack;
use crate::{Memory, OutOfMemory, Policy};
use fusee_image_format::{
    Blob, ComponentEntry, CopyRange, Entry, Malformed, Platform, Section, StackEntry,
};
use fusee_kernel::{
    Capability, ComponentConfig, Memory as KernelMemory, Sizes, TableError, Tables,
};
use fusee_kernel::{
    Component, Core, Frame, Gate, GateKind, NEVER, Notification, StackIndex, Thread, ThreadIndex,
    Urgencies as _,
};

/// A reason for which a system is not started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Its tables are malformed.
    Malformed(Malformed),
    /// They do not fit each other.
    Tables(TableError),
    /// There is too little memory for them.
    OutOfMemory(OutOfMemory),
    /// Those of the gates between cores do not fit the core's.
    #[cfg(feature = "cores")]
    Globals(fusee_kernel::cores::CoreTableError),
    /// Those of the schedulers do not fit the kernel's.
    #[cfg(feature = "schedulers")]
    Trees,
}

#[cfg(feature = "cores")]
impl From<fusee_kernel::cores::StartError> for Refusal {
    fn from(error: fusee_kernel::cores::StartError) -> Self {
        match error {
            fusee_kernel::cores::StartError::Core(error) => Refusal::Tables(error),
            fusee_kernel::cores::StartError::Globals(error) => Refusal::Globals(error),
        }
    }
}

impl From<OutOfMemory> for Refusal {
    fn from(error: OutOfMemory) -> Self {
        Refusal::OutOfMemory(error)
    }
}

impl From<Malformed> for Refusal {
    fn from(error: Malformed) -> Self {
        Refusal::Malformed(error)
    }
}

impl From<TableError> for Refusal {
    fn from(error: TableError) -> Self {
        Refusal::Tables(error)
    }
}

/// Returns a table in memory, made of rows in the image.
#[cold]
#[inline(never)]
pub(crate) fn table<R: Entry, T: Copy + 'static>(
    memory: &mut impl Memory,
    rows: &Section<'_, R>,
    mut of: impl FnMut(R) -> T,
) -> Result<&'static mut [T], Refusal> {
    let Some(first) = rows.get(0) else { return Ok(&mut []) };
    let made = memory.filled(rows.len(), of(first))?;
    for (place, row) in made.iter_mut().zip(rows.iter()) {
        *place = of(row.ok_or(Malformed::Row)?);
    }
    Ok(made)
}

pub(crate) fn part<T>(
    all: &'static [T],
    first: u32,
    count: u32,
) -> Result<&'static [T], Malformed> {
    let first = first as usize;
    all.get(first..first + count as usize).ok_or(Malformed::Count)
}

/// Returns the tables of the kernel's decisions, with capabilities as the kernel is shown them.
pub(crate) fn tables(
    memory: &mut impl Memory,
    blob: &Blob<'_>,
    shown: impl Fn(Capability) -> Capability,
) -> Result<Tables<'static>, Refusal> {
    let capabilities: &'static [Capability] = table(memory, &blob.capabilities, shown)?;
    let components = table(memory, &blob.components, |row: ComponentEntry| ComponentConfig {
        on_fault: row.on_fault,
        capabilities: part(capabilities, row.first_capability, row.capabilities).unwrap_or(&[]),
    })?;
    Ok(Tables {
        threads: table(memory, &blob.threads, |row| row.config)?,
        gates: table(memory, &blob.gates, |row| row.config)?,
        notifications: table(memory, &blob.notifications, |row| row)?,
        components,
        interrupts: table(memory, &blob.interrupts, |row| row.notification)?,
        depth: blob.header.depth,
        chain: blob.header.chain,
        backlog: blob.header.backlog,
        time_slice: blob.header.time_slice,
        cores: blob.header.cores,
        levels: blob.header.levels,
    })
}

/// Memory for the kernel's state.
pub(crate) fn state(
    memory: &mut impl Memory,
    sizes: Sizes,
) -> Result<KernelMemory<'static, Policy>, OutOfMemory> {
    Ok(KernelMemory {
        core: memory
            .filled(1, Core::EMPTY)?
            .first_mut()
            .ok_or(OutOfMemory(size_of::<Core<Policy>>()))?,
        levels: memory.filled(Policy::places(&sizes), Policy::VACANT)?,
        threads: memory.filled(sizes.threads, Thread::EMPTY)?,
        frames: memory.filled(sizes.frames, Frame::EMPTY)?,
        gates: memory.filled(sizes.gates, Gate::EMPTY)?,
        stacks: memory.filled(sizes.stacks, StackIndex::NONE)?,
        notifications: memory.filled(sizes.notifications, Notification::EMPTY)?,
        components: memory.filled(sizes.components, Component::EMPTY)?,
        arrivals: memory.filled(sizes.arrivals, 0)?,
        expiries: memory.filled(sizes.threads, NEVER)?,
        tree: memory.filled(sizes.tree, ThreadIndex::NONE)?,
    })
}

/// Returns a stack on which threads begin at an entry in a component's address space.
pub(crate) fn stack(
    blob: &Blob<'_>,
    row: StackEntry,
    component: usize,
    entry: u64,
) -> Result<Stack, Malformed> {
    let address = |wide: u64| u32::try_from(wide).map_err(|_| Malformed::Row);
    Ok(Stack {
        stack_pointer: address(row.stack_pointer)?,
        thread_pointer: address(row.thread_pointer)?,
        message: address(row.message)?,
        entry: address(entry)?,
        space: blob.components.get(component).map_or(0, |row| row.address_space as usize),
    })
}

/// The data that only the machine needs.
pub(crate) struct Places {
    pub(crate) stacks: &'static [Stack],
    pub(crate) homes: &'static [Stack],
    pub(crate) restarts: Restarts,
    pub(crate) lines: &'static [u16],
    pub(crate) sources: &'static [u16],
}

impl Places {
    pub(crate) fn of(memory: &mut impl Memory, blob: &Blob<'_>) -> Result<Places, Refusal> {
        let homes = memory.filled(blob.home_stacks.len(), Stack::default())?;
        let rows = blob.home_stacks.iter().zip(blob.threads.iter());
        for (home, (row, thread)) in homes.iter_mut().zip(rows) {
            let thread = thread.ok_or(Malformed::Row)?;
            *home = stack(
                blob,
                row.ok_or(Malformed::Row)?,
                thread.config.component.at(),
                thread.entry,
            )?;
        }
        let stacks = memory.filled(blob.gate_stacks.len(), Stack::default())?;
        let gates = blob.gates.iter().flatten();
        let owners = gates.flat_map(|gate| core::iter::repeat_n(gate, gate.config.stacks as usize));
        for (place, (row, gate)) in stacks.iter_mut().zip(blob.gate_stacks.iter().zip(owners)) {
            let row = row.ok_or(Malformed::Row)?;
            // A mutex has no stack of its own: a thread that locks it stays where it was.
            if row.message == 0 && gate.config.kind == GateKind::Interface {
                return Err(Malformed::Row.into());
            }
            *place = stack(blob, row, gate.config.component.at(), gate.entry)?;
        }
        let ranges: &'static [CopyRange] = table(memory, &blob.copies, |row| row)?;
        let restarts = memory.filled(blob.components.len(), Restart::default())?;
        for (place, row) in restarts.iter_mut().zip(blob.components.iter()) {
            let row = row.ok_or(Malformed::Row)?;
            *place = Restart::of(ranges, row.first_copy, row.copies).ok_or(Malformed::Count)?;
        }
        let sources = table(memory, &blob.interrupts, |row| row.source)?;
        let most = Platform::COMPILED_FOR.memory_map().interrupt_sources;
        let lines = memory.filled(most as usize, u16::MAX)?;
        for (line, &mut source) in sources.iter_mut().enumerate() {
            *lines.get_mut(source as usize).ok_or(Malformed::Row)? = line as u16;
        }
        Ok(Places {
            stacks,
            homes,
            restarts: Restarts { ranges, components: restarts },
            lines,
            sources,
        })
    }
}

/// Returns the address of each gate's word; 0: it has none.
#[cfg(feature = "mutex-words")]
pub(crate) fn words(memory: &mut impl Memory, blob: &Blob<'_>) -> Result<&'static [u32], Refusal> {
    let places = memory.filled(blob.gates.len(), 0_u32)?;
    let mut stack = 0;
    for (place, gate) in places.iter_mut().zip(blob.gates.iter()) {
        let gate = gate.ok_or(Malformed::Row)?.config;
        if gate.kind == GateKind::Mutex {
            let row = blob.gate_stacks.get(stack).ok_or(Malformed::Count)?;
            *place = u32::try_from(row.message).map_err(|_| Malformed::Row)?;
        }
        stack += usize::from(gate.stacks);
    }
    Ok(places)
}
