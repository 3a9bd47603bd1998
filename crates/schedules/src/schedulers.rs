//! The schedulers that are here, by name.

use fusee_analysis::TaskSet;

use crate::base::Base;
use crate::clusters::Clusters;
use crate::mrsp::Mrsp;
use crate::omlp::{Donation, Token};
use crate::phase_fair::PhaseFair;
use crate::spin::{Order, SpinLock};
use crate::suspend::{Dpcp, Fmlp, Mpcp, VirtualSpinning};
use crate::world::Protocol;

/// The kind of sets that a scheduler can run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Each core alone; resources are local, and may be nested.
    Local,
    /// Cores share resources; none is inside another.
    Flat,
    /// Cores share resources, which may be nested.
    Nested,
    /// Jobs run on any core; there are no resources.
    Global,
}

/// A scheduler with its locks.
#[derive(Debug, Clone, Copy)]
pub struct Scheduler {
    /// In kebab case, as tests are named.
    pub name: &'static str,
    /// The title of the scheduler.
    pub title: &'static str,
    kind: Kind,
    make: fn(&TaskSet) -> Box<dyn Protocol>,
}

/// The reason for which a scheduler cannot run a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// The tasks are on no core yet.
    #[error("its tasks are not placed on cores")]
    Unplaced,
    /// Several cores share a resource, and nothing says how.
    #[error("resource {0} is used on several cores; a scheduler with a lock for that is needed")]
    Shared(usize),
    /// There are resources.
    #[error("it has resources, which are for schedulers of single cores")]
    Resources,
    /// Sections are inside each other.
    #[error("it has nested sections; this lock is for outermost ones (group locks flatten a set)")]
    Nested,
    /// Thresholds are for nobody here.
    #[error("task {0} has a preemption threshold, which no scheduler here knows")]
    Threshold(usize),
    /// A run would be too long to draw.
    #[error("task {0} has more than 100,000 critical sections in a job")]
    Sections(usize),
}

const fn scheduler(
    (name, title): (&'static str, &'static str),
    kind: Kind,
    make: fn(&TaskSet) -> Box<dyn Protocol>,
) -> Scheduler {
    Scheduler { name, title, kind, make }
}

const FIXED: Base = Base::FixedPriority;
const EDF: Base = Base::EarliestDeadline;

