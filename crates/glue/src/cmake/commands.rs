//! The commands that say something here.

use super::files;
use super::options;
use super::run::Run;
use super::values;
use crate::manifest;

/// Words of CMake that stand between a target's name and its files, folders or libraries.
const SCOPES: [&str; 13] = [
    "PUBLIC",
    "PRIVATE",
    "INTERFACE",
    "SYSTEM",
    "BEFORE",
    "AFTER",
    "STATIC",
    "SHARED",
    "OBJECT",
    "MODULE",
    "EXCLUDE_FROM_ALL",
    "IMPORTED",
    "GLOBAL",
];

impl Run {
    /// Runs one command with its words expanded; unknown ones do nothing.
    pub(super) fn command(&mut self, name: &str, words: &[String], line: usize) {
        let words: Vec<String> =
            words.iter().filter(|word| !word.contains("$<")).cloned().collect();
        let words = words.as_slice();
        match (name, words) {
            ("set", [name, rest @ ..]) => self.set(name, rest),
            ("unset", [name, ..]) => self.values.unset(name),
            ("option", [name, _, default @ ..]) => {
                let default = default.first().map_or("OFF", String::as_str);
                self.values.cache(name, default.to_owned(), false);
            }
            ("list", [what, name, rest @ ..]) => self.list(what, name, rest),
            ("string", [what, rest @ ..]) => self.string(what, rest),
            ("file", [what, rest @ ..]) => self.files(what, rest),
            ("get_filename_component", [name, path, mode, ..]) => {
                let value = files::component(path.as_ref(), &self.here, mode);
                self.values.set(name, value, false);
            }
            ("cmake_parse_arguments", words) => self.parse_arguments(words),
            ("return", _) => self.returned = true,
            ("project", [name, ..]) => self.values.set("PROJECT_NAME", name.clone(), false),
            ("message", [kind, text @ ..]) if kind == "FATAL_ERROR" => {
                let text = text.concat().split_whitespace().collect::<Vec<_>>().join(" ");
                self.said.refusal = Some((self.place(line), text));
            }
            ("declarecamkesconnector", [name, rest @ ..]) => self.connector(name, rest, line),
            ("include", [file, ..]) => self.include(&self.here.join(file)),
            ("add_subdirectory", [folder, ..]) => {
                let folder = self.here.join(folder);
                self.folder(&folder, &folder.join("CMakeLists.txt"));
            }
            _ => self.declaration(name, words),
        }
    }

    /// Commands about components and libraries.
    fn declaration(&mut self, name: &str, words: &[String]) {
        let here = self.here.clone();
        match (name, words) {
            ("declarecamkescomponent", [name, rest @ ..]) => {
                self.said.components.entry(name.clone()).or_default().declare(rest, &here);
            }
            ("extendcamkescomponentinstance", [kind, instance, rest @ ..]) => {
                let key = (kind.clone(), instance.clone());
                self.said.instances.entry(key).or_default().declare(rest, &here);
            }
            ("declarecamkesrootserver", [file, rest @ ..]) => self.system(file, rest),
            ("camkesaddimportpath" | "camkesmaybeaddimportpath", folders) => {
                self.said.imports.extend(folders.iter().map(|folder| here.join(folder)));
            }
            ("camkesaddtemplatespath", folders) => {
                self.said.templates.extend(folders.iter().map(|folder| here.join(folder)));
            }
            ("camkesaddcppinclude", folders) => {
                self.said.cpp_includes.extend(folders.iter().map(|folder| here.join(folder)));
            }
            ("config_option", [name, define, _, rest @ ..]) => {
                self.option(name, (define, true), rest)
            }
            ("config_string", [name, define, _, rest @ ..]) => {
                self.option(name, (define, false), rest)
            }
            ("add_config_library", [prefix, lines @ ..]) => {
                let library = self.said.libraries.entry(format!("{prefix}_Config")).or_default();
                let text = options::header(&lines.join("\n"));
                library.generated.push((format!("{prefix}/gen_config.h"), text));
            }
            ("rustaddlibrary", [name, rest @ ..]) => self.crate_of(name, rest),
            ("add_library", [name, alias, of, ..]) if alias == "ALIAS" => {
                self.said.libraries.entry(name.clone()).or_default().libraries.push(of.clone());
            }
            ("add_library", [name, rest @ ..]) => {
                let files = rest
                    .iter()
                    .filter(|word| !SCOPES.contains(&word.as_str()))
                    .map(|file| here.join(file));
                self.said.libraries.entry(name.clone()).or_default().sources.extend(files);
            }
            _ => self.target(name, words),
        }
    }

