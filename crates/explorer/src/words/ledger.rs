//! The beliefs of threads, beside the kernel's state.

use fusee_kernel::GateIndex;

/// The point that a thread has reached with a mutex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hand {
    /// It does not use the mutex.
    Free,
    /// It has seen the word, to lock it.
    Locking(u16, u32),
    /// It has seen the word, to unlock it.
    Unlocking(u16, u32),
    /// It waits for the mutex.
    Waiting(GateIndex),
}

/// The beliefs of the threads.
#[derive(Debug, Clone)]
pub struct Ledger {
    /// The point that each thread has reached.
    pub hands: Vec<Hand>,
    /// `true` if the core has a reservation.
    pub reserved: bool,
    /// For each gate that is a mutex: the threads that believe to hold it.
    pub owners: Vec<Vec<usize>>,
    /// For each mutex: `true` if its owner has failed inside, and no thread knows yet.
    pub failed: Vec<bool>,
}

impl Ledger {
    /// Returns the beliefs at the start: no thread holds anything.
    pub fn start(threads: usize, gates: usize) -> Ledger {
        Ledger {
            hands: vec![Hand::Free; threads],
            reserved: false,
            owners: vec![Vec::new(); gates],
            failed: vec![false; gates],
        }
    }
}
