//! The measuring system in which several wait for a ceiling when it is lifted.

use crate::experiment::{Experiment, files};
use crate::queue::ARRIVALS;

/// The number of threads that wait for a ceiling, where several do: each has a priority of its own.
pub(crate) const CEILINGS: usize = 25;

/// Returns the experiment in which as many threads wait for a ceiling, each above those before,
/// when it is lifted.
pub(crate) fn lifted(waiters: usize) -> Experiment {
    let files = files!(
        "ceilings",
        "components/Holder/holder.c",
        "components/Waiter/waiter.c",
        "components/Server/server.c"
    );
    let all = |what: &dyn Fn(usize) -> String| (0..waiters).map(what).collect::<String>();
    let instances = all(&|i| format!("component Waiter waiter{i};\n        "));
    let ends = all(&|i| format!("from waiter{i}.held, "));
    let boards = all(&|i| format!("from waiter{i}.board, "));
    let period = waiters * (ARRIVALS + 8_000) + 30_000;
    let timing = all(&|i| {
        let (priority, offset) = (100 + i, 10_000 + i * ARRIVALS);
        format!(
            "waiter{i}.priority = {priority};\n        \
             waiter{i}.period = \"{period} ns\";\n        \
             waiter{i}.offset = \"{offset} ns\";\n        waiter{i}.wcet = \"1 us\";\n        "
        )
    });
    let connections = format!(
        "connection seL4RPCCall c1({ends}from holder.held, to server.held);\n        connection \
         seL4SharedData c2({boards}from holder.board, to server.board);"
    );
    let milliseconds = period as u64 * 10_020 / 1_000_000 + 1;
    Experiment::new("ceilings", files, milliseconds, waiters + 1)
        .with("waiters", &format!("{instances}{connections}"))
        .with("timing", &timing)
        .with("longest", &waiters.to_string())
        .called(&waiters.to_string())
}
