//! Threads that run callbacks: only programs tell whether there are any.

use fusee_diagnostics::Diagnostic;
use fusee_model::{Attribute, ComponentId, Origin, Priority, System, Value};
use fusee_tables::{Machines, ThreadRole};

use crate::analyze::{Promised, analyse};

impl Promised {
    /// Analyses again with the callbacks of programs, as if the description gave each its priority;
    /// answers what there is to say of that.
    pub(crate) fn hear_of_callbacks(&mut self, machines: &Machines) -> Vec<Diagnostic> {
        let unheard = unheard(&self.system, machines);
        if unheard.is_empty() {
            return Vec::new();
        }
        for (component, attribute) in unheard {
            self.system.components[component.index()].attributes.push(attribute);
        }
        let analysed = analyse(&self.loaded, &self.system, &self.derived, &self.costs);
        let before = std::mem::replace(&mut self.analysed, analysed).diagnostics;
        let now = self.analysed.diagnostics.iter();
        now.filter(|one| !before.contains(one)).cloned().collect()
    }
}

/// Returns the priorities of callbacks that the description is silent about.
fn unheard(system: &System, machines: &Machines) -> Vec<(ComponentId, Attribute)> {
    let found: Vec<_> = machines
        .threads()
        .filter_map(|(.., role)| match role {
            ThreadRole::Callback { component, interface } => Some((component, interface)),
            _ => None,
        })
        .collect();
    let described: Vec<_> = system.described_callbacks().collect();
    let unheard = system.callback_levels().filter(|one| {
        let &(component, interface, _) = one;
        found.contains(&(component, interface)) && !described.contains(one)
    });
    let attribute = |(component, interface, level): (ComponentId, usize, Priority)| {
        let event = &system.component(component).interfaces[interface].name;
        let (name, value) = (format!("{event}_priority"), Value::Integer(level.into()));
        (component, Attribute { name, value, origin: Origin::NONE })
    };
    unheard.map(attribute).collect()
}