/// All that are here.
pub const SCHEDULERS: &[Scheduler] = &[
    scheduler(
        ("fixed-priority", "each core by priorities; local resources at their ceiling"),
        Kind::Local,
        |_| Box::new(SpinLock(FIXED, Order::Fifo)),
    ),
    scheduler(
        (
            "earliest-deadline",
            "each core by deadlines; local resources by the stack resource policy",
        ),
        Kind::Local,
        |_| Box::new(SpinLock(EDF, Order::Fifo)),
    ),
    scheduler(("msrp", "FIFO spin locks"), Kind::Flat, |_| Box::new(SpinLock(FIXED, Order::Fifo))),
    scheduler(("msrp-edf", "FIFO spin locks, cores by deadlines"), Kind::Flat, |_| {
        Box::new(SpinLock(EDF, Order::Fifo))
    }),
    scheduler(("spin-priority", "spin locks in the order of priorities"), Kind::Flat, |_| {
        Box::new(SpinLock(FIXED, Order::Priority))
    }),
    scheduler(("spin-unordered", "spin locks in any order"), Kind::Flat, |_| {
        Box::new(SpinLock(FIXED, Order::Any))
    }),
    scheduler(("phase-fair", "spin locks with phases of readers"), Kind::Flat, |_| {
        Box::new(PhaseFair::default())
    }),
    scheduler(("mrsp", "spinning at the ceiling, helping the holder"), Kind::Nested, |set| {
        Box::new(Mrsp::new(set))
    }),
    scheduler(("mpcp", "priority queues; holders above all others"), Kind::Flat, |_| {
        Box::new(Mpcp)
    }),
    scheduler(
        ("mpcp-virtual-spinning", "as MPCP, one request of a core at a time"),
        Kind::Flat,
        |_| Box::new(VirtualSpinning::default()),
    ),
    scheduler(
        ("dpcp", "sections on the core of the resource's number modulo the cores"),
        Kind::Flat,
        |_| Box::new(Dpcp),
    ),
    scheduler(("fmlp-plus", "FIFO queues; holders in the order of requests"), Kind::Flat, |_| {
        Box::new(Fmlp(FIXED))
    }),
    scheduler(("fmlp-plus-edf", "as FMLP+, cores by deadlines"), Kind::Flat, |_| {
        Box::new(Fmlp(EDF))
    }),
    scheduler(("omlp-donation", "one request of a core, by donation"), Kind::Flat, |_| {
        Box::new(Donation(FIXED))
    }),
    scheduler(("omlp-donation-edf", "the same, cores by deadlines"), Kind::Flat, |_| {
        Box::new(Donation(EDF))
    }),
    scheduler(("omlp-token", "one request of a core, by a token"), Kind::Flat, |_| {
        Box::new(Token::new(FIXED))
    }),
    scheduler(("omlp-token-edf", "the same, cores by deadlines"), Kind::Flat, |_| {
        Box::new(Token::new(EDF))
    }),
    scheduler(("global-fixed-priority", "jobs on any core, by priorities"), Kind::Global, |set| {
        Box::new(Clusters::new(FIXED, set.cores()))
    }),
    scheduler(
        ("global-earliest-deadline", "jobs on any core, by deadlines"),
        Kind::Global,
        |set| Box::new(Clusters::new(EDF, set.cores())),
    ),
];

/// Returns the scheduler of this name.
pub fn by_name(name: &str) -> Option<&'static Scheduler> {
    SCHEDULERS.iter().find(|scheduler| scheduler.name == name)
}

impl Scheduler {
    /// One for a run of a set that [fits](Self::fits).
    pub fn of(&self, set: &TaskSet) -> Box<dyn Protocol> {
        (self.make)(set)
    }

    /// Checks that it can run a set.
    ///
    /// # Errors
    /// Why not.
    pub fn fits(&self, set: &TaskSet) -> Result<(), Unfit> {
        drawable(set)?;
        let resources = || 0..set.resources();
        if self.kind != Kind::Global && !set.is_placed() {
            return Err(Unfit::Unplaced);
        }
        match self.kind {
            Kind::Local => {
                let shared = resources().find(|&resource| set.is_global(resource));
                shared.map_or(Ok(()), |resource| Err(Unfit::Shared(resource)))?;
            }
            Kind::Flat if nests(set) => return Err(Unfit::Nested),
            Kind::Global if resources().any(|resource| set.users(resource).next().is_some()) => {
                return Err(Unfit::Resources);
            }
            Kind::Flat | Kind::Nested | Kind::Global => {}
        }
        Ok(())
    }
}

/// Returns `true` if some section is inside another one.
fn nests(set: &TaskSet) -> bool {
    (0..set.tasks().len()).any(|task| set.requests(task).iter().any(|r| !r.nested.is_empty()))
}

/// Checks that jobs of a set can be drawn, under whatever scheduler.
///
/// # Errors
/// Why not.
pub fn drawable(set: &TaskSet) -> Result<(), Unfit> {
    let threshold = set.tasks().iter().position(|task| task.threshold.is_some());
    threshold.map_or(Ok(()), |task| Err(Unfit::Threshold(task)))?;
    let sections = |task: usize| {
        set.sections(task).iter().fold(0_u64, |sum, section| sum.saturating_add(section.count))
    };
    let long = (0..set.tasks().len()).find(|&task| sections(task) > 100_000);
    long.map_or(Ok(()), |task| Err(Unfit::Sections(task)))
}
