//! MrsP with a fixed cost for each request: cores times longest section.

use super::{Helping, longest_sections, outside_sections, reaching};
use crate::partitioned::ASSUMPTIONS;
use crate::partitioned::layout::Layout;
use crate::partitioned::response::{Asked, Busy, ByResponses, Responses, busy_response_times};
use crate::windows::times;
use crate::{Exactness, Family, Metadata, TaskSet};

/// C' = C without sections + sum of N e_q, e_q = (cores that use q) c_q; blocked by the longest e_q
/// of a lower task's resource with a local ceiling that reaches, or by a holder that moved here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mrsp2013 {
    /// The costs of helping.
    pub helping: Helping,
}

impl Mrsp2013 {
    fn responses(&self, layout: &Layout<'_>) -> Responses {
        let longest = longest_sections(layout);
        let cost = |q: usize| {
            let cores = layout.users_by_core(q).count() as u64;
            let moves = if cores > 1 { self.helping.of_section(longest[q]) } else { 0 };
            times(cores, longest[q].saturating_add(moves))
        };
        let costs: Vec<u64> = (0..layout.resources).map(cost).collect();
        let term = |i: usize| {
            let requests = layout.accesses(i).iter();
            let inside = requests
                .fold(0_u64, |sum, a| sum.saturating_add(times(a.count, costs[a.resource])));
            let blocking = reaching(layout, i).map(|a| costs[a.resource]).max().unwrap_or(0);
            Busy {
                demand: outside_sections(layout, i).saturating_add(inside),
                blocking: blocking.max(self.helping.arrival_blocking()),
            }
        };
        let terms: Vec<Busy> = (0..layout.tasks.len()).map(term).collect();
        busy_response_times(layout, &terms)
    }
}

impl ByResponses for Mrsp2013 {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "mrsp-2013",
            title: "MrsP, fixed cost of a request",
            source: "Burns and Wellings 2013",
            family: Family::PartitionedFixedPriority,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn response_bounds(&self, set: &TaskSet, _: Asked) -> Responses {
        self.responses(&Layout::new(set))
    }
}
