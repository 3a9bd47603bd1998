//! When a task's jobs are to be released.

use fusee_model::{NotificationId, Overrun, ReleaseKind, Step, System, Task};
use fusee_sim::{Options, Releases};

/// A task's releases.
pub(super) struct Calendar {
    plan: Plan,
    jitter: u64,
    /// The nominal arrival of the last.
    last: Option<u64>,
}

enum Plan {
    /// One, at 0.
    Once,
    /// The next nominal arrival, and the period.
    Periodic(u64, u64),
    /// No closer than this.
    Separated(u64),
}

impl Calendar {
    /// Those of all tasks.
    pub(super) fn of(system: &System, options: &Options) -> Vec<Calendar> {
        let jitters = system
            .tasks
            .iter()
            .filter_map(|task| task.release.as_ref())
            .map(|r| r.jitter.value.ns());
        let common = jitters.max().unwrap_or(0);
        let tasks = system.tasks.iter().enumerate();
        tasks
            .map(|(index, task)| {
                let start = match &options.releases {
                    Releases::Phased { starts } => starts.get(index).map_or(0, |start| start.ns()),
                    Releases::Synchronous | Releases::Drawn => 0,
                };
                Calendar::of_task(system, task, common.saturating_add(start), &options.releases)
            })
            .collect()
    }

    fn of_task(system: &System, task: &Task, dense: u64, releases: &Releases) -> Calendar {
        let Some(release) = &task.release else {
            return Calendar { plan: Plan::Once, jitter: 0, last: None };
        };
        let (period, jitter) = (release.period.value.ns().max(1), release.jitter.value.ns());
        let signalled =
            matches!(release.kind, ReleaseKind::Notification(event) if is_emitted(system, event));
        let plan = match (releases, release.kind) {
            _ if signalled => Plan::Separated(period),
            (Releases::Drawn, ReleaseKind::Periodic) => Plan::Periodic(release.offset.ns(), period),
            (Releases::Drawn, _) => Plan::Separated(period),
            _ => Plan::Periodic(dense.saturating_sub(jitter), period),
        };
        Calendar { plan, jitter: if signalled { 0 } else { jitter }, last: None }
    }

    /// A job is released; `exact`: the instant, if it must be the right one.
    pub(super) fn release(
        &mut self,
        nominal: u64,
        now: u64,
        exact: Option<u64>,
    ) -> Result<(), String> {
        let right = match &mut self.plan {
            Plan::Once => nominal == 0 && self.last.is_none(),
            Plan::Periodic(next, period) => {
                let expected = *next;
                *next = expected.saturating_add(*period);
                nominal == expected
            }
            Plan::Separated(gap) => {
                self.last.is_none_or(|last| nominal >= last.saturating_add(*gap))
            }
        };
        // Who is held up waits for those before it, so that releases keep their order.
        let on_time = nominal <= now && exact.is_none_or(|now| now - nominal <= self.jitter);
        if !right || !on_time {
            return Err(format!(
                "released at {now} for {nominal}, the last one was for {:?}",
                self.last
            ));
        }
        self.last = Some(nominal);
        Ok(())
    }

    /// Checks that no release is missing at the end.
    pub(super) fn close(&self, end: u64) -> Result<(), String> {
        match self.plan {
            Plan::Periodic(next, _) if next.saturating_add(self.jitter) < end => {
                Err(format!("the job of {next} was not released"))
            }
            _ => Ok(()),
        }
    }
}

/// Returns `true` if anything in the system signals an event.
fn is_emitted(system: &System, event: NotificationId) -> bool {
    let methods = system.gates.iter().flat_map(|gate| &gate.methods).map(|method| &method.body);
    let mut steps =
        methods.chain(system.tasks.iter().map(|task| &task.body)).flat_map(|body| &body.steps);
    let mut budgets = system.tasks.iter().filter_map(|task| task.budget.as_ref());
    steps.any(|step| *step == Step::Emit(event))
        || budgets.any(|budget| budget.overrun == Overrun::Notify(event))
}
