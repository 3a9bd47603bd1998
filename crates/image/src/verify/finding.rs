//! The findings of the verifier.

use super::Subject;
use super::page::Page;
use super::ranges::PAGE;
use crate::rules;
use fusee_diagnostics::{Diagnostic, Rule};
use fusee_image_format::{Malformed, Platform};

/// The reason for which bytes are no image.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// No ELF file, or a damaged one.
    #[error("it is no program for a platform of Fusee's: {0}")]
    File(String),
    /// The names are missing.
    #[error("it carries no names: {0}")]
    Names(String),
    /// Nothing is loaded where the system's tables must be.
    #[error("it has no tables")]
    NoTables,
    /// The tables are damaged.
    #[error("its tables are damaged: {0:?}")]
    Tables(Malformed),
    /// The tables are for another machine than the file.
    #[error("the file is for {file}, its tables are for {tables}")]
    Platform {
        /// The file's machine.
        file: &'static str,
        /// The tables' machine.
        tables: &'static str,
    },
}

impl VerifyError {
    /// Returns the message for the user about a file.
    pub fn diagnostic(&self, path: &str) -> Diagnostic {
        let message = format!("`{path}` can't be verified: {self}");
        Diagnostic::error(rules::NOT_VERIFIABLE.code, message)
            .with_note("`fusee build` writes images")
    }
}

/// A difference, or something unsound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    rule: &'static Rule,
    /// Both sides in a sentence.
    pub message: String,
}

impl Finding {
    /// Returns the message for the user.
    pub fn diagnostic(&self) -> Diagnostic {
        Diagnostic::error(self.rule.code, self.message.clone())
    }
}

/// The memory that each domain of an image can reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The machine of the image.
    pub platform: Platform,
    /// The system's name.
    pub system: String,
    /// Everything that is not as it should be.
    pub findings: Vec<Finding>,
    /// Domains in order.
    pub domains: Vec<Reach>,
    /// Pages of page tables.
    pub table_pages: usize,
    /// Capabilities that were looked at.
    pub capabilities: usize,
    /// Stacks that were looked at.
    pub stacks: usize,
    /// Domains that reach a device which reads and writes all memory by itself, and that device.
    pub bus_masters: Vec<(String, &'static str)>,
}

/// The memory that a domain can reach.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reach {
    /// The name of the domain.
    pub name: String,
    /// Bytes that it can execute.
    pub execute: u64,
    /// Bytes that it can only read.
    pub read: u64,
    /// Bytes that it can write, devices left out.
    pub write: u64,
    /// Bytes of devices.
    pub devices: u64,
    /// Gates that it can pass, by name.
    pub gates: Vec<String>,
    /// Everything that it reaches, by address.
    pub memory: Vec<Region>,
}

/// Neighboring pages with the same rights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    /// The domain's address of its first byte.
    pub address: u64,
    /// The machine's address of its first byte.
    pub physical: u64,
    /// The length in bytes.
    pub bytes: u64,
    /// `true` if the domain can write there.
    pub write: bool,
    /// `true` if the domain can execute what is there.
    pub execute: bool,
}

/// Findings as they come. Ten of a kind say enough.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    all: Vec<Finding>,
}

/// More findings than this are not kept.
const MOST: usize = 1000;

impl Findings {
    /// The image breaks its own protection.
    pub(crate) fn unsound(&mut self, message: impl Into<String>) {
        self.push(&rules::UNSOUND, message.into());
    }

    /// The image is not what was described.
    pub(crate) fn differs(&mut self, message: impl Into<String>) {
        self.push(&rules::DIFFERS, message.into());
    }

    /// All of them.
    pub(crate) fn into_all(self) -> Vec<Finding> {
        self.all
    }

    fn push(&mut self, rule: &'static Rule, message: String) {
        let finding = Finding { rule, message };
        if self.all.len() < MOST && !self.all.contains(&finding) {
            self.all.push(finding);
        }
    }
}

/// Sums everything up.
pub(crate) fn report(subject: &Subject<'_>, findings: &mut Findings) -> Report {
    let (tables, names) = (subject.tables, subject.names);
    let domains = (0..names.domains.len()).map(|index| reach(subject, index)).collect();
    let stack = |stack: &&fusee_image_format::StackEntry| stack.stack_pointer != 0;
    Report {
        platform: tables.header.platform,
        system: names.system.clone(),
        findings: std::mem::take(&mut findings.all),
        domains,
        table_pages: subject.table_pages.len(),
        capabilities: tables.components.iter().map(|component| component.capabilities.len()).sum(),
        stacks: tables.home_stacks.iter().chain(&tables.gate_stacks).filter(stack).count(),
        bus_masters: bus_masters(subject),
    }
}

/// Each domain with each device of which it reaches a page, and that masters the bus.
fn bus_masters(subject: &Subject<'_>) -> Vec<(String, &'static str)> {
    let platform = subject.tables.header.platform;
    let mut found = Vec::new();
    for (domain, pages) in subject.names.domains.iter().zip(subject.pages) {
        let devices = pages.iter().filter_map(|page| platform.bus_master(page.physical, PAGE));
        for device in devices.map(|device| (domain.name.clone(), device.name)) {
            if !found.contains(&device) {
                found.push(device);
            }
        }
    }
    found
}

/// Adds a page to the region before it, or begins another.
fn region(regions: &mut Vec<Region>, page: &Page) {
    let Page { address, physical, rights } = *page;
    let follows = |last: &&mut Region| {
        let end =
            (last.address.saturating_add(last.bytes), last.physical.saturating_add(last.bytes));
        end == (address, physical) && (last.write, last.execute) == (rights.write, rights.execute)
    };
    match regions.last_mut().filter(follows) {
        Some(last) => last.bytes += PAGE,
        None => regions.push(Region {
            address,
            physical,
            bytes: PAGE,
            write: rights.write,
            execute: rights.execute,
        }),
    }
}

fn reach(subject: &Subject<'_>, index: usize) -> Reach {
    let mut reach = Reach { name: subject.names.domains[index].name.clone(), ..Reach::default() };
    let platform = subject.tables.header.platform;
    for page in &subject.pages[index] {
        let sum = match page.rights {
            _ if platform.is_device(page.physical) => &mut reach.devices,
            rights if rights.execute => &mut reach.execute,
            rights if rights.write => &mut reach.write,
            _ => &mut reach.read,
        };
        *sum += PAGE;
        region(&mut reach.memory, page);
    }
    for (position, component) in subject.tables.components.iter().enumerate() {
        if subject.names.components[position].domain != index {
            continue;
        }
        for capability in &component.capabilities {
            if let fusee_kernel::Capability::Gate(gate) = capability {
                let name = subject.names.gate(gate.0);
                if !reach.gates.contains(&name) {
                    reach.gates.push(name);
                }
            }
        }
    }
    reach
}
