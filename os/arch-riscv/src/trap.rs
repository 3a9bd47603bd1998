//! The handling of each trap.
//!
//! All decisions are `fusee_kernel`'s; here they are asked for and obeyed. Gates have a module of
//! their own, `passage`. A signal or an interrupt that wakes a thread which takes the core
//! immediately has a fast path, too; everything else first changes the kernel's state, and then the
//! chosen thread goes on, as `leave` says. Each trap handles one event: the work that is left after
//! that, for a thread whose component is gone or to be put back, is a trap of its own.

#[cfg(feature = "cores")]
mod activation;
#[cfg(feature = "cores")]
mod between;
mod leave;
mod passage;
#[cfg(feature = "cores")]
mod restart;
mod saving;
#[cfg(feature = "schedulers")]
mod schedulers;
mod vector;
#[cfg(feature = "mutex-words")]
mod words;

use crate::context::{A7, Context, REQUEST};
use crate::halt::halt;
use crate::machine::Machine;
use crate::machine_map::TRAITS;
use crate::registers::Registers;
use crate::{clock, csr, devices, physical};
use core::arch::naked_asm;
use core::num::NonZero;
use fusee_image_format::{MachineKind, Status, abi};
use fusee_kernel::{
    Event, GateIndex, GateKind, NotificationIndex, ResumeReason, ThreadIndex, Time,
};
use fusee_system::{System, Verdict};
use leave::{answer, arm, carry_over, check, go_back, go_on, leave, wake};
#[cfg(feature = "mutex-words")]
use words::end_invocation;

/// Traps arrive as those of threads from now on.
#[inline(always)]
pub(crate) fn arrive_as_thread() {
    let vectored = usize::from(TRAITS.vectored_traps);
    csr::write!("mtvec", vector::vector as *const () as usize | vectored);
}

/// The running thread, whose words are kept, asks at a gate between cores.
#[cfg(feature = "cores")]
#[inline(always)]
fn ask(machine: &mut Machine, global: fusee_kernel::GlobalIndex, caller: Context) -> ! {
    between::ask(machine, global, caller)
}

/// The running thread has asked at such a gate before, and has the core again.
#[cfg(feature = "cores")]
#[inline(always)]
fn come_back() -> ! {
    between::come_back()
}

/// Keeps the account of a thread that holds a mutex between cores: it has its budget, which a
/// release may have filled, as long as it holds the mutex.
#[cfg(feature = "cores")]
#[inline(always)]
fn keep_account(machine: &mut Machine, now: Time) {
    if machine.system.globals.holds_mutex() {
        between::keep_account(machine, now);
    }
}

/// Nothing: there are no other cores.
#[cfg(not(feature = "cores"))]
#[inline(always)]
fn keep_account(_: &mut Machine, _: Time) {}

/// Refuses a call by which the holder of a mutex between cores would wait for another thread.
#[cfg(feature = "cores")]
#[inline(always)]
fn keep_nobody_waiting(machine: &mut Machine, event: Event, context: Context) {
    if machine.system.globals.holds_mutex() && machine.system.between().keeps_waiting(event) {
        answer(context, fusee_kernel::Error::InGlobal as usize);
    }
}

/// Nothing: there are no other cores.
#[cfg(not(feature = "cores"))]
#[inline(always)]
fn keep_nobody_waiting(_: &mut Machine, _: Event, _: Context) {}

/// The running thread signals: the call that most often makes another thread run.
pub(crate) extern "C" fn signal(
    _a0: usize,
    _a1: usize,
    _a2: usize,
    _a3: usize,
    _a4: usize,
    _a5: usize,
    selector: usize,
    context: Context,
) -> ! {
    // SAFETY:
    // 1. `vector` jumps here once for each such call.
    let machine = unsafe { Machine::of_trap() };
    let now = clock::now();
    match machine.system.flow().signal_fast(now, selector as u16) {
        Ok((switch, bits)) => wake(machine, switch, bits),
        Err(Some((notification, bits))) => signal_slow(now, notification, bits, context),
        #[cfg(feature = "cores")]
        Err(None) => between::signal(selector as u16, context),
        #[cfg(not(feature = "cores"))]
        Err(None) => answer(context, fusee_kernel::Error::NoCapability as usize),
    }
}

