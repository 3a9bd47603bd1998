//! The demands of a description that no image has room for.
//!
//! Analysis and simulation know no limits of this kind, so each is a warning for a
//! description as such. Whoever wants to build it need not compile everything to learn of it.

use std::collections::BTreeMap;

use fusee_diagnostics::{Code, Diagnostic};
use fusee_image_format::virtual_map::{PAGE_BYTES, STACKS_OFFSET};
use fusee_model::{Component, DataportId, Interface, InterfaceKind, Origin, System, Value};
use fusee_platform::Platform;
use fusee_tables::{Machine, Machines, Needs, TablesError, WindowKind};

use crate::load::Loaded;

/// The build's rules about tables and about a domain's memory.
const NO_TABLES: Code = Code("F0908");
const TOO_LARGE_DOMAIN: Code = Code("F0911");

/// Everything that a build would refuse, whatever the components' code.
pub fn exceeded(loaded: &Loaded) -> Vec<Diagnostic> {
    let Some((system, _)) = loaded.buildable() else { return Vec::new() };
    let place =
        |diagnostic: Diagnostic, origin: Origin, text: &str| match loaded.origins.span(origin) {
            Some(span) => diagnostic.at(span, text),
            None => diagnostic,
        };
    // What the code asks for besides can only make it more.
    let machine = Machines::of(system, &Needs::default());
    let together = machine.as_ref().ok().and_then(|machine| together(system, machine.first()));
    let together = together.map(|Together { message, largest, origin }| {
        let (text, note) = match largest {
            Largest::Heap => ("the largest heap", "lower `heap_size`"),
            Largest::Dataport => ("the largest dataport", "make it smaller"),
        };
        let warning = place(Diagnostic::warning(TOO_LARGE_DOMAIN, message), origin, text);
        warning
            .with_note(format!("{note}; code, stacks and the kernel's tables need memory besides"))
    });
    let refused = machine.err().map(|error| {
        let message = format!("this system cannot be built: {error}");
        let origin = match &error {
            TablesError::Windows { domain, .. } => {
                largest_dataport(system, |name| name == domain).1
            }
            _ => error.origin(),
        };
        let warning = place(Diagnostic::warning(NO_TABLES, message), origin, "");
        let warning = match error {
            TablesError::Domains(_) => {
                warning.with_note("put components that trust each other into one `group`")
            }
            _ => warning,
        };
        warning.with_note("it can be analysed and simulated all the same")
    });
    let heaps = system.domains.iter().filter_map(|domain| {
        let members = || domain.components.iter().map(|&id| system.component(id));
        let needed: u128 = members().map(heap).sum();
        let largest = members()
            .max_by_key(|component| heap(component))
            .filter(|_| needed >= u128::from(STACKS_OFFSET))?;
        let message = format!(
            "`{}` cannot be built: its heap takes {}, and code, data and heap have {}",
            domain.name,
            bytes(needed),
            bytes(STACKS_OFFSET.into())
        );
        let warning =
            place(Diagnostic::warning(TOO_LARGE_DOMAIN, message), heap_origin(largest), "");
        Some(warning.with_note("lower `heap_size`, or keep the data in dataports"))
    });
    let silent = silent(system).map(|(component, interface)| {
        let name = format!("{}.{}", component.name, interface.name);
        let message = format!("nothing says which interrupt `{name}` is, so it never comes");
        let warning = place(Diagnostic::warning(NO_TABLES, message), interface.origin, "");
        warning.with_note(format!("set `{name}_irq_number`"))
    });
    refused.into_iter().chain(heaps).chain(together).chain(silent).collect()
}

/// Events of devices that some code consumes and no interrupt signals. Where one releases a task,
/// time does so instead.
fn silent(system: &System) -> impl Iterator<Item = (&Component, &Interface)> {
    let events =
        system.components.iter().filter(|component| component.hardware).flat_map(|component| {
            component.interfaces.iter().map(move |interface| (component, interface))
        });
    events.filter(|(component, interface)| {
        let InterfaceKind::Emits(Some(event)) = interface.kind else { return false };
        let released = system.tasks.iter().any(|task| task.release_event() == Some(event));
        !released && component.attribute(&format!("{}_irq_number", interface.name)).is_none()
    })
}

