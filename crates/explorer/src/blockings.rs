//! The less urgent threads that a job has had to wait for.
//!
//! Protocols promise a limit on their number. The number is a matter of history: while a job could
//! go on and a less urgent thread runs, that thread must be inside a gate, and its stay there, from
//! the outermost gate's entry to its end, counts once. So the counts belong to the state. A job
//! whose budget has ended counts anew when it goes on.

use fusee_kernel::Tables;

use crate::rule::{Checked, Rule, ensure};
use crate::{Ledger, Rules, Store};

/// The blockings counted so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Blockings {
    threads: Vec<Waits>,
}

/// One thread's waits.
#[derive(Debug, Clone, Default)]
struct Waits {
    /// The number of the job.
    job: u64,
    /// The stays for which it has waited: whose, and which.
    stays: Vec<(usize, u32)>,
    /// The number of this thread's own stays that have ended.
    ended: u32,
    inside: bool,
}

impl Blockings {
    /// Returns the state at the start: no thread has waited.
    pub(crate) fn start(tables: &Tables<'_>) -> Blockings {
        Blockings { threads: vec![Waits::default(); tables.threads.len()] }
    }

    /// Looks at a state: the running thread, and the threads that have to wait for it.
    pub(crate) fn follow<P: Rules>(
        &mut self,
        ledger: &Ledger,
        (tables, store): (&Tables<'_>, &Store<P>),
        most: usize,
    ) -> Checked {
        for (thread, waits) in self.threads.iter_mut().enumerate() {
            let inside = ledger.sections(tables, thread) > 0;
            waits.ended += u32::from(waits.inside && !inside);
            waits.inside = inside;
            if waits.job != ledger.jobs_begun(thread) || !ledger.has_budget(thread) {
                waits.job = ledger.jobs_begun(thread);
                waits.stays.clear();
            }
        }
        let Some(runs) = store.running() else { return Ok(()) };
        let stay = (runs, self.threads[runs].ended);
        for thread in 0..self.threads.len() {
            let urgent = store.threads[thread].base > store.threads[runs].base;
            if !urgent || !ledger.is_pending(thread) {
                continue;
            }
            ensure(Rule::Blockings, self.threads[runs].inside, || {
                format!("T{thread} waits while T{runs} runs, which is inside no gate")
            })?;
            let stays = &mut self.threads[thread].stays;
            if !stays.contains(&stay) {
                stays.push(stay);
            }
            ensure(Rule::Blockings, stays.len() <= most, || {
                let whose: Vec<usize> = stays.iter().map(|&(thread, _)| thread).collect();
                format!("a job of T{thread} waits for {} sections, of {whose:?}", stays.len())
            })?;
        }
        Ok(())
    }

    /// Encodes the number of waits of each thread, and the stays that go on.
    pub(crate) fn encode(&self, bytes: &mut Vec<u8>) {
        for waits in &self.threads {
            let goes_on = |&(thread, stay): &(usize, u32)| {
                let of = &self.threads[thread];
                u8::from(of.inside && of.ended == stay) << thread
            };
            bytes.push(waits.stays.len() as u8);
            bytes.push(waits.stays.iter().map(goes_on).sum());
        }
    }
}
