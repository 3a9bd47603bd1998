//! Mutexes that one invocation locks and another unlocks.
//!
//! The kernel's mutex ends with the invocation that locked it, so that a fault can unwind it
//! and whoever waits is lent to. CAmkES's does not: a server may lock one in `lock()` and
//! unlock it in `unlock()`. Such a mutex becomes a semaphore with one place, without
//! inheritance. Which it is, the code says: a method that comes, by whatever calls, to only
//! one of both functions. A mutex whose sections the description tells is the kernel's, and so is
//! one that it calls optimistic.

use super::found::Found;
use fusee_model::{ComponentId, InterfaceKind, LockKind, System};
use std::collections::BTreeSet;

/// The positions of such locks of a component.
pub(crate) fn held(system: &System, id: ComponentId, found: &Found) -> Vec<usize> {
    let component = system.component(id);
    let mut reached = Vec::new();
    for interface in &component.interfaces {
        let InterfaceKind::Provides(gate) = interface.kind else { continue };
        let methods = system.gate(gate).methods.iter();
        reached.extend(
            methods.map(|method| reach(found, format!("{}_{}", interface.name, method.name))),
        );
    }
    let locks = component.code.locks.iter().enumerate();
    let mutexes = locks.filter(|(_, lock)| lock.kind == LockKind::Mutex && !lock.is_word());
    let held = mutexes.filter(|(position, lock)| {
        let both = [format!("{}_lock", lock.name), format!("{}_unlock", lock.name)];
        let one_only =
            |names: &BTreeSet<String>| names.contains(&both[0]) != names.contains(&both[1]);
        system.gate_of_mutex(id, *position).is_none() && reached.iter().any(one_only)
    });
    held.map(|(position, _)| position).collect()
}

/// Every name that a function comes to.
fn reach(found: &Found, from: String) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(name) = open.pop() {
        if let Some(further) = found.references.get(&name).filter(|_| !reached.contains(&name)) {
            open.extend(further.iter().cloned());
        }
        reached.insert(name);
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_behind_any_number_of_calls_and_loops_end() {
        let of = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let references =
            [("a", of(&["b", "c"])), ("b", of(&["a", "m_lock"])), ("d", of(&["m_unlock"]))];
        let references = references.map(|(name, further)| (name.to_owned(), further)).into();
        let found = Found { references, ..Found::default() };
        assert_eq!(reach(&found, "a".into()), of(&["a", "b", "c", "m_lock"]));
        assert_eq!(reach(&found, "x".into()), of(&["x"]));
    }
}