/// The largest dataport of some domains, as far as the description says how large it is, and where
/// it is declared.
fn largest_dataport(system: &System, of: impl Fn(&str) -> bool) -> (u64, Origin) {
    let members =
        system.domains.iter().filter(|known| of(&known.name)).flat_map(|known| &known.components);
    let interfaces = members.flat_map(|&id| &system.component(id).interfaces);
    let sized = interfaces.filter_map(|interface| match interface.kind {
        InterfaceKind::Dataport(Some(dataport)) => {
            Some((system.dataports[dataport.index()].size?, interface.origin))
        }
        _ => None,
    });
    sized.max_by_key(|(size, _)| *size).unwrap_or((0, Origin::NONE))
}

/// The largest consumer of memory.
enum Largest {
    Heap,
    Dataport,
}

/// More memory than the machine has.
struct Together {
    message: String,
    largest: Largest,
    origin: Origin,
}

/// Returns the need of all heaps, consoles and dataports, if the machine has less; and the place at
/// which the largest of them is asked for.
fn together(system: &System, machine: &Machine) -> Option<Together> {
    // Nobody has said yet which machine it is for: what the largest has no room for, none has.
    let room = |platform: Platform| platform.memory_map().ram_end - platform.memory_map().blob;
    let room = u128::from(Platform::ALL.into_iter().map(room).max()?);
    let heaps = || {
        system
            .components
            .iter()
            .map(|component| heap(component).next_multiple_of(PAGE_BYTES.into()))
    };
    let needed = heaps().sum::<u128>() + windows(machine);
    if needed <= room {
        return None;
    }
    let component = system.components.iter().max_by_key(|component| heap(component));
    let (dataport, declared) = largest_dataport(system, |_| true);
    let (largest, origin) =
        match component.filter(|component| heap(component) >= u128::from(dataport)) {
            Some(component) => (Largest::Heap, heap_origin(component)),
            None => (Largest::Dataport, declared),
        };
    let message = format!(
        "this system cannot be built: heaps and shared memory of all components take {}, and the \
         machine has {}",
        bytes(needed),
        bytes(room)
    );
    Some(Together { message, largest, origin })
}

/// Returns the bytes of consoles and of dataports; each dataport counts once, however many map it.
fn windows(machine: &Machine) -> u128 {
    let mut shared: BTreeMap<DataportId, u64> = BTreeMap::new();
    let mut consoles = 0;
    for window in machine.domains.iter().flat_map(|domain| &domain.windows) {
        match window.kind {
            WindowKind::Console => consoles += u128::from(window.size),
            WindowKind::Shared { dataport, .. } => {
                let size = shared.entry(dataport).or_default();
                *size = window.size.max(*size);
            }
            WindowKind::Device { .. } => {}
        }
    }
    consoles + shared.into_values().map(u128::from).sum::<u128>()
}

/// Returns the place at which a component's heap is asked for.
fn heap_origin(component: &Component) -> Origin {
    component
        .attributes
        .iter()
        .find(|a| a.name == "heap_size")
        .map_or(component.origin, |a| a.origin)
}

fn heap(component: &Component) -> u128 {
    match component.attribute("heap_size") {
        Some(Value::Integer(bytes)) => u128::try_from(*bytes).unwrap_or(0),
        _ => 0,
    }
}

/// Returns a size for people.
fn bytes(size: u128) -> String {
    const UNITS: [&str; 4] = ["bytes", "KiB", "MiB", "GiB"];
    let (mut size, mut unit) = (size, 0);
    while unit + 1 < UNITS.len() && size >= 1024 && size.is_multiple_of(1024) {
        (size, unit) = (size / 1024, unit + 1);
    }
    format!("{size} {}", UNITS[unit])
}
