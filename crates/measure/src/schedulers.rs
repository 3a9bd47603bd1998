//! The requests of schedulers to the kernel, on the kernel that has them.
//!
//! Time comes down a chain of schedulers, each of which has a say in its quality. The
//! kernel walks along the qualities of two accounts: so each call is measured below few
//! schedulers, and below as many as a quality holds.

use crate::experiment::{Experiment, files};
use crate::path::NotMeasured;
use crate::path::Path;
use crate::setting::Setting;

/// The calls that are measured.
pub(crate) const CALLS: [&str; 8] = [
    "dispatch",
    "dispatch_timer",
    "send_receive",
    "scheduler_activation",
    "timer_activation",
    "delegate",
    "preemption_test",
    "transfer",
];

/// So many schedulers have a say in each quality where nothing else is said.
pub(crate) const FEW: usize = 3;

/// The largest number of schedulers above another one: it and the kernel have a say as well.
pub(crate) const MANY: usize = 14;

/// The numbers of schedulers by which it is seen how calls grow with them.
pub(crate) const GROWING: [usize; 8] = [1, 2, FEW, 5, 8, 10, 12, MANY];

/// Returns the systems: with few schedulers, and with many.
pub fn schedulers(setting: Setting) -> [Experiment; 2] {
    [FEW, MANY].map(|all| of(all).in_setting(setting))
}

/// Returns the systems with a growing number of schedulers.
pub fn growing_schedulers(setting: Setting) -> Vec<Experiment> {
    GROWING.iter().map(|&all| of(all).in_setting(setting)).collect()
}

/// Returns the name of a call's path below so many schedulers.
pub(crate) fn name(call: &str, schedulers: usize) -> String {
    format!("tcap.{call}{}", suffix(schedulers))
}

fn suffix(schedulers: usize) -> String {
    if schedulers == FEW { String::new() } else { format!(".{schedulers}") }
}

fn of(all: usize) -> Experiment {
    below(all - 1).called(&all.to_string())
}

/// Returns the scheduler that measures, below so many others.
fn below(above: usize) -> Experiment {
    let files = files!(
        "schedulers",
        "components/Leaf/leaf.c",
        "components/Worker/worker.c",
        "components/Peer/peer.c",
        "components/Sub/sub.c"
    );
    let all = |what: &dyn Fn(usize) -> String| (0..above).map(what).collect::<String>();
    let instances = all(&|i| format!("component Partitions above{i};\n        "));
    let delegates = all(&|i| {
        let child = if i + 1 < above { format!("above{}", i + 1) } else { "leaf".to_owned() };
        format!(
            "above{i}.delegates = [\"{} ms to {child}\"];\n        above{i}.delegates_every = \"1 \
             s\";\n        {child}.scheduler = \"above{i}\";\n        ",
            950 - 10 * i
        )
    });
    let root = if above == 0 { "leaf" } else { "above0" };
    Experiment::new("schedulers", files, 3_500, crate::THREADS)
        .with("above", &instances)
        .with("delegates", &delegates)
        .with("root", root)
        .with("schedulers", &suffix(above + 1))
        .with("board", include_str!("../systems/schedulers/board.h"))
}

/// Checks that each call was measured.
///
/// # Errors
/// One was not: a call was refused on the way.
pub fn complete(paths: &[Path]) -> Result<(), NotMeasured> {
    let mut names = CALLS.iter().flat_map(|call| [FEW, MANY].map(|all| name(call, all)));
    let missing = |name: &String| !paths.iter().any(|path| path.name == *name);
    names.find(missing).map_or(Ok(()), |name| Err(NotMeasured(name)))
}
