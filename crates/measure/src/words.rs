//! The measuring systems of mutexes that are words.

use crate::experiment::{Experiment, files};
use crate::setting::Setting;
use crate::setting::THREADS;

/// Returns a mutex that no other thread wants is locked and unlocked, and one that is held is asked
/// for.
pub fn words(setting: Setting) -> Experiment {
    let files = files!(
        "mutex",
        "components/Alone/pair.c",
        "components/Low/low.c",
        "components/High/high.c",
        "components/Server/server.c"
    );
    let locking = "alone.a_locking = \"optimistic\";\n        server.m_locking = \"optimistic\";";
    let words = Experiment::new("mutex", files, 290, THREADS).with("locking", locking);
    let words = words.with("waits", "mutex.contended").with("served", "mutex.handover");
    words.in_setting(setting).called("words")
}

/// The number of mutexes that a thread holds together, each with a waiting thread.
const HELD: usize = 8;

/// One thread holds eight that are words, another waits for each, and it unlocks the first or the
/// last of them or fails.
pub fn nest(setting: Setting) -> Experiment {
    let files = files!(
        "nest",
        "components/Low/low.c",
        "components/High/high.c",
        "components/Top/top.c",
        "components/Nest/nest.c"
    );
    let highs = || (0..HELD).map(|which| format!("high{which}"));
    let held: String = highs().map(|high| format!("from {high}.held, ")).collect();
    let boards: String = highs().map(|high| format!("from {high}.board, ")).collect();
    let mut waiters: String =
        highs().map(|high| format!("component High {high};\n        ")).collect();
    waiters += &format!(
        "connection seL4RPCCall c1({held}from top.held, from low.held, to nest.held);\n        \
         connection seL4SharedData c2({boards}from top.board, to nest.board);"
    );
    let comes = |(which, name): (usize, String)| {
        let (priority, offset) = (100 + which, 200_000 + which * 3_000);
        format!(
            "{name}.priority = {priority};\n        {name}.period = \"60011 ns\";\n        \
             {name}.offset = \"{offset} ns\";\n        {name}.wcet = \"1 us\";\n        "
        )
    };
    let mut timing: String = highs().chain(["top".to_owned()]).enumerate().map(comes).collect();
    let which = |which: usize| format!("high{which}.which = {which};\n        ");
    timing.extend((0..HELD).map(which));
    Experiment::new("nest", files, 240, THREADS)
        .with("waiters", &waiters)
        .with("timing", &timing)
        .in_setting(setting)
}
