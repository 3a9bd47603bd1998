//! Does a program ask the kernel for no more than its description says?
//!
//! A body's time is its own; what it asks others for, and the kernel's part in it,
//! the analysis adds by the steps of its description. That is a bound only if the
//! program makes none of these requests more often than there are steps for it. So
//! the most executions of each are counted, and held against the steps.

use std::collections::{BTreeMap, BTreeSet};

use fusee_bounds::BodyRef;
use fusee_image_format::abi;
use fusee_kernel::Capability;
use fusee_model::{Body, GateId, NotificationId, Step, System};
use fusee_wcet::execute::Request;

/// Names of the operations, by number.
const OPERATIONS: [&str; 10] = [
    "invoke",
    "return",
    "complete",
    "signal",
    "wait",
    "poll",
    "yield",
    "acknowledge",
    "lock",
    "unlock",
];

/// Direct calls within direct calls that are followed; recursion is an error of its own.
const DEPTH: usize = 64;

/// A request of a program to the kernel.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Asked {
    /// To pass a gate, to a method.
    Invoke(GateId, usize),
    /// A signal of a notification.
    Emit(NotificationId),
    /// To wait for a signal.
    Wait(NotificationId),
    /// To lock a mutex whose sections are described.
    Lock(GateId),
    /// To unlock one.
    Unlock(GateId),
    /// To acknowledge an interrupt.
    Acknowledge,
    /// A request that no step of a description stands for.
    Other(String),
}

impl Asked {
    /// Returns the meaning of a request for a program with these capabilities.
    pub(super) fn of(request: Request, capabilities: &[Capability]) -> Self {
        let subject = request.subject.and_then(|subject| usize::try_from(subject).ok());
        let slot = subject.map(|subject| subject & ((1 << abi::METHOD_SHIFT) - 1));
        let capability =
            slot.and_then(|slot| capabilities.get(slot).copied()).unwrap_or(Capability::Empty);
        match (usize::try_from(request.operation), capability, subject) {
            (Ok(abi::INVOKE), Capability::Gate(gate), Some(subject)) => {
                Self::Invoke(GateId(gate.0.into()), subject >> abi::METHOD_SHIFT)
            }
            (Ok(abi::SIGNAL), Capability::Signal(notification, _), _) => {
                Self::Emit(NotificationId(notification.0.into()))
            }
            (Ok(abi::WAIT), Capability::Wait(notification), _) => {
                Self::Wait(NotificationId(notification.0.into()))
            }
            (Ok(abi::LOCK), Capability::Mutex(gate), _) => Self::Lock(GateId(gate.0.into())),
            (Ok(abi::UNLOCK), Capability::Mutex(gate), _) => Self::Unlock(GateId(gate.0.into())),
            (Ok(abi::ACKNOWLEDGE), ..) => Self::Acknowledge,
            (operation, ..) => {
                let name = operation.ok().and_then(|operation| OPERATIONS.get(operation));
                let name = name.map_or_else(
                    || format!("number {}", request.operation),
                    |name| format!("`{name}`"),
                );
                let slot = slot
                    .map_or("a slot that is not known".to_owned(), |slot| format!("slot {slot}"));
                Self::Other(format!("the operation {name} on {slot}"))
            }
        }
    }

    /// Returns `true` if it begins or ends a section.
    fn is_of_section(&self) -> bool {
        matches!(self, Self::Lock(_) | Self::Unlock(_))
    }

    /// Returns `true` if a step of a description can stand for it.
    pub(super) fn has_a_step(&self) -> bool {
        !matches!(self, Self::Acknowledge | Self::Other(_))
    }

    fn name(&self, system: &System) -> String {
        match self {
            Self::Invoke(gate, method) => {
                let gate = system.gate(*gate);
                let method = gate.methods.get(*method).map_or("?", |method| &method.name);
                format!("an invocation of `{}.{method}`", gate.name)
            }
            Self::Emit(notification) => {
                format!("a signal to `{}`", system.notifications[notification.index()].name)
            }
            Self::Wait(notification) => {
                format!("a wait for `{}`", system.notifications[notification.index()].name)
            }
            Self::Lock(gate) | Self::Unlock(gate) => {
                let word = if matches!(self, Self::Lock(_)) { "lock" } else { "unlock" };
                match system.gates.get(gate.index()) {
                    Some(gate) => format!("the {word} of `{}`", gate.name),
                    None => format!("the {word} of a mutex"),
                }
            }
            Self::Acknowledge => "an acknowledgement of an interrupt".to_owned(),
            Self::Other(what) => what.clone(),
        }
    }
}

/// The number of requests that a description allows.
#[derive(Debug, Default)]
struct Allowed {
    /// By gate and method; without one it is any of the gate's.
    invocations: BTreeMap<(GateId, Option<usize>), u64>,
    signals: BTreeMap<NotificationId, u64>,
    waits: BTreeMap<NotificationId, u64>,
    /// Sections, by the gate that stands for the mutex.
    sections: BTreeMap<GateId, u64>,
    /// The interrupt that has released the job.
    acknowledgements: u64,
}

