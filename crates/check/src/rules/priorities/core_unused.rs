//! A core between others that has nothing to do.

use fusee_diagnostics::{Code, Rule, Severity};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0555"),
    name: "core-unused",
    severity: Severity::Warning,
    what: "A task runs on a core with a number above one on which no task runs.",
    why: "Cores are numbered from 0. A gap usually means that the numbers were meant to start from \
          1, or that one is mistyped; the machine must have all of them.",
    example: r#"
component Pump { control; }
assembly {
    composition { component Pump pump; }
    configuration { pump.core = 3; }
}
"#,
    instead: "Number the cores from 0 without a gap.",
    reference: "Fusee book, \"Describing timing\"",
};

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let mut cores: Vec<u32> = view.system.tasks.iter().map(|t| t.core).collect();
    cores.sort_unstable();
    cores.dedup();
    let gap = (0..).zip(&cores).find(|(expected, core)| *expected != **core);
    let Some((unused, _)) = gap else { return Vec::new() };
    let Some(task) = view.system.tasks.iter().find(|t| t.core > unused) else { return Vec::new() };
    let place = ["core", "_affinity"].iter().find_map(|name| view.attribute(task.component, name));
    let message = format!(
        "task `{}` runs on core {}, but no task runs on core {unused}",
        task.name, task.core
    );
    vec![
        Finding::of(&RULE, message)
            .at(place.map_or(task.origin, |a| a.origin), "cores are numbered from 0 without a gap"),
    ]
}
