//! System calls as numbers and registers.
//!
//! A call is one trap with the operation in one register, slot and method in another, up to six
//! words of arguments in six more, and the number of further words, which lie in the caller's
//! message area from word six on. Results come back the same way, with 0 or an error in the
//! operation's register. On RISC-V: `a7` operation and error, `a6` slot and method, `a0` to `a5`
//! words, `t0` further words. What the kernel does not preserve comes back as zero.

/// Pass the gate in the slot.
pub const INVOKE: usize = 0;
/// Come back from the gate passed last.
pub const RETURN: usize = 1;
/// The job ends.
pub const COMPLETE: usize = 2;
/// Signal the notification in the slot.
pub const SIGNAL: usize = 3;
/// Wait for the notification in the slot; the first word of the result: its bits, or 1 from a
/// counting one.
pub const WAIT: usize = 4;
/// As [`WAIT`], but come back at once; 0: nothing was pending.
pub const POLL: usize = 5;
/// Let threads of equal priority run first.
pub const YIELD: usize = 6;
/// Let the interrupt line in the slot interrupt again.
pub const ACKNOWLEDGE: usize = 7;
/// Lock the mutex in the slot.
pub const LOCK: usize = 8;
/// Unlock the mutex in the slot.
pub const UNLOCK: usize = 9;

/// With schedulers: receive an event of one of the caller's threads. The first word of the result:
/// 1 with an event, the thread in the second, the cycles that it ran in the third and fourth, in
/// the fifth whether it waits; 0: woken without. The first two words asked: when to be woken at the
/// latest. Times are two words of 32 bits, the lower first.
pub const RECEIVE: usize = 10;
/// Dispatch the thread in the slot's place on the account in the first word; the time-out in the
/// second and third, the token in the fourth, in the fifth a priority or all bits set.
pub const DISPATCH: usize = 11;
/// Give the scheduler in the slot's place time from the account in the first word: how much in the
/// second and third, the priority in the fourth.
pub const DELEGATE: usize = 12;
/// The same, and dispatch it.
pub const DELEGATE_AND_YIELD: usize = 13;
/// Move time from the account in the first word to that in the slot's place, as [`DELEGATE`].
pub const TRANSFER: usize = 14;

/// With lock services: sleep on the account of the thread in the slot, until woken. The first word
/// of the result: 0, or 1 if no thread may be about to wake the caller.
pub const DEPEND: usize = 15;
/// Wake the thread in the slot, or remember that it is woken.
pub const WAKE: usize = 16;

/// With schedulers: yield to the scheduler in the slot's place until the time in the second and
/// third word, and give it the time that it lacks for that, as [`DELEGATE`].
pub const YIELD_UNTIL: usize = 17;

/// Limit what the thread that sets all components up calls next. The first word says for how many
/// nanoseconds, at most seven eighths of what is left until time 0; all bits set: no limit. The
/// first word of the result is what was left of the limit before. No other thread may ask for it.
pub const LIMIT: usize = 18;
/// The limit of a component whose initialization has no budget of its own: less than all bits,
/// which are no limit.
pub const UNLIMITED: u32 = u32::MAX - 1;
/// The cause in the record of a fault that is the end of an initialization's budget: that of a
/// system call, which is no fault.
pub const OUT_OF_TIME: u16 = 8;

/// Words of a message that travel in registers.
pub const REGISTER_WORDS: usize = 6;
/// Words of the message area of a stack, those in registers included. A word is as wide as a
/// register.
pub const MESSAGE_WORDS: usize = 120;
/// Most words that a call can have copied beyond those in registers.
pub const MEMORY_WORDS: usize = MESSAGE_WORDS - REGISTER_WORDS;

/// The position of the method in the register that names the slot; on entry, in the one that names
/// the caller.
pub const METHOD_SHIFT: u32 = 16;

/// The result of a call without an error.
pub const OK: usize = 0;
/// Errors of the kernel's decisions are the numbers of `fusee_kernel::Error`, from 1 on.
pub const FIRST_ERROR: usize = 1;
/// The operation's number is none.
pub const NO_SUCH_OPERATION: usize = 32;
/// More words than a message has.
pub const MESSAGE_TOO_LONG: usize = 33;
/// The base of a scheduler's errors: this plus the number of `fusee_kernel::tcaps::Error`.
pub const SCHEDULER_ERROR: usize = 40;
/// The invocation ended otherwise than by a return: this plus the number of
/// `fusee_kernel::Failure`.
pub const FAILURE: usize = 64;

/// Returns the word that names a method of the gate in a slot.
pub const fn selector(slot: u16, method: u16) -> usize {
    slot as usize | (method as usize) << METHOD_SHIFT
}
