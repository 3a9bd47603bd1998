//! A core that is asked for more than it has.

use fusee_diagnostics::{Code, Rule, Severity};
use fusee_model::{Release, Task};

use crate::finding::Finding;
use crate::view::{View, list};

pub(crate) const RULE: Rule = Rule {
    code: Code("F0536"),
    name: "utilisation-above-one",
    severity: Severity::Warning,
    what: "The tasks of a core together ask for more than all of its time.",
    why: "Whatever the priorities, somebody's backlog grows without end.",
    example: r#"
component Pump { control; }
assembly {
    composition { component Pump one; component Pump two; }
    configuration {
        one.period = "10 ms";
        one.wcet = "6 ms";
        two.period = "20 ms";
        two.wcet = "9 ms";
    }
}
"#,
    instead: "Move a task to another core, release it less often, or make it shorter.",
    reference: "Liu and Layland 1973",
};

/// One task's share of its core.
struct Share<'a> {
    task: &'a Task,
    release: &'a Release,
    millionths: u128,
}

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let mut cores: Vec<u32> = view.system.tasks.iter().map(|t| t.core).collect();
    cores.sort_unstable();
    cores.dedup();
    cores.into_iter().filter_map(|core| finding(view, core)).collect()
}

fn finding(view: &View<'_>, core: u32) -> Option<Finding> {
    let mut shares = shares(view, core);
    let total = shares.iter().fold(0_u128, |sum, s| sum.saturating_add(s.millionths));
    // A task that is too much by itself has its own message.
    if total <= 1_000_000 || shares.iter().any(|s| s.millionths > 1_000_000) {
        return None;
    }
    shares.sort_by_key(|s| std::cmp::Reverse(s.millionths));
    let names: Vec<&str> = shares.iter().map(|s| s.task.name.as_str()).collect();
    let message = format!("core {core} is asked for {} of its time", percent(total));
    let mut finding = Finding::of(&RULE, message);
    for (index, share) in shares.iter().take(3).enumerate() {
        let text = format!("task `{}` takes {}", share.task.name, percent(share.millionths));
        let origin = share.release.period.origin;
        finding = if index == 0 { finding.at(origin, text) } else { finding.because(origin, text) };
    }
    Some(finding.note(format!("its tasks, largest first: {}", list(&names))))
}

fn shares<'a>(view: &View<'a>, core: u32) -> Vec<Share<'a>> {
    (view.timed())
        .filter(|(_, task, _)| task.core == core)
        .filter_map(|(id, task, release)| {
            let demand = u128::from(view.demands.task(id)?.ns());
            // Rounded down, so that what is found is really too much.
            let millionths = demand * 1_000_000 / u128::from(release.period.value.ns().max(1));
            Some(Share { task, release, millionths })
        })
        .collect()
}

fn percent(millionths: u128) -> String {
    format!("{}.{} %", millionths / 10_000, millionths / 1_000 % 10)
}
