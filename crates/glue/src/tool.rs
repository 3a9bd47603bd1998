//! Compilers and linkers: which there are, and how they are called.
//!
//! Debian's cross GCC with picolibc is always needed: it links, and its C library is
//! the components'. The C compiler may be clang instead. Nothing of a machine's paths gets
//! into what is compiled, so that the same input gives the same bytes everywhere.

use crate::failure::{self, Failure};
use crate::kept::{self, Keeper};
use crate::rules;
use fusee_diagnostics::Diagnostic;
use fusee_image_format::virtual_map::CLOCK_PAGE;
use fusee_kept::{Key, Store, dependencies, identity};
use fusee_platform::{Compilers, Platform};
use std::cell::OnceCell;
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The prefix of Debian's cross tools.
const PREFIX: &str = "riscv64-unknown-elf-";

/// The one that links, and that knows where the C library is.
pub const GCC: &str = "riscv64-unknown-elf-gcc";

/// The folder of the headers of Debian's picolibc.
const HEADERS: &str = "/usr/lib/picolibc/riscv64-unknown-elf/include";

/// Functions of the C library that Rust's libraries bring along in another form. It copies words,
/// which is easy to follow where the distance from the stack pointer is known. For any other
/// alignment its loops have no bound, unlike those of the C library, which copy bytes.
const OF_THE_C_LIBRARY: [&str; 6] = ["bcmp", "memcmp", "memcpy", "memmove", "memset", "strlen"];

/// The command that installs what is missing.
const INSTALL: &str = "sudo apt-get install -y --no-install-recommends gcc-riscv64-unknown-elf \
                       picolibc-riscv64-unknown-elf";

/// Returns the address at which components find the clock, if that is in their memory.
pub(crate) fn clock(platform: Platform) -> Option<u64> {
    platform.clock_page().map(|page| CLOCK_PAGE + (platform.memory_map().timer_clock - page))
}

/// The output of a tool.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) fine: bool,
    pub(crate) text: String,
}

/// The tools of a build.
#[derive(Debug)]
pub(crate) struct Tools {
    /// The facts about the machine that they are told.
    machine: &'static Compilers,
    /// The address at which components find the clock in memory, if there.
    clock: Option<u64>,
    compiler: String,
    /// The folder in which clang finds the C library's headers; `None` for GCC.
    clang_headers: Option<PathBuf>,
    /// The folder in which tools run, and replacements for this machine's paths in debug
    /// information.
    paths: Paths,
    /// The kept results of the compiler; `None` if the compiler is not known.
    kept: Option<kept::Compiler>,
    /// The folders of the compiler's own headers, once it was asked.
    system: OnceCell<Vec<PathBuf>>,
}

/// The paths of this machine that a build sees, absolute.
#[derive(Debug, Clone)]
pub(crate) struct Paths {
    /// The description's folder.
    pub(crate) folder: PathBuf,
    /// The folder to which everything is written.
    pub(crate) out: PathBuf,
}

impl Paths {
    /// Returns the options that make debug information the same on all machines.
    fn mapped(&self) -> [String; 2] {
        let map = |path: &Path, to: &str| format!("-ffile-prefix-map={}={to}", path.display());
        [map(&self.folder, "."), map(&self.out, ".")]
    }
}

impl Tools {
    /// Finds the tools.
    pub(crate) fn find(
        platform: Platform,
        compiler: Option<&str>,
        (paths, store): (Paths, Store),
    ) -> Result<Self, Failure> {
        let compiler = compiler
            .map(str::to_owned)
            .or_else(|| std::env::var("FUSEE_CC").ok().filter(|cc| !cc.is_empty()));
        let compiler = compiler.unwrap_or_else(|| format!("{PREFIX}gcc"));
        let machine = &platform.descriptor().compilers;
        let clock = clock(platform);
        let mut tools = Self {
            machine,
            clock,
            compiler,
            clang_headers: None,
            paths,
            kept: None,
            system: OnceCell::new(),
        };
        let specs =
            tools.run(&format!("{PREFIX}gcc"), ["--specs=picolibc.specs", "-print-sysroot"])?;
        if !specs.fine {
            return Err(missing("picolibc, the C library of components"));
        }
        if tools.compiler.rsplit('/').next().is_some_and(|name| name.starts_with("clang")) {
            tools.clang_headers = Some(PathBuf::from(HEADERS));
        }
        let version = tools.run(&tools.compiler, ["--version"])?.text;
        tools.kept = tools.keeper(store, &version);
        Ok(tools)
    }

