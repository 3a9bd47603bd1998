//! The kernel's tables for a system.
//!
//! On hardware the build makes these tables; here they are made for one run. A
//! task whose releases are strictly periodic is released by the kernel's own
//! timer. Whatever else the run wants (jitter, drawn gaps, phases that a
//! description cannot say) comes to the kernel from outside, as a sporadic
//! arrival does.

use crate::SimError;
use crate::arrivals::Arrivals;
use crate::program::Program;
use fusee_kernel as kernel;
use fusee_model::derived::Derived;
use fusee_model::{OnFault, Overrun, Protocol, System, Task};
use kernel::{Capability, ComponentIndex, NotificationIndex, ThreadIndex};

/// How many releases may wait for a job of the same task.
const BACKLOG: u16 = 64;

/// Everything that the kernel's tables point to.
pub(crate) struct Image {
    threads: Vec<kernel::ThreadConfig>,
    gates: Vec<kernel::GateConfig>,
    notifications: Vec<kernel::NotificationConfig>,
    capabilities: Vec<Vec<Capability>>,
    on_fault: Vec<kernel::OnFault>,
    depth: u8,
    levels: u16,
    time_slice: kernel::Time,
}

impl Image {
    /// The tables for a run.
    ///
    /// # Errors
    /// [`SimError::Cores`]: there is more than one core; [`SimError::Tables`]: something does not fit.
    pub(crate) fn of(system: &System, program: &mut Program, arrivals: &[Arrivals]) -> Result<Image, SimError> {
        let cores = system.tasks.iter().map(|task| task.core + 1).max().unwrap_or(1);
        if cores > 1 {
            return Err(SimError::Cores { cores });
        }
        let derived = Derived::of(system);
        let depth = u8::try_from(derived.longest_nesting).map_err(|_| refused("gates nest deeper than 255"))?;
        let gates: Vec<kernel::GateConfig> = system.gate_ids().map(|(id, _)| gate(system, &derived, id)).collect();
        let ceilings = gates.iter().map(|gate| u16::from(gate.protocol.ceiling()));
        let priorities = system.tasks.iter().map(|task| u16::from(task.priority.value));
        let threads = system.tasks.iter().zip(arrivals).map(|(task, arrivals)| thread(task, arrivals));
        let threads: Vec<kernel::ThreadConfig> = threads.collect();
        Ok(Image {
            notifications: notifications(system, &threads),
            threads,
            capabilities: std::mem::take(&mut program.capabilities),
            on_fault: system.components.iter().map(|component| on_fault(component.on_fault)).collect(),
            depth,
            levels: ceilings.chain(priorities).max().unwrap_or(0) + 1,
            time_slice: system.time_slice.map_or(kernel::NEVER, |slice| slice.value.ns()),
            gates,
        })
    }

    /// The components' table, which the others' holder must keep alive.
    pub(crate) fn components(&self) -> Vec<kernel::ComponentConfig<'_>> {
        let parts = self.capabilities.iter().zip(&self.on_fault);
        parts.map(|(capabilities, &on_fault)| kernel::ComponentConfig { on_fault, capabilities }).collect()
    }

    /// The tables themselves.
    pub(crate) fn tables<'t>(&'t self, components: &'t [kernel::ComponentConfig<'t>]) -> kernel::Tables<'t> {
        kernel::Tables {
            threads: &self.threads,
            gates: &self.gates,
            notifications: &self.notifications,
            components,
            interrupts: &[],
            depth: self.depth,
            backlog: BACKLOG,
            time_slice: self.time_slice,
            cores: 1,
            levels: self.levels,
        }
    }
}

fn refused(reason: &str) -> SimError {
    SimError::Tables { reason: reason.to_owned() }
}

fn thread(task: &Task, arrivals: &Arrivals) -> kernel::ThreadConfig {
    let period = task.release.as_ref().map(|release| release.period.value);
    let budget = task.budget.as_ref().map(|budget| kernel::Budget {
        amount: budget.amount.value.ns(),
        overrun: match budget.overrun {
            Overrun::Suspend => kernel::Overrun::Suspend,
            Overrun::Notify(id) => kernel::Overrun::Notify(NotificationIndex(id.0 as u16)),
            Overrun::Continue => kernel::Overrun::Continue,
        },
    });
    kernel::ThreadConfig {
        component: ComponentIndex(task.component.0 as u16),
        priority: task.priority.value,
        core: 0,
        release: arrivals.kernel_release(),
        deadline: task.deadline.map(|d| d.value).or(period).map_or(kernel::NEVER, |d| d.ns()),
        budget,
    }
}

fn gate(system: &System, derived: &Derived, id: fusee_model::GateId) -> kernel::GateConfig {
    let (described, facts) = (system.gate(id), derived.gate(id));
    let protocol = match described.protocol.value {
        Protocol::Propagated => kernel::Protocol::Propagated,
        Protocol::Fixed => kernel::Protocol::Fixed { ceiling: facts.ceiling.unwrap_or(0) },
        Protocol::Inherited => kernel::Protocol::Inherited,
        Protocol::Fifo => kernel::Protocol::Fifo,
    };
    let stacks = if protocol.is_exclusive() { 1 } else { u16::try_from(facts.stacks).unwrap_or(u16::MAX) };
    kernel::GateConfig {
        component: ComponentIndex(described.component.0 as u16),
        protocol,
        stacks,
        kind: kernel::GateKind::Interface,
    }
}

/// A notification that nobody signals is not bound: its task is released as if by a device.
fn notifications(system: &System, threads: &[kernel::ThreadConfig]) -> Vec<kernel::NotificationConfig> {
    let released = |index: usize| {
        let bound = |task: &Task| {
            let release = task.release.as_ref().map(|release| release.kind);
            release == Some(fusee_model::ReleaseKind::Notification(index.into()))
        };
        let sporadic = |&thread: &usize| matches!(threads[thread].release, kernel::Release::Sporadic { .. });
        system
            .tasks
            .iter()
            .position(bound)
            .filter(sporadic)
            .map_or(ThreadIndex::NONE, |thread| ThreadIndex(thread as u16))
    };
    let all = system.notifications.iter().enumerate();
    all.map(|(index, notification)| kernel::NotificationConfig {
        kind: match notification.counting {
            true => kernel::NotificationKind::Counting { limit: u32::MAX },
            false => kernel::NotificationKind::Merging,
        },
        releases: released(index),
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
