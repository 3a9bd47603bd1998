//! Devices that reach all memory.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{ComponentId, DataportId, InterfaceKind, System};
use fusee_platform::{DeviceWindow, Platform};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0529"),
    name: "device-masters-the-bus",
    severity: Severity::Note,
    what: "A component drives a device that reads and writes memory by itself.",
    why: "Page tables and memory protection hold for cores, and not for devices: what such a \
          device is told to write to, it writes to, the kernel's memory too. So everybody trusts \
          the code of its driver, whatever else isolates it. That is said for each of Fusee's \
          machines that has such a device there.",
    example: r#"
import <std_connector.camkes>;
component Disk { hardware; dataport Buf registers; }
component Driver { control; dataport Buf registers; }
assembly {
    composition {
        component Disk disk;
        component Driver driver;
        connection seL4HardwareMMIO m(from driver.registers, to disk.registers);
    }
    configuration {
        disk.registers_paddr = 0x10001000;
        driver.period = "10 ms";
        driver.wcet = "1 ms";
    }
}
"#,
    instead: "Keep the driver small, and what need not be in it elsewhere.",
    reference: "Fusee book, \"What isolation rests on\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let components = view.system.components.iter().filter(|component| !component.hardware);
    let mapped = components.flat_map(|driver| {
        driver.interfaces.iter().filter_map(move |interface| match interface.kind {
            InterfaceKind::Dataport(Some(memory)) => Some((driver, interface, memory)),
            _ => None,
        })
    });
    let finding = |(driver, interface, memory): (
        &fusee_model::Component,
        &fusee_model::Interface,
        DataportId,
    )| {
        let (start, bytes) = registers(view.system, memory)?;
        let masters = |platform: &Platform| platform.bus_master(start, bytes);
        let all: Vec<(Platform, &DeviceWindow)> =
            Platform::ALL.into_iter().filter_map(|p| Some((p, masters(&p)?))).collect();
        let (_, first) = all.first()?;
        let machines: Vec<String> = all.iter().map(|(p, _)| format!("`{}`", p.name())).collect();
        let name = format!("{}.{}", driver.name, interface.name);
        let message = format!(
            "`{name}` leads to the {} of {}, which masters the bus: everybody trusts `{}`",
            first.name,
            machines.join(" and "),
            driver.name
        );
        Some(Finding::of(&RULE, message).at(interface.origin, "no page table holds for it"))
    };
    mapped.filter_map(finding).collect()
}

/// Returns the address of the registers behind a dataport, and their length in bytes; none: it is
/// memory, or none says where.
fn registers(system: &System, memory: DataportId) -> Option<(u64, u64)> {
    let ids = (0..system.components.len()).map(ComponentId::from);
    let mut ends = ids
        .map(|id| system.component(id))
        .filter(|device| device.hardware)
        .flat_map(|device| device.interfaces.iter().map(move |interface| (device, interface)));
    let (device, interface) =
        ends.find(|(_, interface)| interface.kind == InterfaceKind::Dataport(Some(memory)))?;
    let number = |suffix: &str| device.number(&format!("{}_{suffix}", interface.name));
    let size = system.dataports.get(memory.index()).and_then(|dataport| dataport.size);
    Some((number("paddr")?, number("size").or(size).unwrap_or(1)))
}
