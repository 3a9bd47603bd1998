//! Locks and looks between cores, as operations on memory they share.
//!
//! Everything else that the kernel decides is done by one core at a time. Here several cores act at
//! the same time, and a machine may reorder what one of them does: what counts is which operations
//! there are and how each is ordered. So they stand here alone, with the machine's words and lines
//! as parameters: the machine runs them on its own memory, and the explorer on a memory that does
//! everything that is allowed.
//!
//! A lock is given in the order of asking. A look is a bit, and then an interrupt. The interrupted
//! core withdraws the interrupt first, so that a later one is not lost, then takes a bit, and then
//! the gate's lock. What a core has written before it left the lock is seen by the next core that
//! has the lock, and a look carries nothing else.

use core::sync::atomic::{AtomicU32, Ordering};

use crate::mutation::seeded;

/// A word that all cores reach.
pub trait Word {
    /// Returns the value.
    fn load(&self, order: Ordering) -> u32;

    /// Gives it a value.
    fn store(&self, value: u32, order: Ordering);

    /// Adds to it in one step; what it was.
    fn fetch_add(&self, value: u32, order: Ordering) -> u32;

    /// Takes from it in one step.
    fn fetch_sub(&self, value: u32, order: Ordering);

    /// Gives it a value in one step; what it was.
    fn swap(&self, value: u32, order: Ordering) -> u32;

    /// Sets bits in one step.
    fn fetch_or(&self, bits: u32, order: Ordering);

    /// Keeps these bits only, in one step.
    fn fetch_and(&self, bits: u32, order: Ordering);
}

impl Word for AtomicU32 {
    #[inline(always)]
    fn load(&self, order: Ordering) -> u32 {
        AtomicU32::load(self, order)
    }

    #[inline(always)]
    fn store(&self, value: u32, order: Ordering) {
        AtomicU32::store(self, value, order);
    }

    #[inline(always)]
    fn fetch_add(&self, value: u32, order: Ordering) -> u32 {
        AtomicU32::fetch_add(self, value, order)
    }

    #[inline(always)]
    fn fetch_sub(&self, value: u32, order: Ordering) {
        AtomicU32::fetch_sub(self, value, order);
    }

    #[inline(always)]
    fn swap(&self, value: u32, order: Ordering) -> u32 {
        AtomicU32::swap(self, value, order)
    }

    #[inline(always)]
    fn fetch_or(&self, bits: u32, order: Ordering) {
        AtomicU32::fetch_or(self, bits, order);
    }

    #[inline(always)]
    fn fetch_and(&self, bits: u32, order: Ordering) {
        AtomicU32::fetch_and(self, bits, order);
    }
}

/// The lines by which cores interrupt each other.
pub trait Lines {
    /// A core is interrupted, this one or another.
    fn interrupt(&self, core: usize);

    /// It is so no more.
    fn withdraw(&self, core: usize);

    /// Orders writes to memory before all later accesses to devices.
    fn before_devices(&self);

    /// Orders earlier accesses to devices before all later reads of memory.
    fn after_devices(&self);
}

/// A lock that is given in the order of asking.
#[derive(Debug)]
// On a cache line of its own, so that cores that wait here slow down no other lock.
#[repr(C, align(64))]
pub struct Ticket<W> {
    /// The ticket that the next caller is given.
    pub next: W,
    /// The ticket of the caller that has the lock.
    pub serving: W,
}

impl<W: Word> Ticket<W> {
    /// Waits until the lock is this core's; its ticket.
    #[inline(always)]
    pub fn enter(&self, mut wait: impl FnMut()) -> u32 {
        // Relaxed: a ticket orders nothing yet. The load below does, when the lock is given.
        let ticket = seeded!(
            PlainTicket,
            {
                let ticket = self.next.load(Ordering::Relaxed);
                self.next.store(ticket + 1, Ordering::Relaxed);
                ticket
            },
            self.next.fetch_add(1, Ordering::Relaxed)
        );
        // Acquire: what the last holder has written is seen by whoever has the lock now.
        while self.serving.load(Ordering::Acquire) != ticket {
            wait();
        }
        ticket
    }

    /// Gives the lock on.
    #[inline(always)]
    pub fn leave(&self, ticket: u32) {
        // A plain store, because only the holder writes this word. Release: the next holder sees
        // what this one has written.
        self.serving.store(ticket.wrapping_add(1), Ordering::Release);
    }
}

/// Words of bits for what a core is to look at.
pub const LOOK_WORDS: usize = 2;

/// The objects that one core is to look at, a bit for each.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Board<W>(pub [W; LOOK_WORDS]);

/// A core is told to look at what has this bit in this word of its board.
#[inline(always)]
pub fn tell(word: &impl Word, bit: u32, lines: &impl Lines, core: usize) {
    seeded!(UntoldInterrupt, lines.interrupt(core), ());
    // The bit before the interrupt: a core that is interrupted first may look before there is a
    // bit, and is not told again.
    word.fetch_or(bit, Ordering::AcqRel);
    // An interrupt is a write to a device, which the orders of memory do not cover.
    lines.before_devices();
    seeded!(UntoldInterrupt, (), lines.interrupt(core));
}

impl<W: Word> Board<W> {
    /// Returns the number of one bit of this core, which is taken. Where more are set, the core
    /// interrupts itself again.
    #[inline(always)]
    pub fn look(all: &[Self], lines: &impl Lines, core: usize) -> Option<u32> {
        // First: whoever tells this core after this interrupts it again, so no bit is left unseen.
        seeded!(LateWithdrawal, (), lines.withdraw(core));
        lines.after_devices();
        let own = &all[core];
        let pending: [u32; LOOK_WORDS] =
            core::array::from_fn(|word| own.0[word].load(Ordering::Acquire));
        seeded!(LateWithdrawal, lines.withdraw(core), ());
        let word = pending.iter().position(|bits| *bits != 0)?;
        let bit = pending[word].trailing_zeros();
        // One object for each look, so that no path grows with what came together.
        if pending.iter().map(|bits| bits.count_ones()).sum::<u32>() > 1 {
            seeded!(ForgottenRest, (), lines.interrupt(core));
        }
        // This bit only, and in one step: other cores may have set more since the load.
        own.0[word].fetch_and(seeded!(AllTaken, 0, !(1 << bit)), Ordering::AcqRel);
        Some(word as u32 * u32::BITS + bit)
    }
}