    /// Returns the kept results of the compiler, which is told apart from others by the programs
    /// that it calls, too.
    fn keeper(&self, store: Store, version: &str) -> Option<kept::Compiler> {
        let behind = |question: &str| {
            let said = self.run(&self.compiler, [question]).ok()?;
            said.fine.then(|| said.text.trim().to_owned())
        };
        let questions =
            ["-print-prog-name=cc1", "-print-prog-name=as", "-print-file-name=picolibc.specs"];
        let behind: Vec<String> = questions.into_iter().filter_map(behind).collect();
        let keeper = Keeper::new(store, &self.paths.folder, &self.paths.out);
        let compiler = (self.compiler.as_str(), version);
        kept::Compiler::new(keeper, compiler, &behind, &self.paths.out)
    }

    /// Returns the call that compiles a crate of Rust, if results are kept.
    pub(crate) fn of_crate(&self, first: Key, texts: &[(&str, &str)]) -> Option<kept::Crate<'_>> {
        let linkers = ["ld", "objcopy"].map(|name| identity(&format!("{PREFIX}{name}")));
        let linkers = linkers.into_iter().flatten().collect::<Vec<_>>().join("\n");
        let texts = [texts, &[("linkers", &linkers), ("local", &OF_THE_C_LIBRARY.join(" "))]];
        Some(self.kept.as_ref()?.of_crate(first, &texts.concat()))
    }

    /// Compiles a C or assembly file, or takes the object that was compiled from the same before.
    pub(crate) fn compile(
        &self,
        source: &Path,
        object: &Path,
        options: &Options<'_>,
    ) -> Result<Said, Failure> {
        let arguments = self.arguments(options);
        let call = self.kept.as_ref();
        let call = call.and_then(|kept| kept.call(source, &arguments, options.flags));
        if let Some(text) = call.as_ref().and_then(|call| call.restore(object)) {
            return Ok(Said { fine: true, text });
        }
        let read = object.with_extension("d");
        // One that an earlier build has left says nothing of this one.
        let _ = std::fs::remove_file(&read);
        let path = |path: &Path| path.to_string_lossy().into_owned();
        let last = ["-c".to_owned(), path(source), "-o".into(), path(object)];
        // What is read besides, and was not known before.
        let told = ["-MD".to_owned(), "-MF".into(), path(&read)];
        let said = self.run(&self.compiler, arguments.iter().chain(&last).chain(&told))?;
        if !said.fine {
            return Ok(said);
        }
        let all = dependencies::read(&read).unwrap_or_default();
        let system = self.system_folders()?;
        let own = dependencies::rule(all.iter().filter(|path| !is_below(path, system)));
        std::fs::write(&read, &own).map_err(|error| failure::file(&read, &error))?;
        if let Some(call) = call {
            let (system, own): (Vec<_>, Vec<_>) =
                all.into_iter().partition(|path| is_below(path, system));
            call.keep(object, &said.text, (own, system));
        }
        Ok(said)
    }

    /// Returns the arguments of a compilation before the name of the source.
    fn arguments(&self, options: &Options<'_>) -> Vec<String> {
        let mut arguments: Vec<String> = Vec::new();
        let mut add = |words: &[&str]| arguments.extend(words.iter().map(|&word| word.to_owned()));
        add(self.machine.c);
        if let Some(clock) = self.clock {
            add(&[&format!("-DFUSEE_CLOCK={clock:#x}")]);
        }
        add(&[
            "-O2",
            "-g",
            "-ffunction-sections",
            "-fdata-sections",
            "-fno-common",
            "-fno-jump-tables",
            "-fno-asynchronous-unwind-tables",
        ]);
        add(&[
            "-Wall",
            "-Wno-main",
            "-Werror=implicit-function-declaration",
            "-fno-diagnostics-color",
        ]);
        match &self.clang_headers {
            None => add(&["--specs=picolibc.specs", "-fno-diagnostics-show-caret"]),
            Some(headers) => {
                add(&[
                    "-target",
                    self.machine.triple,
                    "-mno-relax",
                    // Later forms of debug information have relocations that Debian's cross linker
                    // does not know.
                    "-gdwarf-4",
                    "-fno-caret-diagnostics",
                    "-Wno-unused-command-line-argument",
                    "-isystem",
                ]);
                add(&[&headers.to_string_lossy()]);
            }
        }
        arguments.extend(self.paths.mapped());
        for folder in options.includes {
            arguments.extend(["-I".to_owned(), folder.to_string_lossy().into_owned()]);
        }
        arguments.extend(options.flags.iter().cloned());
        arguments
    }

    /// Returns the folders in which the compiler looks for headers of its own.
    fn system_folders(&self) -> Result<&[PathBuf], Failure> {
        if let Some(known) = self.system.get() {
            return Ok(known);
        }
        let mut arguments = self.arguments(&Options { includes: &[], flags: &[] });
        arguments.extend(["-E", "-v", "-x", "c", "/dev/null"].map(str::to_owned));
        let said = self.run(&self.compiler, &arguments)?;
        let lines = said.text.lines().skip_while(|line| !line.starts_with("#include <"));
        let lines = lines.skip(1).take_while(|line| line.starts_with(' '));
        let folders = lines.map(|line| PathBuf::from(line.trim()));
        let folders = folders.flat_map(|folder| [folder.canonicalize().ok(), Some(folder)]);
        Ok(self.system.get_or_init(|| folders.flatten().collect()))
    }

    /// The C compiler.
    pub(crate) fn compiler(&self) -> &str {
        &self.compiler
    }

    /// Makes a static library of objects.
    pub(crate) fn archive(&self, objects: &[PathBuf], archive: &Path) -> Result<Said, Failure> {
        // One that is there would be added to.
        let _ = std::fs::remove_file(archive);
        let mut arguments = vec!["rcsD".to_owned(), archive.to_string_lossy().into_owned()];
        arguments.extend(objects.iter().map(|object| object.to_string_lossy().into_owned()));
        self.run(&format!("{PREFIX}ar"), &arguments)
    }

    /// Joins objects into one, with what they ask for of these archives, without looking for
    /// anything elsewhere.
    pub(crate) fn merge(
        &self,
        objects: &[PathBuf],
        archives: &[PathBuf],
        merged: &Path,
    ) -> Result<Said, Failure> {
        let mut arguments = vec!["-r".to_owned(), "-m".into(), self.machine.emulation.into()];
        arguments.extend(["-o".to_owned(), merged.to_string_lossy().into_owned()]);
        arguments.extend(objects.iter().map(|object| object.to_string_lossy().into_owned()));
        arguments.push("--start-group".into());
        arguments.extend(archives.iter().map(|archive| archive.to_string_lossy().into_owned()));
        arguments.push("--end-group".into());
        self.run(&format!("{PREFIX}ld"), &arguments)
    }

    /// Takes out of a library what the given names need, as one object; names that it lacks stay
    /// undefined. Functions of the C library that it has are its own alone: all other code of a
    /// program goes on to use the C library's.
    pub(crate) fn gather(
        &self,
        library: &Path,
        names: &[String],
        object: &Path,
    ) -> Result<Said, Failure> {
        let path = |path: &Path| path.to_string_lossy().into_owned();
        let mut arguments = vec!["-r".to_owned(), "-m".into(), self.machine.emulation.into()];
        arguments.extend(names.iter().map(|name| format!("--undefined={name}")));
        arguments.extend(["-o".to_owned(), path(object), path(library)]);
        let said = self.run(&format!("{PREFIX}ld"), &arguments)?;
        if !said.fine {
            return Ok(said);
        }
        let own = OF_THE_C_LIBRARY.map(|name| format!("--localize-symbol={name}"));
        let said = self.run(&format!("{PREFIX}objcopy"), own.into_iter().chain([path(object)]))?;
        // A crate with nothing that is asked for is an empty object; what it lacks is told later.
        let fine = said.fine || said.text.contains("has no sections");
        Ok(Said { fine, ..said })
    }

    /// Makes all symbols of an object local but for `keep`, and gives others new names.
    pub(crate) fn narrow(
        &self,
        object: &Path,
        keep: &[String],
        rename: &[(&str, String)],
    ) -> Result<Said, Failure> {
        let mut arguments: Vec<String> =
            keep.iter().map(|name| format!("--keep-global-symbol={name}")).collect();
        arguments.extend(rename.iter().map(|(from, to)| format!("--redefine-sym={from}={to}")));
        arguments.push(object.to_string_lossy().into_owned());
        self.run(&format!("{PREFIX}objcopy"), &arguments)
    }

    /// Links a domain's program.
    pub(crate) fn link(
        &self,
        script: &Path,
        inputs: &[PathBuf],
        extra: &[String],
        out: &Path,
    ) -> Result<Said, Failure> {
        let mut arguments: Vec<String> =
            self.machine.c.iter().map(|&word| word.to_owned()).collect();
        arguments.extend(self.machine.libraries.iter().map(|&word| word.to_owned()));
        for word in [
            "--specs=picolibc.specs",
            "-nostartfiles",
            "-static",
            "-Wl,--gc-sections",
            "-Wl,--build-id=none",
            "-Wl,--emit-relocs",
        ] {
            arguments.push(word.to_owned());
        }
        arguments.extend(["-T".to_owned(), script.to_string_lossy().into_owned()]);
        arguments.extend(extra.iter().cloned());
        arguments.extend(inputs.iter().map(|input| input.to_string_lossy().into_owned()));
        arguments.extend(
            ["-nostdlib", "-Wl,--start-group", "-lc", "-lgcc", "-Wl,--end-group"]
                .map(str::to_owned),
        );
        arguments.extend(["-o".to_owned(), out.to_string_lossy().into_owned()]);
        self.run(&format!("{PREFIX}gcc"), &arguments)
    }

    fn run<S: AsRef<OsStr>>(
        &self,
        program: &str,
        arguments: impl IntoIterator<Item = S>,
    ) -> Result<Said, Failure> {
        let mut command = Command::new(program);
        // Messages are taken apart, so they must be English.
        command
            .args(arguments)
            .env("LC_ALL", "C")
            .current_dir(&self.paths.out)
            .stdin(Stdio::null());
        match command.output() {
            Ok(output) => {
                let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
                text.push_str(&String::from_utf8_lossy(&output.stderr));
                Ok(Said { fine: output.status.success(), text })
            }
            Err(error) if error.kind() == ErrorKind::NotFound && program.starts_with("clang") => {
                let error =
                    Diagnostic::error(rules::NO_COMPILER, format!("`{program}` is not installed"));
                Err(vec![error.with_note(
                    "install it: sudo apt-get install -y --no-install-recommends clang",
                )])
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                Err(missing(&format!("`{program}`")))
            }
            Err(error) => Err(vec![Diagnostic::error(
                rules::NO_COMPILER,
                format!("cannot run `{program}`: {error}"),
            )]),
        }
    }
}

/// The options for one file, besides those of all.
pub(crate) struct Options<'a> {
    /// Folders of headers, searched before those that the flags name.
    pub(crate) includes: &'a [PathBuf],
    pub(crate) flags: &'a [String],
}

/// Returns whether a file lies below one of these folders.
fn is_below(path: &Path, folders: &[PathBuf]) -> bool {
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    folders.iter().any(|folder| path.starts_with(folder) || whole.starts_with(folder))
}

fn missing(what: &str) -> Failure {
    let error = Diagnostic::error(rules::NO_COMPILER, format!("{what} is not installed"));
    vec![error.with_note(format!("install it: {INSTALL}"))]
}

#[cfg(test)]
mod tests;
