//! The kept results of a compiler of C.

use super::{Keeper, Reads};
use fusee_kept::{Files, Key, dependencies, identity};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Variables of the environment that change what compilers make.
const VARIABLES: [&str; 9] = [
    "CPATH",
    "C_INCLUDE_PATH",
    "COMPILER_PATH",
    "GCC_EXEC_PREFIX",
    "GCC_ROOT",
    "CCC_OVERRIDE_OPTIONS",
    "SOURCE_DATE_EPOCH",
    "DEPENDENCIES_OUTPUT",
    "SUNPRO_DEPENDENCIES",
];

/// Beginnings of options that change nothing but by themselves and by headers. What is compiled
/// with any other is not kept.
const OPTIONS: [&str; 22] = [
    "-D",
    "-U",
    "-O",
    "-g",
    "-W",
    "-std=",
    "-ansi",
    "-pedantic",
    "-f",
    "-m",
    "-nostdinc",
    "-w",
    "-pipe",
    "-c",
    "-pthread",
    "-undef",
    "-trigraphs",
    "-I",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-include",
];

/// Beginnings of options among these that make a compiler read or write something else.
const NOT_KEPT: [&str; 20] = [
    "-Wa,",
    "-Wp,",
    "-Wl,",
    "-fplugin",
    "-fprofile",
    "-fauto-profile",
    "-fbranch-",
    "-fdump",
    "-fmodule",
    "-fsanitize",
    "-fcallgraph",
    "-ftest-coverage",
    "-fpch",
    "-fpass-plugin",
    "-fxray",
    "-frecord",
    "-fstack-usage",
    "-grecord",
    "-gsplit",
    "-include-pch",
];

/// Options with a folder of headers.
const FOLDERS: [&str; 4] = ["-I", "-isystem", "-iquote", "-idirafter"];

/// Words in a source that make what is compiled depend on more than on the files that are read: on
/// files that an assembler finds, on whether there is a file, on the time.
const WORDS: [&str; 7] = [
    ".incbin",
    ".include",
    "__has_include",
    "__has_embed",
    "__DATE__",
    "__TIME__",
    "__TIMESTAMP__",
];

/// A compiler of C and what is kept of it.
#[derive(Debug)]
pub(crate) struct Compiler {
    pub(super) keeper: Keeper,
    /// Tells the compiler apart from all others.
    identity: String,
    /// The folder in which commands run.
    at: PathBuf,
}

/// The call of a compiler whose result may be kept.
pub(crate) struct Call<'a> {
    compiler: &'a Compiler,
    first: Key,
    folders: Vec<PathBuf>,
    source: &'a Path,
    called: SystemTime,
}

impl Compiler {
    /// A compiler by its command and version, and the programs and files behind it; its commands
    /// run in a folder. `None` if the command is not found.
    pub(crate) fn new(
        keeper: Keeper,
        (command, version): (&str, &str),
        behind: &[String],
        at: &Path,
    ) -> Option<Self> {
        let behind = behind.iter().filter_map(|program| identity(program));
        let variables = VARIABLES
            .iter()
            .filter_map(|name| Some(format!("{name}={}", std::env::var_os(name)?.display())));
        let own = [identity(command)?, version.to_owned()].into_iter();
        let identity = own.chain(behind).chain(variables).collect::<Vec<_>>().join("\n");
        Some(Self { keeper, identity, at: at.to_owned() })
    }

    /// The call that compiles a source with all of these arguments, of which the last come from the
    /// project. `None` if its result must not be kept.
    pub(crate) fn call<'a>(
        &'a self,
        source: &'a Path,
        arguments: &[String],
        flags: &[String],
    ) -> Option<Call<'a>> {
        may_be_kept(flags).then_some(())?;
        let mut first = Key::of("object 1");
        first.add("compiler", &self.identity);
        for argument in arguments.iter().map(String::as_str) {
            first.add("argument", self.keeper.named(argument));
        }
        first.add("source", self.keeper.named(&source.to_string_lossy()));
        first.add("text", std::fs::read(source).ok()?);
        let folders = folders(arguments).map(|folder| self.at.join(folder)).collect();
        Some(Call { compiler: self, first, folders, source, called: SystemTime::now() })
    }
}

