//! The stacks of an image, and the size that each must have.
//!
//! Each thread has one for its home and each gate as many as threads can be inside;
//! a mutex and a gate that is only called directly have none. A size comes from an
//! attribute, else from the binary, else from `system.stack_size`. An attribute that
//! is smaller than what the binary needs is an error, and so is a size that nobody
//! knows.

use crate::depth::{Binary, Depths};
use crate::{ImageError, program::Program};
use fusee_kernel::{ComponentIndex, GateKind};
use fusee_model::derived::Derived;
use fusee_model::{ComponentId, GateId, Origin, System, Value};
use fusee_tables::{GateRole, Machine, Machines, ThreadRole, symbol};
use std::collections::BTreeSet;

/// The owner of a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Owner {
    /// A thread of a core, at its start.
    Home(usize, usize),
    /// One of a gate's on a core.
    Gate(usize, usize),
    /// The n-th activation of a gate between cores, in a gate below it.
    Below(usize, usize),
}

/// A stack with its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stack {
    pub(crate) owner: Owner,
    /// Bytes below the message area.
    pub(crate) bytes: u64,
}

/// All stacks and entry points.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    /// Stacks of each domain, in order.
    pub(crate) domains: Vec<Vec<Stack>>,
    /// Entry points of each core.
    pub(crate) cores: Vec<Entries>,
    /// Gates that activations of gates between cores pass, and where they are entered.
    pub(crate) below: Vec<Below>,
}

/// The entry points of a core.
#[derive(Debug, Clone, Default)]
pub(crate) struct Entries {
    /// The address at which each thread starts.
    pub(crate) threads: Vec<u64>,
    /// The address at which each gate is entered; 0: never.
    pub(crate) gates: Vec<u64>,
    /// The address of the word of each gate that is a mutex and has one.
    pub(crate) words: Vec<Option<u64>>,
}

/// A gate below a gate between cores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Below {
    /// The n-th gate between cores.
    pub(crate) global: usize,
    /// The gate that its activation passes.
    pub(crate) gate: usize,
    /// The address at which that is entered.
    pub(crate) entry: u64,
}

/// The owner of an entry point.
struct Site {
    component: ComponentIndex,
    symbol: String,
    /// The owner's name, for messages.
    owner: String,
    /// The component and the attribute that sizes its stack.
    sized_by: Option<(ComponentId, String)>,
}

/// Finds entry points and sizes.
pub(crate) struct Planner<'a> {
    system: &'a System,
    machines: &'a Machines,
    programs: &'a [Option<Program>],
    depths: Vec<Option<Depths<'a>>>,
}

impl<'a> Planner<'a> {
    /// Over the linked programs of the machine's domains, and the same as the analysis reads them.
    pub(crate) fn of(
        system: &'a System,
        machines: &'a Machines,
        programs: &'a [Option<Program>],
        binaries: &'a [Option<Binary>],
    ) -> Self {
        let depths = binaries.iter().map(|binary| binary.as_ref().map(Depths::of)).collect();
        Planner { system, machines, programs, depths }
    }

    /// Returns all stacks, or everything that stands in the way.
    pub(crate) fn plan(mut self) -> Result<Plan, Vec<ImageError>> {
        let mut plan = Plan {
            domains: vec![Vec::new(); self.machines.first().domains.len()],
            ..Plan::default()
        };
        let mut wrong = Vec::new();
        for core in 0..self.machines.cores.len() {
            let entries = self.core(core, &mut plan, &mut wrong);
            plan.cores.push(entries);
        }
        self.below(&mut plan, &mut wrong);
        if wrong.is_empty() { Ok(plan) } else { Err(wrong) }
    }

    /// The stacks of one core; those of gates between cores are the first core's.
    fn core(&mut self, core: usize, plan: &mut Plan, wrong: &mut Vec<ImageError>) -> Entries {
        let machine = &self.machines.cores[core].machine;
        let mut entries = Entries::default();
        for index in 0..machine.threads.len() {
            let site = self.thread(machine, index);
            let entry = self.add(plan, &site, Owner::Home(core, index), 1);
            entries.threads.push(entry.map_err(|error| wrong.push(error)).unwrap_or(0));
        }
        for index in 0..machine.gates.len() {
            let config = machine.objects.gates[index];
            let entry = match self.gate(machine, index) {
                Some(site) if config.stacks > 0 && config.kind == GateKind::Interface => {
                    let between = matches!(machine.gates[index], GateRole::Between(_));
                    let count = if between && core > 0 { 0 } else { config.stacks };
                    let entry = self.add(plan, &site, Owner::Gate(core, index), count);
                    entry.map_err(|error| wrong.push(error)).unwrap_or(0)
                }
                _ => 0,
            };
            entries.gates.push(entry);
            let word = self.word(machine, index);
            entries.words.push(word.map_err(|error| wrong.push(error)).unwrap_or(None));
        }
        entries
    }

    /// A stack for each gate that the activation of a gate between cores may pass.
    fn below(&mut self, plan: &mut Plan, wrong: &mut Vec<ImageError>) {
        if self.machines.globals.is_empty() {
            return;
        }
        let (derived, machine) = (Derived::of(self.system), self.machines.first());
        for (global, described) in self.machines.globals.iter().enumerate() {
            let found = BTreeSet::from_iter(derived.within(described.gate));
            for gate in found.into_iter().filter(|&gate| !self.system.gate(gate).direct) {
                let Some(site) = self.gate(machine, gate.index()) else { continue };
                let owner = Owner::Below(global, gate.index());
                match self.add(plan, &site, owner, 1) {
                    Ok(entry) => plan.below.push(Below { global, gate: gate.index(), entry }),
                    Err(error) => wrong.push(error),
                }
            }
        }
    }

