//! Attributes of devices and of shared memory, as CAmkES has them.
//!
//! `uart.registers_paddr`, `uart.registers_size`, `uart.received_irq_number` belong
//! to a `hardware` component; `driver.registers_access` to the component that maps.

use crate::{TablesError, reach};
use fusee_image_format::virtual_map::PAGE_BYTES;
use fusee_model::{
    Attribute, ComponentId, DataportId, InterfaceKind, NotificationId, System, Value,
};

/// Returns the registers behind a dataport as (physical address, bytes); `None`: it is plain
/// memory.
pub(crate) fn registers(
    system: &System,
    dataport: DataportId,
) -> Result<Option<(u64, u64)>, TablesError> {
    for (index, component) in
        system.components.iter().enumerate().filter(|(_, component)| component.hardware)
    {
        for interface in &component.interfaces {
            if interface.kind == InterfaceKind::Dataport(Some(dataport)) {
                let id = ComponentId::from(index);
                return at(system, id, &interface.name, dataport).map(Some);
            }
        }
    }
    Ok(None)
}

fn at(
    system: &System,
    id: ComponentId,
    interface: &str,
    dataport: DataportId,
) -> Result<(u64, u64), TablesError> {
    let component = system.component(id);
    let Some((physical, origin)) = number(system, id, &format!("{interface}_paddr"))? else {
        let (component, origin) = (component.name.clone(), component.origin);
        return Err(TablesError::NoAddress { component, interface: interface.to_owned(), origin });
    };
    if !physical.is_multiple_of(PAGE_BYTES) {
        let component = component.name.clone();
        return Err(TablesError::Unaligned {
            component,
            interface: interface.to_owned(),
            address: physical,
            origin,
        });
    }
    let given = number(system, id, &format!("{interface}_size"))?.map(|(size, _)| size);
    let size = given.or(system.dataports[dataport.index()].size).unwrap_or(PAGE_BYTES);
    Ok((physical, size))
}

/// Returns the interrupt number of the device that signals a notification.
pub(crate) fn interrupt(
    system: &System,
    notification: NotificationId,
) -> Result<Option<(u16, fusee_model::Origin)>, TablesError> {
    for (id, position) in reach::emitters(system, notification) {
        let component = system.component(id);
        if !component.hardware {
            continue;
        }
        let name = format!("{}_irq_number", component.interfaces[position].name);
        if let Some((value, origin)) = number(system, id, &name)? {
            let takes = "an interrupt number up to 1023";
            let wrong = TablesError::Attribute { component: id, name, takes, origin };
            let line =
                u16::try_from(value).ok().filter(|line| (1..1024).contains(line)).ok_or(wrong)?;
            return Ok(Some((line, origin)));
        }
    }
    Ok(None)
}

/// Returns whether a component may write what is behind its dataport.
pub(crate) fn may_write(
    system: &System,
    id: ComponentId,
    interface: usize,
) -> Result<bool, TablesError> {
    let component = system.component(id);
    let name = format!("{}_access", component.interfaces[interface].name);
    let Some(attribute) = find(&component.attributes, &name) else { return Ok(true) };
    let origin = attribute.origin;
    let takes = "a text of `R` and `W`";
    match &attribute.value {
        Value::Text(text) if text.contains(['X', 'x']) => {
            Err(TablesError::Executable { name, origin })
        }
        Value::Text(text) if !text.is_empty() && text.chars().all(|c| "RWrw".contains(c)) => {
            Ok(text.contains(['W', 'w']))
        }
        _ => Err(TablesError::Attribute { component: id, name, takes, origin }),
    }
}

/// Returns the priority of the thread that runs an event's callbacks: the interface's, the
/// component's, or CAmkES's 254.
pub(crate) fn callback_priority(
    system: &System,
    id: ComponentId,
    interface: usize,
) -> Result<u8, TablesError> {
    let component = system.component(id);
    for name in
        [format!("{}_priority", component.interfaces[interface].name), "priority".to_owned()]
    {
        if let Some((value, origin)) = number(system, id, &name)? {
            let wrong = TablesError::Attribute {
                component: id,
                name,
                takes: "a priority, 0 to 255",
                origin,
            };
            return u8::try_from(value).map_err(|_| wrong);
        }
    }
    Ok(254)
}

/// Returns a whole number that is not negative, with its place; text such as `"0x1000"` counts.
fn number(
    system: &System,
    id: ComponentId,
    name: &str,
) -> Result<Option<(u64, fusee_model::Origin)>, TablesError> {
    let Some(attribute) = find(&system.component(id).attributes, name) else { return Ok(None) };
    let origin = attribute.origin;
    let value = match &attribute.value {
        Value::Integer(value) => u64::try_from(*value).ok(),
        Value::Text(text) => match text.trim().strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok(),
            None => text.trim().parse().ok(),
        },
        _ => None,
    };
    let takes = "a whole number that is not negative";
    let wrong = TablesError::Attribute { component: id, name: name.to_owned(), takes, origin };
    value.map(|value| Some((value, origin))).ok_or(wrong)
}

fn find<'a>(attributes: &'a [Attribute], name: &str) -> Option<&'a Attribute> {
    attributes.iter().find(|attribute| attribute.name == name)
}
