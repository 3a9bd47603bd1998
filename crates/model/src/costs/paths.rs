//! The names of a cost table's numbers.

use std::sync::LazyLock;

use crate::Protocol;

/// Names of all numbers in a file.
pub static PATHS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let of_gates = ["invoke", "return"].into_iter();
    let of_gates =
        of_gates.flat_map(|way| Protocol::ALL.map(|protocol| format!("{way}.{}", protocol.name())));
    let before = ["release", "completion"].map(str::to_owned);
    before.into_iter().chain(of_gates).chain(OTHERS.map(str::to_owned)).collect()
});

/// The rest of them.
const OTHERS: [&str; 36] = [
    "mutex.lock",
    "mutex.unlock",
    "mutex.uncontended",
    "block",
    "handoff",
    "inherit_step",
    "signal",
    "wait",
    "wake",
    "budget_end",
    "fault",
    "time_slice",
    "device.interrupt",
    "device.acknowledge",
    "message.invocation",
    "message.word",
    "cores.lock",
    "cores.look",
    "cores.lose",
    "cores.gain",
    "cores.pass",
    "cores.mutex_lock",
    "cores.mutex_unlock",
    "schedulers.choose.once",
    "schedulers.choose.thread",
    "schedulers.hear.once",
    "schedulers.hear.thread",
    "schedulers.serve.once",
    "schedulers.serve.thread",
    "schedulers.fill.once",
    "schedulers.fill.thread",
    "schedulers.slot",
    "schedulers.note",
    "schedulers.lend",
    "dependencies.depend",
    "dependencies.wake",
];
