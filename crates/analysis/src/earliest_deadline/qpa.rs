//! Quick convergence processor-demand analysis.
//!
//! Instead of every step of the demand, start at the far end and jump: if the
//! demand h(t) is below t, nothing can go wrong between h(t) and t, so go on at
//! h(t); if it is equal, go on at the last step before t; if it is above, the
//! deadline at t can be missed. A dozen jumps instead of thousands of steps.
//!
//! With blocking, B(t) falls where t passes the blocker's deadline. The jumps
//! stay valid as long as a section is part of its task's execution time (Zhang
//! and Burns 2013), which a [`TaskSet`] guarantees.

use super::INDEPENDENT;
use super::blocking::Blocking;
use super::demand::{PATIENCE, Row, demand, holds_on_each_core, horizon, last_step};
use crate::effort;
use crate::{Exactness, Family, Metadata, SchedulabilityTest, TaskSet, Verdict};

/// Zhang and Burns' jumps through the processor demand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Qpa;

impl SchedulabilityTest for Qpa {
    fn metadata(&self) -> &'static Metadata {
        &Metadata {
            name: "edf-qpa",
            title: "quick convergence processor-demand analysis",
            source: "Zhang and Burns 2009; Spuri 1996 (jitter)",
            family: Family::EarliestDeadline,
            assumptions: INDEPENDENT,
            exactness: Exactness::Exact,
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        holds_on_each_core(set, jump)
    }
}

/// Returns `true` if demand + B(t) <= t everywhere.
pub(super) fn jump(rows: &[Row], blocking: &Blocking) -> bool {
    let Some(far) = horizon(rows) else { return false };
    let Some(shortest) = rows.iter().map(|r| r.window).min() else { return true };
    let Some(mut t) = last_step(rows, far.max(blocking.end()).saturating_add(1)) else {
        return true;
    };
    for _ in 0..PATIENCE {
        let Some(needed) = demand(rows, t).and_then(|d| d.checked_add(blocking.at(t))) else {
            return false;
        };
        if needed > t || !effort::step() {
            return false;
        }
        let next = if needed < t { Some(needed) } else { last_step(rows, t) };
        match next.filter(|&next| next >= shortest) {
            Some(next) => t = next,
            None => return true,
        }
    }
    false
}