/// Signals a notification where no thread waits, or the waiting one does not take the core
/// immediately.
#[inline(never)]
fn signal_slow(now: Time, notification: NotificationIndex, bits: u32, context: Context) -> ! {
    // SAFETY:
    // 1. The handler of the trap has come here instead of going on with its own reference.
    let machine = unsafe { Machine::of_trap() };
    let changed = machine.system.flow().signal_slow(now, notification, bits);
    keep_account(machine, now);
    match changed {
        Ok(changed) if machine.system.flow().is_over(&changed) => {
            check(machine);
            arm(machine);
            answer(context, abi::OK)
        }
        Ok(changed) => leave(machine, now, changed),
        Err(error) => answer(context, error as usize),
    }
}

/// The running thread waits.
pub(crate) extern "C" fn wait(
    _a0: usize,
    _a1: usize,
    _a2: usize,
    _a3: usize,
    _a4: usize,
    _a5: usize,
    selector: usize,
    context: Context,
) -> ! {
    // SAFETY:
    // 1. `vector` jumps here once for each such call.
    let machine = unsafe { Machine::of_trap() };
    let now = clock::now();
    keep_nobody_waiting(machine, Event::Wait(selector as u16), context);
    match machine.system.flow().change(now, Event::Wait(selector as u16)) {
        Ok(changed) => leave(machine, now, changed),
        Err(error) => answer(context, error as usize),
    }
}

/// The running thread makes any other call.
#[cfg_attr(not(feature = "schedulers"), expect(unused_variables, reason = "more have words"))]
pub(crate) extern "C" fn call(
    a0: usize,
    a1: usize,
    a2: usize,
    a3: usize,
    a4: usize,
    a5: usize,
    selector: usize,
    context: Context,
) -> ! {
    // SAFETY:
    // 1. `vector` jumps here once for each such call.
    let machine = unsafe { Machine::of_trap() };
    let operation = context.get(A7);
    let slot = selector as u16;
    if operation == abi::ACKNOWLEDGE {
        match machine.system.acknowledge(slot) {
            Ok(source) => {
                devices::complete(source);
                answer(context, abi::OK)
            }
            Err(error) => answer(context, error as usize),
        }
    }
    if operation == abi::POLL {
        poll(slot, context);
    }
    #[cfg(feature = "schedulers")]
    if System::is_decision(operation) {
        let words = [a0, a1, a2, a3, a4, a5];
        let call = fusee_system::SchedulerCall { operation, slot, words };
        schedulers::decide(context, &call);
    }
    #[cfg(feature = "mutex-words")]
    if matches!(operation, abi::LOCK | abi::UNLOCK) {
        words::call(context, operation, slot);
    }
    if !System::is_call(operation) {
        if operation == abi::LIMIT {
            limit(machine, context, a0);
        }
        answer(context, abi::NO_SUCH_OPERATION);
    }
    let thread = machine.system.kernel().current();
    let now = clock::now();
    if operation == abi::LOCK {
        keep_nobody_waiting(machine, Event::Lock(slot), context);
    }
    match machine.system.call(now, operation, slot) {
        #[cfg(feature = "cores")]
        Err(fusee_kernel::Error::NoCapability) if matches!(operation, abi::LOCK | abi::UNLOCK) => {
            between::at_mutex(context, operation, slot)
        }
        Err(error) => answer(context, error as usize),
        Ok(chosen) => {
            if operation == abi::UNLOCK {
                carry_over(context, machine.context(thread));
            }
            if cfg!(feature = "leaks-where-unlocked") && operation == abi::UNLOCK {
                let _ = machine.system.flow().resume_with(thread, ResumeReason::Return, 0);
            }
            go_on(machine, chosen)
        }
    }
}

