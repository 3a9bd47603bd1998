//! Files of other projects of seL4's, for which no machine of Fusee's is made.
//!
//! A description that imports one is not wrong, and no search path would help. One message
//! says what it belongs to; everything else that could be said follows from that.

use crate::rules;
use fusee_diagnostics::{Diagnostic, Span};

/// Parts of paths, and what has them.
const OWNERS: &[(&str, &str)] = &[
    ("rumprun", "rump kernels"),
    ("picotcp", "the network stack picoTCP"),
    ("PicoTCP", "the network stack picoTCP"),
    ("PicoServer", "the network stack picoTCP"),
    ("camkes/gdb/", "the debugger's server on seL4's kernel objects"),
    ("vm-connectors", "virtual machine monitors"),
    ("vm_common", "virtual machine monitors"),
    ("configurations/vm", "virtual machine monitors"),
    ("components/VM", "virtual machine monitors"),
    ("VM_Arm", "virtual machine monitors"),
];

/// Components of the repository `global-components`, by folder.
const GLOBAL: &[&str] = &[
    "BenchUtiliz",
    "ClockServer",
    "Ethdriver",
    "Ethdriver82574",
    "FileServer",
    "GPIOMUXServer",
    "GPIOServer",
    "HPET",
    "MUXServer",
    "PCIConfigIO",
    "PIT",
    "RTC",
    "ResetServer",
    "SerialServer",
    "TimeServer",
    "VirtQueue",
];

/// Returns the message about a missing file that belongs to another project; `None` for one that
/// could belong to any.
pub(crate) fn missing(path: &str, span: Span) -> Option<Diagnostic> {
    let known = OWNERS.iter().find(|(part, _)| path.contains(part)).map(|(_, owner)| *owner);
    let folder =
        path.split('/').next().filter(|folder| path.contains('/') && GLOBAL.contains(folder));
    let owner = known
        .or(folder.map(|_| "seL4's global components, whose drivers are for other machines"))?;
    let message = format!("`{path}` is not here: it belongs to {owner}");
    Some(Diagnostic::error(rules::FOREIGN_FILE, message).at(span, ""))
}
