//! A run's records against rules about time, written anew.
//!
//! The simulator runs the kernel's own decisions, so it cannot tell when they are wrong. What
//! the records of a run say is held against the description here, by rules that share nothing
//! with the kernel:
//!
//! - release k comes at its instant, none is left out, and signals release no closer than they may;
//! - a job is missed exactly when it ends late, or the next one finds it late, and once;
//! - a response counts from the nominal arrival;
//! - time is conserved: jobs execute what they have to, and all that is executed is theirs;
//! - nobody executes more than its budget between two releases, its lenders' time apart;
//! - the core idles only if every job waits or has nobody who pays.
//!
//! Where the kernel's paths cost something, records do not say when a thread goes on, and the rules
//! that count execution are left out.

mod account;
mod calendar;

use crate::scenarios::demands;
use account::Account;
use calendar::Calendar;
use fusee_generate::Case;
use fusee_kernel::{Kind, Record, ThreadIndex};
use fusee_sim::{Execution, Options, Outcome};

/// Says which rule a run breaks, with everything recorded from its beginning to its end.
///
/// # Errors
/// What is wrong first.
pub(crate) fn check(case: &Case, options: &Options, outcome: &Outcome) -> Result<(), String> {
    let demands = demands(&case.system);
    let tasks = case.system.tasks.iter().zip(demands);
    let exact = options.costs.is_zero();
    let accounts = tasks.map(|(task, demand)| {
        let demand = (exact && options.execution == Execution::Worst).then_some(demand);
        Account::open(task, demand)
    });
    let accounts: Vec<Account> = accounts.collect();
    let calendars = Calendar::of(&case.system, options);
    let mut ledger = Ledger { accounts, calendars, exact, ..Ledger::default() };
    for record in &outcome.records {
        ledger
            .follow(record)
            .map_err(|wrong| format!("at {}, {:?}: {wrong}", record.time, record.kind))?;
    }
    ledger.close(outcome).map_err(|wrong| format!("at the end: {wrong}"))
}

#[derive(Default)]
struct Ledger {
    accounts: Vec<Account>,
    calendars: Vec<Calendar>,
    /// `true` if the kernel takes no time.
    exact: bool,
    now: u64,
    runs: Option<usize>,
    /// The thread that pays for the running one, if that does not itself.
    lender: Option<usize>,
    executed: u64,
    /// The task whose job has just ended, and `true` if a miss must follow.
    ended: Option<(usize, bool)>,
}

impl Ledger {
    fn follow(&mut self, record: &Record) -> Result<(), String> {
        self.pass(record.time)?;
        let task = record.thread.is_some().then_some(record.thread.at());
        if let Some((ended, late)) = self.ended.take() {
            let follows = record.kind == Kind::Miss && task == Some(ended);
            if late != follows {
                return Err(format!(
                    "the job of {ended} was {}",
                    if late { "late" } else { "not late" }
                ));
            }
            if follows {
                return Ok(());
            }
        }
        if record.kind == Kind::Switch {
            return self.switch(task);
        }
        let Some(task) = task else { return Ok(()) };
        let (account, now) = (&mut self.accounts[task], record.time);
        match record.kind {
            Kind::Release => {
                let lateness = self.exact.then_some(now);
                self.calendars[task].release(record.value, now, lateness)?;
                account.release(record.value);
                if self.runs == Some(task) {
                    self.lender = None;
                }
            }
            Kind::Lose => account.lose(),
            Kind::Queue => account.queue(),
            Kind::Miss => account.miss(now, record.value)?,
            Kind::Complete => self.ended = Some((task, account.complete(now, record.value)?)),
            Kind::Overrun => account.unlimited(),
            Kind::Block | Kind::Wait | Kind::Suspend => account.stopped = true,
            Kind::HandOver | Kind::Wake | Kind::Retry => account.stopped = false,
            Kind::Lend => self.lender = Some(ThreadIndex(record.object).at()),
            // Nothing of these changes who runs, who pays or what is left to do.
            Kind::Defer | Kind::Switch | Kind::Rotate | Kind::Signal => {}
            Kind::Post | Kind::Throttle => {}
            Kind::Enter | Kind::Return | Kind::Boost | Kind::Fault | Kind::Abort => {}
            Kind::Ask | Kind::Turn | Kind::Take | Kind::LayDown | Kind::Finish => {}
        }
        Ok(())
    }

