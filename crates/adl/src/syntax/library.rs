//! Files that descriptions import by name and that come with Fusee.
//!
//! A file of the same name in a search path comes first. Descriptions for the
//! library of prioritized requests name its two files by a path into a checkout; those
//! are known by their last part alone.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::sync::LazyLock;

/// The names by which the files are imported.
pub(crate) const NAMES: &[&str] = &[
    "std_connector.camkes",
    "global-connectors.camkes",
    "camkes-hardware.idl4",
    "gdb-delegate.camkes",
    "priority-connectors.camkes",
    "priority-protocols.camkes.h",
    "fusee/serial.camkes",
    "fusee/timer.camkes",
    "fusee/load.camkes",
    "fusee/locks.camkes",
    "fusee/partitions.camkes",
    "fusee/fixed_priority.camkes",
    "fusee/round_robin.camkes",
    "fusee/earliest_deadline.camkes",
    "fusee/deferrable_server.camkes",
    "fusee/priority_servers.camkes",
];

/// The largest pool of threads that the connectors for prioritized requests have.
const MAX_POOL: usize = 100;

/// Returns the name by which the library knows a path; `None` if it does not have the file.
pub(crate) fn name(path: &str) -> Option<&'static str> {
    let last = Path::new(path).file_name()?.to_str()?;
    NAMES
        .iter()
        .copied()
        .find(|name| *name == path || (*name == last && name.starts_with("priority-")))
}

/// Returns the text of a file of [`NAMES`].
pub(crate) fn text(name: &str) -> String {
    let text = match name {
        "std_connector.camkes" => include_str!("../../library/std_connector.camkes"),
        "global-connectors.camkes" => include_str!("../../library/global-connectors.camkes"),
        "camkes-hardware.idl4" => include_str!("../../library/camkes-hardware.idl4"),
        "gdb-delegate.camkes" => include_str!("../../library/gdb-delegate.camkes"),
        "fusee/serial.camkes" => include_str!("../../../../os/components/serial/serial.camkes"),
        "fusee/timer.camkes" => include_str!("../../../../os/components/timer/timer.camkes"),
        "fusee/load.camkes" => include_str!("../../../../os/components/load/load.camkes"),
        "fusee/locks.camkes" => include_str!("../../../../os/components/locks/locks.camkes"),
        "fusee/partitions.camkes" => {
            include_str!("../../../../os/components/partitions/partitions.camkes")
        }
        "fusee/fixed_priority.camkes" => {
            include_str!("../../../../os/components/fixed_priority/fixed_priority.camkes")
        }
        "fusee/round_robin.camkes" => {
            include_str!("../../../../os/components/round_robin/round_robin.camkes")
        }
        "fusee/deferrable_server.camkes" => {
            include_str!("../../../../os/components/deferrable_server/deferrable_server.camkes")
        }
        "fusee/priority_servers.camkes" => {
            include_str!("../../../../os/components/priority_servers/priority_servers.camkes")
        }
        "fusee/earliest_deadline.camkes" => {
            include_str!("../../../../os/components/earliest_deadline/earliest_deadline.camkes")
        }
        "priority-protocols.camkes.h" => include_str!("../../library/priority-protocols.camkes.h"),
        _ => return prioritized(),
    };
    text.to_owned()
}

/// The connectors of these files.
static CONNECTORS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let texts = NAMES.iter().map(|name| text(name));
    let of = |text: String| -> Vec<String> {
        let lines = text
            .lines()
            .filter_map(|line| line.strip_prefix("connector ")?.split_whitespace().next());
        lines.map(str::to_owned).collect()
    };
    texts.flat_map(of).collect()
});

/// Returns `true` if a connector of that name is one of the library's, so that it is known what it
/// does.
pub(crate) fn has_connector(name: &str) -> bool {
    CONNECTORS.contains(name)
}

/// One connector for each size of the pool of threads that serves an interface.
fn prioritized() -> String {
    let mut text = String::from(
        "/* Prioritised requests: the number is the size of the provider's pool of threads. */\n",
    );
    for threads in 1..=MAX_POOL {
        let ends = format!("from Procedures with 0 threads; to Procedure with {threads} threads;");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "connector seL4RPCCallPrioritized{threads} {{ {ends} }}");
    }
    text
}
