//! The way in which a platform is measured.

/// Threads in a measuring system if nothing else is asked for, those of the system's start apart.
pub const THREADS: usize = 32;

/// Schedulers in a measuring system where there are some.
pub(crate) const SCHEDULERS: usize = 4;

/// Milliseconds that a system has for setting up if it says nothing.
pub(crate) const USUAL_STARTUP: u64 = 1;

/// The way in which a platform is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// The number of times that each path is taken; a multiple of eight.
    pub runs: u64,
    /// Threads in a measuring system, those of the system's start apart.
    pub threads: usize,
    /// The factor by which everything takes longer than where an instruction is a tick.
    pub stretch: u64,
    /// The same where many come one close behind the other.
    pub crowded_stretch: u64,
    /// For setting up, in milliseconds.
    pub startup: u64,
    /// Two readings of the clock in a loop lie closer together than this, unless the kernel has run
    /// in between. It takes longer.
    pub gap: u64,
    /// The registers of the serial line, which interrupts when it is told to.
    pub serial: u64,
    /// The number of its interrupt.
    pub serial_interrupt: u16,
    /// The work of cores on which nothing is measured.
    pub others: Others,
}

impl Setting {
    /// Each path so often, on one core of a machine on which an instruction is a tick, without its
    /// serial line.
    pub const fn instructions(runs: u64) -> Self {
        Setting {
            runs,
            threads: THREADS,
            stretch: 1,
            crowded_stretch: 1,
            startup: USUAL_STARTUP,
            gap: 40,
            serial: 0,
            serial_interrupt: 0,
            others: Others::Sleep,
        }
    }
}

/// The work of cores on which nothing is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Others {
    /// Nothing: cores take turns, and none delays another.
    Sleep,
    /// They keep the memory busy that all share.
    Walk,
}

impl Others {
    /// Returns the files of a system with these cores, besides its own.
    pub(crate) fn files(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Others::Sleep => &[],
            Others::Walk => {
                &[("components/Walker/walker.c", include_str!("../systems/include/walker.c"))]
            }
        }
    }
}
