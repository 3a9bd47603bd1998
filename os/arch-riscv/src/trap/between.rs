//! Gates between cores.
//!
//! An event that concerns only its own core is handled as on a machine with one core, by the same
//! fast paths. Here a thread asks at a gate between cores, waits for it, or its core executes an
//! activation: then each event is a list of sections, each under the lock of one gate, and in the
//! end the core goes on. While an activation runs, traps arrive at [`activation_vector`].

use super::activation::{begin, of_message, packet_of_owner, record_fault, stack, take_results};
use super::restart::at_restart;
use super::saving::{save_all, save_preserved};
use super::token::{Never, Trap};
use crate::asm::save;
use crate::context::{A6, A7, ASKED, Context, INTERRUPTED, PROGRAM_COUNTER, REQUEST, T0};
use crate::halt::{early, halt, kernel_trap};
use crate::machine::Machine;
use crate::shared::Packet;
use crate::{clock, csr, devices, exit, message};
use core::arch::naked_asm;
use fusee_image_format::{Status, abi};
use fusee_kernel::cores::{Due, Executes};
use fusee_kernel::{
    Error, Event, GateKind, GlobalIndex, MailboxIndex, ResumeError, ResumeReason, ThreadIndex, Time,
};
use fusee_system::Verdict;
use fusee_trap_flow as flow;
use fusee_trap_flow::{Arch, Registers, answer, arm_for, go_on, method_and_caller};

/// The running thread invokes with a slot that leads to no gate of this core; its words are kept.
#[inline(always)]
pub(super) fn invoke_elsewhere(trap: Trap, context: Context) -> Never {
    let kernel = trap.kernel();
    let component = kernel.component_of(kernel.current());
    let named = trap.system().globals.named(component, context.slot(), GateKind::Interface);
    if let Some(global) = named {
        ask(trap, global, context)
    } else {
        let refusal = trap.kernel().refusal(context.slot());
        answer(trap, context, refusal as usize)
    }
}

/// The running thread, whose words are kept, asks at a gate between cores.
fn ask(mut trap: Trap, global: GlobalIndex, caller: Context) -> Never {
    let thread = trap.kernel().current();
    if let Err(error) = trap.system_mut().between().ask(global) {
        return answer(trap, caller, error as usize);
    }
    let packet = Packet {
        words: caller.words(),
        further: caller.further(),
        who: method_and_caller(&trap, caller, thread),
        message: trap.system().stack(thread).message as usize,
    };
    let machine = trap.machine_mut();
    let seat = machine.system.globals.seat(global, thread);
    // SAFETY:
    // 1. The thread has not asked yet, so the packet is its core's.
    unsafe { machine.shared.packet(global, seat).write(packet) }
    caller.callees().set(REQUEST, ASKED);
    finish(trap)
}

/// The running thread locks or unlocks with a slot that leads to no mutex of this core.
#[cold]
#[inline(never)]
pub(super) fn at_mutex(mut trap: Trap, context: Context, operation: usize, slot: u16) -> Never {
    let thread = trap.kernel().current();
    let component = trap.kernel().component_of(thread);
    let Some(global) = trap.system().globals.named(component, slot, GateKind::Mutex) else {
        return answer(trap, context, Error::NoCapability as usize);
    };
    let locks = operation == abi::LOCK;
    let event = if locks { Event::Lock(slot) } else { Event::Unlock(slot) };
    if let Err(error) = trap.system_mut().between().at_mutex(global, event) {
        return answer(trap, context, error as usize);
    }
    if locks {
        context.callees().set(REQUEST, ASKED);
    } else {
        let below = trap.kernel().thread(thread).topmost - 1;
        context.carry_over(trap.context_of(thread, below));
    }
    finish(trap)
}

/// Notes that a release may have filled the budget of the thread that holds a mutex: it ends no
/// sooner than that.
#[cold]
#[inline(never)]
pub(super) fn keep_account(trap: &mut Trap, now: Time) {
    trap.system_mut().between().come_back(now);
}

/// The running thread signals with a slot that leads to no notification of this core.
#[cold]
#[inline(never)]
pub(super) fn signal(mut trap: Trap, slot: u16, context: Context) -> Never {
    let component = trap.kernel().component_of(trap.kernel().current());
    let Some((mailbox, bits)) = trap.system().globals.mailbox(component, slot) else {
        return answer(trap, context, Error::NoCapability as usize);
    };
    let posted = trap.system_mut().between().post(clock::now(), mailbox, bits);
    match posted.and_then(|()| at_mailbox(trap.machine_mut(), mailbox)) {
        Ok(()) => answer(trap, context, abi::OK),
        Err(error) => answer(trap, context, error as usize),
    }
}

