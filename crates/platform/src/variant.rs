//! Which records a kernel keeps, and whether it checks itself.

/// A kernel for a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KernelVariant {
    /// The one that is measured: it records jobs and faults.
    Plain,
    /// It records every event.
    Traced,
    /// As plain; after each event it checks its own state, and stops if a rule does not hold.
    Checked,
}

impl KernelVariant {
    /// All of them.
    pub const ALL: [KernelVariant; 3] =
        [KernelVariant::Plain, KernelVariant::Traced, KernelVariant::Checked];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            KernelVariant::Plain => "plain",
            KernelVariant::Traced => "traced",
            KernelVariant::Checked => "checked",
        }
    }
}
