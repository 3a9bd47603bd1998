//! Events that a task has to do with.

use std::collections::BTreeSet;

use crate::{Body, GateId, NotificationId, Overrun, Step, System, TaskId};

impl System {
    /// Returns the notifications that a task signals or waits for, wherever it gets, the one that
    /// releases it, and the one that the end of its budget signals.
    pub fn notifications_of(&self, task: TaskId) -> BTreeSet<NotificationId> {
        let mut found = self.awaited_by(task);
        found.extend(self.emitted_by(task));
        found.extend(self.noticed_by(task));
        found
    }

    /// Returns the notifications for which a task waits, wherever it gets, and the one that
    /// releases it.
    pub fn awaited_by(&self, task: TaskId) -> BTreeSet<NotificationId> {
        let waits = |step: &Step| match *step {
            Step::Wait(id) => Some(id),
            _ => None,
        };
        let mut found = self.named_by(task, waits);
        found.extend(self.task(task).release_event());
        found
    }

    /// Returns the notifications that a task signals, wherever it gets.
    pub fn emitted_by(&self, task: TaskId) -> BTreeSet<NotificationId> {
        self.named_by(task, |step| match *step {
            Step::Emit(id) => Some(id),
            _ => None,
        })
    }

    /// Returns the core to which an event belongs: that of the tasks that wait for it or are
    /// released by it; without any it may be any.
    pub fn core_of_event(&self, event: NotificationId) -> Option<u32> {
        let awaits = |&(id, _): &(TaskId, &crate::Task)| self.awaited_by(id).contains(&event);
        self.task_ids().filter(awaits).map(|(_, task)| task.core).min()
    }

    /// Returns the notification that the end of a task's budget signals.
    pub fn noticed_by(&self, task: TaskId) -> Option<NotificationId> {
        match self.task(task).budget.as_ref()?.overrun {
            Overrun::Notify(id) => Some(id),
            _ => None,
        }
    }

    /// Returns the objects named by steps that a task gets to.
    fn named_by(
        &self,
        task: TaskId,
        name: impl Fn(&Step) -> Option<NotificationId>,
    ) -> BTreeSet<NotificationId> {
        let mut found = BTreeSet::new();
        let mut seen: BTreeSet<(GateId, usize)> = BTreeSet::new();
        let mut ahead: Vec<&Body> = vec![&self.task(task).body];
        while let Some(body) = ahead.pop() {
            found.extend(body.steps.iter().filter_map(&name));
            for step in &body.steps {
                let Step::Invoke { gate, method, .. } = *step else { continue };
                let methods = self.gates.get(gate.index()).map_or(&[][..], |g| &g.methods);
                let invoked = methods.iter().enumerate().filter(|&(at, _)| {
                    method.is_none_or(|named| named == at) && seen.insert((gate, at))
                });
                ahead.extend(invoked.map(|(_, method)| &method.body));
            }
        }
        found
    }
}
