//! The names behind an image's numbers.
//!
//! The kernel knows numbers only. The build leaves the names beside it, in a part
//! of the image that is not loaded, so that an image can be run and understood
//! without its description.

use fusee_tables::CoreNumbers;
use fusee_trace::{GateName, Names, ThreadName, Urgency};
use serde::Deserialize;

/// Everything in an image that has a name, by the kernel's numbers.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Manifest {
    /// The system's name.
    pub system: String,
    /// The platform's name.
    pub platform: String,
    /// The kernel's variant: `plain` or `traced`.
    pub kernel: String,
    /// The number of threads that are the description's tasks; they come first.
    pub tasks: usize,
    /// The threads by number.
    pub threads: Vec<Thread>,
    /// The gates by number.
    pub gates: Vec<Gate>,
    /// The components by number.
    pub components: Vec<Component>,
    /// The notifications by number.
    pub notifications: Vec<String>,
    /// The protection domains.
    pub domains: Vec<Domain>,
    /// The names that each of several cores has for its threads and levels; none where there is
    /// one.
    #[serde(default)]
    pub cores: Vec<CoreNames>,
    /// Gates between cores.
    #[serde(default)]
    pub globals: Vec<GlobalGate>,
}

/// The meanings of the numbers of one of several cores.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CoreNames {
    /// For each of its threads, which of the manifest's it is.
    pub threads: Vec<u16>,
    /// The priority of each of its levels; empty: itself.
    pub levels: Vec<u8>,
}

/// A gate between cores.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct GlobalGate {
    /// The description's gate.
    pub gate: u16,
    /// Its number on each core.
    pub number: u16,
    /// The protocol's word.
    pub protocol: String,
    /// The thread that has each seat.
    pub seats: Vec<u16>,
}

/// A thread of the image.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Thread {
    /// The task's name, or what it is for.
    pub name: String,
    /// The component of its home.
    pub component: u32,
    /// The thread's core.
    pub core: u32,
    /// Its budget for each release, in nanoseconds.
    pub budget: Option<u64>,
}

/// A gate of the image.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Gate {
    /// The name as `component.interface`.
    pub name: String,
    /// The component behind it.
    pub component: u32,
    /// Its methods in order.
    pub methods: Vec<String>,
    /// The purpose of the gate, in a word of the image's.
    #[serde(default)]
    pub role: String,
}

impl Gate {
    /// Returns `true` if it is a mutex, which is locked and never entered.
    pub fn is_mutex(&self) -> bool {
        self.role == "mutex"
    }
}

/// A component of the image.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Component {
    /// The name of the component.
    pub name: String,
    /// Its protection domain.
    pub domain: u32,
    /// Physical address of its console buffer.
    pub console: Option<u64>,
    /// Bytes of that.
    #[serde(default)]
    pub console_bytes: u64,
    /// `true` if it has no code of its own and does what its description says.
    #[serde(default)]
    pub stub: bool,
}

/// A protection domain.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Domain {
    /// The name of the domain.
    pub name: String,
    /// Its linked program, seen from the image's folder.
    pub elf: String,
}

impl Manifest {
    /// The names for a trace whose records tell how urgent a thread is in this way.
    pub fn names(&self, urgency: impl Fn(u32) -> Urgency) -> Names {
        let thread = |thread: &Thread| {
            let Thread { name, component, core, budget } = thread.clone();
            ThreadName { name, core, urgency: urgency(core), component, budget }
        };
        Names {
            threads: self.threads.iter().map(thread).collect(),
            gates: self
                .gates
                .iter()
                .map(|g| GateName { name: g.name.clone(), component: g.component })
                .collect(),
            components: self.components.iter().map(|component| component.name.clone()).collect(),
            notifications: self.notifications.clone(),
        }
    }

    /// Returns the number of cores.
    pub fn core_count(&self) -> usize {
        self.cores.len().max(1)
    }

    /// Returns the meanings of a core's numbers. With one core they are the manifest's.
    pub(crate) fn numbers(&self, core: usize) -> CoreNumbers {
        let names = self.cores.get(core);
        let all = || (0..self.threads.len() as u16).collect();
        CoreNumbers {
            core: core as u16,
            threads: names.map_or_else(all, |names| names.threads.clone()),
            first_gate: self.globals.first().map_or(u16::MAX, |first| first.number),
            globals: self.globals.iter().map(|one| (one.gate, one.seats.clone())).collect(),
            levels: names.map_or_else(Vec::new, |names| names.levels.clone()),
        }
    }

    /// Returns a component's name.
    pub fn component(&self, index: u16) -> &str {
        self.components.get(usize::from(index)).map_or("?", |component| &component.name)
    }

    /// Returns a thread's name.
    pub fn thread(&self, index: u16) -> &str {
        self.threads.get(usize::from(index)).map_or("?", |thread| &thread.name)
    }

    /// `gate.method`, as far as they have names.
    pub fn method(&self, gate: u16, method: u64) -> String {
        let Some(gate) = self.gates.get(usize::from(gate)) else { return format!("gate {gate}") };
        // Above the method's number there may be that of the connection's end.
        let of =
            |method: u64| usize::try_from(method).ok().and_then(|method| gate.methods.get(method));
        let method = of(method).or_else(|| of(method & 0xff));
        method.map_or_else(|| gate.name.clone(), |method| format!("{}.{method}", gate.name))
    }
}
