//! Which kernel a system runs on: one value of each axis.
//!
//! Names, features of the kernel's crate and the tables of costs follow from the values. Not each
//! product exists: [`MISSING`] lists what does not go together, and why. A new value of an axis is
//! a line in its axis, and a line there for each value that it does not go together with.

use core::fmt;

/// The names and the feature that a value of an axis adds to the plain kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Its word on the command line and in messages.
    pub word: &'static str,
    /// The feature of the kernel's crate.
    pub feature: &'static str,
    /// Its part of the names of kernels and of files with costs.
    pub tag: &'static str,
}

/// An axis: the value of the plain kernel, and others with what they add.
macro_rules! axis {
    (
        $(#[$about:meta])* $axis:ident {
            $(#[$of_plain:meta])* $plain:ident,
            $($(#[$of_value:meta])* $value:ident = $word:literal, $feature:literal, $tag:literal;)+
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
        #[repr(u8)]
        pub enum $axis { $(#[$of_plain])* #[default] $plain, $($(#[$of_value])* $value,)+ }

        impl $axis {
            /// All values of the axis.
            pub const ALL: &[$axis] = &[$axis::$plain, $($axis::$value,)+];

            /// Returns what the value adds; `None`: nothing, as in the plain kernel.
            pub const fn part(self) -> Option<Part> {
                match self {
                    $axis::$plain => None,
                    $($axis::$value => {
                        Some(Part { word: $word, feature: $feature, tag: $tag })
                    })+
                }
            }
        }
    };
}

axis! {
    /// The order of the ready threads.
    Order {
        /// The highest priority runs.
        Priority,
        /// The earliest absolute deadline runs.
        Deadline = "earliest_deadline", "earliest-deadline", "edf";
    }
}

axis! {
    /// Protocols by which held gates exclude threads from more gates than themselves.
    Ceilings {
        /// None: a held gate excludes threads from itself alone.
        None,
        /// Gates may have the priority ceiling protocol.
        PriorityCeiling = "priority_ceiling", "priority-ceiling", "pcp";
    }
}

axis! {
    /// The place of mutexes and the services for locks as components.
    Locks {
        /// In the kernel, by a call each.
        Kernel,
        /// In a word of the component's memory, while nobody waits.
        Words = "mutex_words", "mutex-words", "words";
        /// As `Words`, and components may let threads sleep on each other's account.
        Services = "lock_services", "lock-services", "locks";
    }
}

axis! {
    /// The cores on which the system runs.
    Cores {
        /// On one core.
        One,
        /// On several cores, each with a kernel of its own.
        Several = "cores", "cores", "cores";
    }
}

axis! {
    /// The schedulers that decide which thread runs.
    Schedulers {
        /// The kernel alone.
        None,
        /// Components that are schedulers, in a tree, by temporal capabilities.
        Trees = "schedulers", "schedulers", "trees";
    }
}

axis! {
    /// The events that the kernel records, and its checks of itself.
    Records {
        /// Jobs and faults are recorded. This kernel is the one that is measured.
        Plain,
        /// Every event is recorded.
        Traced = "traced", "trace", "traced";
        /// As `Plain`. After each event the kernel checks its own state, and stops if a rule does
        /// not hold.
        Checked = "checked", "checked", "checked";
    }
}

impl Records {
    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self.part() {
            None => "plain",
            Some(part) => part.word,
        }
    }

    /// Returns the kernel that records this, with a policy, on one core.
    pub const fn under(self, policy: KernelPolicy) -> KernelConfig {
        KernelConfig { records: self, policy, ..KernelConfig::PLAIN }
    }
}

/// The order of a kernel's threads, and the resources that they may share. The tables of a system
/// carry it as a number: a bit for the order, one for ceilings, and the rest for locks. As one
/// number it is read and compared by the kernel in a few instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct KernelPolicy(u8);

impl KernelPolicy {
    /// Fixed priorities, and mutexes in the kernel.
    pub const FIXED_PRIORITY: KernelPolicy =
        KernelPolicy::new(Order::Priority, Ceilings::None, Locks::Kernel);
    /// Earliest deadline first.
    pub const EARLIEST_DEADLINE: KernelPolicy =
        KernelPolicy::new(Order::Deadline, Ceilings::None, Locks::Kernel);
    /// Fixed priorities with gates of the priority ceiling protocol.
    pub const PRIORITY_CEILING: KernelPolicy =
        KernelPolicy::new(Order::Priority, Ceilings::PriorityCeiling, Locks::Kernel);
    /// Fixed priorities with mutexes that are words.
    pub const MUTEX_WORDS: KernelPolicy =
        KernelPolicy::new(Order::Priority, Ceilings::None, Locks::Words);
    /// Fixed priorities with lock components.
    pub const LOCK_SERVICES: KernelPolicy =
        KernelPolicy::new(Order::Priority, Ceilings::None, Locks::Services);

    /// Fixed priorities with gates of the priority ceiling protocol and mutexes that are words.
    pub const CEILING_WORDS: KernelPolicy =
        KernelPolicy::new(Order::Priority, Ceilings::PriorityCeiling, Locks::Words);
    /// Fixed priorities with gates of the priority ceiling protocol and lock components.
    pub const CEILING_SERVICES: KernelPolicy =
        KernelPolicy::new(Order::Priority, Ceilings::PriorityCeiling, Locks::Services);
    /// Earliest deadline first with mutexes that are words.
    pub const DEADLINE_WORDS: KernelPolicy =
        KernelPolicy::new(Order::Deadline, Ceilings::None, Locks::Words);
    /// Earliest deadline first with lock components.
    pub const DEADLINE_SERVICES: KernelPolicy =
        KernelPolicy::new(Order::Deadline, Ceilings::None, Locks::Services);

    /// Returns the policy with these values.
    pub const fn new(order: Order, ceilings: Ceilings, locks: Locks) -> KernelPolicy {
        KernelPolicy(order as u8 | (ceilings as u8) << 1 | (locks as u8) << 2)
    }

    /// Returns the order of the ready threads.
    pub const fn order(self) -> Order {
        Order::ALL[(self.0 & 1) as usize]
    }

    /// Returns whether held gates exclude threads from other gates.
    pub const fn ceilings(self) -> Ceilings {
        Ceilings::ALL[(self.0 >> 1 & 1) as usize]
    }

    /// Returns where mutexes are locked.
    pub const fn locks(self) -> Locks {
        Locks::ALL[(self.0 >> 2) as usize]
    }

    /// Returns all policies of the kernels that exist, the plain one first.
    pub fn all() -> impl Iterator<Item = KernelPolicy> {
        let policies = Order::ALL.iter().flat_map(|&order| {
            Ceilings::ALL.iter().flat_map(move |&ceilings| {
                Locks::ALL.iter().map(move |&locks| KernelPolicy::new(order, ceilings, locks))
            })
        });
        policies.filter(|policy| Records::Plain.under(*policy).missing().is_none())
    }

    /// Returns the number that the tables of systems carry.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Returns the policy with this number, if there can be one: whether its kernel exists is
    /// another question.
    pub const fn from_number(number: u8) -> Option<KernelPolicy> {
        if ((number >> 2) as usize) < Locks::ALL.len() { Some(KernelPolicy(number)) } else { None }
    }

    /// Returns the policy with this name, if there is one.
    pub fn from_name(name: &str) -> Option<KernelPolicy> {
        let is_named = |policy: &KernelPolicy| policy.words().eq(name.split('+'));
        KernelPolicy::all().find(is_named)
    }

    fn parts(self) -> impl Iterator<Item = Part> {
        [self.order().part(), self.ceilings().part(), self.locks().part()].into_iter().flatten()
    }

    /// Returns the words of the name.
    fn words(self) -> impl Iterator<Item = &'static str> {
        let plain = self == KernelPolicy::FIXED_PRIORITY;
        let named = plain.then_some("fixed_priority");
        named.into_iter().chain(self.parts().map(|part| part.word))
    }
}

impl fmt::Display for KernelPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        joined(f, self.words(), "+")
    }
}

/// Everything that distinguishes the kernels of one machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct KernelConfig {
    /// The order of threads, and what they may share.
    pub policy: KernelPolicy,
    /// The cores on which the system runs.
    pub cores: Cores,
    /// The schedulers that decide which thread runs.
    pub schedulers: Schedulers,
    /// The events that the kernel records.
    pub records: Records,
}

impl KernelConfig {
    /// The plain kernel: fixed priorities on one core.
    pub const PLAIN: KernelConfig = KernelConfig {
        policy: KernelPolicy::FIXED_PRIORITY,
        cores: Cores::One,
        schedulers: Schedulers::None,
        records: Records::Plain,
    };

    /// Returns this kernel for a system of so many cores.
    pub const fn on(self, cores: usize) -> KernelConfig {
        KernelConfig { cores: if cores > 1 { Cores::Several } else { Cores::One }, ..self }
    }

    /// Returns this kernel for a system that has schedulers, or none.
    pub const fn below_schedulers(self, has_some: bool) -> KernelConfig {
        let schedulers = if has_some { Schedulers::Trees } else { Schedulers::None };
        KernelConfig { schedulers, ..self }
    }

    /// Returns the features of the kernel's crate that it is built with.
    pub fn features(self) -> impl Iterator<Item = &'static str> {
        self.records.part().into_iter().chain(self.lasting_parts()).map(|part| part.feature)
    }

    /// Returns why there is no such kernel; `None`: there is one.
    pub fn missing(self) -> Option<&'static str> {
        let has = |feature: &str| self.features().any(|own| own == feature);
        MISSING.iter().find(|(one, other, _)| has(one) && has(other)).map(|(.., why)| *why)
    }

    /// Returns all kernels that exist.
    pub fn all() -> impl Iterator<Item = KernelConfig> {
        let kernels = KernelPolicy::all().flat_map(|policy| {
            Cores::ALL.iter().flat_map(move |&cores| {
                Schedulers::ALL.iter().flat_map(move |&schedulers| {
                    let with = move |&records| KernelConfig { policy, cores, schedulers, records };
                    Records::ALL.iter().map(with)
                })
            })
        });
        kernels.filter(|kernel| kernel.missing().is_none())
    }

    /// Returns what the kernel has besides what it records.
    fn lasting_parts(self) -> impl Iterator<Item = Part> {
        let around = [self.cores.part(), self.schedulers.part()];
        self.policy.parts().chain(around.into_iter().flatten())
    }
}

