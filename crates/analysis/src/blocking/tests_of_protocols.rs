//! Response-time analysis with the blocking of each protocol.

use super::protocols::{Protocol, terms};
use crate::fixed_priority::response_bounds;
use crate::{Assumption, Exactness, Family, Metadata, SchedulabilityTest, TaskSet, Verdict};

/// Response-time analysis on each core with the blocking terms of a protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WithResources {
    protocol: Protocol,
    metadata: &'static Metadata,
}

const ASSUMPTIONS: &[Assumption] = &[
    Assumption::NoBlocking,
    Assumption::NoSuspension,
    Assumption::NoThresholds,
    Assumption::LocalResources,
];
const INHERITANCE: &[Assumption] = &[
    Assumption::NoBlocking,
    Assumption::NoSuspension,
    Assumption::NoThresholds,
    Assumption::LocalResources,
    Assumption::OrderedNesting,
];

const fn metadata(
    name: &'static str,
    title: &'static str,
    source: &'static str,
    assumptions: &'static [Assumption],
) -> Metadata {
    Metadata {
        name,
        title,
        source,
        family: Family::FixedPriority,
        assumptions,
        exactness: Exactness::Sufficient,
    }
}

/// Sections that are not preempted.
pub const NON_PREEMPTIVE_SECTIONS: WithResources = WithResources {
    protocol: Protocol::NonPreemptive,
    metadata: &metadata(
        "fp-npcs",
        "RTA with non-preemptive critical sections",
        "Mok 1983; Audsley et al. 1993",
        ASSUMPTIONS,
    ),
};

/// Priority inheritance, closed form.
pub const PRIORITY_INHERITANCE: WithResources = WithResources {
    protocol: Protocol::Inheritance,
    metadata: &metadata(
        "fp-pip",
        "RTA with priority inheritance",
        "Sha, Rajkumar and Lehoczky 1990, section 3; nesting by inherited ceilings",
        INHERITANCE,
    ),
};

/// Priority inheritance, best matching.
pub const PRIORITY_INHERITANCE_MATCHING: WithResources = WithResources {
    protocol: Protocol::InheritanceMatching,
    metadata: &metadata(
        "fp-pip-matching",
        "RTA with priority inheritance, maximum-weight matching",
        "Sha, Rajkumar and Lehoczky 1990; the selection of sections is exact without nesting",
        INHERITANCE,
    ),
};

/// The priority ceiling protocol.
pub const PRIORITY_CEILING: WithResources = WithResources {
    protocol: Protocol::Ceiling,
    metadata: &metadata(
        "fp-pcp",
        "RTA with the priority ceiling protocol",
        "Sha, Rajkumar and Lehoczky 1990, theorem 12",
        ASSUMPTIONS,
    ),
};

/// The immediate priority ceiling protocol; the same terms.
pub const IMMEDIATE_CEILING: WithResources = WithResources {
    protocol: Protocol::Ceiling,
    metadata: &metadata(
        "fp-ipcp",
        "RTA with the immediate priority ceiling protocol",
        "Lampson and Redell 1980; Sha, Rajkumar and Lehoczky 1990",
        ASSUMPTIONS,
    ),
};

/// The stack resource policy under fixed priorities; the same terms.
pub const STACK_RESOURCE: WithResources = WithResources {
    protocol: Protocol::Ceiling,
    metadata: &metadata("fp-srp", "RTA with the stack resource policy", "Baker 1991", ASSUMPTIONS),
};

/// The tests of this family.
pub const TESTS: &[&dyn SchedulabilityTest] = &[
    &NON_PREEMPTIVE_SECTIONS,
    &PRIORITY_INHERITANCE,
    &PRIORITY_INHERITANCE_MATCHING,
    &PRIORITY_CEILING,
    &IMMEDIATE_CEILING,
    &STACK_RESOURCE,
];

impl WithResources {
    /// The set with the protocol's blocking terms in place of the resources; `None`: a sum does not
    /// fit.
    pub fn blocked(&self, set: &TaskSet) -> Option<TaskSet> {
        Some(set.clone().without_requests().with_blocking(&terms(set, self.protocol)?))
    }
}

impl SchedulabilityTest for WithResources {
    fn metadata(&self) -> &'static Metadata {
        self.metadata
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        let bounds = self.blocked(set).map(|blocked| response_bounds(&blocked));
        Verdict::from_condition(bounds.is_some_and(|bounds| bounds.iter().all(Option::is_some)))
    }

    fn response_times(&self, set: &TaskSet) -> Option<Vec<Option<u64>>> {
        let unbounded = || vec![None; set.tasks().len()];
        Some(self.blocked(set).map_or_else(unbounded, |blocked| response_bounds(&blocked)))
    }
}
