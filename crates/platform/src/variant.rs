//! Which kernel: its policy, what it records, whether it checks itself.

/// What decides who runs on a kernel's core. The number is what a system's tables carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum KernelPolicy {
    /// The highest priority.
    FixedPriority = 0,
    /// The earliest absolute deadline.
    EarliestDeadline = 1,
    /// The highest priority, with gates of the priority ceiling protocol.
    PriorityCeiling = 2,
    /// The highest priority, with mutexes that are words in their components' memory.
    MutexWords = 3,
    /// The same, with components that let threads sleep on each other's account.
    LockServices = 4,
}

impl KernelPolicy {
    /// All of them.
    pub const ALL: [KernelPolicy; 5] = [
        KernelPolicy::FixedPriority,
        KernelPolicy::EarliestDeadline,
        KernelPolicy::PriorityCeiling,
        KernelPolicy::MutexWords,
        KernelPolicy::LockServices,
    ];

    /// The one with this number.
    pub fn from_number(number: u8) -> Option<KernelPolicy> {
        KernelPolicy::ALL.into_iter().find(|policy| *policy as u8 == number)
    }

    /// Its word.
    pub const fn name(self) -> &'static str {
        match self {
            KernelPolicy::FixedPriority => "fixed_priority",
            KernelPolicy::EarliestDeadline => "earliest_deadline",
            KernelPolicy::PriorityCeiling => "priority_ceiling",
            KernelPolicy::MutexWords => "mutex_words",
            KernelPolicy::LockServices => "lock_services",
        }
    }
}

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

    /// The same for systems of a policy, on one core.
    pub const fn under(self, policy: KernelPolicy) -> Kernel {
        Kernel { variant: self, policy, span: Span::OneCore }
    }
}

/// Everything that tells the kernels of one machine apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Kernel {
    /// What it records, and whether it checks itself.
    pub variant: KernelVariant,
    /// What decides who runs.
    pub policy: KernelPolicy,
    /// Whether it runs beside others.
    pub span: Span,
}

/// On how many cores the system of a kernel runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Span {
    /// On one.
    OneCore,
    /// On several, each with a kernel of its own.
    Cores,
    /// On one, below schedulers that are components.
    Trees,
}

impl Kernel {
    /// The same for a system of so many cores.
    pub const fn on(self, cores: usize) -> Kernel {
        Kernel { span: if cores > 1 { Span::Cores } else { Span::OneCore }, ..self }
    }

    /// The same for a system that has schedulers, or none.
    pub const fn below_schedulers(self, has_some: bool) -> Kernel {
        if has_some { Kernel { span: Span::Trees, ..self } } else { self }
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        use KernelPolicy::{EarliestDeadline, FixedPriority, PriorityCeiling};
        use KernelPolicy::{LockServices, MutexWords};
        use {KernelVariant::Checked, KernelVariant::Plain, KernelVariant::Traced};
        match (self.span, self.policy, self.variant) {
            (Span::OneCore, FixedPriority, variant) => variant.name(),
            (Span::Trees, _, Plain) => "plain-trees",
            (Span::Trees, _, Traced) => "traced-trees",
            (Span::Trees, _, Checked) => "checked-trees",
            (Span::OneCore, EarliestDeadline, Plain) => "plain-edf",
            (Span::OneCore, EarliestDeadline, Traced) => "traced-edf",
            (Span::OneCore, EarliestDeadline, Checked) => "checked-edf",
            (Span::Cores, FixedPriority, Plain) => "plain-cores",
            (Span::Cores, FixedPriority, Traced) => "traced-cores",
            (Span::Cores, FixedPriority, Checked) => "checked-cores",
            (Span::Cores, EarliestDeadline, Plain) => "plain-edf-cores",
            (Span::Cores, EarliestDeadline, Traced) => "traced-edf-cores",
            (Span::Cores, EarliestDeadline, Checked) => "checked-edf-cores",
            (Span::OneCore, PriorityCeiling, Plain) => "plain-pcp",
            (Span::OneCore, PriorityCeiling, Traced) => "traced-pcp",
            (Span::OneCore, PriorityCeiling, Checked) => "checked-pcp",
            // No system of several cores has such mutexes.
            (_, MutexWords, Plain) => "plain-words",
            (_, MutexWords, Traced) => "traced-words",
            (_, MutexWords, Checked) => "checked-words",
            (_, LockServices, Plain) => "plain-locks",
            (_, LockServices, Traced) => "traced-locks",
            (_, LockServices, Checked) => "checked-locks",
            (Span::Cores, PriorityCeiling, Plain) => "plain-pcp-cores",
            (Span::Cores, PriorityCeiling, Traced) => "traced-pcp-cores",
            (Span::Cores, PriorityCeiling, Checked) => "checked-pcp-cores",
        }
    }
}

/// Fixed priorities.
impl From<KernelVariant> for Kernel {
    fn from(variant: KernelVariant) -> Kernel {
        variant.under(KernelPolicy::FixedPriority)
    }
}
