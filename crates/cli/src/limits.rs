//! What a description asks for that no image has room for.
//!
//! Analysis and simulation know no limits of this kind, so each is a warning for a
//! description as such. Whoever wants to build it need not compile everything to learn of it.

use fusee_diagnostics::{Code, Diagnostic};
use fusee_image_format::virtual_map::STACKS_OFFSET;
use fusee_model::{Component, Origin, Value};
use fusee_tables::{Machine, Needs, TablesError};

use crate::load::Loaded;

/// The build's rules about tables and about a domain's memory.
const NO_TABLES: Code = Code("F0908");
const TOO_LARGE_DOMAIN: Code = Code("F0911");

/// Everything that a build would refuse, whatever the components' code.
pub(crate) fn exceeded(loaded: &Loaded) -> Vec<Diagnostic> {
    let Some((system, _)) = loaded.buildable() else { return Vec::new() };
    let place = |diagnostic: Diagnostic, origin: Origin, text: &str| match loaded.origins.span(origin) {
        Some(span) => diagnostic.at(span, text),
        None => diagnostic,
    };
    // What the code asks for besides can only make it more.
    let refused = Machine::of(system, &Needs::default()).err().map(|error| {
        let message = format!("this system cannot be built: {error}");
        let warning = place(Diagnostic::warning(NO_TABLES, message), error.origin(), "");
        let warning = match error {
            TablesError::Domains(_) => warning.with_note("put components that trust each other into one `group`"),
            _ => warning,
        };
        warning.with_note("it can be analysed and simulated all the same")
    });
    let heaps = system.domains.iter().filter_map(|domain| {
        let members = || domain.components.iter().map(|&id| system.component(id));
        let needed: u128 = members().map(heap).sum();
        let largest =
            members().max_by_key(|component| heap(component)).filter(|_| needed >= u128::from(STACKS_OFFSET))?;
        let origin = largest.attributes.iter().find(|a| a.name == "heap_size").map_or(largest.origin, |a| a.origin);
        let message = format!(
            "`{}` cannot be built: its heap takes {}, and code, data and heap have {}",
            domain.name,
            bytes(needed),
            bytes(STACKS_OFFSET.into())
        );
        let warning = place(Diagnostic::warning(TOO_LARGE_DOMAIN, message), origin, "");
        Some(warning.with_note("lower `heap_size`, or keep the data in dataports"))
    });
    refused.into_iter().chain(heaps).collect()
}

fn heap(component: &Component) -> u128 {
    match component.attribute("heap_size") {
        Some(Value::Integer(bytes)) => u128::try_from(*bytes).unwrap_or(0),
        _ => 0,
    }
}

/// A size for people.
fn bytes(size: u128) -> String {
    const UNITS: [&str; 4] = ["bytes", "KiB", "MiB", "GiB"];
    let (mut size, mut unit) = (size, 0);
    while unit + 1 < UNITS.len() && size >= 1024 && size.is_multiple_of(1024) {
        (size, unit) = (size / 1024, unit + 1);
    }
    format!("{size} {}", UNITS[unit])
}