/// The step at a mailbox that is due.
fn at_mailbox(machine: &mut Machine, mailbox: MailboxIndex) -> Result<(), Error> {
    let Machine { system, shared, .. } = &mut *machine;
    let Some(mailbox) = shared.mailbox(mailbox) else {
        at_restart(machine);
        return Ok(());
    };
    let ipis = system.between().at_mailbox(clock::now(), mailbox)?;
    shared.tell(ipis);
    Ok(())
}

/// The running thread has asked before, and has the core again.
#[cold]
#[inline(never)]
pub(super) fn come_back(mut trap: Trap) -> Never {
    trap.system_mut().between().come_back(clock::now());
    finish(trap)
}

/// The running thread faulted, or was sent here, in a component that other cores enter as well, or
/// with a mutex that they lock. Otherwise nothing has been done.
#[inline(never)]
pub(super) fn fault_beside_others(
    mut trap: Trap,
    now: Time,
    thread: ThreadIndex,
) -> Result<Never, Trap> {
    let kernel = trap.kernel();
    let event = match (kernel.is_unrestored(thread), kernel.is_stale(thread)) {
        (true, _) => Event::Restored,
        (false, true) => Event::Abort,
        (false, false) => Event::Fault,
    };
    if trap.system_mut().between().restarts(event) {
        if event == Event::Fault {
            flow::record_fault(&mut trap, now);
        }
        at_restart(trap.machine_mut());
        finish(trap);
    }
    Err(trap)
}

/// Takes the sections that are due, one after the other; then the chosen thread goes on.
#[inline(never)]
pub(crate) fn finish(mut trap: Trap) -> Never {
    let machine = trap.machine_mut();
    while let Some(global) = machine.system.between().due() {
        let Machine { system, shared, owner, .. } = &mut *machine;
        let mut between = system.between();
        let left = shared.locked(global, |locked| {
            // Not when the path began: what is recorded of a gate has happened in this order.
            let left = between.section(clock::now(), locked);
            // What this core learns of another gate meanwhile is nothing of its activation.
            if between.inside().global == global {
                *owner = locked.gate.owner;
            }
            left
        });
        shared.tell(left.ipis);
        between.conclude(clock::now(), &left);
        if left.back.is_some() {
            take_results(machine, global, left.back);
        }
    }
    let (executes, chosen) = machine.system.between().ended();
    match executes {
        Executes::Activation(global) => {
            trap.check();
            arm_in_activation(&mut trap);
            execute(trap, global)
        }
        Executes::Nothing if machine.system.kernel().current().is_some() => {
            trap.check();
            arm_in_activation(&mut trap);
            sleep()
        }
        Executes::Nothing | Executes::Thread => {
            super::arrive_as_thread();
            go_on(trap, chosen)
        }
    }
}

/// Sets the timer for what matters while a thread of this core has asked.
#[inline(always)]
fn arm_in_activation(trap: &mut Trap) {
    let deadline = trap.system().deadline_in_activation();
    arm_for(trap, deadline);
}

/// The activation that this core executes goes on.
fn execute(mut trap: Trap, global: GlobalIndex) -> Never {
    let machine = trap.machine_mut();
    csr::write!("mtvec", activation_vector as *const () as usize | 1);
    let inside = *machine.system.between().inside();
    let Ok(reason) = machine.system.between().found() else {
        // What the activation had in registers is needed no more, or lies where its words are.
        exit::nowhere(Context::discarded())
    };
    let context = machine.shared.context(global, inside.depth);
    match reason {
        ResumeReason::Enter if inside.depth == 0 => begin(machine, global, context),
        ResumeReason::Enter => {
            let (callers, stack) = (context.callers(), stack(machine, global, inside.depth));
            let further = callers.get(T0);
            if further > 0 {
                let from = self::stack(machine, global, inside.depth - 1);
                message::copy(from, stack, further);
            }
            let caller = packet_of_owner(machine, global).who & usize::from(u16::MAX);
            let who = (u32::from(callers.method()) << abi::METHOD_SHIFT) as usize | caller;
            exit::enter(context, stack, callers.words(), further, who)
        }
        ResumeReason::Return => {
            exit::resume_call(context, context, context.words(), context.further(), abi::OK)
        }
        ResumeReason::Failed => answer(trap, context, abi::FAILURE + inside.value as usize),
        ResumeReason::Nothing | ResumeReason::Start | ResumeReason::Lock | ResumeReason::Signal => {
            exit::resume_interrupted(context)
        }
    }
}

