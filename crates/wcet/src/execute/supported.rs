//! The machines on which programs are bounded.
//!
//! The engine is large, and generic so that a machine's state costs nothing where there is none.
//! It is compiled here for each of them: otherwise every program that asks for a bound would
//! compile it again.

use super::watch::Trying;
use super::{Beginning, Bound, Effort, Failure, Session, Subject, bound_on};
use crate::machine::{Counting, Instructions, Machine, Pipeline, Touched, Within};

/// A machine for which the engine is there.
pub trait Supported: Machine + Sync + Sized {
    /// Returns what [`super::bound`] finds on it.
    ///
    /// # Errors
    /// A [`Failure`] of the host.
    fn bound(subject: Subject<'_, Self>, entry: u64, trying: Trying<'_>) -> Result<Bound, Failure>;

    /// Bounds the time from an address on, where these registers are known.
    fn execute_within(
        session: &mut Session,
        subject: Subject<'_, Self>,
        effort: Effort,
        entry: &Beginning<'_>,
    ) -> Bound;
}

macro_rules! supported {
    ($($machine:ty),*) => {
        $(impl Supported for $machine {
            fn bound(
                subject: Subject<'_, Self>,
                entry: u64,
                trying: Trying<'_>,
            ) -> Result<Bound, Failure> {
                bound_on(subject, entry, trying)
            }

            fn execute_within(
                session: &mut Session,
                subject: Subject<'_, Self>,
                effort: Effort,
                entry: &Beginning<'_>,
            ) -> Bound {
                session.execute(subject, effort, entry)
            }
        })*
    };
}

supported!(Instructions, Counting<'_>, Within, Touched, Pipeline<'_>);
