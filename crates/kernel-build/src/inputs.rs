//! The inputs of a kernel's build, as a key.
//!
//! The packages of the kernel are found as cargo finds them, by following the paths in their
//! manifests from the image's, and each counts with all of its files but tests. That is more than
//! the compiler reads, so a kernel may be compiled once too often, and never once too rarely.

use crate::toolchain::Toolchain;
use crate::{BuildError, failed};
use fusee_kept::Key;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use toml::{Table, Value};

/// Folders of a package that are no part of what is made from it.
const NOT_BUILT: [&str; 4] = ["tests", "benches", "examples", "target"];

/// Variables of the environment that change what cargo makes.
const VARIABLES: [&str; 9] = [
    "CARGO_PROFILE_",
    "CARGO_TARGET_",
    "CARGO_BUILD_",
    "CARGO_UNSTABLE_",
    "CARGO_INCREMENTAL",
    "CARGO_HOME",
    "RUSTC_",
    "SOURCE_DATE_EPOCH",
    "__CARGO",
];

/// The files of a kernel's packages.
#[derive(Debug)]
pub(crate) struct Sources {
    /// The folder of the first package.
    package: PathBuf,
    files: BTreeSet<PathBuf>,
}

impl Sources {
    /// The files of the package in a folder and of all packages that its manifest leads to.
    pub(crate) fn of(package: &Path) -> Result<Self, BuildError> {
        let mut files = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![tidy(package)];
        while let Some(folder) = open.pop() {
            if !seen.insert(folder.clone()) {
                continue;
            }
            walk(&folder, &mut files)?;
            let (manifest, workspace) = manifests(&folder)?;
            if let Some((above, _)) = &workspace {
                files.insert(above.join("Cargo.toml"));
                // What is locked for the first package is locked for all.
                files.extend((seen.len() == 1).then(|| above.join("Cargo.lock")));
            }
            open.extend(paths(&folder, &manifest, workspace.as_ref()));
        }
        Ok(Self { package: tidy(package), files })
    }

    /// Adds the files to a key, and what cargo is told by files that are not of any package.
    pub(crate) fn add_to(&self, key: &mut Key) -> Result<(), BuildError> {
        let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
        let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
        let told = self.package.ancestors().map(|folder| folder.join(".cargo")).chain(home);
        let told = told.flat_map(|folder| ["config.toml", "config"].map(|name| folder.join(name)));
        for file in self.files.iter().cloned().chain(told) {
            key.add_file(&file).map_err(failed(&file))?;
        }
        Ok(())
    }

    /// Returns whether a file is one of these.
    pub(crate) fn contains(&self, file: &Path) -> bool {
        self.files.contains(&tidy(file))
    }
}

/// Adds a compiler and the variables that it reads to a key.
pub(crate) fn add_tools(key: &mut Key, toolchain: &Toolchain) {
    key.add("tools", toolchain.identity());
    for (name, value) in std::env::vars_os() {
        let text = name.to_string_lossy();
        // Where cargo puts what it makes changes nothing of it.
        if text != "CARGO_TARGET_DIR" && VARIABLES.iter().any(|start| text.starts_with(start)) {
            key.add(&text, value.as_encoded_bytes());
        }
    }
}

/// A path without `.` and `..`.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                tidy.pop();
            }
            part => tidy.push(part),
        }
    }
    tidy
}

/// Adds the files of a package.
fn walk(folder: &Path, files: &mut BTreeSet<PathBuf>) -> Result<(), BuildError> {
    for entry in std::fs::read_dir(folder).map_err(failed(folder))? {
        let entry = entry.map_err(failed(folder))?;
        let (path, name) = (entry.path(), entry.file_name());
        if !path.is_dir() {
            files.insert(path);
        } else if !NOT_BUILT.iter().any(|not| name == *not) {
            walk(&path, files)?;
        }
    }
    Ok(())
}

/// A folder with its manifest.
type Manifest = (PathBuf, Table);

