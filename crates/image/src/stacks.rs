//! Which stacks there are, and how large each must be.
//!
//! Each thread has one for its home and each gate as many as threads can be inside;
//! a mutex and a gate that is only called directly have none. A size comes from an
//! attribute, else from the binary, else from `system.stack_size`. An attribute that
//! is smaller than what the binary needs is an error, and so is a size that nobody
//! knows.

use crate::depth::{Binary, Depths};
use crate::{ImageError, program::Program};
use fusee_kernel::{ComponentIndex, GateKind};
use fusee_model::{ComponentId, GateId, Origin, System, Value};
use fusee_tables::{GateRole, Machine, ThreadRole, symbol};

/// Whose stack it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Owner {
    /// A thread's, where it starts.
    Home(usize),
    /// One of a gate's.
    Gate(usize),
}

/// A stack.
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
    /// Where each thread starts.
    pub(crate) threads: Vec<u64>,
    /// Where each gate is entered; 0: never.
    pub(crate) gates: Vec<u64>,
}

/// What an entry point belongs to.
struct Site {
    component: ComponentIndex,
    symbol: String,
    /// For messages.
    owner: String,
    /// The component and the attribute that sizes its stack.
    sized_by: Option<(ComponentId, String)>,
}

/// Finds entry points and sizes.
pub(crate) struct Planner<'a> {
    system: &'a System,
    machine: &'a Machine,
    programs: &'a [Option<Program>],
    depths: Vec<Option<Depths<'a>>>,
}

impl<'a> Planner<'a> {
    /// Over the linked programs of the machine's domains, and the same as the analysis reads them.
    pub(crate) fn of(
        system: &'a System,
        machine: &'a Machine,
        programs: &'a [Option<Program>],
        binaries: &'a [Option<Binary>],
    ) -> Self {
        let depths = binaries.iter().map(|binary| binary.as_ref().map(Depths::of)).collect();
        Planner { system, machine, programs, depths }
    }

    /// All stacks, or everything that stands in the way.
    pub(crate) fn plan(mut self) -> Result<Plan, Vec<ImageError>> {
        let mut plan =
            Plan { domains: vec![Vec::new(); self.machine.domains.len()], ..Plan::default() };
        let mut wrong = Vec::new();
        for index in 0..self.machine.threads.len() {
            let site = self.thread(index);
            let entry = self
                .add(&mut plan, &site, Owner::Home(index), 1)
                .map_err(|error| wrong.push(error));
            plan.threads.push(entry.unwrap_or(0));
        }
        for index in 0..self.machine.gates.len() {
            let config = self.machine.objects.gates[index];
            let entry = match self.gate(index) {
                Some(site) if config.stacks > 0 && config.kind == GateKind::Interface => {
                    let entry = self.add(&mut plan, &site, Owner::Gate(index), config.stacks);
                    entry.map_err(|error| wrong.push(error)).unwrap_or(0)
                }
                _ => 0,
            };
            plan.gates.push(entry);
        }
        if wrong.is_empty() { Ok(plan) } else { Err(wrong) }
    }

    fn thread(&self, index: usize) -> Site {
        let component = self.machine.objects.threads[index].component;
        let (symbol, owner, sized_by) = match self.machine.threads[index] {
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

    fn gate(&self, index: usize) -> Option<Site> {
        let component = self.machine.objects.gates[index].component;
        let (symbol, owner, sized_by) = match self.machine.gates[index] {
            GateRole::Interface(gate) => self.interface(gate),
            GateRole::Init(component) => {
                let owner = format!("the set-up of `{}`", self.system.component(component).name);
                (symbol::init(self.system, component), owner, (component, "_stack_size".to_owned()))
            }
            GateRole::Mutex { .. } => return None,
        };
        Some(Site { component, symbol, owner, sized_by: Some(sized_by) })
    }

    fn interface(&self, gate: GateId) -> (String, String, (ComponentId, String)) {
        let described = self.system.gate(gate);
        let symbol = symbol::gate(self.system, described.component, &described.interface);
        let attribute = format!("{}_stack_size", described.interface);
        (symbol, format!("gate `{}`", described.name), (described.component, attribute))
    }

    /// Adds an owner's stacks; answers its entry point.
    fn add(
        &mut self,
        plan: &mut Plan,
        site: &Site,
        owner: Owner,
        count: u16,
    ) -> Result<u64, ImageError> {
        let nowhere = || ImageError::NoProgram { domain: site.owner.clone() };
        let domain = self.machine.domain_of(site.component).ok_or_else(nowhere)?;
        let name = &self.machine.domains[domain].name;
        let program = self.programs[domain].as_ref();
        let program = program.ok_or_else(|| ImageError::NoProgram { domain: name.clone() })?;
        let missing = || ImageError::NoSymbol { domain: name.clone(), symbol: site.symbol.clone() };
        let entry = program.symbol(&site.symbol).ok_or_else(missing)?;
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
