//! The limit on a task's signals of an event of another core.
//!
//! The description says how often its jobs do, and the kernel lets no more through: so what other
//! cores have to look at does not depend on what the code does. Bounds count this limit.

use std::collections::BTreeSet;

use crate::{Body, Calls, ComponentId, End, InterfaceKind, NotificationId, Step, System, TaskId};

/// The limit on a task's signals of an event of another core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PostLimit {
    /// Never: it has nothing to do with it, or its lists of calls leave it out.
    Never,
    /// So many times, ever: it has one job.
    Once(u32),
    /// In a window of length w at most `signals` (w + `ahead`) / `period` times.
    Rate {
        /// Signals of a job.
        signals: u32,
        /// The period of its jobs, in ns.
        period: u64,
        /// In ns: a period, and how long after its nominal arrival a job may still signal. So jobs
        /// that keep their deadline are never refused a signal.
        ahead: u64,
    },
    /// The number is not known: its methods invoke each other in a circle.
    Unknown,
}

impl PostLimit {
    /// The most signals of a job; `None`: unknown.
    pub fn signals(self) -> Option<u32> {
        match self {
            PostLimit::Never => Some(0),
            PostLimit::Once(signals) | PostLimit::Rate { signals, .. } => Some(signals),
            PostLimit::Unknown => None,
        }
    }
}

impl System {
    /// Returns the limit on a task's signals of an event, if that belongs to another core. A job
    /// signals as often as the lists of calls say; where there is none, once, if the code that it
    /// executes can.
    pub fn post_limit(&self, task: TaskId, event: NotificationId) -> PostLimit {
        let Some(listed) = self.emissions(task, event) else { return PostLimit::Unknown };
        let signals = match u32::try_from(listed.most) {
            Ok(0) => u32::from(self.unlisted_signals(task).contains(&event)),
            most => most.unwrap_or(u32::MAX),
        };
        self.limit(task, signals)
    }

    /// Returns the limit on a task's notices to another core of a registered callback: once a job.
    pub fn registration_limit(&self, task: TaskId) -> PostLimit {
        self.limit(task, 1)
    }

    /// So many signals a job.
    fn limit(&self, task: TaskId, signals: u32) -> PostLimit {
        let task = self.task(task);
        match (&task.release, signals) {
            (_, 0) => PostLimit::Never,
            (None, _) => PostLimit::Once(signals),
            (Some(release), _) => {
                let period = release.period.value.ns().max(1);
                let deadline = task.deadline.as_ref().map_or(period, |given| given.value.ns());
                let late = deadline.saturating_add(release.jitter.value.ns());
                PostLimit::Rate { signals, period, ahead: late.saturating_add(period) }
            }
        }
    }

    /// Returns the events that a task may signal where they belong to another core: those that its
    /// lists of calls name, and those that code without a list can signal.
    pub fn posted_by(&self, task: TaskId) -> BTreeSet<NotificationId> {
        let mut found = self.emitted_by(task);
        found.extend(self.unlisted_signals(task));
        found
    }

    /// The events that code without a list of calls can signal, to which a task gets.
    fn unlisted_signals(&self, task: TaskId) -> BTreeSet<NotificationId> {
        let mut found = BTreeSet::new();
        let mut seen = vec![false; self.gates.len()];
        let own = self.task(task);
        let mut ahead: Vec<(ComponentId, &Body)> = vec![(own.component, &own.body)];
        while let Some((component, body)) = ahead.pop() {
            if !matches!(body.calls, Calls::Given(_)) {
                found.extend(self.signalled_by(component));
            }
            for step in &body.steps {
                let Step::Invoke { gate, .. } = *step else { continue };
                let (Some(described), Some(seen)) =
                    (self.gates.get(gate.index()), seen.get_mut(gate.index()))
                else {
                    continue;
                };
                if !std::mem::replace(seen, true) {
                    let bodies = described.methods.iter().map(|method| &method.body);
                    ahead.extend(bodies.map(|body| (described.component, body)));
                }
            }
        }
        found
    }

    /// Returns the events to which interfaces lead by which a component emits.
    pub fn signalled_by(&self, component: ComponentId) -> BTreeSet<NotificationId> {
        let mut found = BTreeSet::new();
        let Some(described) = self.components.get(component.index()) else { return found };
        let consumed = |end: &End| {
            let consumer = self.components.get(end.component.index())?;
            match consumer.interfaces.get(end.interface)?.kind {
                InterfaceKind::Consumes(event) => event,
                _ => None,
            }
        };
        let interfaces = described.interfaces.iter().enumerate();
        for (position, interface) in
            interfaces.filter(|(_, one)| matches!(one.kind, InterfaceKind::Emits(_)))
        {
            let from = |end: &End| end.component == component && end.interface == position;
            let own = interface.connections.iter();
            for connection in own.filter_map(|id| self.connections.get(id.index())) {
                if connection.from.iter().any(from) {
                    found.extend(connection.to.iter().filter_map(consumed));
                }
            }
        }
        found
    }
}
