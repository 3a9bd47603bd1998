//! Tries forbidden system calls and privileged instructions.
//!
//! Each job makes one attempt. An attempt is either refused, which it reports itself, or faults,
//! which ends the job and is reported by the next one. Whatever has the effect it was meant to have
//! says "BROKEN".
#![no_std]

use camkes::println;
use core::arch::asm;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The component's capabilities, in the order in which its interfaces are declared.
mod slot {
    pub const ACCOUNT: usize = 0;
    pub const ALARM: usize = 1;
}

mod operation {
    pub const INVOKE: usize = 0;
    pub const RETURN: usize = 1;
    pub const SIGNAL: usize = 3;
    pub const WAIT: usize = 4;
    pub const POLL: usize = 5;
    pub const YIELD: usize = 6;
    pub const ACKNOWLEDGE: usize = 7;
    pub const LOCK: usize = 8;
    pub const UNLOCK: usize = 9;
}

/// A system call as it is: operation, slot and method, further words, and where sp and tp point
/// meanwhile.
struct Call {
    operation: usize,
    selector: usize,
    words: usize,
}

impl Call {
    /// Makes it; 0 or the error.
    fn make(&self) -> usize {
        let error;
        // SAFETY:
        // 1. Every register that the kernel does not preserve is named.
        // 2. No operation writes to this component's memory.
        unsafe {
            asm!(
                "ecall",
                inout("a7") self.operation => error,
                inout("a6") self.selector => _,
                inout("t0") self.words => _,
                inout("a0") 1usize => _, inout("a1") 2usize => _, inout("a2") 3usize => _,
                inout("a3") 4usize => _, inout("a4") 5usize => _, inout("a5") 6usize => _,
                out("t1") _, out("t2") _, out("t3") _, out("t4") _, out("t5") _, out("t6") _,
                out("ra") _,
            );
        }
        error
    }

    /// Makes it with the message area's pointer and the stack pointer bent.
    fn make_with_pointers(&self, pointer: usize) -> usize {
        let error;
        // SAFETY:
        // 1. As above; the stack and the thread pointer are kept in registers that the kernel
        //    preserves.
        unsafe {
            asm!(
                "mv t1, sp",
                "mv t2, tp",
                "mv sp, t3",
                "mv tp, t3",
                "mv s2, t1",
                "mv s3, t2",
                "ecall",
                "mv sp, s2",
                "mv tp, s3",
                inout("a7") self.operation => error,
                inout("a6") self.selector => _,
                inout("t0") self.words => _,
                inout("t3") pointer => _,
                out("a0") _, out("a1") _, out("a2") _, out("a3") _, out("a4") _, out("a5") _,
                out("t1") _, out("t2") _, out("t4") _, out("t5") _, out("t6") _, out("ra") _,
                out("s2") _, out("s3") _,
            );
        }
        error
    }
}

fn call(operation: usize, selector: usize, words: usize) -> usize {
    Call { operation, selector, words }.make()
}

/// What must happen.
enum Expected {
    /// Refused with an error, nothing done.
    Refused,
    /// The component faults.
    Fault,
    /// Allowed, or without effect.
    Harmless,
}

struct Attempt {
    name: &'static str,
    expected: Expected,
    /// 0: the call was made; otherwise the error.
    make: fn() -> usize,
}

/// All attempts on slots from a range with one operation; 0 if one of them was let through.
fn all_slots(operation: usize) -> usize {
    let mut least = usize::MAX;
    for slot in (16..1024).step_by(97).chain([255, 256, 0x7fff, 0x8000, 0xffff]) {
        least = least.min(call(operation, slot, 0));
    }
    least
}

macro_rules! faults {
    ($name:literal, $instruction:literal $(,)?) => {
        Attempt {
            name: $name,
            expected: Expected::Fault,
            make: || {
                // SAFETY:
                // 1. One instruction, which must not work; it writes no register but `t0`.
                unsafe { asm!($instruction, out("t0") _) };
                0
            },
        }
    };
}

macro_rules! refused {
    ($name:literal, $make:expr $(,)?) => {
        Attempt { name: $name, expected: Expected::Refused, make: $make }
    };
}

macro_rules! harmless {
    ($name:literal, $make:expr $(,)?) => {
        Attempt { name: $name, expected: Expected::Harmless, make: $make }
    };
}

