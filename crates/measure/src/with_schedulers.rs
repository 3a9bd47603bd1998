//! The measuring systems on a kernel that has schedulers.
//!
//! A system runs on that kernel if it has one, and all of the kernel's ways grow with how many
//! there are. So each gets as many as the costs are for, with a thread each that has nothing to do.

use crate::added::{added, idle};
use crate::setting::SCHEDULERS;

/// A table of whose one slot the scheduler `root` has all time: its instance, and what is set.
pub(crate) const TABLE_ABOVE: (&str, &str) = (
    "component Partitions above;",
    "above.priority = 100;\n        above.delegates = [\"10 s to root\"];\n        \
     above.delegates_every = \"10 s\";\n        root.scheduler = \"above\";\n        ",
);

/// The same description beside schedulers, below all that is measured: none of them begins on the
/// way of another.
pub(crate) fn beside_schedulers(text: &str) -> String {
    let before = "import <fusee/fixed_priority.camkes>;\ncomponent Dispatched { control; }\n";
    let (instances, settings) = idle_schedulers(0, ("Dispatched", |i| i + 1));
    added(text, [before, &format!("\n        {instances}"), &format!("\n        {settings}")])
}

/// Schedulers that are there to be counted, each with a thread of some component, beside so many
/// others; with their priorities.
pub(crate) fn idle_schedulers(
    others: usize,
    (component, priority): (&str, fn(usize) -> usize),
) -> (String, String) {
    let all = |line: &dyn Fn(usize) -> String| (others..SCHEDULERS).map(line).collect::<String>();
    let instances = all(&|i| {
        format!(
            "component FixedPriority scheduler{i};\n        component {component} \
             dispatched{i};\n        "
        )
    });
    let settings = all(&|i| {
        let thread = format!("dispatched{i}");
        format!(
            "scheduler{i}.priority = {};\n        {thread}.scheduler = \"scheduler{i}\";\n        \
             {thread}.priority = 10;\n        {}",
            priority(i),
            idle(&thread)
        )
    });
    (instances, settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedulers_are_added() {
        let text = "assembly {\n    composition {\n    }\n    configuration {\n    }\n}\n";
        let with = beside_schedulers(text);
        assert_eq!(with.matches("component FixedPriority scheduler").count(), SCHEDULERS, "{with}");
        assert!(with.starts_with("import <fusee/fixed_priority.camkes>;\n"), "{with}");
        assert!(with.contains("dispatched3.scheduler = \"scheduler3\";"), "{with}");
    }
}
