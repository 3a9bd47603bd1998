//! The costs of lending at gates by threads below schedulers.
//!
//! Who waits for a gate stays dispatched, and the holder runs for it. So whenever the kernel looks
//! whether the one that it has placed goes on, it follows the chain of holders, and it looks for
//! who pays. That is on each path of the kernel and several times in each decision. So it is
//! measured how much longer these are at the end of a chain that is as long as can be, and the most
//! of that is added to each.

use fusee_model::costs::{CostTable, Slope};
use fusee_model::{Duration, Protocol};

use crate::Path;
use crate::choosing::BURSTS;
use crate::experiment::{Experiment, files};
use crate::path::{NotMeasured, longest};
use crate::setting::SCHEDULERS;
use crate::with_schedulers::{TABLE_ABOVE, idle_schedulers};

/// The number of threads that wait for the first gate where all of them are below the scheduler,
/// and where they are the kernel's own.
const WAITERS: [usize; 2] = [12, 13];

/// The gates of the chain.
const CHAIN: u64 = 8;

/// Threads that a scheduler chooses among, where all of them are below it: those of the chain, the
/// waiting ones, and three more.
const BELOW: usize = CHAIN as usize + WAITERS[0] + 3;

/// Returns the systems: below a scheduler that is in a slot itself, and with the waiting threads
/// above it.
pub(crate) fn lending() -> [Experiment; 2] {
    [system(false), system(true)]
}

fn system(above: bool) -> Experiment {
    let files = files!(
        "lending",
        "components/End/end.c",
        "components/Link/link.c",
        "components/Caller/caller.c",
        "components/Asker/asker.c",
        "components/Passing/passing.c"
    );
    let waiters = WAITERS[usize::from(above)];
    let schedulers = if above { 1 } else { 2 };
    let (extra, extra_settings) = idle_schedulers(schedulers, ("Padding", |_| 150));
    let all = |line: &dyn Fn(usize) -> String| (0..waiters).map(line).collect::<String>();
    let urgency = |name: &str, priority: usize| match above {
        true => format!("{name}.priority = {};\n        ", 120 + priority),
        false => format!(
            "{name}.scheduler = \"root\";\n        {name}.priority = {};\n        ",
            20 + priority
        ),
    };
    let settings = all(&|i| {
        let name = format!("waiter{i}");
        let offset = 480 + 60 * i;
        urgency(&name, i)
            + &format!(
                "{name}.period = \"10 ms\";\n        {name}.offset = \"{offset} us\";\n        \
                 {name}.wcet = \"1 us\";\n        "
            )
    });
    let askers: Vec<_> = (0..waiters).map(|i| format!("from waiter{i}.held")).collect();
    let time = match above {
        true => "root.priority = 100;",
        false => TABLE_ABOVE.1,
    };
    let own = 12 + waiters + schedulers + 2 * (SCHEDULERS - schedulers);
    Experiment::new("lending", files, BURSTS as u64 * 10 + 20, own)
        .called(if above { "above" } else { "below" })
        .with("above", if above { "" } else { TABLE_ABOVE.0 })
        .with("kind", if above { ".above" } else { "" })
        .with("waiters", &all(&|i| format!("component Caller waiter{i};\n        ")))
        .with("askers", &askers.join(", "))
        .with("extra", &extra)
        .with("extra_settings", &extra_settings)
        .with("time", time)
        .with("settings", &(settings + &urgency("high", 30) + &urgency("over", 40)))
        .with("bursts", &BURSTS.to_string())
}

/// Returns the time by which any path is longer where threads lend.
pub(crate) fn lent(
    table: &CostTable,
    choose: Slope,
    paths: &[Path],
) -> Result<Duration, NotMeasured> {
    let walk = CHAIN * table.inherit_step.ns();
    let decision = choose.of(BELOW).map_or(0, Duration::ns);
    let passage = table.gate_passage(Protocol::Inherited);
    let (enters, leaves) = passage.map_or((0, 0), |(enter, leave)| (enter.ns(), leave.ns()));
    let plain = [
        ("block", enters + table.block.ns() + walk),
        ("handoff", leaves + table.handoff.ns() + enters + walk),
        ("release", table.release.ns()),
        ("completion", table.completion.ns()),
    ];
    let decisions = ["first", "same", "next"].map(|path| (path, decision));
    // Who is above the scheduler is released and ends as others of the kernel's.
    let kernels = [("first", table.release.ns()), ("next", table.completion.ns())];
    let above = plain.iter().chain(&kernels);
    let above = above.map(|&(path, known)| (format!("lend.above.{path}"), known));
    let below = plain.iter().chain(&decisions);
    let below = below.map(|&(path, known)| (format!("lend.{path}"), known));
    let mut most = 0;
    for (path, known) in below.chain(above) {
        most = most.max(longest(paths, &path)?.saturating_sub(known));
    }
    Ok(Duration(most))
}