static ATTEMPTS: &[Attempt] = &[
    refused!("invoke what it has no capability for", || all_slots(operation::INVOKE)),
    refused!("signal what it has no capability for", || all_slots(operation::SIGNAL)),
    refused!("wait for what it has no capability for", || all_slots(operation::WAIT)),
    refused!("poll what it has no capability for", || all_slots(operation::POLL)),
    refused!("acknowledge interrupts that are not its own", || all_slots(operation::ACKNOWLEDGE)),
    refused!("lock what is no mutex", || all_slots(operation::LOCK)),
    refused!("unlock without a lock", || all_slots(operation::UNLOCK)),
    refused!(
        "signal the notification it may only wait for",
        || call(operation::SIGNAL, slot::ALARM, 0),
    ),
    refused!("invoke a notification", || call(operation::INVOKE, slot::ALARM, 0)),
    refused!("wait for a gate", || call(operation::WAIT, slot::ACCOUNT, 0)),
    refused!("return from no gate", || call(operation::RETURN, 0, 0)),
    refused!("a message one word too long", || call(operation::INVOKE, slot::ACCOUNT, 115)),
    refused!("a message of a million words", || call(operation::INVOKE, slot::ACCOUNT, 1_000_000)),
    refused!("a message of all memory", || call(operation::INVOKE, slot::ACCOUNT, usize::MAX)),
    refused!(
        "a negative message",
        || call(operation::INVOKE, slot::ACCOUNT, 1 << (usize::BITS - 1)),
    ),
    harmless!(
        "a method that does not exist",
        || call(operation::INVOKE, slot::ACCOUNT | 2 << 16, 0),
    ),
    harmless!(
        "the last method number",
        || call(operation::INVOKE, slot::ACCOUNT | 0xffff << 16, 0),
    ),
    refused!("an operation that does not exist", || call(10, 0, 0)),
    refused!("operation 2^31", || call(1 << 31, 0, 0)),
    refused!("operation -1", || call(usize::MAX, 0, 0)),
    refused!("a long message with bent pointers", || {
        Call { operation: operation::INVOKE, selector: slot::ACCOUNT, words: 115 }
            .make_with_pointers(0x8000_0000)
    }),
    harmless!("the longest message with pointers into the kernel", || {
        Call { operation: operation::INVOKE, selector: slot::ACCOUNT | 1 << 16, words: 114 }
            .make_with_pointers(0x8000_0000)
    }),
    harmless!("the longest message with pointers to nothing", || {
        Call { operation: operation::INVOKE, selector: slot::ACCOUNT | 1 << 16, words: 114 }
            .make_with_pointers(0)
    }),
    harmless!("a hundred yields", || (0..100).fold(0, |_, _| call(operation::YIELD, 0, 0))),
    harmless!("read the clock", || {
        let time: usize;
        // SAFETY:
        // 1. Reading the counter changes nothing.
        unsafe { asm!("rdcycle {}", out(reg) time) };
        time & 0
    }),
    faults!("return to a lower privilege", "mret"),
    faults!("return to supervisor mode", "sret"),
    faults!("wait for an interrupt", "wfi"),
    faults!("flush address translation", "sfence.vma"),
    faults!("read the machine's status", "csrr t0, mstatus"),
    faults!("read the hart's number", "csrr t0, mhartid"),
    faults!("read the trap vector", "csrr t0, mtvec"),
    faults!("read the page table's place", "csrr t0, satp"),
    faults!("read the supervisor's status", "csrr t0, sstatus"),
    faults!("read the kernel's scratch register", "csrr t0, mscratch"),
    faults!("write the machine's status", "csrw mstatus, zero"),
    faults!("write the trap vector", "csrw mtvec, zero"),
    faults!("switch address translation off", "csrw satp, zero"),
    faults!("open memory protection", "csrw pmpcfg0, zero"),
    faults!("move memory protection", "csrw pmpaddr0, zero"),
    faults!("switch interrupts off", "csrci mstatus, 8"),
    faults!("mask the timer", "csrw mie, zero"),
    faults!("delegate traps to itself", "csrw medeleg, zero"),
    faults!("set the clock", "csrw mcycle, zero"),
    faults!("set the clock through its shadow", "csrw cycle, zero"),
    faults!("count instructions", "csrr t0, mcountinhibit"),
    faults!("enter debug mode", "csrr t0, dcsr"),
];

static NEXT: AtomicUsize = AtomicUsize::new(0);
static CAME_BACK: AtomicBool = AtomicBool::new(false);

struct Attacker;

camkes::component!(Attacker);

impl camkes::provided::Control for Attacker {
    fn run() {
        attack();
    }
}

/// One attempt, after a look at what became of the last one.
fn attack() {
    if camkes::HOSTILE == 0 {
        return;
    }
    let next = NEXT.load(Ordering::Relaxed);
    if let Some(last) = next.checked_sub(1).map(|last| &ATTEMPTS[last]) {
        let came_back = CAME_BACK.load(Ordering::Relaxed);
        if came_back == matches!(last.expected, Expected::Fault) {
            println!("BROKEN: {}: {}", last.name, if came_back { "no fault" } else { "a fault" });
        }
    }
    let Some(attempt) = ATTEMPTS.get(next) else {
        println!("{} attempts made, now for ever", ATTEMPTS.len());
        endless_deposits()
    };
    CAME_BACK.store(false, Ordering::Relaxed);
    NEXT.store(next + 1, Ordering::Relaxed);
    let error = (attempt.make)();
    CAME_BACK.store(true, Ordering::Relaxed);
    if error == 0 && matches!(attempt.expected, Expected::Refused) {
        println!("BROKEN: {}: was not refused", attempt.name);
    }
}

/// The budget ends again and again, also inside somebody else's gate.
fn endless_deposits() -> ! {
    loop {
        call(operation::INVOKE, slot::ACCOUNT, 0);
    }
}
