//! A resolved system.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Body, Chain, Code, ComponentId, ConnectionId, DataportId, DomainId, Duration, GateId,
    LockComponent, NotificationId, Origin, Policy, Priority, Procedure, Protocol, Scheduler,
    Sourced, Struct, Task, TaskId,
};

/// A whole system.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct System {
    /// Its name: the description's file stem.
    pub name: String,
    /// The control threads.
    pub tasks: Vec<Task>,
    /// Component instances, hierarchy flattened; names like `outer.inner`.
    pub components: Vec<Component>,
    /// Provided procedure interfaces.
    pub gates: Vec<Gate>,
    /// Event connections' objects.
    pub notifications: Vec<Notification>,
    /// The pieces of shared memory.
    pub dataports: Vec<Dataport>,
    /// Connections as described.
    pub connections: Vec<Connection>,
    /// Tasks that dispatch others.
    pub schedulers: Vec<Scheduler>,
    /// Cause-effect chains that the description names.
    pub chains: Vec<Chain>,
    /// Protection domains: one for each component or group.
    pub domains: Vec<Domain>,
    /// Procedure types in order of declaration.
    pub procedures: Vec<Procedure>,
    /// Structs in order of declaration.
    pub structs: Vec<Struct>,
    /// The settings of the whole system.
    pub settings: Settings,
}

/// The settings of a whole system, each with its place.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    /// The scheduling policy that the description names; [`System::policy_on`] is the one in force.
    pub policy: Option<Sourced<Policy>>,
    /// The policies of single cores.
    pub core_policies: BTreeMap<u32, Sourced<Policy>>,
    /// Time slice among equal priorities; [`System::slice`] is what is in force.
    pub time_slice: Option<Sourced<Duration>>,
    /// The method that assigns priorities which are left out.
    pub priority_assignment: PriorityAssignment,
    /// Time from power-on to time 0; [`System::startup_time`] is what is in force.
    pub startup: Option<Sourced<Duration>>,
    /// Bytes of every stack that neither analysis nor an attribute of its own gives a size.
    pub stack_size: Option<Sourced<u32>>,
}

/// The method that assigns priorities which a description leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PriorityAssignment {
    /// By deadline; done when the description is resolved.
    #[default]
    DeadlineMonotonic,
    /// By analysis, from the lowest level up (Audsley); a command that analyzes calls
    /// [`crate::priorities::reassign`].
    Audsley,
}

/// A component instance.
#[derive(Debug, Clone, PartialEq)]
pub struct Component {
    /// Instance name with its path: `outer.inner`.
    pub name: String,
    /// Component type's name.
    pub kind: String,
    /// `true` if it has a control thread.
    pub control: bool,
    /// `true` if it stands for a device.
    pub hardware: bool,
    /// The protection domain.
    pub domain: DomainId,
    /// The effect of a fault of an invocation in it.
    pub on_fault: OnFault,
    /// The time in which it must set itself up, in all; none: as long as the start has time for it.
    pub startup: Option<Sourced<Duration>>,
    /// `true` if its code may let threads sleep on each other's account, and wake them.
    pub dependencies: bool,
    /// True if others may rest on the times and calls of its code. The kernel limits it either
    /// way; for code that is not trusted only these limits count.
    pub trusted: bool,
    /// The part that it has in locks, if it is one of those that come with Fusee.
    pub lock_component: Option<LockComponent>,
    /// Interfaces with what they are connected to.
    pub interfaces: Vec<Interface>,
    /// All attributes with their resolved values, sorted by name.
    pub attributes: Vec<Attribute>,
    /// The sources and settings of its code.
    pub code: Code,
    /// The instance in the description.
    pub origin: Origin,
}

impl Component {
    /// One that has nothing and does nothing yet.
    pub fn empty(name: String) -> Self {
        Self {
            name,
            kind: String::new(),
            control: false,
            hardware: false,
            domain: DomainId(0),
            on_fault: OnFault::default(),
            startup: None,
            dependencies: false,
            trusted: true,
            lock_component: None,
            interfaces: Vec::new(),
            attributes: Vec::new(),
            code: Code::default(),
            origin: Origin::NONE,
        }
    }
}

/// The effect on a component of a fault of an invocation in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnFault {
    /// The invocation ends with an error; the component goes on.
    #[default]
    Continue,
    /// No further invocation enters it.
    Dead,
    /// It is put back to its initial data.
    Restart,
}

/// An interface of a component instance.
#[derive(Debug, Clone, PartialEq)]
pub struct Interface {
    /// Its name in the component.
    pub name: String,
    /// The kind of interface.
    pub kind: InterfaceKind,
    /// Procedure, event or dataport type.
    pub type_name: String,
    /// `maybe`: may be left unconnected.
    pub optional: bool,
    /// The connections that end here.
    pub connections: Vec<ConnectionId>,
    /// The place of its declaration.
    pub origin: Origin,
}

/// The kind of an interface, with the object behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InterfaceKind {
    /// A provided procedure: a gate.
    Provides(GateId),
    /// A used procedure and the gate it leads to; `None` when it is connected to nothing, or to a
    /// device.
    Uses(Option<GateId>),
    /// A source of events and the notification of its first consumer.
    Emits(Option<NotificationId>),
    /// A sink of events.
    Consumes(Option<NotificationId>),
    /// A piece of shared memory.
    Dataport(Option<DataportId>),
}

