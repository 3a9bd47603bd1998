//! Blocking terms of the protocols for one core under fixed priorities.
//!
//! What a lower task can do to task i depends on the protocol:
//!
//! - non-preemptive sections: one section of any lower task;
//! - (immediate) priority ceilings and the stack resource policy: one section
//!   of a lower task whose ceiling is at least i's priority;
//! - priority inheritance: every lower task can be inside one section that may
//!   inherit i's priority, in different resources: a selection, bounded by
//!   [`closed_form`] or exactly by [`matching`].
//!
//! *Nested sections.* Under the ceiling protocols any section counts with its own
//! ceiling. Under inheritance a section of q can inherit from those who wait for q
//! *and* from those who wait for what these hold meanwhile. So the inherited
//! ceiling of q is the highest among the priorities of its users and the inherited
//! ceilings of the resources around q's requests. Of each lower task the longest
//! section whose inherited ceiling reaches i counts, from the outside in.
//!
//! The selection is one resource, one holder: released resources must be competed
//! for anew. Where a release hands the resource to a waiter, a second lower task
//! can get it, and only the sum over tasks holds.

use super::{Section, closed_form, matching};
use crate::{Priority, Request, TaskSet};

/// The protocol of the resources of one core.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// Sections are not preempted.
    NonPreemptive,
    /// Priority inheritance, bounded by the smaller of two sums.
    Inheritance,
    /// Priority inheritance, bounded by the best matching.
    InheritanceMatching,
    /// Priority ceilings, immediate or not, and the stack resource policy.
    Ceiling,
}

/// The blocking term of every task; `None`: a sum does not fit.
pub fn terms(set: &TaskSet, protocol: Protocol) -> Option<Vec<u64>> {
    let ceilings = match protocol {
        Protocol::NonPreemptive => {
            Ceilings { of: vec![vec![Some(Priority::MAX); set.resources()]; set.cores()] }
        }
        Protocol::Ceiling => Ceilings::of_users(set),
        Protocol::Inheritance | Protocol::InheritanceMatching => Ceilings::inherited(set),
    };
    (0..set.tasks().len())
        .map(|i| {
            let sections = blocking_sections(set, i, &ceilings);
            match protocol {
                Protocol::NonPreemptive | Protocol::Ceiling => {
                    Some(sections.iter().map(|s| s.length).max().unwrap_or(0))
                }
                Protocol::Inheritance => closed_form(&sections, |_| 1),
                Protocol::InheritanceMatching => matching(&sections, |_| 1),
            }
        })
        .collect()
}

/// Ceiling of every resource on every core; `None`: not used there.
struct Ceilings {
    of: Vec<Vec<Option<Priority>>>,
}

impl Ceilings {
    fn of_users(set: &TaskSet) -> Self {
        let mut of = vec![vec![None; set.resources()]; set.cores()];
        for (i, task) in set.tasks().iter().enumerate() {
            for section in set.sections(i) {
                let slot: &mut Option<Priority> = &mut of[task.core][section.request.resource];
                *slot = (*slot).max(Some(task.priority));
            }
        }
        Self { of }
    }

    /// The least ceilings such that whatever is requested inside a section has at least that
    /// section's.
    fn inherited(set: &TaskSet) -> Self {
        let mut ceilings = Self::of_users(set);
        let mut changed = true;
        while changed {
            changed = false;
            for (i, task) in set.tasks().iter().enumerate() {
                let of = &mut ceilings.of[task.core];
                for section in set.sections(i) {
                    let outer = of[section.request.resource];
                    for inner in &section.request.nested {
                        changed |= of[inner.resource] < outer;
                        of[inner.resource] = of[inner.resource].max(outer);
                    }
                }
            }
        }
        ceilings
    }
}

/// The sections of lower tasks that can hold up a task, from the outside in: what is inside one is
/// not listed.
fn blocking_sections(set: &TaskSet, index: usize, ceilings: &Ceilings) -> Vec<Section> {
    let level = Some(set.tasks()[index].priority);
    let mut found = Vec::new();
    for (task, lower) in set.lower(index) {
        let blocks = |r: &Request| ceilings.of[lower.core][r.resource] >= level;
        let mut open: Vec<&Request> = set.requests(task).iter().collect();
        while let Some(request) = open.pop() {
            if blocks(request) {
                found.push(Section { task, resource: request.resource, length: request.length });
            } else {
                open.extend(&request.nested);
            }
        }
    }
    found
}
