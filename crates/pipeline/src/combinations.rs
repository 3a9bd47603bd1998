//! Ways to schedule beside ways to share: which go together.
//!
//! Each combination is a small description: two tasks that use one store. It is read and checked
//! like a user's own, so the table says what `check` does. `check`'s rules are the only place that
//! knows what goes together.

mod setting;
mod sharing;

pub use setting::SETTINGS;
pub use sharing::SHARINGS;

use fusee_adl::syntax::files::Memory;
use fusee_diagnostics::{Code, Severity};

/// A protocol between cores at a gate that one core uses: a warning, because another does the same.
const ONE_CORE_ONLY: Code = Code("F0571");

/// Where the tasks of a description run, and in which order.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// A name of a few words.
    pub name: &'static str,
    /// Imports of the description.
    imports: &'static str,
    /// Instances beside the store and the two tasks.
    instances: &'static str,
    /// Settings of tasks and schedulers.
    settings: &'static str,
    /// `true` if the two tasks run on different cores.
    between_cores: bool,
}

/// The protocol or lock with which the two tasks share the store.
#[derive(Debug, Clone, Copy)]
pub struct Sharing {
    /// A protocol, or a kind of lock.
    pub name: &'static str,
    /// Imports of the description.
    imports: &'static str,
    /// Parts of the store's component beside the interface that the tasks call.
    store: &'static str,
    /// Instances and connections beside the store.
    instances: &'static str,
    /// Settings of the store and of its lock.
    settings: &'static str,
    /// Settings where users are on different cores.
    between_cores: &'static str,
}

/// Returns the description of two tasks that share a store. Where priorities or deadlines decide,
/// the second job of `one` comes when `two` is inside.
pub fn description(setting: &Setting, sharing: &Sharing) -> String {
    let imports = format!("{}{}", setting.imports, sharing.imports);
    let instances = format!("{}{}", setting.instances, sharing.instances);
    let between_cores = if setting.between_cores { sharing.between_cores } else { "" };
    let settings = format!("{}{}{between_cores}", setting.settings, sharing.settings);
    let store = sharing.store;
    format!(
        "import <std_connector.camkes>;
{imports}procedure Data {{ void go(); }};
component Store {{ provides Data data; {store}}}
component Client {{ control; uses Data data; }}
component Apart {{ control; }}
assembly {{
    composition {{
        component Store store;
        component Client one;
        component Client two;
        connection seL4RPCCall calls(from one.data, from two.data, to store.data);
{instances}    }}
    configuration {{
        one.priority = 30;
        one.period = \"3 ms\";
        one.calls = [\"100 us\", \"data\", \"100 us\"];
        two.priority = 20;
        two.period = \"20 ms\";
        two.calls = [\"2725 us\", \"data\", \"100 us\"];
{settings}    }}
}}
"
    )
}

/// Checks a combination.
///
/// # Errors
/// The first rule that refuses it, or the one by which a protocol between cores has no meaning on a
/// single core.
pub fn accepted(setting: &Setting, sharing: &Sharing) -> Result<(), Code> {
    let place = "/system.camkes";
    let files = Memory::default().with(place, description(setting, sharing));
    let read = fusee_adl::read_from(&files, place.as_ref(), &fusee_adl::Options::default());
    let mut found = read.diagnostics;
    if let Some(system) = &read.system {
        found.extend(fusee_check::check(system, &|origin| read.origins.span(origin)));
    }
    let refuses = |code: Code, severity| severity == Severity::Error || code == ONE_CORE_ONLY;
    let refused = found.iter().find(|one| refuses(one.code, one.severity));
    refused.map_or(Ok(()), |one| Err(one.code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_core_and_priorities_go_with_all_but_protocols_between_cores() {
        let refused = SHARINGS.iter().filter(|sharing| accepted(&SETTINGS[0], sharing).is_err());
        let names: Vec<&str> = refused.map(|sharing| sharing.name).collect();
        assert_eq!(names, ["msrp", "mrsp", "mpcp"]);
    }

    #[test]
    fn what_a_core_has_alone_is_not_shared_between_cores() {
        let refused = SHARINGS.iter().filter(|sharing| accepted(&SETTINGS[5], sharing).is_err());
        assert_eq!(refused.count(), 10);
    }
}
