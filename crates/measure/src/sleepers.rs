//! Measuring systems of sleeping on an account, and of being woken.

use crate::experiment::{Experiment, files};
use crate::queue::ARRIVALS;
use crate::setting::THREADS;

/// So many sleep on one's account: all but that one, and one that runs.
const SLEEPERS: usize = THREADS - 2;

/// Threads that sleep on one's account, and are woken.
pub(crate) fn sleepers() -> Experiment {
    let files = files!(
        "sleepers",
        "components/Holder/holder.c",
        "components/Keeper/keeper.c",
        "components/Sleeper/sleeper.c"
    );
    let arrived = 10_000 + SLEEPERS * ARRIVALS;
    let period = arrived + SLEEPERS * 6_000 + 40_000;
    let names = || (0..SLEEPERS - 1).map(|which| format!("sleeper{which}"));
    let ends: String = names().map(|name| format!("from {name}.sleeping, ")).collect();
    let mut all: String =
        names().map(|name| format!("component Sleeper {name};\n        ")).collect();
    all += &format!(
        "connection seL4RPCCall c({ends}from top.sleeping, from holder.sleeping, to \
         keeper.sleeping);"
    );
    // Whoever runs inherits from those who have come, and is not interrupted by their equals.
    let comes = |(which, name): (usize, String)| {
        let (priority, offset) = (100 + which, 10_000 + which * ARRIVALS);
        format!(
            "{name}.priority = {priority};\n        {name}.period = \"{period} ns\";\n        \
             {name}.offset = \"{offset} ns\";\n        {name}.wcet = \"1 us\";\n        "
        )
    };
    let timing: String = names().chain(["top".to_owned()]).enumerate().map(comes).collect();
    let rounds = 10_020 / SLEEPERS as u64 + 4;
    Experiment::new("sleepers", files, period as u64 * rounds / 1_000_000 + 1, THREADS)
        .with("sleepers", &all)
        .with("timing", &timing)
        .with("longest", &SLEEPERS.to_string())
}
