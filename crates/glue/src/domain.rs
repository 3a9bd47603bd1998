//! A protection domain's program: its components and one C library.

use crate::builder::Builder;
use crate::failure::{self, Failure};
use crate::view::Found;
use crate::{messages, runtime};
use fusee_image_format::virtual_map::PAGE_BYTES;
use fusee_model::{ComponentId, Lock, OnFault, System, Value};
use fusee_tables::{Domain, Window, WindowKind, symbol};
use minijinja::context;
use std::path::PathBuf;

/// Bytes of heap for each component with sources whose description is silent.
const HEAP: u64 = 16 << 10;

/// The same in a project of CAmkES's, as its manual says, and for all components of one group.
const HEAP_OF_CAMKES: u64 = 1 << 20;
const MOST_HEAP_OF_GROUP: u64 = 4 << 20;

/// Links a domain's components.
pub(crate) fn link(
    builder: &Builder<'_>,
    domain: &Domain,
    parts: &[(ComponentId, PathBuf, &Found)],
) -> Result<PathBuf, Failure> {
    let system = builder.request.system;
    let camkes = if builder.project.is_camkes() {
        MOST_HEAP_OF_GROUP / parts.len().max(1) as u64
    } else {
        HEAP
    };
    let silent = |id: &ComponentId| match system.component(*id).on_fault {
        OnFault::Restart => HEAP,
        _ => camkes.clamp(HEAP, HEAP_OF_CAMKES) / 16 * 16,
    };
    let mut shares = Vec::new();
    let mut heap = 0;
    for (id, _, found) in parts {
        let bytes = bytes(system, *id, found.sources.then(|| silent(id)));
        // What the linker script sees of each component's part: its name, where it begins, how long
        // it is.
        shares.push((symbol::identifier(&system.component(*id).name), heap, bytes));
        heap += bytes;
    }
    let script = builder.out.join("domains").join(format!("{}.ld", domain.name));
    let has_words = |id: &ComponentId| system.component(*id).code.locks.iter().any(Lock::is_word);
    let words = parts.iter().any(|(id, ..)| has_words(id));
    let values = context! {
        name => domain.name.clone(),
        base => domain.base,
        page => PAGE_BYTES,
        heap => heap,
        shares => shares,
        words => words,
    };
    failure::write(&script, &builder.templates.write("domain.ld", values)?)?;
    let mut inputs: Vec<PathBuf> = parts.iter().map(|(_, object, _)| object.clone()).collect();
    inputs.extend(runtime::OF_DOMAIN.iter().map(|source| builder.runtime_object(source)));
    let defined: Vec<String> = domain.windows.iter().map(|window| define(system, window)).collect();
    let program = builder.out.join("domains").join(format!("{}.elf", domain.name));
    let said = builder.tools.link(&script, &inputs, &defined, &program)?;
    if said.fine { Ok(program) } else { Err(messages::linking_domain(&domain.name, &said.text)) }
}

fn bytes(system: &System, id: ComponentId, silent: Option<u64>) -> u64 {
    match system.component(id).attribute("heap_size") {
        Some(Value::Integer(bytes)) => u64::try_from(*bytes).unwrap_or(0),
        _ => silent.unwrap_or(0),
    }
}

fn define(system: &System, window: &Window) -> String {
    let name = match window.kind {
        WindowKind::Console => symbol::console(system, window.component),
        WindowKind::Shared { interface, .. } | WindowKind::Device { interface, .. } => {
            let interface = &system.component(window.component).interfaces[interface];
            symbol::window(system, window.component, &interface.name)
        }
    };
    format!("-Wl,--defsym={name}={:#x}", window.address)
}
