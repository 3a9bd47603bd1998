//! What each trap does.
//!
//! All decisions are `fusee_kernel`'s; here they are asked for and obeyed. The common cases of `invoke` and `return`, in
//! which the same thread goes on, leave at once; everything else goes through [`obey`].

use crate::context::{A0, A7, Context, FRAME_WORDS, INTERRUPTED, REQUEST, T0};
use crate::halt::halt;
use crate::machine::Machine;
use crate::{csr, devices, exit, message, physical};
use fusee_image_format::{MachineKind, Status, abi};
use fusee_kernel::{Delivery, Error, Event, Failure, GateIndex, GateKind, Outcome, ThreadIndex, Time};

const NO_WORDS: [usize; 6] = [0; 6];

/// The running thread passes a gate, with what fits into registers.
pub(crate) extern "C" fn invoke(
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
    let words = [a0, a1, a2, a3, a4, a5];
    let Some(passage) = machine.system.kernel.invoke_at_once(csr::now_for_records(), selector as u16) else {
        context.set(T0, 0);
        invoke_otherwise(a0, a1, a2, a3, a4, a5, selector, context)
    };
    check(machine);
    let stack = machine.system.gate_stack(passage.stack);
    let who = method_and_caller(selector, passage.thread);
    exit::enter(context.callees(), stack, words, 0, who)
}

/// The running thread passes a gate, with more than fits into registers.
pub(crate) extern "C" fn invoke_with_message(
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
    let words = [a0, a1, a2, a3, a4, a5];
    let further = context.get(T0);
    if further > abi::MEMORY_WORDS {
        answer(context, abi::MESSAGE_TOO_LONG);
    }
    let Some(passage) = machine.system.kernel.invoke_at_once(csr::now_for_records(), selector as u16) else {
        invoke_otherwise(a0, a1, a2, a3, a4, a5, selector, context)
    };
    check(machine);
    let stack = machine.system.gate_stack(passage.stack);
    message::copy(machine.system.callers_stack(passage.thread), stack, further);
    let who = method_and_caller(selector, passage.thread);
    exit::enter(context.callees(), stack, words, further, who)
}

/// The caller does not enter at once: it waits, or is refused.
#[cold]
#[inline(never)]
extern "C" fn invoke_otherwise(
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
    // 1. The handler of the trap has come here instead of going on with its own reference.
    let machine = unsafe { Machine::of_trap() };
    match machine.system.kernel.handle(csr::now(), Event::Invoke(selector as u16)) {
        Ok(outcome) => {
            keep_words(context, [a0, a1, a2, a3, a4, a5]);
            obey(machine, outcome)
        }
        Err(error) => answer(context, error as usize),
    }
}

/// What the callee is told: the method, and the caller's thread.
#[inline]
fn method_and_caller(selector: usize, caller: ThreadIndex) -> usize {
    let method = selector as u32 >> abi::METHOD_SHIFT;
    (method << abi::METHOD_SHIFT) as usize | caller.at()
}

/// A refused return: `vector` goes on behind the call, with the registers as they were.
#[repr(C)]
pub(crate) struct RefusedReturn {
    context: Context,
    error: usize,
}

/// The running thread comes back from a gate, with what fits into registers. Only a refused return comes back to
/// `vector`.
pub(crate) extern "C" fn return_(
    a0: usize,
    a1: usize,
    a2: usize,
    a3: usize,
    a4: usize,
    a5: usize,
    _selector: usize,
    context: Context,
) -> RefusedReturn {
    // SAFETY:
    // 1. `vector` jumps here once for each such call.
    let machine = unsafe { Machine::of_trap() };
    if machine.system.kernel.return_at_once(csr::now_for_records()).is_none() {
        return return_otherwise(a0, a1, a2, a3, a4, a5, 0, context);
    }
    check(machine);
    let callers = context.callers();
    exit::resume_call(callers, callers, [a0, a1, a2, a3, a4, a5], 0, abi::OK)
}

/// The running thread comes back from a gate, with more than fits into registers. Only a refused return comes back to
/// `vector`.
pub(crate) extern "C" fn return_with_message(
    a0: usize,
    a1: usize,
    a2: usize,
    a3: usize,
    a4: usize,
    a5: usize,
    _selector: usize,
    context: Context,
) -> RefusedReturn {
    // SAFETY:
    // 1. `vector` jumps here once for each such call.
    let machine = unsafe { Machine::of_trap() };
    let further = context.get(T0);
    if further > abi::MEMORY_WORDS {
        return RefusedReturn { context, error: abi::MESSAGE_TOO_LONG };
    }
    let thread = machine.system.kernel.current();
    message::copy(machine.system.stack(thread), machine.system.callers_stack(thread), further);
    if machine.system.kernel.return_at_once(csr::now_for_records()).is_none() {
        return return_otherwise(a0, a1, a2, a3, a4, a5, further, context);
    }
    check(machine);
    let callers = context.callers();
    exit::resume_call(callers, callers, [a0, a1, a2, a3, a4, a5], further, abi::OK)
}

