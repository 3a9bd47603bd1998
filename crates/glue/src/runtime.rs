//! The runtime's own files, which travel inside the binary.

use crate::failure::{self, Failure};
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

/// The components that come with Fusee: type, file, text.
const COMPONENTS: [(&str, &str, &str); 12] = [
    (
        "EarliestDeadline",
        "earliest_deadline.c",
        include_str!("../../../os/components/earliest_deadline/earliest_deadline.c"),
    ),
    (
        "FixedPriority",
        "fixed_priority.c",
        include_str!("../../../os/components/fixed_priority/fixed_priority.c"),
    ),
    ("LockCeiling", "ceiling.c", include_str!("../../../os/components/locks/ceiling.c")),
    ("LockOptimistic", "optimistic.c", include_str!("../../../os/components/locks/optimistic.c")),
    (
        "LockPessimistic",
        "pessimistic.c",
        include_str!("../../../os/components/locks/pessimistic.c"),
    ),
    ("LockScheduler", "scheduler.c", include_str!("../../../os/components/locks/scheduler.c")),
    (
        "DeferrableServer",
        "deferrable_server.c",
        include_str!("../../../os/components/deferrable_server/deferrable_server.c"),
    ),
    (
        "RoundRobin",
        "round_robin.c",
        include_str!("../../../os/components/round_robin/round_robin.c"),
    ),
    ("Partitions", "partitions.c", include_str!("../../../os/components/partitions/partitions.c")),
    ("SerialConsole", "serial.c", include_str!("../../../os/components/serial/serial.c")),
    ("SyntheticLoad", "load.c", include_str!("../../../os/components/load/load.c")),
    ("TimeServer", "timer.c", include_str!("../../../os/components/timer/timer.c")),
];

/// The source of a component that comes with Fusee, once written.
pub(crate) fn component(runtime: &Path, kind: &str) -> Option<PathBuf> {
    COMPONENTS
        .iter()
        .find(|(name, _, _)| *name == kind)
        .map(|(_, file, _)| runtime.join("components").join(file))
}

/// Sources that every component has its own copy of: they know its console.
pub(crate) const OF_COMPONENT: [&str; 3] = ["src/console.c", "src/dma.c", "src/print.c"];

/// Sources that a protection domain has once.
pub(crate) const OF_DOMAIN: [&str; 5] =
    ["src/heap.c", "src/mapping.c", "src/message.c", "src/start.S", "src/support.c"];

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
