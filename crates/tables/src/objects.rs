//! The model's own objects, as the kernel takes them.

use crate::capabilities::notification_index;
use crate::levels::Levels;
use crate::protocol::of_description;
use crate::{Capabilities, TablesError, chain};
use fusee_kernel as kernel;
use fusee_model::derived::{Derived, GateFacts};
use fusee_model::{BACKLOG, GateId, OnFault, Overrun, System, Task};
use kernel::{ComponentIndex, ThreadIndex};

/// Everything that the kernel's tables point to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objects {
    /// The threads of the system.
    pub threads: Vec<kernel::ThreadConfig>,
    /// The gates of the system.
    pub gates: Vec<kernel::GateConfig>,
    /// The notifications of the system.
    pub notifications: Vec<kernel::NotificationConfig>,
    /// The effect of a fault on each component.
    pub on_fault: Vec<kernel::OnFault>,
    /// The objects that each component may name.
    pub capabilities: Capabilities,
    /// The notification that each interrupt signals.
    pub interrupts: Vec<kernel::NotificationIndex>,
    /// Longest chain of nested invocations.
    pub depth: u8,
    /// The longest chain of gates of which each is held by the thread that waits at the next.
    pub chain: u16,
    /// Time slice among equal priorities.
    pub time_slice: kernel::Time,
}

impl Objects {
    /// Returns the objects of a system whose tasks are released in the given ways, task by task.
    ///
    /// # Errors
    /// [`TablesError::TooDeep`], [`TablesError::TooMany`], [`TablesError::Deadlines`],
    /// and [`TablesError::BetweenCores`].
    pub fn of(
        system: &System,
        derived: &Derived,
        capabilities: Capabilities,
        releases: &[kernel::Release],
    ) -> Result<Objects, TablesError> {
        let levels = Levels::of(system)?;
        let depth = u8::try_from(derived.longest_nesting).map_err(|_| TablesError::TooDeep)?;
        let threads: Vec<_> = system
            .task_ids()
            .zip(releases)
            .map(|((id, task), &release)| thread(task, levels.task(id), release))
            .collect();
        let mut objects = Objects {
            notifications: notifications(system, &threads),
            gates: system
                .gate_ids()
                .map(|(id, _)| gate(system, id, derived.gate(id), levels.ceiling(derived.gate(id))))
                .collect::<Result<_, _>>()?,
            on_fault: system
                .components
                .iter()
                .map(|component| on_fault(component.on_fault))
                .collect(),
            time_slice: system.slice().map_or(kernel::NEVER, |slice| slice.ns()),
            interrupts: Vec::new(),
            threads,
            capabilities,
            depth,
            chain: 0,
        };
        objects.check_counts()?;
        objects.chain = chain::longest(&objects.gates, &objects.capabilities);
        Ok(objects)
    }

    /// Refuses what the kernel cannot name.
    pub(crate) fn check_counts(&self) -> Result<(), TablesError> {
        let stacks: usize = self.gates.iter().map(|gate| usize::from(gate.stacks)).sum();
        let counts = [
            (self.threads.len(), "threads"),
            (self.gates.len(), "gates"),
            (stacks, "stacks"),
            (self.notifications.len(), "notifications"),
            (self.on_fault.len(), "components"),
            (self.capabilities.longest(), "capabilities of one domain"),
        ];
        match counts.iter().find(|(count, _)| *count >= usize::from(i16::MAX.unsigned_abs())) {
            Some((_, what)) => Err(TablesError::TooMany(what)),
            None => Ok(()),
        }
    }

    /// Returns the components' table, which the holder of [`tables`](Self::tables) must keep alive.
    pub fn components(&self) -> Vec<kernel::ComponentConfig<'_>> {
        let capabilities = |index: usize| self.capabilities.of_component(index.into());
        let all = self.on_fault.iter().enumerate();
        all.map(|(index, &on_fault)| kernel::ComponentConfig {
            on_fault,
            capabilities: capabilities(index),
        })
        .collect()
    }

    /// Returns the tables themselves.
    pub fn tables<'t>(
        &'t self,
        components: &'t [kernel::ComponentConfig<'t>],
    ) -> kernel::Tables<'t> {
        let ceilings = self.gates.iter().map(|gate| u16::from(gate.protocol.ceiling()));
        let priorities = self.threads.iter().map(|thread| u16::from(thread.priority));
        kernel::Tables {
            threads: &self.threads,
            gates: &self.gates,
            notifications: &self.notifications,
            components,
            interrupts: &self.interrupts,
            depth: self.depth,
            chain: self.chain,
            backlog: BACKLOG,
            time_slice: self.time_slice,
            cores: 1,
            levels: ceilings.chain(priorities).max().unwrap_or(0) + 1,
        }
    }
}

fn thread(task: &Task, level: u8, release: kernel::Release) -> kernel::ThreadConfig {
    let period = task.release.as_ref().map(|release| release.period.value);
    let budget = task.budget.as_ref().map(|budget| kernel::Budget {
        amount: budget.amount.value.ns(),
        overrun: match budget.overrun {
            Overrun::Suspend => kernel::Overrun::Suspend,
            Overrun::Notify(id) => kernel::Overrun::Notify(notification_index(id)),
            Overrun::Continue => kernel::Overrun::Continue,
        },
    });
    kernel::ThreadConfig {
        component: ComponentIndex(task.component.0 as u16),
        priority: level,
        core: 0,
        release,
        deadline: task.deadline.map(|d| d.value).or(period).map_or(kernel::NEVER, |d| d.ns()),
        budget,
    }
}

/// A gate that is only called directly keeps its number and has no stack.
fn gate(
    system: &System,
    id: GateId,
    facts: &GateFacts,
    ceiling: u8,
) -> Result<kernel::GateConfig, TablesError> {
    let described = system.gate(id);
    let protocol = of_description(described.protocol, system.policy_on(0), ceiling)?;
    let stacks = match (protocol.is_exclusive(), described.direct) {
        (true, _) => 1,
        (false, true) => 0,
        (false, false) => u16::try_from(facts.stacks.max(1)).unwrap_or(u16::MAX),
    };
    let component = ComponentIndex(described.component.0 as u16);
    let kind = if system.mutex(id).is_some() {
        kernel::GateKind::Mutex
    } else {
        kernel::GateKind::Interface
    };
    Ok(kernel::GateConfig { component, protocol, stacks, kind })
}

/// A notification that releases a task is bound to its thread, unless the thread is released in
/// another way.
fn notifications(
    system: &System,
    threads: &[kernel::ThreadConfig],
) -> Vec<kernel::NotificationConfig> {
    let mut released = vec![ThreadIndex::NONE; system.notifications.len()];
    for (index, (task, thread)) in system.tasks.iter().zip(threads).enumerate().rev() {
        let kind = task.release.as_ref().map(|release| release.kind);
        if let Some(fusee_model::ReleaseKind::Notification(id)) = kind
            && matches!(thread.release, kernel::Release::Sporadic { .. })
        {
            released[id.index()] = ThreadIndex(index as u16);
        }
    }
    let all = system.notifications.iter().zip(released);
    all.map(|(notification, releases)| kernel::NotificationConfig {
        kind: match notification.counting {
            true => kernel::NotificationKind::Counting { limit: u32::MAX },
            false => kernel::NotificationKind::Merging,
        },
        releases,
        initial: 0,
    })
    .collect()
}

fn on_fault(described: OnFault) -> kernel::OnFault {
    match described {
        OnFault::Continue => kernel::OnFault::Continue,
        OnFault::Dead => kernel::OnFault::Dead,
        OnFault::Restart => kernel::OnFault::Restart,
    }
}
