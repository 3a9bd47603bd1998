//! What is installed, in which version, and what to type next.
//!
//! Analysis and simulation need nothing but Fusee itself. Building and booting
//! systems takes compilers for their machine and an emulator; the other tools serve
//! those who build Fusee or run its tests. A missing one is an error only where
//! Fusee itself can't be built without it.

use std::process::{Command, Stdio};

use fusee_pipeline::status::Status;
use serde_json::json;

use crate::output::Output;

/// A tool, how to ask for its version, and what it is for.
struct Tool {
    name: &'static str,
    /// Commands that would do, the first one that answers is taken.
    commands: &'static [&'static [&'static str]],
    purpose: &'static str,
    /// The Debian packages that bring it.
    packages: &'static str,
    needed: Need,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    /// Nothing can be built without it.
    Build,
    /// Nothing can be booted without it.
    Boot,
    /// Only some tests use it.
    Tests,
}

const TOOLS: &[Tool] = &[
    Tool {
        name: "cargo",
        commands: &[&["cargo", "--version"], &["/usr/bin/cargo", "--version"]],
        purpose: "builds Fusee (1.95 or newer)",
        packages: "rustc-web cargo-web",
        needed: Need::Build,
    },
    Tool {
        name: "rustc",
        commands: &[&["rustc", "--version"], &["/usr/bin/rustc", "--version"]],
        purpose: "builds Fusee (1.95 or newer)",
        packages: "rustc-web",
        needed: Need::Build,
    },
    Tool {
        name: "cc",
        commands: &[&["cc", "--version"]],
        purpose: "links Fusee",
        packages: "gcc libc6-dev",
        needed: Need::Build,
    },
    Tool {
        name: "lld",
        commands: &[&["ld.lld-19", "--version"], &["ld.lld", "--version"]],
        purpose: "links kernels",
        packages: "lld-19",
        needed: Need::Boot,
    },
    Tool {
        name: "riscv-gcc",
        commands: &[&["riscv64-unknown-elf-gcc", "--version"]],
        purpose: "compiles and links components",
        packages: "gcc-riscv64-unknown-elf",
        needed: Need::Boot,
    },
    Tool {
        name: "picolibc",
        commands: &[&[
            "riscv64-unknown-elf-gcc",
            "--specs=picolibc.specs",
            "-print-file-name=libc.a",
        ]],
        purpose: "is the C library of components",
        packages: "picolibc-riscv64-unknown-elf",
        needed: Need::Boot,
    },
    Tool {
        name: "qemu",
        commands: &[&["qemu-system-riscv64", "--version"]],
        purpose: "boots systems",
        packages: "qemu-system-misc",
        needed: Need::Boot,
    },
    Tool {
        name: "python3",
        commands: &[&["python3", "--version"]],
        purpose: "reads traces independently in tests",
        packages: "python3 python3-venv",
        needed: Need::Tests,
    },
    Tool {
        name: "chromium",
        commands: &[
            &["chromium", "--version"],
            &["google-chrome", "--version"],
            &["chromium-browser", "--version"],
        ],
        purpose: "renders reports in tests",
        packages: "chromium",
        needed: Need::Tests,
    },
];

/// Prints a line for each tool and the next command.
pub(crate) fn run(output: &mut Output) -> Status {
    let found: Vec<(&Tool, Option<String>)> =
        TOOLS.iter().map(|tool| (tool, version(tool))).collect();
    let missing: Vec<&Tool> =
        found.iter().filter(|(_, version)| version.is_none()).map(|&(tool, _)| tool).collect();
    let next = next(&missing);
    output.json(|| {
        let tools = found.iter().map(|(tool, version)| {
            json!({ "name": tool.name, "version": version, "purpose": tool.purpose, "packages": tool.packages })
        });
        json!({ "fusee": env!("CARGO_PKG_VERSION"), "tools": tools.collect::<Vec<_>>(), "next": next })
    });
    output.text(format!("fusee     {}\n", env!("CARGO_PKG_VERSION")));
    for (tool, version) in &found {
        let version = version.as_deref().unwrap_or("missing");
        output.text(format!("{:<9} {version}: {}\n", tool.name, tool.purpose));
    }
    output.text(format!("\nnext: {next}\n"));
    if missing.iter().any(|tool| tool.needed == Need::Build) {
        Status::ToolFailed
    } else {
        Status::Fine
    }
}

/// The first line that the tool says about its version.
fn version(tool: &Tool) -> Option<String> {
    tool.commands.iter().find_map(|command| {
        let run =
            Command::new(command[0]).args(&command[1..]).stdin(Stdio::null()).output().ok()?;
        let text = String::from_utf8_lossy(&run.stdout);
        let line = text.lines().next().filter(|_| run.status.success())?;
        Some(line.trim().to_owned())
    })
}

fn next(missing: &[&Tool]) -> String {
    if missing.is_empty() {
        return "fusee demo".to_owned();
    }
    let packages: Vec<&str> = missing.iter().map(|tool| tool.packages).collect();
    format!("sudo apt-get install -y --no-install-recommends {}", packages.join(" "))
}