/// More changes than the frame, or the return is refused.
#[cold]
#[inline(never)]
extern "C" fn return_otherwise(
    a0: usize,
    a1: usize,
    a2: usize,
    a3: usize,
    a4: usize,
    a5: usize,
    further: usize,
    context: Context,
) -> RefusedReturn {
    // SAFETY:
    // 1. The handler of the trap has come here instead of going on with its own reference.
    let machine = unsafe { Machine::of_trap() };
    match machine.system.kernel.return_(csr::now()) {
        Ok(outcome) => {
            let callers = context.callers();
            keep_words(callers, [a0, a1, a2, a3, a4, a5]);
            callers.set(T0, further);
            obey(machine, outcome)
        }
        Err(error) => RefusedReturn { context, error: error as usize },
    }
}

/// The running thread makes any other call.
pub(crate) extern "C" fn call(
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
    if operation == abi::SIGNAL {
        signal(machine, slot, context);
    }
    let thread = machine.system.kernel.current();
    match machine.system.call(csr::now(), operation, slot) {
        Err(error) => answer(context, error.map_or(abi::NO_SUCH_OPERATION, |error| error as usize)),
        Ok(outcome) => {
            if operation == abi::UNLOCK {
                carry_over(context, machine.context(thread));
            }
            obey(machine, outcome)
        }
    }
}

/// A signal: the call that most often makes another thread run.
#[inline(always)]
fn signal(machine: &mut Machine, slot: u16, context: Context) -> ! {
    match machine.system.kernel.signal_slot(csr::now(), slot) {
        Ok(outcome) => obey(machine, outcome),
        Err(error) => answer(context, error as usize),
    }
}

/// The timer fired.
pub(crate) extern "C" fn timer(_context: Context) -> ! {
    // SAFETY:
    // 1. `vector` jumps here once for each interrupt.
    let machine = unsafe { Machine::of_trap() };
    let outcome = tick(machine);
    obey(machine, outcome)
}

/// A device interrupts.
pub(crate) extern "C" fn external(context: Context) -> ! {
    // SAFETY:
    // 1. `vector` jumps here once for each interrupt.
    let machine = unsafe { Machine::of_trap() };
    if let Some(source) = devices::claim() {
        let now = csr::now();
        if let Some(line) = machine.system.line(source)
            && let Ok(outcome) = machine.system.kernel.interrupt(now, line)
        {
            obey(machine, outcome);
        }
        record_stray(machine, now, source);
    }
    exit::resume_interrupted(context)
}

/// The running thread faulted.
pub(crate) extern "C" fn fault(_context: Context) -> ! {
    // SAFETY:
    // 1. `vector` jumps here once for each fault.
    let machine = unsafe { Machine::of_trap() };
    let now = csr::now();
    record_fault(machine, now);
    match machine.system.kernel.fault(now) {
        Ok(outcome) => obey(machine, outcome),
        Err(_) => halt(Status::KernelTrap, csr::cause() as u64, csr::program_counter() as u64),
    }
}

fn record_fault(machine: &mut Machine, now: Time) {
    let kernel = &mut machine.system.kernel;
    let thread = kernel.current();
    let component = kernel.component_of(thread);
    let (place, address, cause) = (csr::program_counter(), csr::trap_value(), csr::cause());
    let interface = |gate: &GateIndex| kernel.tables().gates[gate.at()].kind == GateKind::Interface;
    let frames = kernel.frames(thread).iter().map(|frame| frame.gate);
    let passed = frames.enumerate().filter(|(_, gate)| interface(gate)).last();
    let (gate, method) = match passed {
        Some((depth, gate)) => (gate.0, machine.context_at(thread, depth).get(REQUEST) >> abi::METHOD_SHIFT),
        None => (u16::MAX, 0),
    };
    let sink = machine.system.kernel.sink();
    sink.machine(now, MachineKind::FaultAt, thread, cause as u16, place as u64);
    sink.machine(now, MachineKind::FaultAddress, thread, component.0, address as u64);
    sink.machine(now, MachineKind::FaultMethod, thread, gate, (method & 0xffff) as u64);
}

/// Lets the first job begin.
pub(crate) fn begin(machine: &mut Machine) -> ! {
    let outcome = tick(machine);
    obey(machine, outcome)
}

/// Time has passed: the run may be over, or something of the kernel's is due.
fn tick(machine: &mut Machine) -> Outcome {
    let now = csr::now();
    if let Some(status) = machine.system.watch.verdict(now) {
        halt(status, 0, 0);
    }
    machine.system.kernel.timer(now)
}

/// An interrupt while the core idles.
fn interrupt(machine: &mut Machine) -> Option<Outcome> {
    let source = devices::claim()?;
    let now = csr::now();
    let taken = machine.system.line(source).and_then(|line| machine.system.kernel.interrupt(now, line).ok());
    if taken.is_none() {
        record_stray(machine, now, source);
    }
    taken
}

/// An interrupt that nobody takes stays masked.
#[cold]
fn record_stray(machine: &mut Machine, now: Time, source: u16) {
    machine.system.kernel.sink().machine(now, MachineKind::StrayInterrupt, ThreadIndex::NONE, source, 0);
}

