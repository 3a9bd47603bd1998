//! The system's tables with all addresses.

use crate::layout::{self, Layout, PlacedStack};
use crate::program::Program;
use crate::restart;
use crate::stacks::{Below, Entries, Owner, Plan};
use fusee_image_format::virtual_map::PAGE_BYTES;
use fusee_image_format::{
    BelowEntry, CopyRange, CoreBlob, CoreHeader, CoreSystem, GateEntry, GlobalEntry, Header,
    InterruptLine, Opening, Permissions, Platform, StackEntry, SystemComponent, ThreadEntry,
    TooLarge, TreeBlob,
};
use fusee_kernel::{ComponentIndex, GateIndex, GateKind, GlobalIndex, NEVER, OnFault};
use fusee_tables::{GateRole, Global, Interrupt, Machine, Machines, ThreadRole, WindowKind};
use std::collections::BTreeMap;

/// The data that the tables are made of.
pub(crate) struct Sources<'a> {
    pub(crate) machines: &'a Machines,
    pub(crate) platform: Platform,
    pub(crate) programs: &'a [Option<Program>],
    pub(crate) plan: &'a Plan,
    /// The offset of each restarted domain's initial data among all.
    pub(crate) initial: &'a BTreeMap<usize, u64>,
}

impl<'a> Sources<'a> {
    /// Returns the tables of each core in a layout.
    pub(crate) fn encode(&self, layout: &Layout) -> Result<Vec<Vec<u8>>, TooLarge> {
        let core = |number| {
            let core = Core { sources: self, number };
            let mut bytes = core.system(layout).encode()?;
            if self.machines.cores.len() > 1 {
                bytes.resize(CoreBlob::offset(bytes.len()), 0);
                bytes.extend(core.between(layout).encode()?);
            }
            if let Some(trees) = &self.machines.trees {
                bytes.resize(TreeBlob::offset(bytes.len()), 0);
                bytes.extend(trees.encode()?);
            }
            Ok(bytes)
        };
        (0..self.machines.cores.len()).map(core).collect()
    }
}

/// One core of it.
struct Core<'s> {
    sources: &'s Sources<'s>,
    number: usize,
}