/// The boot thread limits what it calls next.
#[cold]
#[inline(never)]
fn limit(machine: &mut Machine, context: Context, amount: usize) -> ! {
    match machine.system.limit(clock::now(), amount as u32) {
        Ok(chosen) => go_on(machine, chosen),
        Err(error) => answer(context, error as usize),
    }
}

/// The running thread takes what is pending.
#[inline(always)]
fn poll(slot: u16, context: Context) -> ! {
    // SAFETY:
    // 1. The handler of the trap has come here instead of going on with its own reference.
    let machine = unsafe { Machine::of_trap() };
    let now = clock::now();
    match machine.system.flow().change(now, Event::Poll(slot)) {
        Ok(changed) => leave(machine, now, changed),
        Err(error) => answer(context, error as usize),
    }
}

/// The timer fired.
pub(crate) extern "C" fn timer() -> ! {
    // SAFETY:
    // 1. `vector` jumps here once for each interrupt, or the idle core has come here.
    let machine = unsafe { Machine::of_trap() };
    tick(machine)
}

/// A device interrupts.
pub(crate) extern "C" fn external() -> ! {
    // SAFETY:
    // 1. `vector` jumps here once for each interrupt, or the idle core has come here.
    let machine = unsafe { Machine::of_trap() };
    let now = clock::now();
    let source = devices::claim();
    if let Some(line) = source.and_then(|source| machine.system.line(source.get()))
        && let Some((switch, bits)) = machine.system.flow().interrupt_fast(now, line)
    {
        wake(machine, switch, bits);
    }
    external_slow(now, source)
}

/// Handles an interrupt without a thread that takes the core immediately: none waits, or the
/// interrupt has no notification, or was withdrawn.
#[inline(never)]
fn external_slow(now: Time, source: Option<NonZero<u16>>) -> ! {
    // SAFETY:
    // 1. The handler of the interrupt has come here instead of going on with its own reference.
    let machine = unsafe { Machine::of_trap() };
    if let Some(source) = source.map(NonZero::get) {
        let line = machine.system.line(source);
        let changed = line.map(|line| machine.system.flow().interrupt_slow(now, line));
        keep_account(machine, now);
        match changed {
            Some(Ok(changed)) if machine.system.flow().is_over(&changed) => {}
            Some(Ok(changed)) => leave(machine, now, changed),
            Some(Err(_)) | None => record_stray(machine, now, source),
        }
    }
    go_back(machine)
}

/// The running thread faulted, or was sent here because its component is gone or to be put back.
pub(crate) extern "C" fn fault() -> ! {
    // SAFETY:
    // 1. `vector` jumps here once for each fault.
    let machine = unsafe { Machine::of_trap() };
    let now = clock::now();
    let thread = machine.system.kernel().current();
    #[cfg(feature = "cores")]
    between::fault(machine, now, thread);
    let event = if machine.system.kernel().is_stale(thread) {
        Event::Abort
    } else if !machine.system.kernel().is_unrestored(thread) {
        record_fault(machine, now);
        Event::Fault
    } else if restore(machine, thread) {
        let changed = machine.system.flow().pass_time();
        leave(machine, now, changed)
    } else {
        machine.system.record_restart(now, thread);
        Event::Restored
    };
    match end_invocation(machine, now, event) {
        Ok(changed) => leave(machine, now, changed),
        Err(_) => halt(Status::KernelTrap, csr::cause() as u64, csr::program_counter() as u64),
    }
}

/// An invocation ends otherwise than by a return, or what a thread is in has been put back.
#[cfg(not(feature = "mutex-words"))]
#[inline(always)]
fn end_invocation(
    machine: &mut Machine,
    now: Time,
    event: Event,
) -> Result<fusee_kernel::Changed, fusee_kernel::Error> {
    machine.system.flow().change(now, event)
}

