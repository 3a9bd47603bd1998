//! Shared memory and devices, against the description.

use super::Subject;
use super::finding::Findings;
use super::names::Window;
use super::ranges::PAGE;
use fusee_model::{Component, ComponentId, DataportId, InterfaceKind, System, Value};
use std::collections::BTreeMap;

/// The memory that a component's dataport must lead to.
struct Described {
    domain: usize,
    write: bool,
    memory: DataportId,
    /// Physical address and bytes of a device.
    device: Option<(u64, Option<u64>)>,
    name: String,
}

/// Each dataport leads to the memory that its connections say, with the rights that its attribute
/// says.
pub(crate) fn check(subject: &Subject<'_>, system: &System, findings: &mut Findings) {
    let mut places: BTreeMap<DataportId, (u64, String)> = BTreeMap::new();
    let mut used: BTreeMap<u64, DataportId> = BTreeMap::new();
    let mut known = 0;
    for (index, component) in
        system.components.iter().enumerate().filter(|(_, component)| !component.hardware)
    {
        for described in described(subject, system, ComponentId::from(index), component) {
            let Some(window) = window(subject, described.domain, index, &described.name) else {
                let (name, interface) = (&component.name, &described.name);
                findings.differs(format!(
                    "`{name}.{interface}` is shared memory in the description, and nothing in the \
                     image"
                ));
                continue;
            };
            known += 1;
            compare(component, &described, window, findings);
            let Some(physical) = physical(subject, described.domain, window) else { continue };
            let name = format!("{}.{}", component.name, described.name);
            let (first, other) = places.entry(described.memory).or_insert((physical, name.clone()));
            if *first != physical {
                findings.differs(format!(
                    "`{name}` and `{other}` are one memory in the description, and two in the image"
                ));
            }
            let taken = *used.entry(physical).or_insert(described.memory);
            if taken != described.memory && described.device.is_none() {
                findings.differs(format!("`{name}` leads to memory of another connection"));
            }
        }
        let consoles = subject.names.domains.iter().flat_map(|domain| &domain.windows);
        let consoles =
            consoles.filter(|w| w.interface.is_none() && w.component as usize == index).count();
        if consoles != 1 {
            findings.differs(format!(
                "`{}` has {consoles} console buffers in the image, a component has one",
                component.name
            ));
        }
    }
    let all = subject.names.domains.iter().flat_map(|domain| &domain.windows);
    let found = all.filter(|window| window.interface.is_some()).count();
    if found != known {
        findings.differs(format!(
            "the image has {found} windows to shared memory and devices, the description {known}"
        ));
    }
}

fn described(
    subject: &Subject<'_>,
    system: &System,
    id: ComponentId,
    component: &Component,
) -> Vec<Described> {
    let domain =
        subject.names.components.get(id.index()).map_or(usize::MAX, |component| component.domain);
    let dataports = component.interfaces.iter().filter_map(|interface| match interface.kind {
        InterfaceKind::Dataport(Some(memory)) => Some((interface.name.clone(), memory)),
        _ => None,
    });
    dataports
        .map(|(name, memory)| Described {
            domain,
            write: match component.attribute(&format!("{name}_access")) {
                Some(Value::Text(text)) => text.contains(['W', 'w']),
                _ => true,
            },
            device: device(system, memory),
            memory,
            name,
        })
        .collect()
}

/// Returns the address of the registers behind a dataport, and their stated length.
fn device(system: &System, memory: DataportId) -> Option<(u64, Option<u64>)> {
    let devices = system.components.iter().filter(|component| component.hardware);
    let mut ends = devices.flat_map(|component| {
        component.interfaces.iter().map(move |interface| (component, interface))
    });
    let (component, interface) =
        ends.find(|(_, interface)| interface.kind == InterfaceKind::Dataport(Some(memory)))?;
    let number = |suffix: &str| component.number(&format!("{}_{suffix}", interface.name));
    Some((number("paddr")?, number("size")))
}

fn window<'a>(
    subject: &'a Subject<'_>,
    domain: usize,
    component: usize,
    interface: &str,
) -> Option<&'a Window> {
    let windows = &subject.names.domains.get(domain)?.windows;
    windows
        .iter()
        .find(|w| w.component as usize == component && w.interface.as_deref() == Some(interface))
}

fn compare(component: &Component, described: &Described, window: &Window, findings: &mut Findings) {
    let name = format!("{}.{}", component.name, described.name);
    let write = window.rights.contains('w');
    if write != described.write {
        let text = |write: bool| if write { "read and written" } else { "only read" };
        let (found, wanted) = (text(write), text(described.write));
        findings.differs(format!(
            "`{name}` can be {found} in the image, and {wanted} by the description"
        ));
    }
    match (described.device, window.device) {
        (None, None) => {}
        (Some((address, bytes)), Some(found)) => {
            let bytes = bytes.map_or(window.bytes, |bytes| bytes.div_ceil(PAGE) * PAGE);
            if (address, bytes) != (found, window.bytes) {
                let length = window.bytes;
                findings.differs(format!(
                    "`{name}` leads to {length} bytes at {found:#x}, the description has {bytes} \
                     at {address:#x}"
                ));
            }
        }
        (Some(_), None) => findings
            .differs(format!("`{name}` is memory in the image, a device by the description")),
        (None, Some(_)) => findings
            .differs(format!("`{name}` is a device in the image, memory by the description")),
    }
}

/// Returns the physical address that a window leads to.
fn physical(subject: &Subject<'_>, domain: usize, window: &Window) -> Option<u64> {
    let pages = subject.pages.get(domain)?;
    let position = pages.binary_search_by_key(&window.address, |page| page.address).ok()?;
    Some(pages[position].physical)
}
