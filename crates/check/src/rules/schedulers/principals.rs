//! More schedulers above each other than a quality has room for.

use fusee_diagnostics::{Code, Rule, Severity};

use crate::finding::Finding;
use crate::view::View;

pub(crate) const RULE: Rule = Rule {
    code: Code("F0584"),
    name: "too-many-principals",
    severity: Severity::Error,
    what: "More than 15 schedulers stand above each other.",
    why: "Each has a say about the time that it passes on, and so has the kernel: a quality has \
          room for 16 opinions, so that whatever is done with it is bounded.",
    example: r#"
component Scheduler { control; }
component Worker { control; }
assembly {
    composition {
        component Scheduler s0;
        component Scheduler s1;
        component Scheduler s2;
        component Scheduler s3;
        component Scheduler s4;
        component Scheduler s5;
        component Scheduler s6;
        component Scheduler s7;
        component Scheduler s8;
        component Scheduler s9;
        component Scheduler s10;
        component Scheduler s11;
        component Scheduler s12;
        component Scheduler s13;
        component Scheduler s14;
        component Scheduler s15;
        component Scheduler s16;
    }
    configuration {
        s1.scheduler = "s0";
        s2.scheduler = "s1";
        s3.scheduler = "s2";
        s4.scheduler = "s3";
        s5.scheduler = "s4";
        s6.scheduler = "s5";
        s7.scheduler = "s6";
        s8.scheduler = "s7";
        s9.scheduler = "s8";
        s10.scheduler = "s9";
        s11.scheduler = "s10";
        s12.scheduler = "s11";
        s13.scheduler = "s12";
        s14.scheduler = "s13";
        s15.scheduler = "s14";
        s16.scheduler = "s15";
    }
}
"#,
    instead: "Let fewer schedulers stand above each other: one can dispatch many.",
    reference: "Fusee book, \"Schedulers as components\"",
};

/// Opinions in a quality, one of them the kernel's.
const MOST: usize = 16;

pub(crate) fn check(view: &View<'_>) -> Vec<Finding> {
    let system = view.system;
    let deep = system.schedulers.iter().find(|scheduler| {
        let above = system.schedulers_above(scheduler.task);
        let round = above.iter().any(|above| above.task == scheduler.task);
        !round && above.len() + 2 > MOST
    });
    deep.map(|scheduler| {
        let (name, above) =
            (&system.task(scheduler.task).name, system.schedulers_above(scheduler.task).len());
        let text = format!(
            "`{name}` has {above} schedulers above it, and with it and the kernel more than {MOST} \
             have a say"
        );
        Finding::of(&RULE, text).at(scheduler.threads[0].origin, "its thread's time")
    })
    .into_iter()
    .collect()
}
