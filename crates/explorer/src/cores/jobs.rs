//! Jobs of several cores: their own urgency, and the threads they waited for.
//!
//! Kept beside each history from its events alone. Where deadlines decide, a job counts from its
//! nominal arrival, or from when its core has taken the signal that releases it; what a gate
//! demands of who takes it counts from then.

use std::collections::VecDeque;

use fusee_kernel::cores::{Host, HostCore, OneCore};
use fusee_kernel::{NEVER, Status, Store, Time, each_store};

use super::rule::ensure;
use super::{Checked, Rule};
use crate::Rules;

/// The jobs of all threads, core by core.
#[derive(Debug, Clone)]
pub(super) struct Jobs(Vec<Vec<OfThread>>);

/// Those of one thread.
#[derive(Debug, Clone, Default)]
struct OfThread {
    /// Nominal arrivals of those that have not ended, the one under way first.
    arrivals: VecDeque<Time>,
    /// When the gate of each of its frames was taken.
    taken: Vec<Time>,
    /// `true` if it is inside a gate that excludes others.
    inside: bool,
    /// The number of such stays that have ended.
    ended: u32,
    /// The stays of less urgent threads for which the job under way has waited: whose, and which.
    waited: Vec<(usize, u32)>,
}

/// Jobs that have arrived and not ended.
fn unfinished<P: Rules>(store: &Store<P>, thread: usize) -> usize {
    let state = &store.threads[thread];
    usize::from(state.queued) + usize::from(state.status != Status::Idle)
}

impl Jobs {
    /// Before the start.
    pub(super) fn start(tables: &[OneCore<'_>]) -> Jobs {
        let threads = tables.iter().map(|(one, _)| vec![OfThread::default(); one.threads.len()]);
        Jobs(threads.collect())
    }

    /// A job arrives, and is lost if too many wait.
    pub(super) fn arrive(&mut self, (one, shared): &OneCore<'_>, thread: usize, nominal: Time) {
        let arrivals = &mut self.0[usize::from(shared.core)][thread].arrivals;
        if arrivals.len() <= usize::from(one.backlog) {
            arrivals.push_back(nominal);
        }
    }

    /// Follows a core to the state after a step, all of whose arrivals are known.
    ///
    /// # Errors
    /// A job is there that has not arrived.
    pub(super) fn follow(&mut self, tables: &OneCore<'_>, own: &HostCore, now: Time) -> Checked {
        each_store!(&own.store, store => self.follow_in(tables, store, now))
    }

    fn follow_in<P: Rules>(
        &mut self,
        (one, shared): &OneCore<'_>,
        store: &Store<P>,
        now: Time,
    ) -> Checked {
        let core = usize::from(shared.core);
        for (thread, jobs) in self.0[core].iter_mut().enumerate() {
            let left = unfinished(store, thread);
            ensure(Rule::Urgencies, left <= jobs.arrivals.len(), || {
                format!("T{thread} of core {core} has {left} jobs, which have not all arrived")
            })?;
            if left < jobs.arrivals.len() {
                jobs.arrivals.drain(..jobs.arrivals.len() - left);
                jobs.waited.clear();
            }
            let frames = store.frames_of(one, thread);
            jobs.taken.resize(frames.len(), now);
            let excludes =
                |frame: &fusee_kernel::Frame<P>| one.gates[frame.gate.at()].protocol.is_exclusive();
            let inside = frames.iter().any(excludes);
            jobs.ended += u32::from(jobs.inside && !inside);
            jobs.inside = inside;
        }
        Ok(())
    }

    /// When the gate of a thread's frame was taken.
    pub(super) fn taken(&self, core: usize, thread: usize, depth: usize) -> Time {
        self.0[core][thread].taken[depth]
    }

    /// Checks how urgent a core's jobs are by themselves.
    ///
    /// # Errors
    /// [`Rule::Urgencies`].
    pub(super) fn urgencies<P: Rules>(
        &self,
        (one, shared): &OneCore<'_>,
        store: &Store<P>,
    ) -> Checked {
        let core = usize::from(shared.core);
        for (thread, (jobs, config)) in self.0[core].iter().zip(one.threads).enumerate() {
            let Some(arrival) = jobs.arrivals.front() else { continue };
            let due = (config.deadline != NEVER).then(|| arrival + config.deadline);
            let (is, due) = (store.threads[thread].base, P::own(config.priority, due));
            ensure(Rule::Urgencies, due.is_none_or(|due| is == due), || {
                let [is, due] = [Some(is), due].map(|urgency| urgency.map(P::tell));
                format!("T{thread} of core {core} has {is:?}, not {due:?}")
            })?;
        }
        Ok(())
    }

    /// Counts the jobs of a core that wait for less urgent ones, in a state in which it is on no
    /// path, and checks that none has found a gate held.
    ///
    /// # Errors
    /// [`Rule::Blockings`], [`Rule::Unheld`].
    pub(super) fn wait_once(&mut self, core: usize, own: &HostCore) -> Checked {
        each_store!(&own.store, store => self.wait_once_in(core, store))
    }

    fn wait_once_in<P: Rules>(&mut self, core: usize, store: &Store<P>) -> Checked {
        let at_gate = store.threads.iter().position(|thread| thread.gate().is_some());
        ensure(Rule::Unheld, at_gate.is_none(), || {
            format!("T{at_gate:?} of core {core} has found a gate held")
        })?;
        let Some(runs) = store.running() else { return Ok(()) };
        let threads = &mut self.0[core];
        let (inside, stay) = (threads[runs].inside, (runs, threads[runs].ended));
        for (thread, jobs) in threads.iter_mut().enumerate() {
            let state = &store.threads[thread];
            let waits = state.base > store.threads[runs].base
                && !jobs.arrivals.is_empty()
                && state.status != Status::AtNotification;
            if !waits {
                continue;
            }
            ensure(Rule::Blockings, inside, || {
                format!("T{thread} of core {core} waits for T{runs}, which is inside no gate")
            })?;
            if !jobs.waited.contains(&stay) {
                jobs.waited.push(stay);
            }
            let whose: Vec<usize> = jobs.waited.iter().map(|&(whose, _)| whose).collect();
            ensure(Rule::Blockings, whose.len() <= 1, || {
                format!("a job of T{thread} of core {core} waits for sections of {whose:?}")
            })?;
        }
        Ok(())
    }

    /// Encodes the number of waits of each job, and the stays that go on.
    pub(super) fn encode(&self, bytes: &mut Vec<u8>) {
        for threads in &self.0 {
            for jobs in threads {
                let goes_on = |&(thread, stay): &(usize, u32)| {
                    let of: &OfThread = &threads[thread];
                    u8::from(of.inside && of.ended == stay) << thread
                };
                bytes.push(jobs.waited.len() as u8);
                bytes.push(jobs.waited.iter().map(goes_on).sum());
            }
        }
    }
}

/// Returns `true` if a core of a state is on no path.
pub(super) fn is_at_rest(host: &Host, core: usize) -> bool {
    host.cores[core].home.due == fusee_kernel::cores::Due::Nothing
        && host.cores[core].read.is_none()
}
