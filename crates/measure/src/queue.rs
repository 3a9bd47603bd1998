//! Many threads wait for one gate.

use crate::experiment::{Experiment, files};
use crate::setting::THREADS;

/// Waiters come this long after each other.
pub(crate) const ARRIVALS: usize = 4_000;

/// Returns a system in which so many threads wait for one gate, and are served one after the other.
pub(crate) fn queue(longest: usize) -> Experiment {
    let files = files!(
        "queue",
        "components/Waiter/waiter.c",
        "components/Holder/holder.c",
        "components/Releaser/releaser.c",
        "components/Server/server.c",
        "components/Spinner/spinner.c"
    );
    let arrived = 10_000 + longest * ARRIVALS;
    let period = arrived + longest * 3_500 + 20_000;
    let ends: String = (0..longest).map(|i| format!("from waiter{i}.held, ")).collect();
    let boards: String = (0..longest).map(|i| format!("from waiter{i}.board, ")).collect();
    let mut waiters: String =
        (0..longest).map(|i| format!("component Waiter waiter{i};\n        ")).collect();
    waiters +=
        &format!("connection seL4RPCCall c2({ends}from holder.held, to server.held);\n        ");
    waiters += &format!(
        "connection seL4SharedData c3({boards}from holder.board, from spinner.board, to \
         server.board);"
    );
    let timing = (0..longest).map(|i| {
        let offset = 10_000 + i * ARRIVALS;
        format!(
            "waiter{i}.priority = 100;\n        waiter{i}.period = \"{period} ns\";\n        \
             waiter{i}.offset = \"{offset} ns\";\n        waiter{i}.wcet = \"1 us\";\n        "
        )
    });
    Experiment::new("queue", files, (period as u64 * 10_020) / 1_000_000 + 1, THREADS)
        .with("waiters", &waiters)
        .with("timing", &timing.collect::<String>())
        .with("release", &arrived.to_string())
        .with("period", &period.to_string())
        .with("longest", &longest.to_string())
        .called(&longest.to_string())
}
