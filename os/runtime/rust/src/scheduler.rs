//! The calls of a scheduler: to dispatch its threads and to hear of them.
//!
//! Threads and accounts have the numbers that the generated crate has constants for; each thread
//! has an account with its own number. Times are those of [`now`](crate::now). A priority is better
//! the lower it is. A refused call has changed nothing.

mod ready;

pub use ready::{Ready, Thread};

use core::arch::asm;
use core::sync::atomic::{AtomicU32, Ordering};

use crate::now;

/// No time-out.
pub const NEVER: u64 = u64::MAX;
/// No other priority than the account's.
pub const AS_IT_IS: u32 = u32::MAX;
/// A description's priorities are the higher the better: there it has this much less.
pub const TOP_PRIORITY: u32 = 255;

/// A thread that is dispatched, as the description has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dispatched {
    /// Its number, and its account's.
    pub thread: u16,
    /// Its priority; the lower the better.
    pub priority: u32,
    /// Nanoseconds from one release to the next; 0: no clock releases it.
    pub period: u64,
    /// The time of its first release.
    pub first: u64,
    /// Nanoseconds from its release to its deadline; 0: it has none.
    pub deadline: u64,
}

/// Time that the description says a thread gets in each period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// The thread that the account belongs to.
    pub thread: u16,
    /// The priority with which it is given.
    pub priority: u32,
    /// The amount in nanoseconds.
    pub amount: u64,
}

/// An event of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// The thread that it is about.
    pub thread: u16,
    /// `true` if it has nothing to do.
    pub waits: bool,
    /// The time that it has run since its last event, in nanoseconds.
    pub ran: u64,
}

/// The kernel's number for the refusal of a scheduler's call. As an enumeration it could become a
/// table of jumps, through which nobody follows a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refused(pub usize);

impl Refused {
    /// The thread or account is another one's, or the thread is no scheduler.
    pub const NOT_ITS: Self = Self(43);
    /// The token is not newer than that of the last dispatch.
    pub const STALE: Self = Self(44);
    /// Events have still to be received.
    pub const EVENTS: Self = Self(45);
    /// The account has not so much.
    pub const NO_BUDGET: Self = Self(46);
    /// The time-out is not in the future.
    pub const PAST: Self = Self(47);
    /// The thread has nothing to do, or has dispatched another.
    pub const NOT_READY: Self = Self(48);
    /// The account would hold more than it may.
    pub const LIMIT: Self = Self(51);

    fn of(error: usize) -> Result<(), Self> {
        if error == 0 { Ok(()) } else { Err(Self(error)) }
    }
}

const RECEIVE: usize = 10;
const DISPATCH: usize = 11;
const DELEGATE: usize = 12;
const DELEGATE_AND_YIELD: usize = 13;
const TRANSFER: usize = 14;
const YIELD_UNTIL: usize = 17;

/// Calls the kernel with a slot and words; its error and its words.
fn decide(operation: usize, slot: u16, words: [usize; 5]) -> (usize, [usize; 5]) {
    let [mut a0, mut a1, mut a2, mut a3, mut a4] = words;
    let mut a7 = operation;
    // SAFETY:
    // 1. The kernel reads and changes registers only, all of which are named here: it keeps what a
    //    function keeps, and no word of these calls lies in memory.
    unsafe {
        asm!("ecall",
            inout("a0") a0, inout("a1") a1, inout("a2") a2, inout("a3") a3, inout("a4") a4,
            inout("a5") 0_usize => _, inout("a6") usize::from(slot) => _, inout("a7") a7,
            inout("t0") 0_usize => _, out("t1") _, out("t2") _, out("t3") _, out("t4") _,
            out("t5") _, out("t6") _, options(nostack));
    }
    (a7, [a0, a1, a2, a3, a4])
}

/// Returns a time as two words of 32 bits.
fn halves(time: u64) -> [usize; 2] {
    [time as u32 as usize, (time >> 32) as usize]
}

/// Receives an event; if there is none, waits for one until a time, and longer if another thread
/// has the core then. `None`: it was woken without an event, by the time at the latest. With a time
/// that is past, as 0, it only asks: it keeps the core.
pub fn receive(until: u64) -> Option<Event> {
    let [low, high] = halves(until);
    let (error, [any, thread, low, high, waits]) = decide(RECEIVE, 0, [low, high, 0, 0, 0]);
    let ran = (high as u64) << 32 | u64::from(low as u32);
    (error == 0 && any != 0).then_some(Event { thread: thread as u16, waits: waits != 0, ran })
}

/// A thread runs on an account until it waits, the budget ends or the time-out is due; then this
/// comes back. A token makes stale decisions fail: each must be newer than the one before.
///
/// # Errors
/// Why it is refused.
pub fn dispatch_with(
    thread: u16,
    account: u16,
    until: u64,
    (token, priority): (u32, u32),
) -> Result<(), Refused> {
    let [low, high] = halves(until);
    let words = [account.into(), low, high, token as usize, priority as usize];
    Refused::of(decide(DISPATCH, thread, words).0)
}

/// The same with tokens that are counted here, under the account's own priority.
///
/// # Errors
/// Why it is refused.
pub fn dispatch(thread: u16, account: u16, until: u64) -> Result<(), Refused> {
    static TOKEN: AtomicU32 = AtomicU32::new(0);
    let token = TOKEN.fetch_add(1, Ordering::Relaxed).wrapping_add(1);
    dispatch_with(thread, account, until, (token, AS_IT_IS))
}

fn give(
    operation: usize,
    to: u16,
    from: u16,
    (amount, priority): (u64, u32),
) -> Result<(), Refused> {
    let [low, high] = halves(amount);
    Refused::of(decide(operation, to, [from.into(), low, high, priority as usize, 0]).0)
}

/// Gives time to another scheduler, one of the caller's threads; it runs at once if all agree.
///
/// # Errors
/// Why it is refused.
pub fn delegate(to: u16, from: u16, amount: u64, priority: u32) -> Result<(), Refused> {
    give(DELEGATE, to, from, (amount, priority))
}

/// The same, and dispatches it.
///
/// # Errors
/// Why it is refused.
pub fn delegate_and_yield(to: u16, from: u16, amount: u64, priority: u32) -> Result<(), Refused> {
    give(DELEGATE_AND_YIELD, to, from, (amount, priority))
}

/// A scheduler among the caller's threads has the core until a time, and is given what it lacks for
/// that: what it has kept counts.
///
/// # Errors
/// Why it is refused.
pub fn yield_until(to: u16, from: u16, until: u64, priority: u32) -> Result<(), Refused> {
    give(YIELD_UNTIL, to, from, (until, priority))
}

/// Moves time between two accounts of the caller's: its own, and those of its threads.
///
/// # Errors
/// Why it is refused.
pub fn transfer(to: u16, from: u16, amount: u64, priority: u32) -> Result<(), Refused> {
    give(TRANSFER, to, from, (amount, priority))
}

/// Gives a thread the core until a time, as long as it has something to do; no thread gets the time
/// that it does not use.
pub fn run_until(thread: u16, account: u16, end: u64) {
    while now() < end {
        go_on(dispatch(thread, account, end), end);
    }
}

/// Waits until a time where a dispatch until then was refused: receives events, or waits for them.
pub fn go_on(dispatched: Result<(), Refused>, end: u64) {
    match dispatched {
        Ok(()) | Err(Refused::PAST) => {}
        Err(Refused::EVENTS) => drop(receive(0)),
        Err(_) => drop(receive(end)),
    }
}
