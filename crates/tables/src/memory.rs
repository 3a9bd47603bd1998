//! A domain's address space: where code, stacks and windows are.
//!
//! Each domain has 16 MiB of addresses of its own, so that an address alone says
//! whose it is: to a debugger with all symbols loaded, and in a fault's record. The
//! first half is the domain's program as linked; then stacks; then windows: console
//! buffers, shared memory and device registers, each followed by an unmapped page.
//! Windows that do not fit there follow behind the last domain, in slots that are
//! the domain's alone, too.

use crate::needs::Needs;
use crate::{TablesError, device};
use fusee_image_format::virtual_map::{PAGE_BYTES, SHARED_OFFSET, SLOT_BYTES, SLOTS, slot};
use fusee_model::{ComponentId, DataportId, InterfaceKind, System};

/// Bytes of a component's console buffer.
pub const CONSOLE_BYTES: u64 = 0x1_0000;

/// A window that is larger than all addresses counts as this large: it is refused, and no sum
/// overflows.
const MOST_BYTES: u64 = 1 << 32;

/// A range of a domain's addresses that is not its program or a stack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// The kind of memory behind it.
    pub kind: WindowKind,
    /// The component that uses it.
    pub component: ComponentId,
    /// The first address.
    pub address: u64,
    /// Bytes, a multiple of a page.
    pub size: u64,
    /// `true` if the domain may write; it may always read.
    pub write: bool,
}

/// The kind of memory behind a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowKind {
    /// A component's console buffer.
    Console,
    /// A piece of shared memory.
    Shared {
        /// Position of the component's interface.
        interface: usize,
        /// The dataport of the memory.
        dataport: DataportId,
    },
    /// A device's registers.
    Device {
        /// Position of the component's interface.
        interface: usize,
        /// The physical address.
        physical: u64,
    },
}

/// Returns the start of a domain's addresses.
pub(crate) fn base(domain: usize) -> Result<u64, TablesError> {
    match (domain as u64) < SLOTS {
        true => Ok(slot(domain as u64)),
        false => Err(TablesError::Domains(domain + 1)),
    }
}

/// Slots behind those of all domains, for windows that do not fit into a domain's own.
pub(crate) struct Spare {
    next: u64,
}

impl Spare {
    /// Behind so many domains.
    pub(crate) fn behind(domains: usize) -> Self {
        Self { next: slot(domains as u64) }
    }

    /// Places what is left of a domain's windows; answers false if addresses do not suffice.
    fn place(&mut self, left: Vec<Window>, windows: &mut Vec<Window>) -> bool {
        for window in left {
            place(windows, &mut self.next, window);
        }
        // The next domain's begin in a slot of their own.
        self.next = self.next.checked_next_multiple_of(SLOT_BYTES).unwrap_or(u64::MAX);
        self.next <= slot(SLOTS)
    }
}

/// Returns the windows of a domain's components.
pub(crate) fn windows(
    system: &System,
    domain: usize,
    needs: &Needs,
    spare: &mut Spare,
) -> Result<Vec<Window>, TablesError> {
    let base = base(domain)?;
    let (mut next, end) = (base + SHARED_OFFSET, base + SLOT_BYTES);
    let (mut windows, mut left) = (Vec::new(), Vec::new());
    for window in wanted(system, domain, needs)? {
        match next.saturating_add(spaced(&window)) <= end {
            true => place(&mut windows, &mut next, window),
            false => left.push(window),
        }
    }
    let needed = left.iter().map(spaced).fold(0, u64::saturating_add);
    let room = slot(SLOTS).saturating_sub(spare.next);
    if left.is_empty() || spare.place(left, &mut windows) {
        return Ok(windows);
    }
    let domain = system.domains.get(domain).map_or_else(String::new, |domain| domain.name.clone());
    Err(TablesError::Windows { domain, needed, room })
}

/// Returns a domain's windows without addresses: consoles, then dataports.
fn wanted(system: &System, domain: usize, needs: &Needs) -> Result<Vec<Window>, TablesError> {
    let mut windows = Vec::new();
    let components = members(system, domain);
    for &component in &components {
        windows.push(Window {
            kind: WindowKind::Console,
            component,
            address: 0,
            size: CONSOLE_BYTES,
            write: true,
        });
    }
    for &component in &components {
        for (interface, described) in system.component(component).interfaces.iter().enumerate() {
            let InterfaceKind::Dataport(Some(dataport)) = described.kind else { continue };
            windows.push(window(system, component, interface, dataport, needs)?);
        }
    }
    Ok(windows)
}

/// Returns the software components of a domain, in order.
pub(crate) fn members(system: &System, domain: usize) -> Vec<ComponentId> {
    let all = (0..system.components.len()).map(ComponentId::from);
    let here = |id: &ComponentId| {
        let component = system.component(*id);
        let own = if component.domain.index() < system.domains.len() {
            component.domain.index()
        } else {
            0
        };
        own == domain && !component.hardware
    };
    all.filter(here).collect()
}

/// Bytes of a window's pages.
fn pages(window: &Window) -> u64 {
    window.size.max(1).next_multiple_of(PAGE_BYTES)
}

/// The same with the unmapped page behind them.
fn spaced(window: &Window) -> u64 {
    pages(window).saturating_add(PAGE_BYTES)
}

fn place(windows: &mut Vec<Window>, next: &mut u64, window: Window) {
    let (address, size) = (*next, pages(&window));
    *next = next.saturating_add(spaced(&window));
    windows.push(Window { address, size, ..window });
}

fn window(
    system: &System,
    component: ComponentId,
    interface: usize,
    dataport: DataportId,
    needs: &Needs,
) -> Result<Window, TablesError> {
    let write = device::may_write(system, component, interface)?;
    if let Some((physical, size)) = device::registers(system, dataport)? {
        let kind = WindowKind::Device { interface, physical };
        return Ok(Window { kind, component, address: 0, size: size.min(MOST_BYTES), write });
    }
    let described = system.dataports[dataport.index()].size;
    let size = described.or_else(|| needs.dataports.get(&dataport).copied()).unwrap_or(PAGE_BYTES);
    let kind = WindowKind::Shared { interface, dataport };
    Ok(Window { kind, component, address: 0, size: size.min(MOST_BYTES), write })
}