    /// Commands that add to a target.
    fn target(&mut self, command: &str, words: &[String]) {
        let Some((name, rest)) = words.split_first() else { return };
        if !command.starts_with("target_") {
            return;
        }
        let rest = rest.iter().filter(|word| !SCOPES.contains(&word.as_str()));
        let target = self.said.libraries.entry(name.clone()).or_default();
        match command {
            "target_sources" => target.sources.extend(rest.map(|file| self.here.join(file))),
            "target_include_directories" => {
                target.includes.extend(rest.map(|folder| self.here.join(folder)))
            }
            "target_compile_options" => rest.for_each(|flag| target.flag(flag)),
            "target_compile_definitions" => {
                rest.for_each(|define| {
                    target.flag(&format!("-D{}", define.trim_start_matches("-D")))
                });
            }
            "target_link_libraries" => target.libraries.extend(rest.cloned()),
            _ => {}
        }
    }

    /// A library in Rust, by the folder of its crate.
    fn crate_of(&mut self, name: &str, words: &[String]) {
        let folder = words
            .windows(2)
            .find(|pair| pair[0] == "SOURCE_DIR")
            .map(|pair| self.here.join(&pair[1]));
        let folder = folder.unwrap_or_else(|| self.here.clone());
        self.said
            .libraries
            .entry(name.to_owned())
            .or_default()
            .sources
            .push(manifest::root(&folder));
    }

    /// A connector's templates.
    fn connector(&mut self, name: &str, words: &[String], line: usize) {
        let place = self.place(line);
        let named = words.windows(2).filter(|pair| ["FROM", "TO"].contains(&pair[0].as_str()));
        let known = self.said.connectors.entry(name.to_owned()).or_default();
        known.files.extend(named.map(|pair| pair[1].clone()));
        known.place = place;
    }