/// Sleeps until something is to be done, with an empty stack.
///
/// # Safety
/// As of [`idle`](super::idle).
#[unsafe(naked)]
extern "C" fn sleep() -> ! {
    naked_asm!("la sp, __stack_top", "j {sleeping}", sleeping = sym sleeping)
}

extern "C" fn sleeping() -> ! {
    super::sleep_until(external, timer)
}

/// An event that the kernel cannot refuse.
fn event(mut trap: Trap, now: Time, event: Event) -> Never {
    if let Err(error) = trap.system_mut().between().handle(now, event) {
        halt(Status::KernelTrap, error as u64, 0);
    }
    finish(trap)
}

/// Another core has told this one to look.
pub(crate) extern "C" fn software() -> Never {
    // SAFETY:
    // 1. `vector` jumps here once for each interrupt, or the sleeping core has come here.
    let mut trap = unsafe { Trap::begin() };
    // The hardware prefers what others tell to the timer. However often they do, what this core
    // has to do by the clock is not late: the other interrupt stays pending.
    if csr::pending().time {
        return timer_first(trap);
    }
    let machine = trap.machine_mut();
    if let Some(at) = machine.shared.look() {
        machine.system.between().look(at);
    }
    if let Some(mailbox) = machine.system.between().next().mailbox() {
        // What is taken is never refused.
        let _ = at_mailbox(machine, mailbox);
    }
    finish(trap)
}

/// Handles the timer's interrupt in place of one that waits, as in the state that the core is in.
#[cold]
fn timer_first(mut trap: Trap) -> Never {
    let idles = trap.kernel().current().is_none();
    match trap.system_mut().between().executes() {
        Executes::Thread => super::timer(),
        Executes::Nothing if idles => super::timer(),
        Executes::Activation(_) | Executes::Nothing => timer(),
    }
}

/// The timer fired while a thread of this core has asked.
extern "C" fn timer() -> Never {
    // SAFETY:
    // 1. `activation_vector` jumps here once for each interrupt, or the sleeping core has come.
    let trap = unsafe { Trap::begin() };
    let (now, watch) = (clock::now(), &trap.system().watch);
    // A request of the boot thread between cores is not cut off: it is ended as soon as it is back.
    if now >= watch.next_in_activation()
        && let Verdict::Ends(status) = watch.verdict(now)
    {
        halt(status, 0, 0);
    }
    event(trap, now, Event::Timer)
}

/// A device interrupts while a thread of this core has asked.
extern "C" fn external() -> Never {
    // SAFETY:
    // 1. `activation_vector` jumps here once for each interrupt, or the sleeping core has come.
    let mut trap = unsafe { Trap::begin() };
    let now = clock::now();
    let Some(source) = devices::claim() else { return finish(trap) };
    match trap.line(source.get()) {
        Some(line) => event(trap, now, Event::Interrupt(line)),
        None => {
            flow::record_stray(&mut trap, now, source.get());
            finish(trap)
        }
    }
}

/// The activation calls, or has faulted: all its registers are saved.
extern "C" fn exception() -> Never {
    // SAFETY:
    // 1. `activation_vector` jumps here once for each exception.
    let mut trap = unsafe { Trap::begin() };
    let now = clock::now();
    let machine = trap.machine_mut();
    let inside = *machine.system.between().inside();
    let context = machine.shared.context(inside.global, inside.depth);
    if csr::cause() != csr::USER_CALL {
        return activation_fault(trap, now);
    }
    context.set(PROGRAM_COUNTER, context.get(PROGRAM_COUNTER) + 4);
    context.set(REQUEST, context.get(A6));
    let (operation, further) = (context.get(A7), context.get(T0));
    if matches!(operation, abi::INVOKE | abi::RETURN) && further > abi::MEMORY_WORDS {
        return answer(trap, context, abi::MESSAGE_TOO_LONG);
    }
    match operation {
        abi::INVOKE => invoke(trap, inside.global, context),
        abi::RETURN => come_out(trap, inside.global, context),
        abi::ACKNOWLEDGE | abi::POLL | abi::SIGNAL | abi::WAIT => {
            answer(trap, context, Error::InGlobal as usize)
        }
        _ if flow::is_simple::<Trap>(operation) => answer(trap, context, Error::InGlobal as usize),
        _ => answer(trap, context, abi::NO_SUCH_OPERATION),
    }
}

