//! From the first Rust instruction to the first job.

use crate::arena::Arena;
use crate::devices;
use crate::examine::Lack;
use crate::halt::{halt, set_result};
use crate::machine::Machine;
use crate::machine_map::{MAP, PLATFORM, TRAITS};
use crate::protection::{Protection, is_opening};
use crate::registers::Registers;
use crate::{clock, csr, physical, trap};
#[cfg(feature = "cores")]
use crate::{halt::set_cores, shared::Shared};
#[cfg(feature = "schedulers")]
use fusee_image_format::TreeBlob;
use fusee_image_format::abi::MESSAGE_WORDS;
use fusee_image_format::{Blob, Malformed, MemoryMap, Status};
#[cfg(feature = "cores")]
use fusee_image_format::{CORE_BYTES, CoreBlob, tables_of};
use fusee_kernel::TableError;
use fusee_system::{
    OutOfMemory, POLICY, RECORD_WORDS, RESULT_WORDS, Recorder, Refusal, ResultWords, System,
};

/// Longest tables that are read.
const MOST_BYTES: usize = 16 << 20;

/// Starts the system that lies behind the kernel.
pub(crate) extern "C" fn boot() -> ! {
    let tables = read_tables();
    let blob = tables.own();
    let recorder = make_recorder(&tables);
    let mut lack = Lack::of(blob);
    csr::set_up_modes();
    clock::start_clock();
    let (machine, registers) = match make_machine(&tables, recorder) {
        Ok(made) => made,
        Err(refusal) => refuse(refusal),
    };
    open_memory(&tables, &mut lack);
    devices::enable_interrupts(machine.system.sources());
    csr::flush_translations();
    trap::arrive_as_thread();
    // SAFETY:
    // 1. This function runs once, and user mode has not been entered.
    let machine = unsafe { machine.install() };
    machine.system.hold_arrivals(&blob.header);
    lack.refuse();
    trap::begin(registers)
}

/// The tables of a core, and what of the machine they make its kernel's.
#[cfg(not(any(feature = "cores", feature = "schedulers")))]
#[repr(transparent)]
struct Found<'b>(Blob<'b>);

/// The tables of a core, and of the schedulers on it.
#[cfg(feature = "schedulers")]
struct Found<'b>(Blob<'b>, TreeBlob<'b>);

#[cfg(not(feature = "cores"))]
impl<'b> Found<'b> {
    #[inline(always)]
    fn own(&self) -> &Blob<'b> {
        &self.0
    }

    /// Returns the machine's map, in which the kernel's memory ends where its tables begin.
    #[inline(always)]
    fn map(&self) -> &'static MemoryMap {
        &MAP
    }
}

/// The tables of a core, and what of the machine they make the kernels'.
#[cfg(feature = "cores")]
struct Found<'b> {
    own: Blob<'b>,
    core: CoreBlob<'b>,
    map: MemoryMap,
}

#[cfg(feature = "cores")]
impl<'b> Found<'b> {
    fn own(&self) -> &Blob<'b> {
        &self.own
    }

    /// Returns the machine's map, in which the memory of all cores' kernels ends where the tables
    /// begin.
    fn map(&self) -> &MemoryMap {
        &self.map
    }
}

#[cfg(not(any(feature = "cores", feature = "schedulers")))]
#[cold]
#[inline(never)]
fn read_tables() -> Found<'static> {
    Found(read_blob(MAP.blob))
}

/// Returns the tables, and those of schedulers behind them.
#[cfg(feature = "schedulers")]
#[cold]
#[inline(never)]
fn read_tables() -> Found<'static> {
    let own = read_blob(MAP.blob);
    // SAFETY:
    // 1. As in `read_blob`.
    let length = Blob::length(unsafe { physical::bytes(MAP.blob, Blob::HEAD_BYTES) });
    // SAFETY:
    // 1. As in `read_blob`: these rows lie behind the system's tables.
    let trees = length.and_then(|length| unsafe {
        let behind = MAP.blob + TreeBlob::offset(length) as u64;
        let bytes = TreeBlob::length(physical::bytes(behind, TreeBlob::HEAD_BYTES))?;
        if bytes > MOST_BYTES {
            return Err(Malformed::Length);
        }
        TreeBlob::parse(physical::bytes(behind, bytes))
    });
    match trees {
        Ok(trees) => Found(own, trees),
        Err(malformed) => refuse(malformed.into()),
    }
}

