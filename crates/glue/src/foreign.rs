//! The needs of a system that no machine of Fusee meets, told before a build.

use crate::cmake;
use crate::rules;
use crate::rust_names;
use crate::sources::Project;
use crate::stubs;
use fusee_diagnostics::{Diagnostic, Span};
use fusee_model::{Algorithm, Component, InterfaceKind, Origin, System, Value};

/// Attributes of CAmkES that give a component what is not here, and what that is.
const ATTRIBUTES: [(&str, &str); 5] = [
    ("ioports", "ports of x86"),
    ("iospaces", "an IOMMU"),
    ("smmu", "an SMMU"),
    ("pci_devices", "devices on a PCI bus"),
    ("rump_config", "a rump kernel"),
];

/// Attributes that only virtual machine monitors have.
const OF_MONITORS: [&str; 4] =
    ["linux_address_config", "vm_image_config", "vm_address_config", "num_vcpus"];

/// The devices of QEMU's `virt` machine and of VexRiscv's board: first address and the one behind
/// the last. Which of them a platform has is asked when a system is built for it.
const DEVICES: [(u64, u64); 13] = [
    (0x0010_0000, 0x0010_2000),     // test device and clock
    (0x0200_0000, 0x0201_0000),     // core-local interrupts
    (0x02f0_0000, 0x02f0_4000),     // the same for supervisors
    (0x0300_0000, 0x0301_0000),     // PCI ports
    (0x0400_0000, 0x0600_0000),     // platform bus
    (0x0c00_0000, 0x1000_0000),     // interrupt controller
    (0x1000_0000, 0x1000_9000),     // serial line, virtio
    (0x1010_0000, 0x1010_0018),     // configuration
    (0x2000_0000, 0x2800_0000),     // flash, interrupt messages
    (0x3000_0000, 0x8000_0000),     // PCI
    (0x4_0000_0000, 0x8_0000_0000), // PCI, high
    (0x8000_0000, 0x9000_0000),     // memory
    (0xf000_0000, 0xf010_0000),     // all of the board
];

/// Returns the reasons for which a system does not run here; nothing if there are none.
pub fn foreign(
    system: Option<&System>,
    project: &Project,
    span: &dyn Fn(Origin) -> Option<Span>,
) -> Vec<Diagnostic> {
    let mut all = Vec::new();
    if let Some((place, text)) = project.refusal() {
        let message = format!("the project does not build for this machine: {text}");
        all.push(
            Diagnostic::error(rules::REFUSED_BY_PROJECT, message)
                .with_note(format!("says {place}")),
        );
    }
    let mut said: Vec<String> = Vec::new();
    for component in system.map_or(&[][..], |system| &system.components) {
        let Some((what, origin)) = needs(component, project) else { continue };
        if said.contains(&what) {
            continue;
        }
        let message = format!("`{}` needs {what}, which is not here", component.name);
        let error = Diagnostic::error(rules::NOT_HERE, message);
        all.push(match span(origin).or_else(|| span(component.origin)) {
            Some(span) => error.at(span, ""),
            None => error,
        });
        said.push(what);
    }
    for component in system.map_or(&[][..], |system| &system.components) {
        all.extend(passed_over(component, project, span));
        let twice = || {
            rust_names::twice(component)
                .filter(|_| project.is_rust(&component.kind, &component.name))
        };
        all.extend(twice().map(|error| place(error, component, span)));
    }
    all.extend(system.into_iter().flat_map(|system| replaced(system, project, span)));
    all
}

/// Schedulers of Fusee's own whose code a project replaces, or leaves out.
fn replaced(
    system: &System,
    project: &Project,
    span: &dyn Fn(Origin) -> Option<Span>,
) -> Vec<Diagnostic> {
    let shipped = system.schedulers.iter().filter(|one| one.algorithm != Algorithm::Own);
    let components = shipped.map(|one| system.component(system.task(one.task).component));
    let error = |component: &Component| {
        let Component { name, kind, .. } = component;
        let files = project.sources(kind, name);
        let what = match files.first() {
            Some(file) => format!("`{}` replaces", file.display()),
            None if stubs::is_asked_for(component) => format!("`{name}.stub` leaves out"),
            None => return None,
        };
        let message = format!("{what} the code of `{kind}`, which comes with Fusee");
        let error = Diagnostic::error(rules::REPLACED_SCHEDULER, message).with_note(format!(
            "bounds and simulation are of Fusee's own `{kind}`: give a scheduler of your own \
             another name"
        ));
        Some(place(error, component, span))
    };
    components.filter_map(error).collect()
}