impl Call<'_> {
    /// Puts a kept object to its place with the list of what was read, and returns what the
    /// compiler said.
    pub(crate) fn restore(&self, object: &Path) -> Option<String> {
        let keeper = &self.compiler.keeper;
        let mut files = keeper.get("object", &self.first)?;
        let mut text = |name: &str| {
            let text = String::from_utf8(files.remove(name)?).ok()?;
            Some(keeper.placed(&text))
        };
        let (said, read) = (text("said")?, text("read")?);
        std::fs::write(object, files.remove("object")?).ok()?;
        std::fs::write(object.with_extension("d"), read).ok()?;
        Some(said)
    }

    /// Keeps an object and what the compiler said; it has read files of the project and files of
    /// its own.
    pub(crate) fn keep(&self, object: &Path, said: &str, read: (Vec<PathBuf>, Vec<PathBuf>)) {
        let keeper = &self.compiler.keeper;
        let (own, system) = read;
        let Ok(bytes) = std::fs::read(object) else { return };
        let at = |path: &PathBuf| self.compiler.at.join(path);
        // Headers of the compiler's own ask only for its own.
        if own.iter().map(at).chain([self.source.to_owned()]).any(|path| depends_on_more(&path)) {
            return;
        }
        let rule = dependencies::rule(own.iter());
        let texts = [("said", said), ("read", &rule)]
            .map(|(name, text)| (name, keeper.named(text).into_bytes()));
        let files = [("object", bytes)].into_iter().chain(texts);
        let files: Files = files.map(|(name, bytes)| (name.to_owned(), bytes)).collect();
        let whole = own.iter().map(at).chain([self.source.to_owned()]).collect();
        let system = system.iter().map(at).collect();
        let reads = Reads::of_headers(whole, system, &self.folders);
        keeper.put("object", &self.first, (files, &reads, self.called));
    }
}

/// Returns whether options of a project leave nothing open but headers.
fn may_be_kept(flags: &[String]) -> bool {
    let mut flags = flags.iter().map(String::as_str);
    while let Some(flag) = flags.next() {
        let is_own = OPTIONS.iter().any(|start| flag.starts_with(start));
        if !is_own || NOT_KEPT.iter().any(|start| flag.starts_with(start)) {
            return false;
        }
        if FOLDERS.contains(&flag) || matches!(flag, "-D" | "-U" | "-include") {
            flags.next();
        }
    }
    true
}

/// Returns the folders of headers among arguments.
fn folders(arguments: &[String]) -> impl Iterator<Item = &str> {
    let mut arguments = arguments.iter().map(String::as_str);
    std::iter::from_fn(move || {
        loop {
            let argument = arguments.next()?;
            let Some(option) = FOLDERS.iter().find(|option| argument.starts_with(**option)) else {
                continue;
            };
            match &argument[option.len()..] {
                "" => return arguments.next(),
                folder => return Some(folder),
            }
        }
    })
}

/// Returns whether what a file is compiled to depends on more than on files that are read.
fn depends_on_more(path: &Path) -> bool {
    let text = std::fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let directives = text.lines().filter_map(|line| line.trim_start().strip_prefix('#'));
    let embeds = directives.map(str::trim_start).any(|directive| directive.starts_with("embed"));
    embeds || WORDS.iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &str) -> Vec<String> {
        words.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn options_that_read_something_else_are_not_kept() {
        for kept in ["-DX=1 -O2", "-I include -Iother -std=gnu11", "-Wall -fno-inline -D X"] {
            assert!(may_be_kept(&words(kept)), "{kept}");
        }
        for other in [
            "@options",
            "-fplugin=x.so",
            "-O2 -specs=x",
            "-Wa,-I,x",
            "-B tools",
            "x.o",
            "-gsplit-dwarf",
        ] {
            assert!(!may_be_kept(&words(other)), "{other}");
        }
    }

    #[test]
    fn folders_of_headers_are_found_in_both_forms() {
        let arguments = words("-O2 -I a -Ib -isystem c -iquoted -DI -idirafter e");
        assert_eq!(folders(&arguments).collect::<Vec<_>>(), ["a", "b", "c", "d", "e"]);
    }
}
