//! The places of the parts of a test's image.

use fusee_image_format::{
    CopyRange, GateEntry, Header, InterruptLine, KernelPolicy, Opening, PageTableEntry,
    Permissions, Platform, StackEntry, System, SystemComponent, ThreadEntry, virtual_map,
};
use fusee_kernel::{
    Capability, ComponentIndex, GateConfig, GateKind, NEVER, NotificationConfig, OnFault, Protocol,
    Release, ThreadConfig,
};
use std::path::Path;

use super::assemble::{CODE_PAGES, Code, DATA_OFFSET, assemble};

const BLOB: u64 = 0x8010_0000;
const TABLES: u64 = 0x8020_0000;
const USER: u64 = 0x8040_0000;
const USER_END: u64 = 0x8100_0000;
pub(super) const RECORDS: u64 = 0x8100_0000;
const RECORDS_BYTES: u64 = 0x0200_0000;
const STACK_PAGES: u64 = 1;
/// Physical memory of a domain.
const DOMAIN_BYTES: u64 = 0x4_0000;

/// A component: its own domain.
#[derive(Debug)]
pub struct Domain {
    /// Assembly; `DATA` is the address of its data page.
    pub source: String,
    /// The effect of a fault on it.
    pub on_fault: OnFault,
    /// The objects that it may name, by slot.
    pub capabilities: Vec<Capability>,
    /// The number of times that a restart zeroes its data page.
    pub zeroed: usize,
    /// Devices mapped behind each other at the slot's shared part.
    pub devices: Vec<u64>,
}

impl Domain {
    /// A component that goes on after a fault.
    pub fn new(source: &str, capabilities: Vec<Capability>) -> Domain {
        let on_fault = OnFault::Continue;
        Domain { source: source.to_owned(), on_fault, capabilities, zeroed: 0, devices: Vec::new() }
    }
}

/// A system for a test.
#[derive(Debug)]
pub struct Bench {
    /// Its components, one in each domain.
    pub domains: Vec<Domain>,
    /// With the label of the entry.
    pub threads: Vec<(ThreadConfig, String)>,
    /// With the label of the entry; a mutex has an empty one.
    pub gates: Vec<(GateConfig, String)>,
    /// The notifications of the system.
    pub notifications: Vec<NotificationConfig>,
    /// The notification of each interrupt.
    pub interrupts: Vec<InterruptLine>,
    /// The most frames of a thread above its home.
    pub depth: u8,
    /// When the run ends, in ticks.
    pub end: u64,
    /// The thread that starts the system; `u16::MAX` without one.
    pub boot_thread: u16,
    /// The time of its start, in ticks.
    pub startup: u64,
    /// The scheduling policy, by the tables.
    pub policy: KernelPolicy,
    /// The time that equals run before they take turns, in ticks.
    pub time_slice: u64,
    /// QEMU's name of another core than its own choice.
    pub core: Option<&'static str>,
    /// `true` if an instruction is a tick.
    pub deterministic: bool,
}

/// A thread with one job at once.
pub fn home(component: u16, priority: u8, offset: u64) -> ThreadConfig {
    ThreadConfig {
        component: ComponentIndex(component),
        priority,
        core: 0,
        release: Release::Once { offset },
        deadline: NEVER,
        budget: None,
    }
}

impl Bench {
    /// A system of these that runs for ten million ticks, an instruction each.
    pub fn new(domains: Vec<Domain>, threads: Vec<(ThreadConfig, &str)>) -> Bench {
        Bench {
            domains,
            threads: threads
                .into_iter()
                .map(|(config, entry)| (config, entry.to_owned()))
                .collect(),
            gates: Vec::new(),
            notifications: Vec::new(),
            interrupts: Vec::new(),
            depth: 4,
            end: 10_000_000,
            boot_thread: u16::MAX,
            startup: 0,
            policy: KernelPolicy::FIXED_PRIORITY,
            time_slice: NEVER,
            core: None,
            deterministic: true,
        }
    }