/// The activation faulted, or was sent here because its component is gone or to be put back, or
/// because this core has to leave that first.
#[cold]
#[inline(never)]
fn activation_fault(mut trap: Trap, now: Time) -> Never {
    let machine = trap.machine_mut();
    let event = match machine.system.between().resume_error() {
        Some(ResumeError::Gone) => Event::Abort,
        Some(ResumeError::Unrestored) => Event::Restored,
        None => {
            record_fault(machine, now);
            Event::Fault
        }
    };
    if let Err(error) = machine.system.between().handle(now, event) {
        halt(Status::KernelTrap, error as u64, 0);
    }
    at_restart(machine);
    finish(trap)
}

/// The activation passes a gate below its own.
fn invoke(mut trap: Trap, global: GlobalIndex, context: Context) -> Never {
    let now = clock::now();
    let machine = trap.machine_mut();
    let depth = machine.system.between().inside().depth;
    if let Err(error) = machine.system.between().handle(now, Event::Invoke(context.slot())) {
        return answer(trap, context, error as usize);
    }
    if let Due::Pass(_, gate) = machine.system.between().next() {
        let Some(stack) = machine.system.globals.below(global, gate) else {
            halt(Status::KernelTrap, u64::from(gate.0), 0)
        };
        // SAFETY:
        // 1. This core executes the activation, and the kernel has found that it may go so deep.
        unsafe { machine.shared.stack(global, depth + 1).write(stack) }
    }
    finish(trap)
}

/// The activation comes back from the gate passed last.
fn come_out(mut trap: Trap, global: GlobalIndex, context: Context) -> Never {
    let now = clock::now();
    let machine = trap.machine_mut();
    let (depth, further) = (machine.system.between().inside().depth, context.further());
    let from = stack(machine, global, depth);
    let words = context.words();
    if depth == 0 {
        let place = machine.shared.packet(global, machine.owner);
        let packet = packet_of_owner(machine, global);
        message::copy(from, &of_message(packet.message), further);
        // SAFETY:
        // 1. As of `packet_of_owner`: the owner reads it when it has been told that it is back.
        unsafe { place.write(Packet { words, further, ..packet }) }
    } else {
        message::copy(from, stack(machine, global, depth - 1), further);
        context.callers().keep_words(words);
        context.callers().keep_further(further);
    }
    event(trap, now, Event::Return)
}

/// The entry of an activation's traps, for `mtvec` in vectored mode: all of its registers are saved
/// where it is, which belongs to its gate. It is alone in its section, so that it begins where the
/// section does, which is aligned.
///
/// # Safety
/// Nobody calls this; traps from user mode arrive here with a context in `mscratch`.
#[unsafe(naked)]
#[unsafe(link_section = ".text.activation_vector")]
unsafe extern "C" fn activation_vector() {
    naked_asm!(
        ".balign 256",
        ".option push",
        ".option norvc",
        "j {excepted}", "j {unexpected}", "j {unexpected}",
        "j {looked}",
        "j {unexpected}", "j {unexpected}", "j {unexpected}",
        "j {timed}",
        "j {unexpected}", "j {unexpected}", "j {unexpected}",
        "j {interrupted}",
        ".option pop",
        excepted = sym excepted,
        unexpected = sym early,
        looked = sym looked,
        timed = sym timed,
        interrupted = sym interrupted,
    )
}

/// Saves everything and goes to a handler, with a word that says what came.
macro_rules! arrives {
    ($name:ident, $handler:path, $request:expr, $($first:literal),*) => {
        /// # Safety
        /// As [`activation_vector`].
        #[unsafe(naked)]
        pub(crate) unsafe extern "C" fn $name() {
            naked_asm!(
                $($first,)*
                "csrrw sp, mscratch, sp",
                save_all!(),
                "li t1, {request}",
                save!("t1", 18),
                "la sp, __stack_top",
                "j {handler}",
                request = const $request as isize,
                handler = sym $handler,
            )
        }
    };
}

arrives!(looked, software, INTERRUPTED,);
arrives!(timed, timer, INTERRUPTED,);
arrives!(interrupted, external, INTERRUPTED,);

/// # Safety
/// As [`activation_vector`].
#[unsafe(naked)]
unsafe extern "C" fn excepted() {
    naked_asm!(
        "csrrw sp, mscratch, sp",
        save_all!(),
        "csrr t1, mstatus",
        "srli t1, t1, 11",
        "andi t1, t1, 3",
        "la sp, __stack_top",
        "bnez t1, 1f",
        "j {exception}",
        "1: j {kernel_trap}",
        exception = sym exception,
        kernel_trap = sym kernel_trap,
    )
}