/// Puts one piece of the initial data back of the component that the thread is in; false: there is
/// none left.
#[inline(never)]
fn restore(machine: &mut Machine, thread: ThreadIndex) -> bool {
    let component = machine.system.kernel().component_of(thread);
    let piece = machine.system.piece(component);
    if let Some(piece) = &piece {
        // SAFETY:
        // 1. The boot has checked all ranges with `is_copy`.
        // 2. The kernel refers to no memory of components.
        unsafe { physical::restore(piece) }
    }
    piece.is_some()
}

#[cfg_attr(feature = "cores", inline(always))]
pub(crate) fn record_fault(machine: &mut Machine, now: Time) {
    let kernel = machine.system.kernel();
    let thread = kernel.current();
    let component = kernel.component_of(thread);
    let (place, address, cause) = (csr::program_counter(), csr::trap_value(), csr::cause());
    let interface = |gate: &GateIndex| kernel.tables().gates[gate.at()].kind == GateKind::Interface;
    let frames = kernel.frames(thread).iter().map(|frame| frame.gate);
    let passed = frames.enumerate().rfind(|(_, gate)| interface(gate));
    let (gate, method) = match passed {
        Some((depth, gate)) => {
            (gate.0, machine.context_at(thread, depth).get(REQUEST) >> abi::METHOD_SHIFT)
        }
        None => (u16::MAX, 0),
    };
    let sink = machine.system.sink();
    sink.machine(now, MachineKind::FaultAt, thread, cause as u16, place as u64);
    sink.machine(now, MachineKind::FaultAddress, thread, component.0, address as u64);
    sink.machine(now, MachineKind::FaultMethod, thread, gate, (method & 0xffff) as u64);
}

/// Lets the first job begin: the start is over, and what has made it may go.
#[inline(never)]
pub(crate) fn begin(machine: &mut Machine, registers: Registers) -> ! {
    registers.take();
    tick(machine)
}

/// Time has passed: the run may be over, or something of the kernel's is due.
fn tick(machine: &mut Machine) -> ! {
    let now = clock::now();
    if machine.system.watch.is_due(now) {
        give(machine, now);
    }
    let changed = machine.system.flow().timer(now);
    keep_account(machine, now);
    if machine.system.flow().is_over(&changed) {
        go_back(machine)
    }
    leave(machine, now, changed)
}

/// The run is over, or what the boot thread is in has used up its time: it has faulted.
#[cold]
#[inline(never)]
fn give(machine: &mut Machine, now: Time) -> ! {
    if let Verdict::Ends(status) = machine.system.watch.verdict(now) {
        halt(status, 0, 0);
    }
    if let Err(changed) = machine.system.end_set_up(now) {
        leave(machine, now, changed)
    }
    csr::write!("mcause", abi::OUT_OF_TIME as usize);
    fault()
}

/// Records an interrupt without a notification, which stays masked.
#[cold]
pub(crate) fn record_stray(machine: &mut Machine, now: Time, source: u16) {
    machine.system.sink().machine(now, MachineKind::StrayInterrupt, ThreadIndex::NONE, source, 0);
}

/// Sleeps until something is to be done, which is then handled as any interrupt: with an empty
/// stack, because what this trap has on it is needed no more, and however often the core is woken
/// in vain, the stack must not grow.
///
/// # Safety
/// Nothing on the kernel's stack is needed any more: the caller keeps no value that is used later,
/// and this never returns.
#[unsafe(naked)]
pub(crate) extern "C" fn idle() -> ! {
    naked_asm!("la sp, __stack_top", "j {sleep}", sleep = sym sleep)
}

extern "C" fn sleep() -> ! {
    sleep_until(external, timer)
}

/// Sleeps until an interrupt is pending, and lets its handler run. More than one thing can be
/// pending: what is left is an interrupt of its own.
#[inline(always)]
pub(crate) fn sleep_until(external: extern "C" fn() -> !, timer: extern "C" fn() -> !) -> ! {
    loop {
        csr::wait_for_interrupt();
        let pending = csr::pending();
        if pending.device {
            external();
        }
        if pending.time {
            timer();
        }
        #[cfg(feature = "cores")]
        if pending.software {
            between::software();
        }
    }
}