/// Returns the tables of this core, which must be one of those that they are for.
#[cfg(feature = "cores")]
#[cold]
#[inline(never)]
fn read_tables() -> Found<'static> {
    let number = csr::core();
    devices::set_core(number);
    devices::withdraw(number);
    let at = tables_of(MAP, number);
    let own = read_blob(at);
    // SAFETY:
    // 1. As in `read_blob`.
    let length = Blob::length(unsafe { physical::bytes(at, Blob::HEAD_BYTES) });
    let behind = |length: usize| at + CoreBlob::offset(length) as u64;
    // SAFETY:
    // 1. As in `read_blob`: these rows lie behind the core's tables.
    let core = length.and_then(|length| unsafe {
        let head = physical::bytes(behind(length), CoreBlob::HEAD_BYTES);
        let bytes = CoreBlob::length(head)?;
        if length.saturating_add(bytes) as u64 > CORE_BYTES / 2 {
            return Err(Malformed::Length);
        }
        CoreBlob::parse(physical::bytes(behind(length), bytes))
    });
    match core {
        Ok(core) if usize::from(core.header.core) == number => {
            let blob = MAP.ram + u64::from(core.header.cores) * CORE_BYTES;
            Found { own, core, map: MemoryMap { blob, ..MAP } }
        }
        Ok(_) => refuse(Malformed::Count.into()),
        Err(malformed) => refuse(malformed.into()),
    }
}

#[cold]
#[inline(never)]
fn read_blob(at: u64) -> Blob<'static> {
    // SAFETY:
    // 1. The image's tables begin here, in main memory that the kernel never writes.
    let head = unsafe { physical::bytes(at, Blob::HEAD_BYTES) };
    let blob = Blob::length(head).and_then(|length| {
        if length > MOST_BYTES {
            return Err(Malformed::Length);
        }
        // SAFETY:
        // 1. As above; the machine has more memory than this.
        Blob::parse(unsafe { physical::bytes(at, length) })
    });
    match blob {
        Ok(blob) if blob.header.platform == PLATFORM => blob,
        Ok(_) => refuse(Malformed::Platform.into()),
        Err(malformed) => refuse(malformed.into()),
    }
}

#[cold]
#[inline(never)]
fn make_recorder(tables: &Found<'_>) -> Recorder {
    let blob = tables.own();
    let (at, bytes) = (blob.header.records, blob.header.records_bytes);
    let head = (RESULT_WORDS * 8) as u64;
    let opened = blob.openings.iter().flatten().any(|opening| {
        opening.base < at.saturating_add(bytes) && at < opening.base.saturating_add(opening.bytes)
    });
    if opened
        || at % 8 != 0
        || bytes < head
        || !physical::is_outside_kernel(tables.map(), at, bytes)
    {
        refuse(Malformed::Row.into());
    }
    set_result(at);
    // The image's other numbers mean something else to a kernel of another policy.
    if blob.header.policy != POLICY {
        refuse(Malformed::Policy.into());
    }
    // SAFETY:
    // 1. The range is main memory outside the kernel that is not open to components, and this runs
    //    once.
    // 2. The two parts do not overlap, and any bits are integers.
    unsafe {
        let result = physical::values::<ResultWords>(at, 1);
        let records =
            physical::values(at + head, ((bytes - head) / (RECORD_WORDS as u64 * 8)) as usize);
        Recorder::new(&mut result[0], records)
    }
}

#[cold]
#[inline(never)]
fn make_machine(tables: &Found<'_>, recorder: Recorder) -> Result<(Machine, Registers), Refusal> {
    let blob = tables.own();
    check_places(tables)?;
    let contexts = Machine::contexts(blob.header.depth, blob.threads.len());
    // SAFETY:
    // 1. This function runs once: `_start` jumps to `boot`, which does not return.
    let (mut arena, registers) = unsafe { Arena::new(contexts)? };
    #[cfg(not(any(feature = "cores", feature = "schedulers")))]
    let mut system = System::new(&mut arena, blob, recorder)?;
    #[cfg(feature = "schedulers")]
    let mut system = System::new(&mut arena, (blob, &tables.1), recorder)?;
    #[cfg(feature = "cores")]
    let mut system = System::new(&mut arena, (blob, &tables.core), recorder)?;
    #[cfg(feature = "cores")]
    let shared = share(&mut arena, tables, &system)?;
    system.sink().set_kernel_memory(arena.used());
    // What lies below the stack would be overwritten without a trap.
    assert!(arena.leaves_stack_whole(), "the start needs a deeper stack");
    // SAFETY:
    // 1. They are so many words, and the first trap comes after `begin`, which zeroes them.
    let machine = unsafe {
        Machine::new(
            system,
            registers.place(),
            #[cfg(feature = "cores")]
            shared,
        )
    };
    Ok((machine, registers))
}

