//! The folder that CMake works in, and what it finds there.

use super::Asked;
use super::process;
use crate::failure::{self, Failure};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// The files that every project is given.
const SHIMS: [(&str, &str); 4] = [
    ("camkes.cmake", include_str!("../../cmake/camkes.cmake")),
    ("programs.cmake", include_str!("../../cmake/programs.cmake")),
    ("languages.cmake", include_str!("../../cmake/languages.cmake")),
    // A program of libraries alone has one source.
    ("nothing.c", ""),
];

/// The name of the source that every program has.
pub(super) const NOTHING: &str = "shims/nothing.c";

/// The file to which statements are written.
pub(super) const SAID: &str = "said";

/// Packages that seL4's projects look for: what is in them is in `camkes.cmake`.
const PACKAGES: [&str; 14] = [
    "camkes-tool",
    "capdl",
    "elfloader-tool",
    "global-components",
    "musllibc",
    "nanopb",
    "projects_libs",
    "sel4runtime",
    "seL4",
    "seL4_libs",
    "seL4_tools",
    "sel4_projects_libs",
    "sel4_util_libs",
    "util_libs",
];

/// Modules that seL4's projects include.
const MODULES: [&str; 12] = [
    "application_settings",
    "common",
    "cpio",
    "cross_compiling",
    "debug",
    "dts",
    "environment_flags",
    "external-project-helpers",
    "make",
    "rootserver",
    "rust",
    "simulation",
];

/// Writes what CMake is given.
pub(super) fn prepare(asked: &Asked<'_>) -> Result<(), Failure> {
    let shims = asked.scratch.join("shims");
    for (name, text) in SHIMS {
        failure::write(&shims.join(name), text)?;
    }
    let all = "include(\"${FUSEE_SHIMS}/camkes.cmake\")\n";
    for name in MODULES {
        failure::write(&shims.join(format!("{name}.cmake")), all)?;
    }
    for name in PACKAGES {
        let text = format!("{all}set({name}_FOUND TRUE)\n");
        failure::write(&shims.join(format!("Find{name}.cmake")), &text)?;
    }
    failure::write(&shims.join("toolchain.cmake"), &toolchain(asked.word))?;
    failure::write(&shims.join("variables.cmake"), &variables(asked))?;
    failure::write(&asked.scratch.join(SAID), "")?;
    let query = asked.scratch.join(".cmake/api/v1/query");
    for name in ["codemodel-v2", "cmakeFiles-v1"] {
        failure::write(&query.join(name), "")?;
    }
    Ok(())
}

/// The cross compiler, with its path and version.
fn toolchain(word: u32) -> String {
    let name = "riscv64-unknown-elf-gcc";
    let path = process::program(name).unwrap_or_else(|| name.into());
    let version = Command::new(&path).arg("-dumpfullversion").output();
    let version = version
        .map_or(String::new(), |said| String::from_utf8_lossy(&said.stdout).trim().to_owned());
    let mut text = String::new();
    for (name, value) in [
        ("CMAKE_C_COMPILER", path.to_string_lossy().as_ref()),
        ("CMAKE_C_COMPILER_VERSION", &version),
        ("CMAKE_SIZEOF_VOID_P", &word.to_string()),
    ] {
        let _ = writeln!(text, "set({name} {})", bracketed(value));
    }
    text + include_str!("../../cmake/toolchain.cmake")
}

/// The variables that hold before a project's first command: those of seL4's build for a machine of
/// Fusee's, the user's, and those that bring in what is given.
fn variables(asked: &Asked<'_>) -> String {
    let bits = (asked.word * 8).to_string();
    let machine = format!("riscv{bits}");
    let shims = asked.scratch.join("shims");
    let shim = |name: &str| shims.join(name).to_string_lossy().into_owned();
    let app =
        asked.description.file_name().map_or(String::new(), |name| name.to_string_lossy().into());
    let mut variables: Vec<(String, String)> = [
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
        ("CAMKES_APP", app.as_str()),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into();
    variables.push((format!("KernelSel4ArchRiscV{bits}"), "ON".into()));
    variables.extend(asked.variables.iter().cloned());
    let said = asked.scratch.join(SAID).to_string_lossy().into_owned();
    for (name, value) in [
        ("FUSEE_SHIMS", shims.to_string_lossy().into_owned()),
        ("FUSEE_SAID", said),
        ("CMAKE_MODULE_PATH", shims.to_string_lossy().into_owned()),
        ("CMAKE_TOOLCHAIN_FILE", shim("toolchain.cmake")),
        ("CMAKE_PROJECT_TOP_LEVEL_INCLUDES", shim("camkes.cmake")),
        ("CMAKE_PROJECT_INCLUDE", shim("languages.cmake")),
        // A project's folder is left as it is, and what is elsewhere stays there.
        ("CMAKE_DISABLE_SOURCE_CHANGES", "ON".into()),
        ("FETCHCONTENT_FULLY_DISCONNECTED", "ON".into()),
    ] {
        variables.push((name.to_owned(), value));
    }
    let mut text = String::new();
    for (name, value) in variables {
        let _ = writeln!(text, "set({} {} CACHE STRING \"\")", bracketed(&name), bracketed(&value));
    }
    text
}

/// A word of CMake's that is taken as it stands.
fn bracketed(text: &str) -> String {
    let mut equals = "=".to_owned();
    while text.contains(&format!("]{equals}]")) {
        equals.push('=');
    }
    format!("[{equals}[{text}]{equals}]")
}

/// Returns `true` if a path is of what every project is given.
pub(super) fn is_given(path: &str, scratch: &Path) -> bool {
    Path::new(path).starts_with(scratch.join("shims"))
}

#[cfg(test)]
mod tests {
    use super::bracketed;

    #[test]
    fn any_text_is_one_word() {
        assert_eq!(bracketed("a;${b} \"c\""), "[=[a;${b} \"c\"]=]");
        assert_eq!(bracketed("a]=]b"), "[==[a]=]b]==]");
        assert_eq!(bracketed("a]"), "[=[a]]=]");
    }
}