impl Allowed {
    /// Returns the requests that the steps of a body allow, with those of the bodies it calls
    /// directly: these are parts of its program.
    fn of(system: &System, body: &Body) -> Self {
        let mut allowed = Self::default();
        allowed.add(system, body, 0);
        allowed
    }

    fn add(&mut self, system: &System, body: &Body, depth: usize) {
        for step in &body.steps {
            match *step {
                Step::Compute { .. } => {}
                Step::Emit(notification) => *self.signals.entry(notification).or_default() += 1,
                Step::Wait(notification) => *self.waits.entry(notification).or_default() += 1,
                Step::Invoke { gate, method, .. } if system.mutex(gate).is_some() => {
                    *self.sections.entry(gate).or_default() += 1;
                    // What is done in a section is a part of the program, too.
                    let section = method.and_then(|at| system.gate(gate).methods.get(at));
                    if let Some(section) = section.filter(|_| depth < DEPTH) {
                        self.add(system, &section.body, depth + 1);
                    }
                }
                Step::Invoke { gate, method, .. } => {
                    *self.invocations.entry((gate, method)).or_default() += 1;
                    let methods = &system.gate(gate).methods;
                    // Of several that it may be each brings its own, and so none of them may take
                    // what is another's.
                    let only = method
                        .or((methods.len() == 1).then_some(0))
                        .and_then(|method| methods.get(method));
                    if let Some(only) = only.filter(|_| system.gate(gate).direct && depth < DEPTH) {
                        self.add(system, &only.body, depth + 1);
                    }
                }
            }
        }
    }
}

/// Returns the requests that a body makes more often than its description says, in sentences.
/// `most` are the most executions of each.
///
/// Of a job that an interrupt releases the analysis counts the acknowledgement, once. How long a
/// section is held nobody takes from a program, so a body with one has no time from there.
pub(super) fn excess(system: &System, whose: BodyRef, most: &BTreeMap<Asked, u64>) -> Vec<String> {
    let all = excesses(system, whose, most);
    let sections = most.iter().filter(|(asked, _)| matches!(asked, Asked::Lock(_)));
    let sections = sections.map(|(asked, &times)| sentence(&asked.name(system), times, 0));
    let others = all.into_iter().filter(|(asked, _)| !asked.is_of_section());
    sections.chain(others.map(|(_, sentence)| sentence)).collect()
}

/// The same, each with what is asked for.
pub(super) fn excesses(
    system: &System,
    whose: BodyRef,
    most: &BTreeMap<Asked, u64>,
) -> Vec<(Asked, String)> {
    let mut allowed = Allowed::of(system, super::body(system, whose));
    if let BodyRef::Task(id) = whose {
        let event = system.task(id).release_event();
        allowed.acknowledgements = event.is_some_and(|event| system.has_device(event)).into();
    }
    // What is left over of invocations of a gate that say no method.
    let mut any: BTreeMap<GateId, u64> = BTreeMap::new();
    let mut found = Vec::new();
    for (asked, &times) in most {
        let said = allowed.times(asked, times, &mut any);
        if times > said {
            found.push((asked.clone(), sentence(&asked.name(system), times, said)));
        }
    }
    found
}

impl Allowed {
    /// Returns the allowed number of requests of something that is requested so often.
    fn times(&self, asked: &Asked, times: u64, any: &mut BTreeMap<GateId, u64>) -> u64 {
        let of = |gate, method| self.invocations.get(&(gate, method)).copied().unwrap_or(0);
        match *asked {
            Asked::Invoke(gate, method) => {
                let left = any.entry(gate).or_insert_with(|| of(gate, None));
                let own = of(gate, Some(method));
                let taken = times.saturating_sub(own).min(*left);
                *left -= taken;
                own + taken
            }
            Asked::Emit(notification) => self.signals.get(&notification).copied().unwrap_or(0),
            Asked::Wait(notification) => self.waits.get(&notification).copied().unwrap_or(0),
            Asked::Lock(gate) | Asked::Unlock(gate) => {
                self.sections.get(&gate).copied().unwrap_or(0)
            }
            Asked::Acknowledge => self.acknowledgements,
            Asked::Other(_) => 0,
        }
    }
}

fn sentence(what: &str, times: u64, said: u64) -> String {
    let times = if times == 1 { "once".to_owned() } else { format!("up to {times} times") };
    let said = match said {
        0 => "nothing in its `calls` stands for it".to_owned(),
        1 => "its `calls` have it once".to_owned(),
        said => format!("its `calls` have it {said} times"),
    };
    format!("{what} is made {times}, and {said}")
}

/// Returns the instructions that can ask for each thing.
pub(super) fn places(
    requests: &BTreeMap<u64, BTreeSet<Request>>,
    capabilities: &[Capability],
) -> BTreeMap<Asked, BTreeSet<u64>> {
    let mut places: BTreeMap<Asked, BTreeSet<u64>> = BTreeMap::new();
    for (&address, requests) in requests {
        for &request in requests {
            places.entry(Asked::of(request, capabilities)).or_default().insert(address);
        }
    }
    places
}
