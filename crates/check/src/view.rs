//! A system as the rules look at it: derived facts, and a few ways through it.

use fusee_model::derived::Derived;
use fusee_model::*;

use crate::demand::Demands;

/// A system with what follows from it.
pub(crate) struct View<'a> {
    pub(crate) system: &'a System,
    pub(crate) derived: Derived,
    pub(crate) demands: Demands,
}

impl<'a> View<'a> {
    pub(crate) fn of(system: &'a System) -> Self {
        let derived = Derived::of(system);
        let demands = Demands::of(system, &derived);
        Self { system, derived, demands }
    }

    /// Returns all interfaces with the component that they belong to.
    pub(crate) fn interfaces(&self) -> impl Iterator<Item = (&'a Component, &'a Interface)> {
        self.system.components.iter().flat_map(|c| c.interfaces.iter().map(move |i| (c, i)))
    }

    /// Returns the interface at an end of a connection; none if the end is wrong.
    pub(crate) fn end(&self, end: &End) -> Option<(&'a Component, &'a Interface)> {
        let component = self.system.components.get(end.component.index())?;
        Some((component, component.interfaces.get(end.interface)?))
    }

    /// `component.interface`, for messages.
    pub(crate) fn end_name(&self, end: &End) -> String {
        self.end(end).map_or_else(String::new, |(c, i)| format!("{}.{}", c.name, i.name))
    }

    /// Tasks that are analyzed, with their releases.
    pub(crate) fn timed(&self) -> impl Iterator<Item = (TaskId, &'a Task, &'a Release)> {
        self.system.task_ids().filter_map(|(id, t)| Some((id, t, t.release.as_ref()?)))
    }

    /// Returns all bodies with what they belong to: the task's or the gate's name.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = (Owner<'a>, &'a Body)> {
        let tasks = self.system.task_ids().map(|(_, t)| (Owner::Task(t), &t.body));
        let gates = self.system.gate_ids();
        tasks.chain(gates.flat_map(|(id, g)| {
            let methods = g.methods.iter().enumerate();
            methods.map(move |(at, m)| (Owner::Method(id, g, at), &m.body))
        }))
    }

    /// Returns the value of an attribute of a component instance.
    pub(crate) fn attribute(&self, component: ComponentId, name: &str) -> Option<&'a Attribute> {
        let attributes = &self.system.component(component).attributes;
        attributes.iter().find(|a| a.name == name)
    }

    /// Returns the deadline in force: the period where none is given.
    pub(crate) fn deadline(&self, task: &Task, release: &Release) -> Duration {
        task.deadline.map_or(release.period.value, |d| d.value)
    }
}

/// The owner of a body.
#[derive(Clone, Copy)]
pub(crate) enum Owner<'a> {
    Task(&'a Task),
    /// A gate's method, by its position there.
    Method(GateId, &'a Gate, usize),
}

impl Owner<'_> {
    /// As a message calls it.
    pub(crate) fn name(&self) -> String {
        match self {
            Owner::Task(task) => format!("task `{}`", task.name),
            Owner::Method(_, gate, at) => format!("`{}.{}`", gate.name, gate.methods[*at].name),
        }
    }

    pub(crate) fn origin(&self) -> Origin {
        match self {
            Owner::Task(task) => task.origin,
            Owner::Method(_, gate, _) => gate.origin,
        }
    }
}

/// `a`, `a and b`, `a, b and c`: names in backquotes, at most four of them.
pub(crate) fn list<T: AsRef<str>>(names: &[T]) -> String {
    const SHOWN: usize = 4;
    let quoted: Vec<String> =
        names.iter().take(SHOWN).map(|n| format!("`{}`", n.as_ref())).collect();
    match (quoted.as_slice(), names.len() - quoted.len()) {
        ([], _) => String::new(),
        ([one], _) => one.clone(),
        ([most @ .., last], 0) => format!("{} and {last}", most.join(", ")),
        (all, more) => format!("{} and {more} more", all.join(", ")),
    }
}

/// `1 thread`, `2 threads`.
pub(crate) fn count(number: impl Into<u64>, word: &str) -> String {
    let number = number.into();
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_read_as_sentences() {
        assert_eq!(list::<&str>(&[]), "");
        assert_eq!(list(&["a"]), "`a`");
        assert_eq!(list(&["a", "b"]), "`a` and `b`");
        assert_eq!(list(&["a", "b", "c"]), "`a`, `b` and `c`");
        assert_eq!(list(&["a", "b", "c", "d", "e", "f"]), "`a`, `b`, `c`, `d` and 2 more");
    }

    #[test]
    fn counts_take_the_plural() {
        assert_eq!(
            (count(0_u32, "thread"), count(1_u32, "thread")),
            ("0 threads".into(), "1 thread".into())
        );
    }
}
