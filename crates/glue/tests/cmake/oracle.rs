//! CMake's own compile commands.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files that CMake would compile, by target.
pub(crate) struct Oracle(BTreeMap<String, Vec<Compiled>>);

/// A file with the options that it is compiled with.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Compiled {
    file: String,
    options: Vec<String>,
}

impl Compiled {
    /// With the folder in which CMake works called `BUILD`.
    pub(crate) fn new(file: &Path, options: Vec<String>, build: &Path) -> Self {
        let build = build.to_string_lossy();
        let portable = |text: &str| text.replace(&*build, "BUILD");
        Self {
            file: portable(&file.to_string_lossy()),
            options: options.iter().map(|option| portable(option)).collect(),
        }
    }
}

/// The compiler, as a project for it says, and nothing of Fusee's.
const TOOLCHAIN: &str = "set(CMAKE_SYSTEM_NAME Generic)\n\
     set(CMAKE_C_COMPILER riscv64-unknown-elf-gcc)\n\
     set(CMAKE_ASM_COMPILER riscv64-unknown-elf-gcc)\n\
     set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)\n";

impl Oracle {
    /// Runs CMake on a project.
    pub(crate) fn of(project: &Path, build: &Path) -> Self {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmake/oracle.cmake");
        std::fs::write(build.join("toolchain.cmake"), TOOLCHAIN).expect("a file");
        std::fs::write(
            build.join("languages.cmake"),
            "if(CMAKE_CURRENT_SOURCE_DIR STREQUAL CMAKE_SOURCE_DIR)\nenable_language(C)\n\
             enable_language(ASM)\nendif()\n",
        )
        .expect("a file");
        // Packages of seL4's are there, and empty.
        std::fs::write(build.join("Findcamkes-tool.cmake"), "").expect("a file");
        let said = Command::new("cmake")
            .args(["-G", "Unix Makefiles", "-Wno-dev", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"])
            .args(["-DCHOSEN=ON", "-DKernelArch=riscv", "-DKernelArchRiscV=ON"])
            .arg(format!("-DCAMKES_APP={}", "app"))
            .arg(format!("-DCMAKE_MODULE_PATH={}", build.display()))
            .arg(format!("-DCMAKE_TOOLCHAIN_FILE={}/toolchain.cmake", build.display()))
            .arg(format!("-DCMAKE_PROJECT_TOP_LEVEL_INCLUDES={}", file.display()))
            .arg(format!("-DCMAKE_PROJECT_INCLUDE={}/languages.cmake", build.display()))
            .arg("-S")
            .arg(project)
            .arg("-B")
            .arg(build)
            .output()
            .expect("CMake");
        let text = String::from_utf8_lossy(&said.stderr);
        assert!(said.status.success(), "{}: {text}", project.display());
        let commands = std::fs::read_to_string(build.join("compile_commands.json"));
        let commands = commands.expect("compile commands");
        let commands: Vec<serde_json::Value> = serde_json::from_str(&commands).expect("JSON");
        let mut all = BTreeMap::new();
        for command in &commands {
            let words = shlex::split(command["command"].as_str().expect("a command"));
            let (target, compiled) = entry(&words.expect("words of a shell"), build);
            all.entry(target).or_insert_with(Vec::new).push(compiled);
        }
        Self(all)
    }

    /// Returns the files that these targets are compiled from.
    pub(crate) fn of_targets(&self, targets: &[String]) -> Vec<Compiled> {
        let mut all: Vec<Compiled> =
            targets.iter().filter_map(|target| self.0.get(target)).flatten().cloned().collect();
        all.sort();
        all
    }
}

/// A command's target, file and options: all between the compiler and `-o OBJECT -c FILE`, but
/// for what stops at warnings.
fn entry(words: &[String], build: &Path) -> (String, Compiled) {
    let end = words.iter().position(|word| word == "-o").expect("an object");
    let object = &words[end + 1];
    let (_, rest) = object.split_once("CMakeFiles/").expect("CMake's folder");
    let (target, _) = rest.split_once(".dir/").expect("a target's folder");
    let options = words[1..end].iter().filter(|word| !word.starts_with("-Werror"));
    let file = words.last().expect("a file");
    (target.to_owned(), Compiled::new(Path::new(file), options.cloned().collect(), build))
}

/// The folder in which CMake worked, below the one that it was given.
pub(crate) fn build_folder(out: &Path) -> PathBuf {
    let mut folders = std::fs::read_dir(out).expect("a folder").flatten();
    let found = folders.find(|entry| entry.path().join("CMakeCache.txt").is_file());
    found.expect("CMake's folder").path()
}
