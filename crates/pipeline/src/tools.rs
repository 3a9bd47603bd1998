//! The tools that Fusee uses, and which of them are there.
//!
//! Analysis and simulation need nothing but Fusee itself, and CMake where a project has
//! CMake files. Building and booting systems takes compilers for their machine and an
//! emulator; the other tools serve those who build Fusee or run its tests.

use std::process::{Command, Stdio};

/// A tool, how to ask for its version, and what it is for.
#[derive(Debug)]
pub struct Tool {
    /// Its name, as it is shown.
    pub name: &'static str,
    /// Commands that would do, the first one that answers is taken.
    commands: &'static [&'static [&'static str]],
    /// The purpose of the tool for Fusee.
    pub purpose: &'static str,
    /// The Debian packages that bring it.
    pub packages: &'static str,
    /// The users that need it.
    pub needed: Need,
}

/// The need for a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Nothing can be built without it.
    Build,
    /// Nothing can be booted without it.
    Boot,
    /// Only some tests use it.
    Tests,
}

/// The list of all tools.
pub const TOOLS: &[Tool] = &[
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
        name: "cmake",
        commands: &[&["cmake", "--version"]],
        purpose: "reads CMakeLists.txt of projects",
        packages: "cmake",
        needed: Need::Boot,
    },
    Tool {
        name: "ninja",
        commands: &[&["ninja", "--version"]],
        purpose: "makes what CMake has commands for",
        packages: "ninja-build",
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
    Tool {
        name: "node",
        commands: &[&["node", "--version"]],
        purpose: "runs the extension for VS Code in tests",
        packages: "nodejs",
        needed: Need::Tests,
    },
    Tool {
        name: "nvim",
        commands: &[&["nvim", "--version"]],
        purpose: "speaks with the language server in tests",
        packages: "neovim",
        needed: Need::Tests,
    },
];

impl Tool {
    /// Returns the first line that it says about its version; nothing where it is not there.
    pub fn version(&self) -> Option<String> {
        self.commands.iter().find_map(|command| {
            let run =
                Command::new(command[0]).args(&command[1..]).stdin(Stdio::null()).output().ok()?;
            let text = String::from_utf8_lossy(&run.stdout);
            let line = text.lines().next().filter(|_| run.status.success())?;
            Some(line.trim().to_owned())
        })
    }
}

/// Returns the command that installs tools on Debian.
pub fn installation(missing: &[&Tool]) -> String {
    let packages: Vec<&str> = missing.iter().map(|tool| tool.packages).collect();
    format!("sudo apt-get install -y --no-install-recommends {}", packages.join(" "))
}