/// Sets up the state that the cores share; the first core fills it, and tells the others to begin.
#[cfg(feature = "cores")]
#[cold]
#[inline(never)]
fn share(arena: &mut Arena, tables: &Found<'_>, system: &System) -> Result<Shared, Refusal> {
    let header = tables.core.header;
    let (at, bytes) = (header.shared, header.shared_bytes);
    let opened = tables.own.openings.iter().flatten().any(|opening| {
        opening.base < at.saturating_add(bytes) && at < opening.base.saturating_add(opening.bytes)
    });
    if opened || !physical::is_outside_kernel(tables.map(), at, bytes) {
        return Err(Malformed::Row.into());
    }
    // SAFETY:
    // 1. The range is main memory outside of the kernels that is not open to components.
    // 2. This runs once on each core, and on the others when the first has told them to begin.
    let shared = unsafe { Shared::new(arena, &system.globals)? };
    set_cores(&shared);
    if header.core == 0 {
        csr::before_devices();
        (1..usize::from(header.cores)).for_each(devices::interrupt_core);
    }
    shared.begin();
    Ok(shared)
}

/// Everything that the kernel will write on behalf of components lies outside the kernel.
#[cold]
#[inline(never)]
fn check_places(tables: &Found<'_>) -> Result<(), Malformed> {
    let (blob, map) = (tables.own(), tables.map());
    let bytes = (MESSAGE_WORDS * size_of::<usize>()) as u64;
    let whole = |at: u64| {
        at.is_multiple_of(size_of::<usize>() as u64) && physical::is_outside_kernel(map, at, bytes)
    };
    let homes = blob.home_stacks.iter().flatten().all(|stack| whole(stack.message));
    let gates =
        blob.gate_stacks.iter().flatten().all(|stack| stack.message == 0 || whole(stack.message));
    let copies = blob.copies.iter().flatten().all(|range| physical::is_copy(map, &range));
    if homes && gates && copies { Ok(()) } else { Err(Malformed::Row) }
}

#[cold]
#[inline(never)]
fn open_memory(tables: &Found<'_>, lack: &mut Lack) {
    let (blob, map) = (tables.own(), tables.map());
    let mut protection = Protection::NOTHING;
    for opening in blob.openings.iter().flatten() {
        if !is_opening(map, &opening, map.blob) {
            refuse(Malformed::Row.into());
        }
        protection.open(&opening);
    }
    if let Some(registers) = protection.excess().filter(|_| TRAITS.memory_protection) {
        halt(Status::TooManyRegions, registers as u64, 0);
    }
    lack.apply(&protection);
}

#[cold]
#[inline(never)]
fn refuse(refusal: Refusal) -> ! {
    match refusal {
        Refusal::Malformed(why) => halt(Status::BadSystem, why as u64, 0),
        #[cfg(feature = "cores")]
        Refusal::Globals(_) => halt(Status::BadSystem, 39, 0),
        #[cfg(feature = "schedulers")]
        Refusal::Trees => halt(Status::BadSystem, 40, 0),
        Refusal::OutOfMemory(OutOfMemory(bytes)) => halt(Status::OutOfMemory, bytes as u64, 0),
        Refusal::Tables(error) => {
            let (kind, index) = match error {
                TableError::Count => (32, 0),
                TableError::Thread(thread) => (33, thread.0),
                TableError::Gate(gate) => (34, gate.0),
                TableError::Notification(notification) => (35, notification.0),
                TableError::Component(component) => (36, component.0),
                TableError::Interrupt(line) => (37, line as u16),
                TableError::Memory => (38, 0),
            };
            halt(Status::BadSystem, kind, u64::from(index))
        }
    }
}