impl Core<'_> {
    fn machine(&self) -> &Machine {
        &self.sources.machines.cores[self.number].machine
    }

    fn plan(&self) -> &Entries {
        &self.sources.plan.cores[self.number]
    }

    /// Returns the core's tables of the gates between cores.
    fn between(&self, layout: &Layout) -> CoreSystem {
        let machines = self.sources.machines;
        let mut first_seat = 0;
        let mut global = |global: &Global| {
            let seats = global.seats.len() as u16;
            let entry =
                GlobalEntry { protocol: global.protocol, depth: global.depth, first_seat, seats };
            first_seat += seats;
            entry
        };
        let below = |below: &Below| BelowEntry {
            global: GlobalIndex(below.global as u16),
            gate: GateIndex(below.gate as u16),
            entry: below.entry,
            stack: self
                .stacks(layout, Owner::Below(below.global, below.gate))
                .next()
                .unwrap_or_default(),
        };
        CoreSystem {
            header: CoreHeader {
                core: self.number as u8,
                cores: machines.cores.len() as u8,
                first_thread: machines.cores[self.number].first_thread,
                shared: layout.shared.0,
                shared_bytes: layout.shared.1 - layout.shared.0,
            },
            globals: machines.globals.iter().map(&mut global).collect(),
            seats: machines.globals.iter().flat_map(|global| global.seats.clone()).collect(),
            below: self.sources.plan.below.iter().map(below).collect(),
            mailboxes: machines.mailboxes.clone(),
            senders: machines.senders.clone(),
            restarts: machines.restarts.clone(),
        }
    }

    /// Returns the core's own tables.
    fn system(&self, layout: &Layout) -> fusee_image_format::System {
        let objects = &self.machine().objects;
        let threads = objects.threads.iter().zip(&self.plan().threads);
        let gates = objects.gates.iter().zip(&self.plan().gates);
        fusee_image_format::System {
            header: self.header(layout),
            threads: threads.map(|(&config, &entry)| ThreadEntry { config, entry }).collect(),
            home_stacks: (0..objects.threads.len()).map(|index| self.home(layout, index)).collect(),
            gates: gates.map(|(&config, &entry)| GateEntry { config, entry }).collect(),
            gate_stacks: self.gate_stacks(layout),
            notifications: objects.notifications.clone(),
            components: (0..objects.on_fault.len())
                .map(|index| self.component(layout, index))
                .collect(),
            interrupts: self.interrupts(),
            openings: openings(self.machine(), layout),
        }
    }

    fn header(&self, layout: &Layout) -> Header {
        let components = self.machine().objects.components();
        let tables = self.machine().objects.tables(&components);
        let boot = self.machine().threads.iter().position(|role| *role == ThreadRole::Boot);
        Header {
            end: NEVER,
            platform: self.sources.platform,
            startup: self.machine().startup,
            boot_thread: boot.map_or(u16::MAX, |index| index as u16),
            depth: tables.depth,
            cores: tables.cores,
            backlog: tables.backlog,
            levels: tables.levels,
            time_slice: tables.time_slice,
            records: layout.records[self.number].0,
            records_bytes: layout.records[self.number].1 - layout.records[self.number].0,
            chain: tables.chain,
            policy: self.sources.machines.cores[self.number].policy,
            trees: self.sources.machines.trees.is_some(),
        }
    }

    /// Returns the stacks of an owner, in order.
    fn stacks<'l>(
        &'l self,
        layout: &'l Layout,
        owner: Owner,
    ) -> impl Iterator<Item = StackEntry> + 'l {
        let domains = self.sources.plan.domains.iter().zip(&layout.domains);
        let all = domains.flat_map(|(stacks, domain)| stacks.iter().zip(&domain.stacks));
        all.filter(move |(stack, _)| stack.owner == owner).map(|(_, placed)| entry(placed))
    }

    fn home(&self, layout: &Layout, index: usize) -> StackEntry {
        self.stacks(layout, Owner::Home(self.number, index)).next().unwrap_or_default()
    }

    fn gate_stacks(&self, layout: &Layout) -> Vec<StackEntry> {
        let mut all = Vec::new();
        for (index, gate) in self.machine().objects.gates.iter().enumerate() {
            if gate.kind == GateKind::Interface {
                let before = all.len();
                let between = matches!(self.machine().gates[index], GateRole::Between(_));
                let core = if between { 0 } else { self.number };
                all.extend(self.stacks(layout, Owner::Gate(core, index)));
                // An exclusive gate of a device counts one stack and is never entered.
                all.resize(before + usize::from(gate.stacks), StackEntry::default());
            } else {
                all.push(self.word(layout, index));
            }
        }
        all
    }

    /// Returns the entry in place of a mutex' stack: the address of its word, if it has one.
    fn word(&self, layout: &Layout, index: usize) -> StackEntry {
        let domain = self.machine().domain_of(self.machine().objects.gates[index].component);
        let placed = domain.zip(self.plan().words[index]).and_then(|(domain, address)| {
            let message = layout.domains[domain].physical_of(address)?;
            Some(StackEntry { stack_pointer: 0, thread_pointer: address, message })
        });
        placed.unwrap_or_default()
    }

    fn component(&self, layout: &Layout, index: usize) -> SystemComponent {
        let objects = &self.machine().objects;
        let domain = self.machine().domain_of(ComponentIndex(index as u16));
        let space = domain.map_or(0, |domain| {
            layout::address_space(self.sources.platform, domain, &layout.domains[domain])
        });
        SystemComponent {
            on_fault: objects.on_fault[index],
            address_space: space,
            capabilities: match domain {
                Some(_) => objects.capabilities.of_component(index.into()).to_vec(),
                None => Vec::new(),
            },
            copies: domain.map_or_else(Vec::new, |domain| self.copies(layout, index, domain)),
        }
    }

    fn copies(&self, layout: &Layout, index: usize, domain: usize) -> Vec<CopyRange> {
        match (self.sources.initial.get(&domain), &self.sources.programs[domain]) {
            (Some(offset), Some(program))
                if self.machine().objects.on_fault[index] == OnFault::Restart =>
            {
                restart::ranges(program, &layout.domains[domain], layout.initial + offset)
            }
            _ => Vec::new(),
        }
    }

    /// Returns all lines; those of other cores have no source here.
    fn interrupts(&self) -> Vec<InterruptLine> {
        let owners = &self.sources.machines.owners;
        let own =
            |interrupt: &Interrupt| owners[interrupt.notification.at()] as usize == self.number;
        let all = self.machine().interrupts.iter();
        all.map(|interrupt| InterruptLine {
            source: if own(interrupt) { interrupt.line } else { 0 },
            notification: interrupt.notification,
        })
        .collect()
    }
}

fn entry(stack: &PlacedStack) -> StackEntry {
    let top = stack.stack_pointer;
    StackEntry {
        stack_pointer: top,
        thread_pointer: stack.thread_pointer,
        message: stack.physical_of(top),
    }
}

/// Returns the memory that is opened below the kernel: page tables, the domains' memory, devices;
/// neighbors of a kind are merged.
pub(crate) fn openings(machine: &Machine, layout: &Layout) -> Vec<Opening> {
    let tables = layout.page_tables;
    let user = Permissions { read: true, write: true, execute: true };
    let mut openings = vec![
        Opening { base: tables.0, bytes: tables.1 - tables.0, permissions: Permissions::READ },
        Opening { base: layout.user.0, bytes: layout.user.1 - layout.user.0, permissions: user },
    ];
    let mut devices: Vec<(u64, u64)> = Vec::new();
    for window in machine.domains.iter().flat_map(|domain| &domain.windows) {
        if let WindowKind::Device { physical, .. } = window.kind {
            devices.push((
                physical,
                physical.saturating_add(window.size.next_multiple_of(PAGE_BYTES)),
            ));
        }
    }
    devices.sort_unstable();
    let clock = layout.domains.iter().find_map(|domain| domain.clock);
    openings.extend(clock.map(|clock| Opening {
        base: clock.physical,
        bytes: clock.bytes,
        permissions: clock.permissions,
    }));
    let mut merged: Vec<(u64, u64)> = Vec::new();
    for (start, end) in devices {
        match merged.last_mut().filter(|last| last.1 >= start) {
            Some(last) => last.1 = last.1.max(end),
            None => merged.push((start, end)),
        }
    }
    let opening = |&(base, end): &(u64, u64)| Opening {
        base,
        bytes: end - base,
        permissions: Permissions::READ_WRITE,
    };
    openings.extend(merged.iter().map(opening));
    openings.retain(|opening| opening.bytes > 0);
    openings
}
