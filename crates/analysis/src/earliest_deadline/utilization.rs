//! U <= 1.

use super::IMPLICIT;
use crate::exact::compare_sum;
use crate::{Exactness, Family, Metadata, SchedulabilityTest, TaskSet, Verdict};

/// The sum of C / T on each core is at most 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EdfUtilization;

impl SchedulabilityTest for EdfUtilization {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "edf-utilization",
            title: "utilisation bound of EDF",
            source: "Liu and Layland 1973",
            family: Family::EarliestDeadline,
            assumptions: IMPLICIT,
            exactness: Exactness::Exact,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        let fits = |core| {
            let terms =
                set.tasks().iter().filter(move |t| t.core == core).map(|t| (t.wcet, t.period));
            compare_sum(terms, 1).is_le()
        };
        Verdict::from_condition((0..set.cores()).all(fits))
    }
}