    fn thread(&self, machine: &Machine, index: usize) -> Site {
        let component = machine.objects.threads[index].component;
        let (symbol, owner, sized_by) = match machine.threads[index] {
            ThreadRole::Task(task) => {
                let component = self.system.task(task).component;
                let owner =
                    format!("the control thread of `{}`", self.system.component(component).name);
                (
                    symbol::job(self.system, component),
                    owner,
                    Some((component, "_stack_size".to_owned())),
                )
            }
            ThreadRole::Callback { component, interface } => {
                let name = &self.system.component(component).interfaces[interface].name;
                let owner =
                    format!("the callback of `{}.{name}`", self.system.component(component).name);
                let symbol = symbol::event(self.system, component, name);
                (symbol, owner, Some((component, format!("{name}_stack_size"))))
            }
            ThreadRole::Boot => (symbol::BOOT.to_owned(), "the boot thread".to_owned(), None),
        };
        Site { component, symbol, owner, sized_by }
    }

    fn gate(&self, machine: &Machine, index: usize) -> Option<Site> {
        let component = machine.objects.gates[index].component;
        let (symbol, owner, sized_by) = match machine.gates[index] {
            GateRole::Interface(gate) | GateRole::Between(gate) => self.interface(gate),
            GateRole::Init(component) => {
                let owner = format!("the set-up of `{}`", self.system.component(component).name);
                (symbol::init(self.system, component), owner, (component, "_stack_size".to_owned()))
            }
            GateRole::Mutex { .. } | GateRole::Thread { .. } => return None,
        };
        Some(Site { component, symbol, owner, sized_by: Some(sized_by) })
    }

    fn interface(&self, gate: GateId) -> (String, String, (ComponentId, String)) {
        let described = self.system.gate(gate);
        let symbol = symbol::gate(self.system, described.component, &described.interface);
        let attribute = format!("{}_stack_size", described.interface);
        (symbol, format!("gate `{}`", described.name), (described.component, attribute))
    }

    /// Returns the address of a mutex' word, if it has one.
    fn word(&self, machine: &Machine, index: usize) -> Result<Option<u64>, ImageError> {
        let GateRole::Mutex { component, lock } = machine.gates[index] else { return Ok(None) };
        let lock = &self.system.component(component).code.locks[lock];
        if !lock.is_word() {
            return Ok(None);
        }
        let name = &self.system.component(component).name;
        let site = Site {
            component: machine.objects.gates[index].component,
            symbol: symbol::word(self.system, component, &lock.name),
            owner: format!("the mutex `{}` of `{name}`", lock.name),
            sized_by: None,
        };
        self.find(&site).map(|(_, address)| Some(address))
    }

    /// Returns the domain of a site, and where its symbol is in the domain's program.
    fn find(&self, site: &Site) -> Result<(usize, u64), ImageError> {
        let nowhere = || ImageError::NoProgram { domain: site.owner.clone() };
        let domain = self.machines.first().domain_of(site.component).ok_or_else(nowhere)?;
        let name = &self.machines.first().domains[domain].name;
        let program = self.programs[domain].as_ref();
        let program = program.ok_or_else(|| ImageError::NoProgram { domain: name.clone() })?;
        let missing = || ImageError::NoSymbol { domain: name.clone(), symbol: site.symbol.clone() };
        Ok((domain, program.symbol(&site.symbol).ok_or_else(missing)?))
    }

    /// Adds an owner's stacks; answers its entry point.
    fn add(
        &mut self,
        plan: &mut Plan,
        site: &Site,
        owner: Owner,
        count: u16,
    ) -> Result<u64, ImageError> {
        let (domain, entry) = self.find(site)?;
        let bytes = self.bytes(domain, entry, site)?;
        plan.domains[domain].extend((0..count).map(|_| Stack { owner, bytes }));
        Ok(entry)
    }

    fn bytes(&mut self, domain: usize, entry: u64, site: &Site) -> Result<u64, ImageError> {
        let depth = match &mut self.depths[domain] {
            Some(depths) => depths.deepest(entry),
            None => Err("its program cannot be read".to_owned()),
        };
        let given =
            site.sized_by.as_ref().and_then(|(component, name)| self.given(*component, name));
        let attribute = match &site.sized_by {
            Some((component, name)) => format!("{}.{name}", self.system.component(*component).name),
            None => "system.stack_size".to_owned(),
        };
        let owner = site.owner.clone();
        match (depth, given) {
            (Ok(needed), Some((given, origin))) if given < needed => {
                Err(ImageError::SmallStack { owner, needed, given, attribute, origin })
            }
            (_, Some((given, _))) => Ok(given),
            (Ok(needed), None) => Ok(needed),
            (Err(reason), None) => match self.system.settings.stack_size {
                Some(size) => Ok(u64::from(size.value)),
                None => {
                    let component = site.sized_by.as_ref().map(|(component, _)| *component);
                    let origin =
                        component.map_or(Origin::NONE, |id| self.system.component(id).origin);
                    Err(ImageError::UnknownStack { owner, reason, attribute, origin })
                }
            },
        }
    }

    fn given(&self, component: ComponentId, name: &str) -> Option<(u64, Origin)> {
        let attributes = &self.system.component(component).attributes;
        let attribute = attributes.iter().find(|attribute| attribute.name == name)?;
        match attribute.value {
            Value::Integer(bytes) => Some((u64::try_from(bytes).unwrap_or(0), attribute.origin)),
            _ => None,
        }
    }
}
