//! From the first Rust instruction to the first job.

use crate::arena::Arena;
use crate::devices::{self, MAP, PLATFORM};
use crate::examine::Lack;
use crate::halt::{halt, set_result};
use crate::machine::Machine;
use crate::protection::{Protection, is_opening};
use crate::registers::Registers;
use crate::{csr, physical, trap, vector};
use fusee_image_format::abi::MESSAGE_WORDS;
use fusee_image_format::{Blob, Malformed, Status};
use fusee_kernel::TableError;
use fusee_system::{
    OutOfMemory, POLICY, RECORD_WORDS, RESULT_WORDS, Recorder, Refusal, ResultWords, System,
};

/// Longest tables that are read.
const MOST_BYTES: usize = 16 << 20;

/// Starts the system that lies behind the kernel.
pub(crate) extern "C" fn boot() -> ! {
    let blob = read_tables();
    let recorder = make_recorder(&blob);
    let mut lack = Lack::of(&blob);
    csr::set_up_modes();
    csr::start_clock();
    let (machine, registers) = match make_machine(&blob, recorder) {
        Ok(made) => made,
        Err(refusal) => refuse(refusal),
    };
    open_memory(&blob, &mut lack);
    devices::enable_interrupts(machine.system.sources());
    csr::flush_translations();
    csr::write!("mtvec", vector::vector as *const () as usize | 1);
    // SAFETY:
    // 1. This function runs once, and user mode has not been entered.
    let machine = unsafe { machine.install() };
    lack.refuse();
    trap::begin(machine, registers)
}

#[cold]
#[inline(never)]
fn read_tables() -> Blob<'static> {
    // SAFETY:
    // 1. The image's tables begin here, in main memory that the kernel never writes.
    let head = unsafe { physical::bytes(MAP.blob, Blob::HEAD_BYTES) };
    let blob = Blob::length(head).and_then(|length| {
        if length > MOST_BYTES {
            return Err(Malformed::Length);
        }
        // SAFETY:
        // 1. As above; the machine has more memory than this.
        Blob::parse(unsafe { physical::bytes(MAP.blob, length) })
    });
    match blob {
        Ok(blob) if blob.header.platform == PLATFORM => blob,
        Ok(_) => refuse(Malformed::Platform.into()),
        Err(malformed) => refuse(malformed.into()),
    }
}

#[cold]
#[inline(never)]
fn make_recorder(blob: &Blob<'_>) -> Recorder {
    let (at, bytes) = (blob.header.records, blob.header.records_bytes);
    let head = (RESULT_WORDS * 8) as u64;
    let opened = blob.openings.iter().flatten().any(|opening| {
        opening.base < at.saturating_add(bytes) && at < opening.base.saturating_add(opening.bytes)
    });
    if opened || at % 8 != 0 || bytes < head || !physical::is_outside_kernel(&MAP, at, bytes) {
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
fn make_machine(blob: &Blob<'_>, recorder: Recorder) -> Result<(Machine, Registers), Refusal> {
    check_places(blob)?;
    let contexts = Machine::contexts(blob.header.depth, blob.threads.len());
    // SAFETY:
    // 1. This function runs once: `_start` jumps to `boot`, which does not return.
    let (mut arena, registers) = unsafe { Arena::new(contexts)? };
    let mut system = System::new(&mut arena, blob, recorder)?;
    system.kernel.sink().set_kernel_memory(arena.used());
    // SAFETY:
    // 1. They are so many words, and the first trap comes after `begin`, which zeroes them.
    let machine = unsafe { Machine::new(system, registers.place()) };
    Ok((machine, registers))
}

/// Everything that the kernel will write on behalf of components lies outside the kernel.
#[cold]
#[inline(never)]
fn check_places(blob: &Blob<'_>) -> Result<(), Malformed> {
    let bytes = (MESSAGE_WORDS * size_of::<usize>()) as u64;
    let whole = |at: u64| {
        at.is_multiple_of(size_of::<usize>() as u64) && physical::is_outside_kernel(&MAP, at, bytes)
    };
    let homes = blob.home_stacks.iter().flatten().all(|stack| whole(stack.message));
    let gates =
        blob.gate_stacks.iter().flatten().all(|stack| stack.message == 0 || whole(stack.message));
    let copies = blob.copies.iter().flatten().all(|range| physical::is_copy(&MAP, &range));
    if homes && gates && copies { Ok(()) } else { Err(Malformed::Row) }
}

#[cold]
#[inline(never)]
fn open_memory(blob: &Blob<'_>, lack: &mut Lack) {
    let mut protection = Protection::NOTHING;
    for opening in blob.openings.iter().flatten() {
        if !is_opening(&MAP, &opening, MAP.blob) {
            refuse(Malformed::Row.into());
        }
        protection.open(&opening);
    }
    if let Some(registers) = protection.excess() {
        halt(Status::TooManyRegions, registers as u64, 0);
    }
    lack.apply(&protection);
}

#[cold]
#[inline(never)]
fn refuse(refusal: Refusal) -> ! {
    match refusal {
        Refusal::Malformed(why) => halt(Status::BadSystem, why as u64, 0),
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