/// Does what the kernel says.
#[inline(never)]
fn obey(machine: &mut Machine, outcome: Outcome) -> ! {
    let mut outcome = outcome;
    loop {
        check(machine);
        if outcome.restart.is_some() {
            restart(machine, &outcome);
        }
        arm(machine, &outcome);
        if outcome.thread.is_none() {
            outcome = idle(machine);
        } else if outcome.delivery == Delivery::Abort {
            outcome = match machine.system.kernel.abort(csr::now()) {
                Ok(outcome) => outcome,
                Err(error) => halt(Status::Panic, error as u64, 0),
            };
        } else {
            deliver(machine, &outcome);
        }
    }
}

/// Lets the thread go on that the kernel has chosen, with what it finds.
#[inline(always)]
fn deliver(machine: &mut Machine, outcome: &Outcome) -> ! {
    let thread = outcome.thread;
    let context = machine.context(thread);
    match outcome.delivery {
        Delivery::None if context.get(REQUEST) == INTERRUPTED => exit::resume_interrupted(context),
        Delivery::None | Delivery::Abort => answer(context, abi::OK),
        Delivery::Start => exit::enter(context, machine.system.home(thread), [thread.at(), 0, 0, 0, 0, 0], 0, 0),
        Delivery::Enter(gate) => {
            let callers = context.callers();
            enter(machine, thread, gate, callers, kept_words(callers), callers.get(T0))
        }
        Delivery::Return => exit::resume_call(context, context, kept_words(context), context.get(T0), abi::OK),
        Delivery::Failed(failure) => answer(context, abi::FAILURE + failure as usize),
        Delivery::Signal(bits) => exit::resume_call(context, context, [bits as usize, 0, 0, 0, 0, 0], 0, abi::OK),
    }
}

/// The thread has passed the gate: it goes on there, or behind its call if the gate is a mutex.
fn enter(
    machine: &mut Machine,
    thread: ThreadIndex,
    gate: GateIndex,
    callers: Context,
    words: [usize; 6],
    further: usize,
) -> ! {
    let context = callers.callees();
    if machine.system.kernel.tables().gates[gate.at()].kind == GateKind::Mutex {
        carry_over(callers, context);
        answer(context, abi::OK);
    }
    let stack = machine.system.stack(thread);
    if further > 0 {
        message::copy(machine.system.callers_stack(thread), stack, further);
    }
    let who = method_and_caller(callers.get(REQUEST), thread);
    exit::enter(context, stack, words, further, who)
}

/// The thread goes on behind its call, without words.
#[cold]
#[inline(never)]
fn answer(context: Context, error: usize) -> ! {
    exit::resume_call(context, context, NO_WORDS, 0, error)
}

fn keep_words(context: Context, words: [usize; 6]) {
    for (index, word) in words.into_iter().enumerate() {
        context.set(A0 + index, word);
    }
}

fn kept_words(context: Context) -> [usize; 6] {
    core::array::from_fn(|index| context.get(A0 + index))
}

/// A mutex moves the thread to another context while it stays where it is.
fn carry_over(from: Context, to: Context) {
    for word in 0..FRAME_WORDS {
        to.set(word, from.get(word));
    }
}

#[cold]
#[inline(never)]
fn restart(machine: &mut Machine, outcome: &Outcome) {
    let ranges = machine.system.copies(outcome.restart);
    for range in ranges {
        // SAFETY:
        // 1. The boot has checked all ranges with `is_copy`.
        // 2. The kernel refers to no memory of components.
        unsafe { physical::restore(range) }
    }
    let bytes = ranges.iter().map(|range| range.bytes).sum();
    let now = csr::now();
    machine.system.kernel.sink().machine(now, MachineKind::Restarted, ThreadIndex::NONE, outcome.restart.0, bytes);
}

/// Stops the machine if a rule of the kernel's state does not hold; in other builds nothing.
#[cfg(feature = "checked")]
fn check(machine: &Machine) {
    if let Err(broken) = machine.system.kernel.check() {
        halt(Status::BrokenInvariant, broken as u64, 0);
    }
}

/// Nothing: this build does not check itself.
#[cfg(not(feature = "checked"))]
#[inline(always)]
fn check(_: &Machine) {}

/// Sets the timer if it must fire at another time than it is set to.
#[inline]
fn arm(machine: &mut Machine, outcome: &Outcome) {
    let deadline = machine.system.deadline(outcome);
    if deadline != machine.armed {
        machine.armed = deadline;
        devices::set_timer(deadline);
    }
}

/// Sleeps until something is to be done.
fn idle(machine: &mut Machine) -> Outcome {
    loop {
        csr::wait_for_interrupt();
        let (timer, external) = csr::pending();
        if external && let Some(outcome) = interrupt(machine) {
            return outcome;
        }
        if timer {
            return tick(machine);
        }
    }
}

const _: () = assert!(Error::NotLocked as usize + abi::FIRST_ERROR <= abi::NO_SUCH_OPERATION);
const _: () = assert!(Failure::Fault as usize > 0);
