//! The analysis of the same sets: the `[analysis]` table of an experiment.
//!
//! ```toml
//! [analysis]
//! placement = { fit = "worst" }
//! group-locks = true                       # one lock for resources that are held together
//! [analysis.overheads."*"]                 # all tests without an entry of their own
//! costs = { context-switch = 300 }
//! [analysis.overheads.MrsP]                # the test of that label
//! costs = { context-switch = 300, lock = 803, unlock = 2682 }
//! waiting = "helps"
//! helping = { migration = 1726, non-preemptive = 17260 }
//! ```
//!
//! Costs are in ticks of the recipe. Each is a number or a table by the number of tasks or
//! cores, `{ per = "machine-cores", ticks = [[2, 345], [4, 509], [8, 803]] }`.

use std::collections::BTreeMap;

use fusee_analysis::overheads::{Charging, Cost, Overheads, Sections, Uncharged, Waiting};
use fusee_analysis::partitioned::mrsp::{Helping, Mrsp2013, Mrsp2017};
use fusee_analysis::placement::Placement;
use fusee_analysis::{OutsideAssumptions, SchedulabilityTest, TaskSet, Verdict};
use serde::Deserialize;

use crate::experiment::Test;
use crate::own::Place;

/// The entry for all tests that have none of their own.
const OTHERS: &str = "*";

/// The treatment of a set between its making and the tests.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// The placement of tasks on cores, which must not be loaded above 1; left as they are without
    /// this.
    pub placement: Option<Placement>,
    /// `true` if resources that are held together somewhere get one lock, so that nothing is
    /// nested.
    pub group_locks: bool,
    /// The costs of scheduling and locking, by label of the test.
    pub overheads: BTreeMap<String, Charge>,
}

/// The costs of scheduling and locking under one protocol, and the way in which they are charged.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Charge {
    /// The costs of the operations.
    pub costs: Overheads,
    /// The behavior of a waiting job.
    #[serde(default = "spins")]
    pub waiting: Waiting,
    /// The treatment of sections, which may grow too.
    #[serde(default = "unchanged")]
    pub sections: Sections,
    /// The way of charging.
    #[serde(default)]
    pub account: Account,
    /// The cost of helping in the analysis of MrsP itself.
    #[serde(default)]
    pub helping: Option<HelpingCost>,
}

/// A way of charging overheads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Account {
    /// Execution times grow by what their own operations cost.
    #[default]
    Inflated,
    /// Interrupts and caches are charged as well (Brandenburg 2011).
    PreemptionCentric,
}

/// [`Helping`] as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct HelpingCost {
    /// Ticks to move a holder to another core; a table counts all tasks or cores of the set.
    pub migration: Cost,
    /// Ticks for which a holder that moved cannot be preempted.
    pub non_preemptive: Cost,
}

impl HelpingCost {
    fn of(&self, set: &TaskSet) -> Result<Helping, Unanswered> {
        let ticks = |cost: &Cost| cost.for_set("helping", set).map_err(|_| Unanswered);
        Ok(Helping {
            migration: ticks(&self.migration)?,
            non_preemptive: ticks(&self.non_preemptive)?,
        })
    }
}

fn spins() -> Waiting {
    Waiting::Spins
}

fn unchanged() -> Sections {
    Sections::Unchanged
}

/// Tests in whose analysis helping has a cost.
const WITH_HELPING: [&str; 2] = ["mrsp-2013", "mrsp-2017"];

impl Options {
    /// Everything that makes no sense for these tests.
    pub(crate) fn problems(&self, tests: &[Test]) -> Vec<String> {
        let mut problems = Vec::new();
        for (label, charge) in &self.overheads {
            let named = tests.iter().find(|test| test.label == *label);
            let helps = named.is_some_and(|test| WITH_HELPING.contains(&test.test.metadata().name));
            if label != OTHERS && named.is_none() {
                problems.push(format!(
                    "overheads: no test is called `{label}`; `*` stands for all others"
                ));
            } else if charge.helping.is_some() && !helps {
                problems.push(format!(
                    "overheads: `helping` is a part of {}, not of `{label}`",
                    WITH_HELPING.join(" and ")
                ));
            }
        }
        problems
    }

    /// Returns the set on its cores, by `own` rather than by these options; `None` if its tasks fit
    /// on no core.
    pub fn placed(&self, set: &TaskSet, own: Option<&dyn Place>) -> Option<TaskSet> {
        let set = if self.group_locks { set.clone().with_group_locks() } else { set.clone() };
        match (own, &self.placement) {
            (Some(own), _) => own.place(&set),
            (None, Some(placement)) => placement.place_by_utilization(&set),
            (None, None) => Some(set),
        }
    }

    /// Returns the charge of a test, if there is one.
    pub(crate) fn charge(&self, label: &str) -> Option<&Charge> {
        self.overheads.get(label).or_else(|| self.overheads.get(OTHERS))
    }
}

impl Charge {
    /// Returns a set with its overheads; `None` if overheads alone fill a core, or the numbers.
    ///
    /// # Errors
    /// The overheads are not known for so many tasks or cores.
    pub(crate) fn applied(&self, set: &TaskSet) -> Result<Option<TaskSet>, Unanswered> {
        let charging = Charging { waiting: self.waiting, sections: self.sections };
        let charged = match self.account {
            Account::Inflated => self.costs.inflated(set, charging),
            Account::PreemptionCentric => self.costs.preemption_centric(set, charging),
        };
        match charged {
            Ok(charged) => Ok(Some(charged)),
            Err(Uncharged::BeyondTable { .. }) => Err(Unanswered),
            Err(Uncharged::NoTimeLeft { .. } | Uncharged::TooLong { .. }) => Ok(None),
        }
    }

    /// Returns the verdict of a test on a set that is charged already.
    ///
    /// # Errors
    /// The set is outside the test's assumptions, or the cost of helping is not known for it.
    pub(crate) fn ask(&self, test: &Test, charged: &TaskSet) -> Result<Verdict, Unanswered> {
        Ok(match (&self.helping, test.test.metadata().name) {
            (Some(helping), "mrsp-2013") => {
                Mrsp2013 { helping: helping.of(charged)? }.check(charged)?
            }
            (Some(helping), "mrsp-2017") => {
                Mrsp2017 { helping: helping.of(charged)? }.check(charged)?
            }
            _ => test.test.check(charged)?,
        })
    }
}

/// A test says nothing about a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Unanswered;

impl From<OutsideAssumptions> for Unanswered {
    fn from(_: OutsideAssumptions) -> Self {
        Unanswered
    }
}
