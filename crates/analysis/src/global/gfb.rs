//! The density bound for global EDF, compared exactly.

use std::cmp::Ordering;

use super::ASSUMPTIONS;
use crate::exact::Fraction;
use crate::{Exactness, Family, Metadata, SchedulabilityTest, TaskSet, Verdict};

/// Sum of densities <= m - (m - 1) (largest density), density = C / min(D, T).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Gfb;

impl SchedulabilityTest for Gfb {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "gfb",
            title: "GFB, density bound",
            source: "Goossens, Funk and Baruah 2003; densities after Bertogna, Cirinei and Lipari \
                     2005",
            family: Family::GlobalEarliestDeadline,
            assumptions: ASSUMPTIONS,
            exactness: Exactness::Sufficient,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        let cores = set.cores() as u64;
        let densities = || set.tasks().iter().map(|t| (t.wcet, t.deadline.min(t.period)));
        let by_value = |a: &(u64, u64), b: &(u64, u64)| {
            (u128::from(a.0) * u128::from(b.1)).cmp(&(u128::from(b.0) * u128::from(a.1)))
        };
        let Some((wcet, window)) = densities().max_by(by_value) else {
            return Verdict::Schedulable;
        };
        let largest = Fraction {
            numerator: (u128::from(wcet) * u128::from(cores.saturating_sub(1))).into(),
            denominator: window.into(),
        };
        let sum = Fraction::sum(densities()).plus(&largest);
        Verdict::from_condition(sum.compare(&Fraction::new(cores, 1)) != Ordering::Greater)
    }
}