    /// Adds a gate, or a mutex where no label names an entry.
    pub fn gate(mut self, component: u16, protocol: Protocol, stacks: u16, entry: &str) -> Bench {
        let component = ComponentIndex(component);
        let kind = if entry.is_empty() { GateKind::Mutex } else { GateKind::Interface };
        self.gates.push((GateConfig { component, protocol, stacks, kind }, entry.to_owned()));
        self
    }

    /// The bytes from the tables on, and where things are.
    pub(super) fn image(&self, platform: Platform, folder: &Path) -> (Vec<u8>, Layout) {
        let mut layout = Layout::new(platform);
        let numbered = self.domains.iter().enumerate();
        let code: Vec<Code> = numbered
            .map(|(index, domain)| {
                assemble(platform, &domain.source, virtual_map::slot(index as u64), folder)
            })
            .collect();
        let mut spaces = Vec::new();
        for (index, (domain, code)) in self.domains.iter().zip(&code).enumerate() {
            spaces.push(layout.add_domain(index as u64, &code.bytes, &domain.devices));
        }
        let at = |component: ComponentIndex, label: &str| {
            *code[component.at()].labels.get(label).unwrap_or_else(|| panic!("no label {label}"))
        };
        let home_stacks =
            self.threads.iter().map(|(config, _)| layout.stack(config.component.at())).collect();
        let mut gate_stacks = Vec::new();
        for (config, _) in &self.gates {
            for _ in 0..config.stacks {
                let real = config.kind == GateKind::Interface;
                gate_stacks.push(if real {
                    layout.stack(config.component.at())
                } else {
                    StackEntry::default()
                });
            }
        }
        let threads = self.threads.iter();
        let threads = threads.map(|(config, label)| ThreadEntry {
            config: *config,
            entry: at(config.component, label),
        });
        let gates = self.gates.iter().map(|(config, label)| GateEntry {
            config: *config,
            entry: if label.is_empty() { 0 } else { at(config.component, label) },
        });
        let system = System {
            header: self.header(platform),
            threads: threads.collect(),
            home_stacks,
            gates: gates.collect(),
            gate_stacks,
            notifications: self.notifications.clone(),
            components: self.components(&spaces, &layout),
            interrupts: self.interrupts.clone(),
            openings: self.openings(),
        };
        let blob = system.encode().unwrap();
        assert!(blob.len() as u64 <= TABLES - BLOB);
        layout.write(BLOB, &blob);
        (std::mem::take(&mut layout.bytes), layout)
    }

    fn header(&self, platform: Platform) -> Header {
        let priorities = self.threads.iter().map(|(config, _)| u16::from(config.priority));
        let ceilings = self.gates.iter().map(|(config, _)| u16::from(config.protocol.ceiling()));
        Header {
            end: self.end,
            platform,
            startup: self.startup,
            boot_thread: self.boot_thread,
            depth: self.depth,
            cores: 1,
            backlog: 8,
            levels: priorities.chain(ceilings).max().unwrap_or(0) + 1,
            time_slice: self.time_slice,
            records: RECORDS,
            records_bytes: RECORDS_BYTES,
            // No chain is longer than there are gates.
            chain: self.gates.len() as u16,
            policy: self.policy,
            trees: false,
        }
    }

    fn components(&self, spaces: &[u64], layout: &Layout) -> Vec<SystemComponent> {
        let all = self.domains.iter().zip(spaces).enumerate();
        all.map(|(index, (domain, &address_space))| SystemComponent {
            on_fault: domain.on_fault,
            address_space,
            capabilities: domain.capabilities.clone(),
            copies: vec![CopyRange { to: layout.data(index), from: 0, bytes: 4096 }; domain.zeroed],
        })
        .collect()
    }

    fn openings(&self) -> Vec<Opening> {
        let everything = Permissions { read: true, write: true, execute: true };
        let mut openings = vec![
            Opening { base: TABLES, bytes: USER - TABLES, permissions: Permissions::READ },
            Opening { base: USER, bytes: USER_END - USER, permissions: everything },
        ];
        for &device in self.domains.iter().flat_map(|domain| &domain.devices) {
            openings.push(Opening {
                base: device,
                bytes: 4096,
                permissions: Permissions::READ_WRITE,
            });
        }
        openings
    }
}

/// Physical address of a domain's data page.
pub fn data(domain: usize) -> u64 {
    USER + domain as u64 * DOMAIN_BYTES + DATA_OFFSET
}

