//! What holds everywhere: the machine of a build, and the options of a project.

use std::collections::BTreeMap;

/// The variables that seL4's build would have set for this machine, and those of the user.
pub(super) fn given(word: u32, defines: &[(String, String)]) -> BTreeMap<String, String> {
    let bits = (word * 8).to_string();
    let machine = format!("riscv{bits}");
    let mut cache: BTreeMap<String, String> = [
        ("KernelArch", "riscv"),
        ("KernelArchRiscV", "ON"),
        ("KernelSel4Arch", machine.as_str()),
        ("KernelWordSize", bits.as_str()),
        ("KernelPlatform", "qemu-riscv-virt"),
        ("KernelPlatformQEMURiscVVirt", "ON"),
        ("KernelIsMCS", "ON"),
        ("KernelPrinting", "ON"),
        ("KernelDebugBuild", "ON"),
        ("KernelMaxNumNodes", "1"),
        ("CAmkESDefaultStackSize", "16384"),
        ("CAmkESDefaultHeapSize", "1048576"),
        ("CMAKE_C_COMPILER_ID", "GNU"),
        ("CMAKE_SYSTEM_NAME", "Generic"),
        ("UNIX", "1"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into();
    cache.insert(format!("KernelSel4ArchRiscV{bits}"), "ON".into());
    cache.extend(defines.iter().cloned());
    cache
}

/// A header with a project's options, one line each: those of `config_option` and its like.
pub(super) fn header(lines: &str) -> String {
    format!("#pragma once\n\n{}\n", lines.trim())
}
