//! Events that a task has to do with.

use std::collections::BTreeSet;

use crate::{Body, GateId, NotificationId, Overrun, Step, System, TaskId};

impl System {
    /// The notifications that a task signals or waits for, wherever it gets, the one that releases
    /// it, and the one that the end of its budget signals.
    pub fn notifications_of(&self, task: TaskId) -> BTreeSet<NotificationId> {
        let task = self.task(task);
        let overrun = task.budget.as_ref().map(|budget| budget.overrun);
        let noticed = overrun.and_then(|overrun| match overrun {
            Overrun::Notify(id) => Some(id),
            _ => None,
        });
        let mut found: BTreeSet<NotificationId> =
            task.release_event().into_iter().chain(noticed).collect();
        let mut seen: BTreeSet<(GateId, usize)> = BTreeSet::new();
        let mut ahead: Vec<&Body> = vec![&task.body];
        while let Some(body) = ahead.pop() {
            for step in &body.steps {
                match *step {
                    Step::Compute { .. } => {}
                    Step::Emit(id) | Step::Wait(id) => drop(found.insert(id)),
                    Step::Invoke { gate, method, .. } => {
                        let methods = self.gates.get(gate.index()).map_or(&[][..], |g| &g.methods);
                        let invoked = methods.iter().enumerate().filter(|&(at, _)| {
                            method.is_none_or(|named| named == at) && seen.insert((gate, at))
                        });
                        ahead.extend(invoked.map(|(_, method)| &method.body));
                    }
                }
            }
        }
        found
    }
}