/// The manifest of a package, and the workspace that it belongs to.
fn manifests(folder: &Path) -> Result<(Table, Option<Manifest>), BuildError> {
    let own = read(&folder.join("Cargo.toml"))?;
    for above in folder.ancestors() {
        if above.join("Cargo.toml").is_file() {
            let table = read(&above.join("Cargo.toml"))?;
            if table.contains_key("workspace") {
                return Ok((own, Some((above.to_owned(), table))));
            }
        }
    }
    Ok((own, None))
}

fn read(path: &Path) -> Result<Table, BuildError> {
    let text = std::fs::read_to_string(path).map_err(failed(path))?;
    text.parse().map_err(|error| BuildError::Compiler(format!("{}: {error}", path.display())))
}

/// The folders of the packages that a package names, by itself or through its workspace.
fn paths(folder: &Path, manifest: &Table, workspace: Option<&Manifest>) -> Vec<PathBuf> {
    let shared = workspace.and_then(|(above, table)| {
        Some((above, table.get("workspace")?.get("dependencies")?.as_table()?))
    });
    let path = |how: &Value| how.get("path").and_then(Value::as_str).map(str::to_owned);
    let of = |(name, how): (&String, &Value)| match path(how) {
        Some(path) => Some(tidy(&folder.join(path))),
        None if how.get("workspace").is_some() => {
            let (above, shared) = shared?;
            Some(tidy(&above.join(path(shared.get(name)?)?)))
        }
        None => None,
    };
    let sections: BTreeMap<&str, &Table> = ["dependencies", "build-dependencies"]
        .into_iter()
        .filter_map(|name| Some((name, manifest.get(name)?.as_table()?)))
        .collect();
    let own = sections.values().flat_map(|section| section.iter());
    // What only some targets need counts for all.
    let of_targets = manifest.get("target").and_then(Value::as_table).into_iter().flatten();
    let of_targets = of_targets.filter_map(|(_, target)| target.get("dependencies")?.as_table());
    own.chain(of_targets.flatten()).filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Wanted, key};
    use fusee_platform::Platform;
    use std::fs;
    use tempfile::TempDir;

    /// A project with a kernel of two packages of its workspace and one outside of it.
    fn project() -> TempDir {
        let project = tempfile::tempdir().expect("a folder");
        let files = [
            ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n"),
            (
                "os/Cargo.toml",
                "[workspace]\n[workspace.dependencies]\narch = { path = \"arch\" }\n",
            ),
            ("os/Cargo.lock", "version = 4\n"),
            ("os/kernel-image/Cargo.toml", "[dependencies]\narch.workspace = true\n"),
            ("os/kernel-image/src/main.rs", "fn main() {}\n"),
            ("os/arch/Cargo.toml", "[dependencies]\nkernel = { path = \"../../crates/kernel\" }\n"),
            ("os/arch/src/lib.rs", "\n"),
            ("os/arch/kernel.ld", "SECTIONS {}\n"),
            ("crates/kernel/Cargo.toml", "[package]\nedition.workspace = true\n"),
            ("crates/kernel/src/lib.rs", "mod ready;\n"),
            ("crates/kernel/src/ready.rs", "\n"),
            ("crates/kernel/tests/ready.rs", "\n"),
            ("crates/other/src/lib.rs", "\n"),
        ];
        for (name, text) in files {
            let path = project.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
            fs::write(path, text).expect("it can be written");
        }
        project
    }

    const PLAIN: Wanted<'_> =
        Wanted { name: "plain", features: &[], profile: "release", flags: &[], whole: &[] };

    fn toolchain() -> Toolchain {
        let rust = Platform::DEFAULT.descriptor().compilers.rust;
        Toolchain::find(rust).expect("a compiler; `make setup` installs it")
    }

    fn hash(project: &TempDir, wanted: &Wanted<'_>) -> String {
        let source = project.path().join("os");
        key(&toolchain(), &source, Platform::DEFAULT, wanted).expect("a key").0.hash()
    }

    #[test]
    fn each_file_of_a_kernel_counts_and_no_other() {
        let project = project();
        let before = hash(&project, &PLAIN);
        assert_eq!(before, hash(&project, &PLAIN));
        let change = |name: &str, text: Option<&str>| {
            let path = project.path().join(name);
            let old = fs::read(&path).ok();
            match text {
                Some(text) => {
                    fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
                    fs::write(&path, text).expect("it can be written");
                }
                None => fs::remove_file(&path).expect("it can be removed"),
            }
            let after = hash(&project, &PLAIN);
            match old {
                Some(old) => fs::write(&path, old).expect("it can be written"),
                None => fs::remove_file(&path).expect("it can be removed"),
            }
            assert_eq!(hash(&project, &PLAIN), before, "{name}: put back");
            after
        };
        for (name, text) in [
            ("crates/kernel/src/ready.rs", Some("fn first() {}\n")),
            ("crates/kernel/src/ready.rs", None),
            ("crates/kernel/src/new.rs", Some("\n")),
            ("os/arch/kernel.ld", Some("SECTIONS { }\n")),
            ("os/kernel-image/build.rs", Some("fn main() {}\n")),
            ("os/Cargo.lock", Some("version = 3\n")),
            ("os/Cargo.toml", Some("[workspace]\n[workspace.dependencies]\n")),
            ("Cargo.toml", Some("[workspace]\n[workspace.package]\nedition = \"2024\"\n")),
            (".cargo/config.toml", Some("[build]\n")),
            ("os/.cargo/config.toml", Some("[build]\n")),
        ] {
            assert_ne!(change(name, text), before, "{name}");
        }
        for name in ["crates/kernel/tests/ready.rs", "crates/other/src/lib.rs", "os/arch/target/x"]
        {
            assert_eq!(change(name, Some("changed")), before, "{name}");
        }
    }

    #[test]
    fn each_word_to_the_compiler_counts() {
        let project = project();
        let wanted = [
            Wanted { ..PLAIN },
            Wanted { features: &["trace"], ..PLAIN },
            Wanted { features: &["trace", "cores"], ..PLAIN },
            Wanted { profile: "small", ..PLAIN },
            Wanted { flags: &["trace"], ..PLAIN },
            Wanted { whole: &["trace"], ..PLAIN },
        ];
        let mut hashes: BTreeSet<String> =
            wanted.iter().map(|wanted| hash(&project, wanted)).collect();
        let source = project.path().join("os");
        let keys = [Platform::ALL[1], Platform::ALL[2]]
            .map(|platform| key(&toolchain(), &source, platform, &PLAIN).expect("a key").0.hash());
        hashes.extend(keys);
        assert_eq!(hashes.len(), wanted.len() + 2);
    }

    #[test]
    fn another_compiler_counts() {
        let project = project();
        let source = project.path().join("os");
        let other = Toolchain::test("rustc 1.95.0, rebuilt");
        let other = key(&other, &source, Platform::DEFAULT, &PLAIN).expect("a key").0.hash();
        assert_ne!(other, hash(&project, &PLAIN));
    }

    #[test]
    fn a_kernel_from_an_unknown_file_is_refused() {
        let project = project();
        let sources = Sources::of(&project.path().join("os/kernel-image")).expect("its files");
        let program = project.path().join("kernel");
        let told = |files: &str| {
            let root = project.path().display();
            let rule = format!("{root}/kernel: {root}/os/arch/src/lib.rs {root}/{files}\n");
            fs::write(program.with_extension("d"), rule).expect("it can be written");
            crate::read_elsewhere(&program, &sources)
        };
        assert!(told("crates/kernel/src/ready.rs").is_ok());
        assert!(told("os/kernel-image/../arch/kernel.ld").is_ok());
        let refused = told("crates/other/src/lib.rs");
        assert!(matches!(refused, Err(BuildError::Elsewhere(_))), "{refused:?}");
    }
}
