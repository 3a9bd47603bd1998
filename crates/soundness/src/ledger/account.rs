//! One task's jobs and execution, as its records tell them.

use std::collections::VecDeque;

use fusee_model::Task;

struct Job {
    nominal: u64,
    missed: bool,
    executed: u64,
}

/// One task's jobs, those that wait included.
pub(super) struct Account {
    jobs: VecDeque<Job>,
    /// The one released last may still be lost.
    open: bool,
    deadline: Option<u64>,
    /// The execution time of each job, where that is known.
    demand: Option<u64>,
    budget: Option<u64>,
    /// The rest of the budget; none: without limit.
    left: Option<u64>,
    /// It waits, or has nobody who pays.
    pub(super) stopped: bool,
}

impl Account {
    pub(super) fn open(task: &Task, demand: Option<u64>) -> Account {
        let period = task.release.as_ref().map(|release| release.period.value.ns());
        let budget = task.budget.as_ref().map(|budget| budget.amount.value.ns());
        let deadline = task.deadline.map(|deadline| deadline.value.ns()).or(period);
        Account {
            jobs: VecDeque::new(),
            open: false,
            deadline,
            demand,
            budget,
            left: budget,
            stopped: false,
        }
    }

    pub(super) fn has_job(&self) -> bool {
        !self.jobs.is_empty()
    }

    pub(super) fn release(&mut self, nominal: u64) {
        if self.jobs.is_empty() {
            self.stopped = false;
        }
        self.open = !self.jobs.is_empty();
        self.left = self.budget;
        self.jobs.push_back(Job { nominal, missed: false, executed: 0 });
    }

    pub(super) fn queue(&mut self) {
        self.open = false;
    }

    /// The job released just now is lost; else a signal that came too early, which released none.
    pub(super) fn lose(&mut self) {
        if std::mem::take(&mut self.open) {
            self.jobs.pop_back();
        }
    }

    pub(super) fn miss(&mut self, now: u64, deadline: u64) -> Result<(), String> {
        let job = self.jobs.front_mut().ok_or("nobody has missed anything")?;
        let due = self.deadline.map(|length| job.nominal.saturating_add(length));
        if job.missed || due != Some(deadline) || now <= deadline {
            return Err(format!("the deadline is {due:?}, not {deadline}, or was missed before"));
        }
        job.missed = true;
        Ok(())
    }

    /// Returns whether a miss is still to be recorded.
    pub(super) fn complete(&mut self, now: u64, response: u64) -> Result<bool, String> {
        let job = self.jobs.pop_front().ok_or("no job was under way")?;
        if now.checked_sub(job.nominal) != Some(response) {
            return Err(format!("a job of {} did not take {response}", job.nominal));
        }
        if let Some(demand) = self.demand.filter(|&demand| demand != job.executed) {
            return Err(format!("a job of {demand} executed {}", job.executed));
        }
        let late = self.deadline.is_some_and(|deadline| response > deadline);
        Ok(late && !job.missed)
    }

    pub(super) fn execute(&mut self, time: u64) {
        if let Some(job) = self.jobs.front_mut() {
            job.executed += time;
        }
    }

    pub(super) fn pay(&mut self, time: u64) -> Result<(), String> {
        if let Some(left) = &mut self.left {
            *left =
                left.checked_sub(time).ok_or_else(|| format!("pays {time} and has {left} left"))?;
        }
        Ok(())
    }

    /// The budget is used up, and execution goes on until the next release.
    pub(super) fn unlimited(&mut self) {
        self.left = None;
    }
}
