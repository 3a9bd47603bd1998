//! The linear programs behind four tests, for users with their own solver.
//!
//! A program bounds what waiting adds in one window: of a task, or of a core under
//! EDF. Three of the tests never build theirs, since taking the longest sections
//! first is optimal; here each is in full, beside the number that its test uses.
//! The two are held against each other, and against another solver from Python.

use super::fmlp::FmlpPlusLinear;
use super::mpcp::MpcpLinear;
use super::msrp::{fifo_spin_delay, fifo_spin_delay_edf, fifo_spin_program, fifo_spin_program_edf};
use crate::TaskSet;
use crate::linear::Program;

/// The delay that a linear program bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Delay {
    /// The delay of a task by FIFO spin locks, fixed priorities (`msrp-holistic`).
    FifoSpin,
    /// The delay of a core by FIFO spin locks, EDF (`msrp-holistic-edf`).
    FifoSpinEdf,
    /// The delay of a task under MPCP (`mpcp-lp`).
    Mpcp,
    /// The delay of a task under FMLP+ (`fmlp-plus-lp`).
    FmlpPlus,
}

impl Delay {
    /// All of them.
    pub const ALL: [Delay; 4] = [Delay::FifoSpin, Delay::FifoSpinEdf, Delay::Mpcp, Delay::FmlpPlus];

    /// The name of the test that uses it.
    pub fn test(self) -> &'static str {
        match self {
            Delay::FifoSpin => "msrp-holistic",
            Delay::FifoSpinEdf => "msrp-holistic-edf",
            Delay::Mpcp => "mpcp-lp",
            Delay::FmlpPlus => "fmlp-plus-lp",
        }
    }

    /// The program of a task (EDF: of a core) in a window; jobs of others are complete by their
    /// deadlines.
    ///
    /// `None`: there is no such task or core, or, under MPCP, a request may wait beyond the
    /// deadline.
    pub fn program(self, set: &TaskSet, subject: usize, window: u64) -> Option<Program> {
        match self {
            Delay::FifoSpin => fifo_spin_program(set, subject, window, &deadlines(set)),
            Delay::FifoSpinEdf => fifo_spin_program_edf(set, subject, window),
            Delay::Mpcp => MpcpLinear::program(set, subject, window),
            Delay::FmlpPlus => FmlpPlusLinear::program(set, subject, window),
        }
    }

    /// Returns the delay that the test assumes: the optimum, rounded down.
    pub fn bound(self, set: &TaskSet, subject: usize, window: u64) -> Option<u64> {
        match self {
            Delay::FifoSpin => fifo_spin_delay(set, subject, window, &deadlines(set)),
            Delay::FifoSpinEdf => fifo_spin_delay_edf(set, subject, window),
            Delay::Mpcp => MpcpLinear::delay(set, subject, window),
            Delay::FmlpPlus => FmlpPlusLinear::delay(set, subject, window),
        }
    }
}

fn deadlines(set: &TaskSet) -> Vec<u64> {
    set.tasks().iter().map(|t| t.deadline).collect()
}
