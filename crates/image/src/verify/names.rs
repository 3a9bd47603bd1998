//! The names in an image, and what they promise.

use super::VerifyError;
use super::finding::Findings;
use crate::roles::{GateRole, NotificationRole, ThreadRole};
use fusee_image_format::System as Tables;
use fusee_model::{GateId, LockKind, System};
use serde::Deserialize;

/// Everything in an image that has a name, in the kernel's numbering.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Names {
    pub(crate) system: String,
    /// The digest of the record of all sources of the image.
    #[serde(default)]
    pub(crate) record: Option<String>,
    pub(crate) tasks: usize,
    pub(crate) threads: Vec<Thread>,
    pub(crate) gates: Vec<Gate>,
    pub(crate) components: Vec<Component>,
    pub(crate) notifications: Vec<String>,
    pub(crate) notification_roles: Vec<Role>,
    pub(crate) domains: Vec<Domain>,
    /// None where there is one core.
    #[serde(default)]
    pub(crate) cores: Vec<CoreNames>,
    #[serde(default)]
    pub(crate) globals: Vec<GlobalGate>,
}

/// The names of threads and levels of one of several cores.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct CoreNames {
    pub(crate) threads: Vec<usize>,
    pub(crate) first_thread: u16,
    pub(crate) levels: Vec<u8>,
}

/// A gate between cores.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct GlobalGate {
    pub(crate) gate: usize,
    pub(crate) number: u16,
    pub(crate) protocol: String,
    pub(crate) seats: Vec<usize>,
    pub(crate) depth: u8,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Thread {
    pub(crate) name: String,
    pub(crate) role: ThreadRole,
    pub(crate) entry: u64,
    pub(crate) stack: Stack,
}