    /// A place in the file that runs: `CMakeLists.txt:15`.
    fn place(&self, line: usize) -> String {
        let file =
            self.file.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned());
        format!("{file}:{line}")
    }

    fn set(&mut self, name: &str, rest: &[String]) {
        if let Some(at) = rest.iter().position(|word| word == "CACHE") {
            let force = rest[at..].iter().any(|word| word == "FORCE");
            self.values.cache(name, rest[..at].join(";"), force);
            return;
        }
        let (outside, rest) = match rest.split_last() {
            Some((last, before)) if last == "PARENT_SCOPE" => (true, before),
            _ => (false, rest),
        };
        self.values.set(name, rest.join(";"), outside);
    }

    fn list(&mut self, what: &str, name: &str, rest: &[String]) {
        let mut items = values::list(self.values.get(name).unwrap_or(""));
        match what {
            "APPEND" => items.extend(rest.iter().cloned()),
            "PREPEND" => items = rest.iter().cloned().chain(items).collect(),
            "REMOVE_ITEM" => items.retain(|item| !rest.contains(item)),
            "SORT" => items.sort(),
            "REVERSE" => items.reverse(),
            "REMOVE_DUPLICATES" => {
                let mut seen = std::collections::BTreeSet::new();
                items.retain(|item| seen.insert(item.clone()));
            }
            "LENGTH" => {
                if let Some(to) = rest.first() {
                    self.values.set(to, items.len().to_string(), false);
                }
                return;
            }
            "GET" => {
                if let Some((to, positions)) = rest.split_last() {
                    let item =
                        |position: &String| items.get(position.parse::<usize>().ok()?).cloned();
                    let picked: Vec<String> = positions.iter().filter_map(item).collect();
                    self.values.set(to, picked.join(";"), false);
                }
                return;
            }
            _ => return,
        }
        self.values.set(name, items.join(";"), false);
    }

    fn string(&mut self, what: &str, rest: &[String]) {
        let (name, value) = match (what, rest) {
            ("TOUPPER", [text, name]) => (name, text.to_uppercase()),
            ("TOLOWER", [text, name]) => (name, text.to_lowercase()),
            ("STRIP", [text, name]) => (name, text.trim().to_owned()),
            ("REPLACE", [from, to, name, texts @ ..]) if !from.is_empty() => {
                (name, texts.concat().replace(from, to))
            }
            ("APPEND", [name, texts @ ..]) => {
                (name, format!("{}{}", self.values.get(name).unwrap_or(""), texts.concat()))
            }
            ("CONCAT", [name, texts @ ..]) => (name, texts.concat()),
            _ => return,
        };
        self.values.set(name, value, false);
    }

    fn files(&mut self, what: &str, rest: &[String]) {
        let deep = what == "GLOB_RECURSE";
        let Some((name, patterns)) = rest.split_first().filter(|_| what == "GLOB" || deep) else {
            return;
        };
        let mut found = Vec::new();
        let mut patterns = patterns.iter();
        while let Some(pattern) = patterns.next() {
            match pattern.as_str() {
                "CONFIGURE_DEPENDS" | "FOLLOW_SYMLINKS" => {}
                "RELATIVE" | "LIST_DIRECTORIES" => {
                    patterns.next();
                }
                pattern => found.extend(files::glob(&self.here.join(pattern), deep)),
            }
        }
        self.values.set(name, found.join(";"), false);
    }

    fn system(&mut self, file: &str, rest: &[String]) {
        let mut flags = Vec::new();
        let mut part = "";
        for word in rest {
            match word.as_str() {
                "CPP_FLAGS" | "CPP_INCLUDES" | "DTS_FILE_PATH" | "DTB_FILE_PATH" => part = word,
                word if part == "CPP_FLAGS" => flags.push(word.to_owned()),
                folder if part == "CPP_INCLUDES" => {
                    flags.push(format!("-I{}", self.here.join(folder).display()))
                }
                _ => {}
            }
        }
        self.said.systems.push((self.here.join(file), flags));
    }

    /// An option of the project: a variable, and a line of its header.
    fn option(&mut self, name: &str, (define, boolean): (&str, bool), rest: &[String]) {
        let after = |keyword: &str| {
            rest.iter().position(|word| word == keyword).and_then(|at| rest.get(at + 1))
        };
        let default = after("DEFAULT").map_or("", String::as_str).to_owned();
        self.values.cache(name, default, false);
        let value = self.values.get(name).unwrap_or("").to_owned();
        let on = !["", "0", "OFF", "NO", "FALSE", "N"].contains(&value.to_uppercase().as_str());
        let line = match (boolean, on) {
            (true, true) => format!("#define CONFIG_{define} 1"),
            (true, false) => format!("/* disabled: CONFIG_{define} */"),
            _ if rest.iter().any(|word| word == "UNQUOTE") => {
                format!("#define CONFIG_{define} {value}")
            }
            _ => format!("#define CONFIG_{define} \"{value}\""),
        };
        let lines = format!("{}\n{line}", self.values.get("configure_string").unwrap_or(""));
        self.values.set("configure_string", lines, false);
    }

    /// `cmake_parse_arguments(prefix options singles lists
    /// words...)`, and its form for a function's own words.
    fn parse_arguments(&mut self, words: &[String]) {
        let own = values::list(self.values.get("ARGV").unwrap_or(""));
        let (head, given): (&[String], Vec<String>) = match words {
            [form, from, head @ ..] if form == "PARSE_ARGV" && head.len() >= 4 => {
                (head, own.into_iter().skip(from.parse().unwrap_or(0)).collect())
            }
            [_, _, _, _, given @ ..] => (&words[..4], given.to_vec()),
            _ => return,
        };
        let [prefix, flags, singles, lists] = [0, 1, 2, 3].map(|at| head[at].clone());
        let [flags, singles, lists] = [flags, singles, lists].map(|text| values::list(&text));
        for flag in &flags {
            self.values.set(&format!("{prefix}_{flag}"), "FALSE".into(), false);
        }
        for name in singles.iter().chain(&lists) {
            self.values.set(&format!("{prefix}_{name}"), String::new(), false);
        }
        let mut keyword: Option<String> = None;
        let mut rest: Vec<String> = Vec::new();
        for word in given {
            if flags.contains(&word) {
                self.values.set(&format!("{prefix}_{word}"), "TRUE".into(), false);
                keyword = None;
            } else if singles.contains(&word) || lists.contains(&word) {
                keyword = Some(word);
            } else if let Some(name) = &keyword {
                let variable = format!("{prefix}_{name}");
                let known = self.values.get(&variable).unwrap_or("").to_owned();
                let value = if known.is_empty() { word } else { format!("{known};{word}") };
                self.values.set(&variable, value, false);
                if singles.contains(name) {
                    keyword = None;
                }
            } else {
                rest.push(word);
            }
        }
        self.values.set(&format!("{prefix}_UNPARSED_ARGUMENTS"), rest.join(";"), false);
    }
}
