//! The runtime's own files, which travel inside the binary.

use crate::failure::{self, Failure};
use fusee_model::{Component, Value};
use std::path::{Path, PathBuf};

macro_rules! files {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../../os/runtime/c/", $path)))),*]
    };
}

/// The Rust runtime, by path.
const RUST: &[(&str, &str)] = &[
    ("Cargo.toml", include_str!("../../../os/runtime/rust/Cargo.toml")),
    ("src/lib.rs", include_str!("../../../os/runtime/rust/src/lib.rs")),
    ("src/owned.rs", include_str!("../../../os/runtime/rust/src/owned.rs")),
    ("src/scheduler.rs", include_str!("../../../os/runtime/rust/src/scheduler.rs")),
    ("src/scheduler/ready.rs", include_str!("../../../os/runtime/rust/src/scheduler/ready.rs")),
];

/// The C runtime, by path.
pub static FILES: &[(&str, &str)] = files![
    "include/autoconf.h",
    "include/camkes/dataport.h",
    "include/camkes/dma.h",
    "include/camkes/error.h",
    "include/camkes/init.h",
    "include/camkes/io.h",
    "include/camkes/pid.h",
    "include/camkes/tls.h",
    "include/fusee.h",
    "include/fusee/lock.h",
    "include/fusee/message.h",
    "include/fusee/olock.h",
    "include/fusee/ready.h",
    "include/fusee/refusals.h",
    "include/fusee/scheduler.h",
    "include/fusee/waiters.h",
    "include/platsupport/sync/spinlock.h",
    "include/sel4/sel4.h",
    "include/sel4/types.h",
    "include/sel4bench/sel4bench.h",
    "include/sync/bin_sem.h",
    "include/sync/mutex.h",
    "include/sync/sem.h",
    "include/sync/spinlock.h",
    "include/sys/mman.h",
    "include/utils/arith.h",
    "include/utils/assume.h",
    "include/utils/attribute.h",
    "include/utils/builtin.h",
    "include/utils/debug.h",
    "include/utils/fence.h",
    "include/utils/frequency.h",
    "include/utils/macros.h",
    "include/utils/page.h",
    "include/utils/stringify.h",
    "include/utils/time.h",
    "include/utils/util.h",
    "include/utils/verification.h",
    "include/utils/zf_log.h",
    "include/zf_log.h",
    "src/console.c",
    "src/dma.c",
    "src/heap.c",
    "src/mapping.c",
    "src/message.c",
    "src/print.c",
    "src/start.S",
    "src/support.c",
];

macro_rules! components {
    ($($kind:literal: $path:literal),* $(,)?) => {
        &[$(($kind, $path, include_str!(concat!("../../../os/components/", $path)))),*]
    };
}

/// The components that come with Fusee: type, file, text.
const COMPONENTS: &[(&str, &str, &str)] = components![
    "DeferrableServer": "deferrable_server/deferrable_server.c",
    "DeferrableServer": "deferrable_server/deferrable_server.rs",
    "EarliestDeadline": "earliest_deadline/earliest_deadline.c",
    "EarliestDeadline": "earliest_deadline/earliest_deadline.rs",
    "FixedPriority": "fixed_priority/fixed_priority.c",
    "FixedPriority": "fixed_priority/fixed_priority.rs",
    "LockCeiling": "locks/ceiling.c",
    "LockOptimistic": "locks/optimistic.c",
    "LockPessimistic": "locks/pessimistic.c",
    "LockScheduler": "locks/scheduler.c",
    "Partitions": "partitions/partitions.c",
    "Partitions": "partitions/partitions.rs",
    "PriorityServers": "priority_servers/priority_servers.c",
    "PriorityServers": "priority_servers/priority_servers.rs",
    "RoundRobin": "round_robin/round_robin.c",
    "RoundRobin": "round_robin/round_robin.rs",
    "SerialConsole": "serial/serial.c",
    "SyntheticLoad": "load/load.c",
    "TimeServer": "timer/timer.c",
];

/// The source of a component that comes with Fusee, once written: schedulers have one in each
/// language, and their descriptions choose.
pub(crate) fn component(runtime: &Path, component: &Component) -> Option<PathBuf> {
    let in_rust = component.attribute("language") == Some(&Value::Text("rust".to_owned()));
    let ending = if in_rust { ".rs" } else { ".c" };
    let is_it =
        |(kind, file, _): &&(&str, &str, &str)| *kind == component.kind && file.ends_with(ending);
    let (_, file, _) = COMPONENTS.iter().find(is_it)?;
    Some(runtime.join("components").join(file))
}

/// Sources that every component has its own copy of: they know its console.
pub(crate) const OF_COMPONENT: [&str; 3] = ["src/console.c", "src/dma.c", "src/print.c"];

/// Sources that a protection domain has once.
pub(crate) const OF_DOMAIN: [&str; 5] =
    ["src/heap.c", "src/mapping.c", "src/message.c", "src/start.S", "src/support.c"];

/// The texts of the Rust runtime as one.
pub(crate) fn in_rust() -> String {
    RUST.iter().map(|(path, text)| format!("{path}\n{text}\n")).collect()
}

/// Writes the files below a folder and returns where.
pub(crate) fn write(out: &Path) -> Result<PathBuf, Failure> {
    let folder = out.join("runtime");
    for (path, text) in FILES {
        failure::write(&folder.join(path), text)?;
    }
    for (_, file, text) in COMPONENTS {
        failure::write(&folder.join("components").join(file), text)?;
    }
    Ok(folder)
}

/// Writes the Rust runtime to a folder.
pub(crate) fn write_rust(folder: &Path) -> Result<(), Failure> {
    for (path, text) in RUST {
        // A workspace of its own would keep it out of the components' one.
        failure::renew(&folder.join(path), &text.replace("[workspace]\n", ""))?;
    }
    Ok(())
}