#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct Stack {
    pub(crate) address: u64,
    pub(crate) bytes: u64,
    pub(crate) needed: u64,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Gate {
    pub(crate) name: String,
    pub(crate) component: u32,
    pub(crate) role: GateRole,
    pub(crate) entry: u64,
    /// The address of the word of a mutex, if it has one.
    #[serde(default)]
    pub(crate) word: Option<u64>,
    pub(crate) stacks: Vec<Stack>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Component {
    pub(crate) name: String,
    pub(crate) domain: usize,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Role {
    pub(crate) role: NotificationRole,
    pub(crate) component: Option<u32>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Domain {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) elf: String,
    pub(crate) thread_local: u64,
    pub(crate) segments: Vec<Segment>,
    pub(crate) windows: Vec<Window>,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Segment {
    pub(crate) address: u64,
    pub(crate) bytes: u64,
    pub(crate) size: u64,
    pub(crate) rights: String,
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Window {
    pub(crate) address: u64,
    pub(crate) bytes: u64,
    pub(crate) rights: String,
    pub(crate) component: u32,
    pub(crate) interface: Option<String>,
    pub(crate) device: Option<u64>,
}

impl Names {
    pub(crate) fn read(bytes: &[u8]) -> Result<Names, VerifyError> {
        serde_json::from_slice(bytes).map_err(|error| VerifyError::Names(error.to_string()))
    }

    /// The names of one of several cores.
    pub(crate) fn of_core(&self, core: usize) -> Result<Names, VerifyError> {
        let own = &self.cores[core].threads;
        let threads: Option<Vec<Thread>> =
            own.iter().map(|&thread| self.threads.get(thread).cloned()).collect();
        let lost = || VerifyError::Names(format!("core {core} has threads without names"));
        let tasks = own.iter().filter(|&&thread| thread < self.tasks).count();
        Ok(Names { threads: threads.ok_or_else(lost)?, tasks, ..self.clone() })
    }

    /// One name for each object of the tables, and every domain that is named.
    pub(crate) fn fit(&self, tables: &Tables) -> Result<(), VerifyError> {
        let pairs = [
            (self.threads.len(), tables.threads.len(), "threads"),
            (self.gates.len(), tables.gates.len(), "gates"),
            (self.components.len(), tables.components.len(), "components"),
            (self.notifications.len(), tables.notifications.len(), "notifications"),
            (self.notification_roles.len(), tables.notifications.len(), "notifications with roles"),
        ];
        for (named, there, what) in pairs {
            if named != there {
                return Err(VerifyError::Names(format!(
                    "{named} {what} are named, {there} are there"
                )));
            }
        }
        let lost = self.components.iter().find(|component| component.domain >= self.domains.len());
        match lost {
            Some(component) => {
                Err(VerifyError::Names(format!("`{}` lies in no domain", component.name)))
            }
            None if self.tasks > self.threads.len() => {
                Err(VerifyError::Names("there are tasks without threads".into()))
            }
            None => Ok(()),
        }
    }

    pub(crate) fn gate(&self, index: u16) -> String {
        self.gates
            .get(usize::from(index))
            .map_or_else(|| format!("gate {index}"), |gate| gate.name.clone())
    }

    pub(crate) fn notification(&self, index: u16) -> String {
        let name = self.notifications.get(usize::from(index));
        name.cloned().unwrap_or_else(|| format!("notification {index}"))
    }

    /// Checks that the objects are those of the description: the model's first and in its order,
    /// then those of setting up, locks and callbacks, no more and no less.
    pub(crate) fn describe(&self, system: &System, findings: &mut Findings) {
        let first =
            |names: Vec<&str>, described: Vec<&str>, what: &str, findings: &mut Findings| {
                for (index, described) in described.iter().enumerate() {
                    let found = names.get(index).copied().unwrap_or("nothing");
                    if found != *described {
                        findings.differs(format!(
                            "{what} {index} of the image is `{found}`, the description has \
                         `{described}`"
                        ));
                    }
                }
            };
        let threads = self.threads.iter().map(|thread| thread.name.as_str()).collect();
        first(
            threads,
            system.tasks.iter().map(|task| task.name.as_str()).collect(),
            "thread",
            findings,
        );
        let gates = self.gates.iter().map(|gate| gate.name.as_str()).collect();
        first(
            gates,
            system.gates.iter().map(|gate| gate.name.as_str()).collect(),
            "gate",
            findings,
        );
        let components = self.components.iter().map(|component| component.name.as_str()).collect();
        let described = system.components.iter().map(|component| component.name.as_str());
        first(components, described.chain(["boot"]).collect(), "component", findings);
        if self.components.len() != system.components.len() + 1 {
            let (found, described) = (self.components.len(), system.components.len());
            findings.differs(format!(
                "the image has {found} components, the description {described} and the boot \
                 component"
            ));
        }
        let notifications = self.notifications.iter().map(String::as_str).collect();
        let described =
            system.notifications.iter().map(|notification| notification.name.as_str()).collect();
        first(notifications, described, "notification", findings);
        if self.tasks != system.tasks.len() {
            let (found, described) = (self.tasks, system.tasks.len());
            findings.differs(format!("the image has {found} tasks, the description {described}"));
        }
        self.describe_extras(system, findings);
        self.describe_domains(system, findings);
    }

    fn describe_extras(&self, system: &System, findings: &mut Findings) {
        for (index, component) in system.components.iter().enumerate() {
            let gates = |role: GateRole| {
                let extra = self.gates.iter().skip(system.gates.len());
                extra.filter(|gate| gate.role == role && gate.component as usize == index).count()
            };
            let extra = |role: NotificationRole| {
                let extra = self.notification_roles.iter().skip(system.notifications.len());
                extra
                    .filter(|found| found.role == role && found.component == Some(index as u32))
                    .count()
            };
            let mutexes =
                component.code.locks.iter().filter(|lock| lock.kind == LockKind::Mutex).count();
            let others = component.code.locks.len() - mutexes;
            let own = |id: &GateId| {
                system.gate(*id).component.index() == index && system.mutex(*id).is_some()
            };
            let described = system.gate_ids().filter(|(id, _)| own(id)).count();
            let expected = [
                (gates(GateRole::Init), usize::from(!component.hardware), "gates to set it up"),
                (
                    gates(GateRole::Mutex) + extra(NotificationRole::Held),
                    mutexes - described,
                    "mutexes besides those with described sections",
                ),
                (extra(NotificationRole::Semaphore), others, "semaphores"),
                (
                    gates(GateRole::Thread),
                    if component.dependencies { self.threads.len() } else { 0 },
                    "gates about threads",
                ),
            ];
            for (found, described, what) in expected {
                if found != described {
                    let name = &component.name;
                    findings.differs(format!(
                        "`{name}` has {found} {what} in the image, {described} by the description"
                    ));
                }
            }
        }
        for ((id, described), gate) in system.gate_ids().zip(&self.gates) {
            let role =
                if system.mutex(id).is_some() { GateRole::Mutex } else { GateRole::Interface };
            if gate.role != role {
                let (name, found) = (&described.name, &gate.role);
                findings.differs(format!(
                    "`{name}` is a gate for `{found}` in the image, for `{role}` by the description"
                ));
            }
        }
        let unknown = |gate: &&Gate| gate.role == GateRole::Interface;
        for gate in self.gates.iter().skip(system.gates.len()).filter(unknown) {
            findings
                .differs(format!("gate `{}` of the image is not in the description", gate.name));
        }
        let boots = self.threads.iter().filter(|thread| thread.role == ThreadRole::Boot).count();
        if boots != 1 {
            findings.differs(format!("the image has {boots} boot threads, a system has one"));
        }
    }

    fn describe_domains(&self, system: &System, findings: &mut Findings) {
        for (index, component) in system.components.iter().enumerate() {
            let Some(found) = self.components.get(index) else { continue };
            let found = self.domains.get(found.domain).map_or("", |domain| &domain.name);
            let described = system
                .domains
                .get(component.domain.index())
                .map_or("system", |domain| &domain.name);
            if found != described {
                let name = &component.name;
                findings.differs(format!(
                    "`{name}` is in domain `{found}` of the image, in `{described}` by the \
                     description"
                ));
            }
        }
    }
}