    /// Time goes on for who runs.
    fn pass(&mut self, now: u64) -> Result<(), String> {
        let time = now.checked_sub(self.now).ok_or("records go back in time")?;
        self.now = now;
        let Some(runs) = self.runs.filter(|_| self.exact && time > 0) else { return Ok(()) };
        self.executed += time;
        self.accounts[runs].execute(time);
        let payer = self.lender.unwrap_or(runs);
        self.accounts[payer].pay(time).map_err(|wrong| format!("task {payer} {wrong}"))
    }

    fn switch(&mut self, to: Option<usize>) -> Result<(), String> {
        (self.runs, self.lender) = (to, None);
        match to {
            Some(task) if !self.accounts[task].has_job() => {
                Err(format!("task {task} runs without a job"))
            }
            Some(task) => {
                self.accounts[task].stopped = false;
                Ok(())
            }
            None => match self
                .accounts
                .iter()
                .position(|account| account.has_job() && !account.stopped)
            {
                Some(task) => Err(format!("the core idles, though task {task} has a job to do")),
                None => Ok(()),
            },
        }
    }

    fn close(&mut self, outcome: &Outcome) -> Result<(), String> {
        let end = outcome.elapsed.ns();
        self.pass(end.max(self.now))?;
        if let Some((task, true)) = self.ended {
            return Err(format!("the job of {task} was late"));
        }
        if !self.exact {
            return Ok(());
        }
        if self.executed != outcome.busy.ns() {
            return Err(format!(
                "{} was executed, {} says the run",
                self.executed,
                outcome.busy.ns()
            ));
        }
        self.calendars.iter().enumerate().try_for_each(|(task, calendar)| {
            calendar.close(end).map_err(|wrong| format!("task {task}: {wrong}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Effort, scenarios};
    use fusee_generate::{Mix, case};
    use fusee_model::Duration;
    use fusee_sim::{Recording, simulate};

    fn runs() -> impl Iterator<Item = (Case, Options, Outcome)> {
        let cases = (0..60).map(|index| case(&Mix { costs: 20, ..Mix::default() }, 15, index));
        cases.flat_map(|case| {
            let runs = scenarios(&case, &Effort::default());
            runs.into_iter().map(move |options| {
                let recording = Recording::Window { from: Duration::ZERO, to: Duration(u64::MAX) };
                let options = Options { recording, ..options };
                let outcome = simulate(&case.system, &options).expect("a system that can be run");
                (case.clone(), options, outcome)
            })
        })
    }

    #[test]
    fn runs_keep_the_rules() {
        for (case, options, outcome) in runs() {
            assert_eq!(check(&case, &options, &outcome), Ok(()), "{}", case.system.name);
        }
    }

    fn leave_out(records: &mut Vec<Record>, at: usize) {
        records.remove(at);
    }

    /// Records with a kernel's possible errors break them.
    #[test]
    fn records_of_a_wrong_kernel_break_them() {
        type Wrong = fn(&mut Vec<Record>, usize);
        let wrongs: [(&str, Kind, Wrong); 8] = [
            ("a release a tick late", Kind::Release, |records, at| records[at].value += 1),
            ("a release left out", Kind::Release, leave_out),
            ("a release twice", Kind::Release, |records, at| records.insert(at, records[at])),
            ("a miss left out", Kind::Miss, leave_out),
            ("a miss twice", Kind::Miss, |records, at| records.insert(at, records[at])),
            ("a response too short", Kind::Complete, |records, at| records[at].value /= 2),
            ("a switch left out", Kind::Switch, leave_out),
            ("a job that ends twice", Kind::Complete, |records, at| {
                records.insert(at, records[at])
            }),
        ];
        for (what, kind, wrong) in wrongs {
            let (mut tried, mut found) = (0, 0);
            for (case, options, mut outcome) in runs() {
                let places =
                    outcome.records.iter().enumerate().filter(|(_, record)| record.kind == kind);
                let places: Vec<usize> = places.map(|(place, _)| place).collect();
                let Some(&place) = places.get(places.len() / 2) else { continue };
                wrong(&mut outcome.records, place);
                tried += 1;
                found += usize::from(check(&case, &options, &outcome).is_err());
            }
            assert!(found * 2 > tried && tried > 20, "{what}: found in {found} of {tried} runs");
        }
    }
}
