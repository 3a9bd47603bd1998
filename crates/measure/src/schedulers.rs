//! What schedulers ask the kernel for, on the kernel that has them.
//!
//! Time comes down a chain of schedulers, each of which has a say in its quality. The
//! kernel walks along the qualities of two accounts: so each call is measured below few
//! schedulers, and below as many as a quality holds.

use crate::experiment::{Experiment, files};
use crate::path::NotMeasured;
use crate::path::Path;
use crate::setting::Setting;

/// The calls that are measured.
const CALLS: [&str; 8] = [
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
const FEW: usize = 3;

/// As many as may be above another one: it and the kernel have a say as well.
const MANY: usize = 14;

/// The systems: with few schedulers, and with many.
pub fn schedulers(setting: Setting) -> [Experiment; 2] {
    [FEW, MANY].map(|all| below(all - 1).called(&all.to_string()).in_setting(setting))
}

/// The scheduler that measures, below so many others.
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
    let schedulers = if above + 1 == FEW { String::new() } else { format!(".{}", above + 1) };
    Experiment::new("schedulers", files, 3_500, crate::THREADS)
        .with("above", &instances)
        .with("delegates", &delegates)
        .with("schedulers", &schedulers)
        .with("board", include_str!("../systems/schedulers/board.h"))
}

/// That each call was measured.
///
/// # Errors
/// One was not: a call was refused on the way.
pub fn complete(paths: &[Path]) -> Result<(), NotMeasured> {
    let names =
        CALLS.iter().flat_map(|call| [format!("tcap.{call}"), format!("tcap.{call}.{MANY}")]);
    let missing = |name: &String| !paths.iter().any(|path| path.name == *name);
    names.into_iter().find(missing).map_or(Ok(()), |name| Err(NotMeasured(name)))
}