/// A resolved attribute.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    /// The name that the description gives.
    pub name: String,
    /// The value that was set.
    pub value: Value,
    /// The place that set it.
    pub origin: Origin,
}

/// An attribute's value.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Integer of any CAmkES integer type.
    Integer(i128),
    /// Float or double.
    Real(f64),
    /// A text value.
    Text(String),
    /// A truth value.
    Boolean(bool),
    /// A list of values.
    List(Vec<Value>),
    /// Struct or dictionary, in order of appearance.
    Record(Vec<(String, Value)>),
}

/// The kernel's object behind a provided procedure interface.
#[derive(Debug, Clone, PartialEq)]
pub struct Gate {
    /// The name as `component.interface`.
    pub name: String,
    /// The providing component.
    pub component: ComponentId,
    /// The interface's name.
    pub interface: String,
    /// The gate's protocol.
    pub protocol: Sourced<Protocol>,
    /// Ceiling, where the description gives one.
    pub given_ceiling: Option<Sourced<Priority>>,
    /// Methods in order of the procedure's declaration.
    pub methods: Vec<Method>,
    /// A direct call inside a protection domain: no kernel, no cost.
    pub direct: bool,
    /// The pool size (`num_threads`), where the description gives one.
    pub given_threads: Option<Sourced<u32>>,
    /// The interface in the description.
    pub origin: Origin,
}

impl Gate {
    /// Returns `true` if the kernel lets only one thread into it; a direct call passes no kernel.
    pub fn is_exclusive(&self) -> bool {
        self.protocol.value.is_exclusive() && !self.direct
    }

    /// Returns `true` if it is between cores: they have one queue for it.
    pub fn is_global(&self) -> bool {
        self.protocol.value.is_global() && !self.direct
    }

    /// Returns `true` if a task that waits for it is suspended.
    pub fn is_suspending(&self) -> bool {
        self.is_global() && self.protocol.value.suspends()
    }
}

/// A method of a gate.
#[derive(Debug, Clone, PartialEq)]
pub struct Method {
    /// The name that the description gives.
    pub name: String,
    /// The work of an invocation.
    pub body: Body,
    /// The place of its declaration.
    pub origin: Origin,
}

/// An event connection's object.
#[derive(Debug, Clone, PartialEq)]
pub struct Notification {
    /// The connection's name.
    pub name: String,
    /// Counts (queue) or merges (CAmkES events) its signals.
    pub counting: bool,
    /// The connection in the description.
    pub origin: Origin,
}

/// Shared memory of a dataport connection.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataport {
    /// The connection's name.
    pub name: String,
    /// Size in bytes, where known from the description.
    pub size: Option<u64>,
    /// The connection in the description.
    pub origin: Origin,
}

/// A connection as described.
#[derive(Debug, Clone, PartialEq)]
pub struct Connection {
    /// The name that the description gives.
    pub name: String,
    /// Connector type's name.
    pub connector: String,
    /// The `from` ends.
    pub from: Vec<End>,
    /// The `to` ends.
    pub to: Vec<End>,
    /// The place of its declaration.
    pub origin: Origin,
}

/// One end of a connection.
#[derive(Debug, Clone, PartialEq)]
pub struct End {
    /// The component in question.
    pub component: ComponentId,
    /// Position in the component's interfaces.
    pub interface: usize,
    /// The end in the description.
    pub origin: Origin,
}

/// A protection domain.
#[derive(Debug, Clone, PartialEq)]
pub struct Domain {
    /// The group's name, or the component's.
    pub name: String,
    /// The components in it.
    pub components: Vec<ComponentId>,
}

impl System {
    /// Returns the scheduling policy of a core.
    pub fn policy_on(&self, core: u32) -> Policy {
        self.policy_given(core).map_or(Policy::default(), |given| given.value)
    }

    /// Returns the policy that the description gives for the core or for all of them, with its
    /// place.
    pub fn policy_given(&self, core: u32) -> Option<Sourced<Policy>> {
        self.settings.core_policies.get(&core).copied().or(self.settings.policy)
    }

    /// Returns the policies in force, each once.
    pub fn policies(&self) -> BTreeSet<Policy> {
        (0..self.cores()).map(|core| self.policy_on(core)).collect()
    }

    /// Returns the policy of all cores; none: it is not the same on all.
    pub fn common_policy(&self) -> Option<Policy> {
        let all = self.policies();
        all.first().copied().filter(|_| all.len() == 1)
    }

    /// Returns the number of cores up to the last that has a task; one where there are no tasks.
    pub fn cores(&self) -> u32 {
        self.tasks.iter().map(|task| task.core.saturating_add(1)).max().unwrap_or(1)
    }

    /// Returns a task by its number.
    pub fn task(&self, id: TaskId) -> &Task {
        &self.tasks[id.index()]
    }

    /// Returns a component by its number.
    pub fn component(&self, id: ComponentId) -> &Component {
        &self.components[id.index()]
    }

    /// Returns a gate by its number.
    pub fn gate(&self, id: GateId) -> &Gate {
        &self.gates[id.index()]
    }

    /// Returns all tasks with their identities.
    pub fn task_ids(&self) -> impl Iterator<Item = (TaskId, &Task)> {
        self.tasks.iter().enumerate().map(|(i, t)| (TaskId::from(i), t))
    }

    /// Returns all gates with their identities.
    pub fn gate_ids(&self) -> impl Iterator<Item = (GateId, &Gate)> {
        self.gates.iter().enumerate().map(|(i, g)| (GateId::from(i), g))
    }
}
