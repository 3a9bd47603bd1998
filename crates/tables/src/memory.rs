//! A domain's address space: where code, stacks and windows are.
//!
//! Each domain has 16 MiB of addresses of its own, so that an address alone says
//! whose it is: to a debugger with all symbols loaded, and in a fault's record. The
//! first half is the domain's program as linked; then stacks; then windows: console
//! buffers, shared memory and device registers, each followed by an unmapped page.

use crate::machine::Needs;
use crate::{TablesError, device};
use fusee_image_format::virtual_map::{PAGE_BYTES, SHARED_OFFSET, SLOT_BYTES, SLOTS, slot};
use fusee_model::{ComponentId, DataportId, InterfaceKind, System};

/// Bytes of a component's console buffer.
pub const CONSOLE_BYTES: u64 = 0x1_0000;

/// A range of a domain's addresses that is not its program or a stack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// What is behind it.
    pub kind: WindowKind,
    /// The component that uses it.
    pub component: ComponentId,
    /// First address.
    pub address: u64,
    /// Bytes, a multiple of a page.
    pub size: u64,
    /// Whether the domain may write; it may always read.
    pub write: bool,
}

/// What is behind a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WindowKind {
    /// A component's console buffer.
    Console,
    /// Shared memory.
    Shared {
        /// Position of the component's interface.
        interface: usize,
        /// The memory.
        dataport: DataportId,
    },
    /// A device's registers.
    Device {
        /// Position of the component's interface.
        interface: usize,
        /// Physical address.
        physical: u64,
    },
}

/// Where a domain's addresses start.
pub(crate) fn base(domain: usize) -> Result<u64, TablesError> {
    match (domain as u64) < SLOTS {
        true => Ok(slot(domain as u64)),
        false => Err(TablesError::Domains(domain + 1)),
    }
}

/// The windows of a domain's components.
pub(crate) fn windows(system: &System, domain: usize, needs: &Needs) -> Result<Vec<Window>, TablesError> {
    let start = base(domain)? + SHARED_OFFSET;
    let mut windows = Vec::new();
    let mut next = start;
    let components = members(system, domain);
    for &component in &components {
        let console = Window { kind: WindowKind::Console, component, address: 0, size: CONSOLE_BYTES, write: true };
        place(&mut windows, &mut next, console);
    }
    for &component in &components {
        for (interface, described) in system.component(component).interfaces.iter().enumerate() {
            let InterfaceKind::Dataport(Some(dataport)) = described.kind else { continue };
            place(&mut windows, &mut next, window(system, component, interface, dataport, needs)?);
        }
    }
    let needed = next - start;
    if needed > SLOT_BYTES - SHARED_OFFSET {
        let domain = system.domains.get(domain).map_or_else(String::new, |domain| domain.name.clone());
        return Err(TablesError::Windows { domain, needed });
    }
    Ok(windows)
}

/// The software components of a domain, in order.
pub(crate) fn members(system: &System, domain: usize) -> Vec<ComponentId> {
    let all = (0..system.components.len()).map(ComponentId::from);
    let here = |id: &ComponentId| {
        let component = system.component(*id);
        let own = if component.domain.index() < system.domains.len() { component.domain.index() } else { 0 };
        own == domain && !component.hardware
    };
    all.filter(here).collect()
}

fn place(windows: &mut Vec<Window>, next: &mut u64, window: Window) {
    let size = window.size.max(1).next_multiple_of(PAGE_BYTES);
    windows.push(Window { address: *next, size, ..window });
    *next = next.saturating_add(size).saturating_add(PAGE_BYTES);
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
        return Ok(Window { kind, component, address: 0, size, write });
    }
    let described = system.dataports[dataport.index()].size;
    let size = described.or_else(|| needs.dataports.get(&dataport).copied()).unwrap_or(PAGE_BYTES);
    let kind = WindowKind::Shared { interface, dataport };
    Ok(Window { kind, component, address: 0, size: size.min(SLOT_BYTES), write })
}
