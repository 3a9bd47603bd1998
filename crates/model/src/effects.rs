//! The travel of effects: signals of each task, and shared memory.

use std::collections::BTreeSet;

use crate::{
    Body, ChainLink, Component, ComponentId, DataportId, Emissions, End, GateId, Interface,
    InterfaceKind, NotificationId, Overrun, Step, System, TaskId, Value,
};

/// Invocations inside each other that are followed; deeper ones are recursions.
const DEEPEST: u32 = 256;

impl System {
    /// Returns the number of signals of an event by a job of a task, in methods that it invokes,
    /// too; `None`: it gets into a recursion.
    pub fn emissions(&self, task: TaskId, event: NotificationId) -> Option<Emissions> {
        self.emissions_of(&self.task(task).body, event, DEEPEST)
    }

    fn emissions_of(&self, body: &Body, event: NotificationId, depth: u32) -> Option<Emissions> {
        let depth = depth.checked_sub(1)?;
        let mut sum = Emissions::NONE;
        for step in &body.steps {
            let one = match *step {
                Step::Emit(id) if id == event => Emissions { least: 1, most: 1 },
                Step::Invoke { gate, method, .. } => {
                    self.emissions_behind(gate, method, event, depth)?
                }
                _ => continue,
            };
            sum.least = sum.least.saturating_add(one.least);
            sum.most = sum.most.saturating_add(one.most);
        }
        Some(sum)
    }

    fn emissions_behind(
        &self,
        gate: GateId,
        method: Option<usize>,
        event: NotificationId,
        depth: u32,
    ) -> Option<Emissions> {
        let methods = self.gates.get(gate.index()).map_or(&[][..], |gate| gate.methods.as_slice());
        let mut either: Option<Emissions> = None;
        for (_, one) in
            methods.iter().enumerate().filter(|&(at, _)| method.is_none_or(|named| named == at))
        {
            let found = self.emissions_of(&one.body, event, depth)?;
            either = Some(either.map_or(found, |known| Emissions {
                least: known.least.min(found.least),
                most: known.most.max(found.most),
            }));
        }
        Some(either.unwrap_or(Emissions::NONE))
    }

    /// Returns `true` if a device signals a notification.
    pub fn has_device(&self, id: NotificationId) -> bool {
        let end = |end: &End| {
            self.components
                .get(end.component.index())
                .map(|of| (of, of.interfaces.get(end.interface)))
        };
        let consumes = |(_, of): (&Component, Option<&Interface>)| {
            of.is_some_and(|of| of.kind == InterfaceKind::Consumes(Some(id)))
        };
        let mut connections =
            self.connections.iter().filter(|c| c.to.iter().filter_map(end).any(consumes));
        connections.any(|c| c.from.iter().filter_map(end).any(|(component, _)| component.hardware))
    }

    /// Devices with their interrupts that release no task: nothing says how often these come.
    pub fn uncounted_interrupts(
        &self,
    ) -> impl Iterator<Item = (&Component, &Interface, NotificationId)> {
        let released = |event| self.tasks.iter().any(|task| task.release_event() == Some(event));
        let devices = self.components.iter().filter(|component| component.hardware);
        let lines = devices.flat_map(|device| device.interfaces.iter().map(move |of| (device, of)));
        lines.filter_map(move |(device, line)| match line.kind {
            InterfaceKind::Emits(Some(event)) if !released(event) => Some((device, line, event)),
            _ => None,
        })
    }

    /// Returns `true` if something besides the jobs of tasks signals an event: a device, or the end
    /// of a budget.
    pub fn has_other_source(&self, event: NotificationId) -> bool {
        let notifies = |budget: &crate::Budget| budget.overrun == Overrun::Notify(event);
        self.has_device(event)
            || self.tasks.iter().filter_map(|task| task.budget.as_ref()).any(notifies)
    }

    /// Returns the tasks whose jobs may signal an event, with those that get into a recursion.
    pub fn emitters(&self, event: NotificationId) -> impl Iterator<Item = TaskId> + '_ {
        let emits = move |id: &TaskId| {
            self.emissions(*id, event).is_none_or(|emissions| emissions.most > 0)
        };
        self.task_ids().map(|(id, _)| id).filter(emits)
    }

    /// Returns the components in which a task's jobs execute: its own first, then those that it
    /// invokes.
    pub fn components_of(&self, task: TaskId) -> BTreeSet<ComponentId> {
        let mut found = BTreeSet::from([self.task(task).component]);
        let mut seen: BTreeSet<GateId> = BTreeSet::new();
        let mut ahead: Vec<&Body> = vec![&self.task(task).body];
        while let Some(body) = ahead.pop() {
            for step in &body.steps {
                let Step::Invoke { gate, .. } = *step else { continue };
                let Some(described) = self.gates.get(gate.index()).filter(|_| seen.insert(gate))
                else {
                    continue;
                };
                found.insert(described.component);
                ahead.extend(described.methods.iter().map(|method| &method.body));
            }
        }
        found
    }

    /// Returns the shared memory that a component maps, with whether it may read and write there.
    pub fn memory_of(
        &self,
        component: ComponentId,
    ) -> impl Iterator<Item = (DataportId, Access)> + '_ {
        let component = self.component(component);
        component.interfaces.iter().filter_map(|interface| {
            let InterfaceKind::Dataport(Some(id)) = interface.kind else { return None };
            let rights = component.attribute(&format!("{}_access", interface.name));
            let has = |letter: char| match rights {
                Some(Value::Text(text)) => text.to_ascii_uppercase().contains(letter),
                _ => true,
            };
            Some((id, Access { reads: has('R'), writes: has('W') }))
        })
    }

    /// Returns the links by which an effect can come from one task to another directly, data of
    /// passive components apart.
    pub fn links(&self, from: TaskId, to: TaskId) -> Vec<ChainLink> {
        let mut links = BTreeSet::new();
        if let Some(event) = self.task(to).release_event()
            && self.emissions(from, event).is_some_and(|emissions| emissions.most > 0)
        {
            links.insert(ChainLink::Event(event));
        }
        let mapped = |task: TaskId, may: fn(Access) -> bool| -> BTreeSet<DataportId> {
            let components = self.components_of(task);
            let all = components.iter().flat_map(|&component| self.memory_of(component));
            all.filter(|&(_, access)| may(access)).map(|(id, _)| id).collect()
        };
        let written = mapped(from, |access| access.writes);
        links.extend(
            mapped(to, |access| access.reads)
                .intersection(&written)
                .map(|&id| ChainLink::Memory(id)),
        );
        links.into_iter().collect()
    }
}

/// The use that a component may make of shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// It may read there.
    pub reads: bool,
    /// It may write there.
    pub writes: bool,
}