fn place(
    diagnostic: Diagnostic,
    component: &Component,
    span: &dyn Fn(Origin) -> Option<Span>,
) -> Diagnostic {
    match span(component.origin) {
        Some(span) => diagnostic.at(span, ""),
        None => diagnostic,
    }
}

/// Returns warnings about the project's declarations for a component that are not used: options of
/// the linker, which links all components of a domain together and takes none of one's own, words
/// of no keyword, and libraries that are not there.
fn passed_over(
    component: &Component,
    project: &Project,
    span: &dyn Fn(Origin) -> Option<Span>,
) -> Vec<Diagnostic> {
    let Some(declared) = project.declared(&component.kind, &component.name) else {
        return Vec::new();
    };
    let name = &component.name;
    let mut all = Vec::new();
    if !declared.link_flags.is_empty() {
        let flags = declared.link_flags.join(" ");
        let message = format!("`LD_FLAGS {flags}` of `{name}` is not taken");
        all.push(Diagnostic::warning(rules::LINK_FLAGS, message));
    }
    if !declared.unknown_words.is_empty() {
        let words = declared.unknown_words.join(" ");
        let message = format!("`{words}` of `{name}` belongs to no keyword: CMake passes over it");
        all.push(Diagnostic::warning(cmake::rules::CMAKE_UNKNOWN, message));
    }
    for library in &declared.unknown_libraries {
        let message =
            format!("`{name}` is linked with `{library}`, which the project does not have");
        all.push(Diagnostic::warning(cmake::rules::CMAKE_UNKNOWN, message));
    }
    let said = |diagnostic: Diagnostic| diagnostic.with_note(format!("says {}", declared.place));
    all.into_iter().map(|one| place(said(one), component, span)).collect()
}

/// Returns the missing thing that a component needs, and the place that says so.
fn needs(component: &Component, project: &Project) -> Option<(String, Origin)> {
    if project.is_cakeml(&component.kind) {
        return Some(("a compiler for CakeML".into(), component.origin));
    }
    if let Some(template) = project
        .declared(&component.kind, &component.name)
        .and_then(|declared| declared.templates.first().cloned())
    {
        return Some((
            format!("code made from the template `{template}` for seL4"),
            component.origin,
        ));
    }
    for attribute in &component.attributes {
        let found = ATTRIBUTES.iter().find(|(name, _)| *name == attribute.name);
        let given = !matches!(&attribute.value, Value::List(items) if items.is_empty());
        if let Some((_, what)) = found.filter(|_| given) {
            return Some(((*what).into(), attribute.origin));
        }
        if OF_MONITORS.contains(&attribute.name.as_str()) {
            return Some(("virtual machines".into(), attribute.origin));
        }
    }
    if !component.hardware {
        return None;
    }
    for interface in &component.interfaces {
        if let InterfaceKind::Provides(_) = interface.kind {
            return Some(("ports of x86".into(), interface.origin));
        }
        let name = format!("{}_paddr", interface.name);
        let address = component.attributes.iter().find(|attribute| attribute.name == name);
        if let Some((address, origin)) = address.and_then(|a| Some((number(&a.value)?, a.origin)))
            && !DEVICES.iter().any(|&(from, to)| (from..to).contains(&address))
        {
            return Some((format!("a device at {address:#x}"), origin));
        }
    }
    None
}

fn number(value: &Value) -> Option<u64> {
    match value {
        Value::Integer(value) => u64::try_from(*value).ok(),
        Value::Text(text) => match text.trim().strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => text.trim().parse().ok(),
        },
        _ => None,
    }
}