impl From<Records> for KernelConfig {
    fn from(records: Records) -> KernelConfig {
        records.under(KernelPolicy::FIXED_PRIORITY)
    }
}

/// The kernel's name, for example `traced-edf-cores`.
impl fmt::Display for KernelConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tags = self.lasting_parts().map(|part| part.tag);
        joined(f, core::iter::once(self.records.name()).chain(tags), "-")
    }
}

/// Writes words with something between them.
fn joined<'w>(
    f: &mut fmt::Formatter<'_>,
    words: impl Iterator<Item = &'w str>,
    between: &str,
) -> fmt::Result {
    for (index, word) in words.enumerate() {
        if index > 0 {
            f.write_str(between)?;
        }
        f.write_str(word)?;
    }
    Ok(())
}

/// Features of the kernel's crate that do not go together, and why.
pub const MISSING: [(&str, &str, &str); 3] = [
    (
        "earliest-deadline",
        "priority-ceiling",
        "the priority ceiling protocol is defined by priorities; by deadlines, `srp` has ceilings",
    ),
    ("earliest-deadline", "schedulers", "not built: a tree's threads are ordered by priorities"),
    ("cores", "schedulers", "not built: a tree is on one core"),
];

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::string::ToString;
    use std::vec::Vec;

    #[test]
    fn names_and_numbers_lead_back() {
        let policies: Vec<KernelPolicy> = KernelPolicy::all().collect();
        assert_eq!(policies[0], KernelPolicy::FIXED_PRIORITY);
        for &policy in &policies {
            assert_eq!(KernelPolicy::from_number(policy.number()), Some(policy));
            assert_eq!(KernelPolicy::from_name(&policy.to_string()), Some(policy));
        }
        assert_eq!(KernelPolicy::from_name("fixed"), None);
        assert_eq!(KernelPolicy::from_name("mutex_words+"), None);
        assert_eq!(KernelPolicy::from_number(0xff), None);
        let words: Vec<_> = policies.iter().map(KernelPolicy::to_string).collect();
        assert!(words.contains(&"mutex_words".to_string()), "{words:?}");
    }

    #[test]
    fn values_are_numbered_in_their_order() {
        assert!((0u8..).zip(Order::ALL).all(|(number, value)| *value as u8 == number));
        assert!((0u8..).zip(Ceilings::ALL).all(|(number, value)| *value as u8 == number));
        assert!((0u8..).zip(Locks::ALL).all(|(number, value)| *value as u8 == number));
        assert!(Order::ALL.len() <= 2 && Ceilings::ALL.len() <= 2, "a bit each");
    }

    #[test]
    fn kernels_have_names_of_their_own() {
        let mut names: Vec<_> = KernelConfig::all().map(|kernel| kernel.to_string()).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
        assert!(names.contains(&"traced-edf-cores".to_string()), "{names:?}");
    }

    #[test]
    fn what_is_missing_is_made_of_features_that_there_are() {
        let all = [
            Order::Deadline.part(),
            Ceilings::PriorityCeiling.part(),
            Locks::Words.part(),
            Locks::Services.part(),
            Cores::Several.part(),
            Schedulers::Trees.part(),
        ];
        let known = |feature: &str| all.iter().flatten().any(|part| part.feature == feature);
        for (one, other, why) in MISSING {
            assert!(known(one) && known(other) && !why.is_empty(), "{one} {other}");
        }
    }
}