/// The image as it grows.
#[derive(Debug)]
pub(super) struct Layout {
    platform: Platform,
    bytes: Vec<u8>,
    next_table: u64,
    roots: Vec<u64>,
    stacks: Vec<u64>,
}

impl Layout {
    fn new(platform: Platform) -> Layout {
        Layout {
            platform,
            bytes: Vec::new(),
            next_table: TABLES,
            roots: Vec::new(),
            stacks: Vec::new(),
        }
    }

    /// Physical address of a domain's data page.
    pub(super) fn data(&self, domain: usize) -> u64 {
        data(domain)
    }

    fn write(&mut self, at: u64, bytes: &[u8]) {
        let first = (at - BLOB) as usize;
        let end = first + bytes.len();
        self.bytes.resize(self.bytes.len().max(end), 0);
        self.bytes[first..end].copy_from_slice(bytes);
    }

    fn read_entry(&mut self, at: u64) -> u64 {
        let width = self.platform.page_tables().entry_bytes();
        let first = (at - BLOB) as usize;
        self.bytes.resize(self.bytes.len().max(first + width), 0);
        let mut bytes = [0; 8];
        bytes[..width].copy_from_slice(&self.bytes[first..first + width]);
        u64::from_le_bytes(bytes)
    }

    fn new_table(&mut self) -> u64 {
        let table = self.next_table;
        self.next_table += 4096;
        table
    }

    fn map(&mut self, root: u64, address: u64, page: u64, permissions: Permissions) {
        let format = self.platform.page_tables();
        let width = format.entry_bytes();
        let mut table = root;
        for level in (1..format.levels()).rev() {
            let place = table + (format.index(level, address) * width) as u64;
            table = match format.decode(self.read_entry(place)) {
                Some(PageTableEntry::Table(next)) => next,
                _ => {
                    let next = self.new_table();
                    let entry = format.encode(PageTableEntry::Table(next));
                    self.write(place, &entry.to_le_bytes()[..width]);
                    next
                }
            };
        }
        let place = table + (format.index(0, address) * width) as u64;
        let entry = format.encode(PageTableEntry::Page { address: page, permissions });
        self.write(place, &entry.to_le_bytes()[..width]);
    }

    fn add_domain(&mut self, index: u64, code: &[u8], devices: &[u64]) -> u64 {
        assert!(code.len() as u64 <= DATA_OFFSET);
        let (physical, slot) = (USER + index * DOMAIN_BYTES, virtual_map::slot(index));
        let root = self.new_table();
        self.write(physical, code);
        self.write(physical + DATA_OFFSET + 4095, &[0]);
        for page in 0..CODE_PAGES {
            self.map(root, slot + page * 4096, physical + page * 4096, Permissions::READ_EXECUTE);
        }
        self.map(root, slot + DATA_OFFSET, physical + DATA_OFFSET, Permissions::READ_WRITE);
        for (number, &device) in devices.iter().enumerate() {
            let address = slot + virtual_map::SHARED_OFFSET + number as u64 * 4096;
            self.map(root, address, device, Permissions::READ_WRITE);
        }
        self.roots.push(root);
        self.stacks.push(0);
        let number = self.platform.address_space_number(index as u16);
        self.platform.page_tables().address_space(root, number)
    }

    fn stack(&mut self, domain: usize) -> StackEntry {
        let number = self.stacks[domain];
        self.stacks[domain] += 1;
        let physical =
            USER + domain as u64 * DOMAIN_BYTES + DATA_OFFSET + 4096 * (1 + number * STACK_PAGES);
        assert!(physical < USER + (domain as u64 + 1) * DOMAIN_BYTES);
        let address =
            virtual_map::slot(domain as u64) + virtual_map::STACKS_OFFSET + 4096 * (1 + 2 * number);
        self.map(self.roots[domain], address, physical, Permissions::READ_WRITE);
        let local = 4096 - 64;
        let message = local - 120 * self.platform.word_bytes();
        StackEntry {
            stack_pointer: address + message / 16 * 16,
            thread_pointer: address + local,
            message: physical + message,
        }
    }
}
