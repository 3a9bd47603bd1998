//! The check that an image is made from the present files.
//!
//! A build writes beside its image what everything in it was made from: the description's
//! files, how each component is compiled, all files that compilers have read, the tools and
//! their versions. The image knows that record by its hash. A time that is taken from a
//! program, and a run of an image, are about the sources that they were made from: where
//! these have changed since, they are refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use fusee_diagnostics::Diagnostic;
use fusee_glue::{Given, absolute, digest, relative};
use fusee_model::System;
use fusee_platform::Platform;
use serde_json::{Value, json};

use crate::costs::Costs;
use crate::load::{Loaded, load};
use crate::options::{Assign, Source};
use crate::{provenance, rules};

/// The record's name beside the image.
pub const RECORD: &str = "inputs.json";

/// So many differences are named.
const NAMED: usize = 12;

/// The data that an image is made from.
pub struct Record {
    /// The data by which it is known: the same on every machine.
    made_from: Value,
    /// The absolute path of the description, and the way in which it was read.
    source: Source,
    templates: Option<PathBuf>,
}

/// The options by which something is built.
pub(crate) struct How<'a> {
    /// The description's file.
    pub(crate) description: &'a Path,
    /// The C compiler.
    pub(crate) compiler: String,
    /// A folder of templates.
    pub(crate) templates: Option<&'a Path>,
}

impl Record {
    /// Returns the record of a build; `stubs` are components that are made from the description.
    pub(crate) fn of(
        loaded: &Loaded,
        how: How<'_>,
        built: fusee_glue::Record,
        stubs: &[String],
    ) -> Self {
        let description = absolute(how.description);
        let folder = description.parent().unwrap_or(Path::new("")).to_owned();
        let texts = loaded.sources.files().filter(|(_, file)| file.path.is_file());
        let texts = texts
            .map(|(_, file)| (seen(&absolute(&file.path), &folder), digest(file.text.as_bytes())));
        let made_from = json!({
            "fusee": provenance::version(),
            "description": texts.collect::<BTreeMap<_, _>>(),
            "components": built.components,
            "files": built.files,
            "tools": built.tools,
            "compiler": how.compiler,
            "stubs": stubs,
        });
        let define = |(name, value): &(String, Option<String>)| match value {
            Some(value) => format!("{name}={value}"),
            None => name.clone(),
        };
        let source = Source {
            defines: loaded.given.defines.iter().map(define).collect(),
            include_paths: loaded.given.includes.iter().map(|path| absolute(path)).collect(),
            assign: loaded.assign,
            ..Source::of(description)
        };
        let templates = how.templates.map(absolute);
        Self { made_from, source, templates }
    }

    /// Returns the digest by which it is known.
    pub(crate) fn digest(&self) -> String {
        digest(self.made_from.to_string().as_bytes())
    }

    /// Returns the record as it lies in a build's folder.
    pub(crate) fn bytes(&self, folder: &Path) -> Vec<u8> {
        let folder = absolute(folder);
        let of = |path: &Path| seen(path, &folder);
        let document = json!({
            "schema": provenance::SCHEMA,
            "description": of(&self.source.system),
            "defines": self.source.defines,
            "include_paths":
                self.source.include_paths.iter().map(|path| of(path)).collect::<Vec<_>>(),
            "assign": self.source.assign.map(Assign::name),
            "templates": self.templates.as_deref().map(of),
            "made_from": self.made_from,
        });
        format!("{document:#}\n").into_bytes()
    }

    /// Reads the record beside an image.
    fn read(folder: &Path) -> Option<Self> {
        let document: Value = serde_json::from_slice(&fs::read(folder.join(RECORD)).ok()?).ok()?;
        let folder = absolute(folder);
        let path = |value: &Value| Some(folder.join(value.as_str()?));
        let texts = |key: &str| document[key].as_array().into_iter().flatten();
        let source = Source {
            defines: texts("defines").filter_map(Value::as_str).map(str::to_owned).collect(),
            include_paths: texts("include_paths").filter_map(path).collect(),
            assign: document["assign"].as_str().and_then(Assign::named),
            ..Source::of(path(&document["description"])?)
        };
        let templates = path(&document["templates"]);
        Some(Self { made_from: document["made_from"].clone(), source, templates })
    }
}

/// Returns an absolute path seen from a folder.
fn seen(path: &Path, folder: &Path) -> String {
    relative(path, folder).display().to_string()
}

/// The image that a record is compared with.
pub(crate) struct Image<'a> {
    /// The path of the image.
    pub(crate) path: &'a Path,
    /// The bytes of the image.
    pub(crate) bytes: &'a [u8],
    /// The machine that it is for.
    pub(crate) platform: Platform,
}

/// The relation of an image to the present files.
pub(crate) struct Told {
    /// The message that it is made from something else.
    pub(crate) wrong: Option<Diagnostic>,
    /// The message that the relation is not known.
    pub(crate) unknown: Option<Diagnostic>,
    /// The description that it was made from, as it is now.
    pub(crate) loaded: Option<Loaded>,
}

impl Image<'_> {
    /// Compares an image with the present files; with a description that the user names, and the
    /// options beside it, else with its own.
    pub(crate) fn against(&self, named: Option<(&System, &Given)>) -> Told {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let known_by = fusee_image::Programs::record(self.bytes).ok().flatten();
        let record = Record::read(folder);
        let (Some(known_by), Some(record)) = (known_by, record) else {
            return Told::nothing(self.unknown("there is no record of it beside the image"));
        };
        if record.digest() != known_by {
            return Told::wrong(self.stale(vec![format!("`{RECORD}` is of another build")], None));
        }
        let description = &record.source.system;
        if !description.parent().is_some_and(Path::is_dir) {
            return Told::nothing(self.unknown("the folder of its description is not there"));
        }
        let loaded = load(&record.source, &Costs::nothing());
        let own = loaded.system.as_ref().map(|(system, _)| (system, &loaded.given));
        let mut found = record.versions();
        found.extend(record.texts());
        found.extend(record.files());
        match named.or(own) {
            Some(now) => found.extend(record.components(now, self.platform)),
            None => found.push("its description can't be read any more".to_owned()),
        }
        let wrong = (!found.is_empty()).then(|| self.stale(found, Some(&record)));
        Told { wrong, unknown: None, loaded: Some(loaded) }
    }

    fn unknown(&self, why: &str) -> Diagnostic {
        let path = self.path.display();
        let message = format!("nobody knows whether `{path}` is made from what is there now");
        Diagnostic::note(rules::SOURCES_UNKNOWN, message).with_note(why)
    }

    fn stale(&self, mut found: Vec<String>, record: Option<&Record>) -> Diagnostic {
        let message =
            format!("`{}` is made from something else than what is there now", self.path.display());
        let more = found.len().saturating_sub(NAMED);
        found.truncate(NAMED);
        found.extend((more > 0).then(|| format!("and {more} more")));
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let description = match record {
            Some(record) => provenance::shown(&record.source.system),
            None => "SYSTEM".to_owned(),
        };
        let again = format!(
            "build it again: `fusee build {description} --platform {} -o {}`",
            self.platform,
            provenance::shown(folder)
        );
        let error = Diagnostic::error(rules::STALE, message);
        found.into_iter().fold(error, Diagnostic::with_note).with_note(again)
    }
}

impl Told {
    fn nothing(unknown: Diagnostic) -> Self {
        Self { wrong: None, unknown: Some(unknown), loaded: None }
    }

    fn wrong(wrong: Diagnostic) -> Self {
        Self { wrong: Some(wrong), unknown: None, loaded: None }
    }
}

impl Record {
    fn part(&self, key: &str) -> impl Iterator<Item = (&String, &Value)> {
        self.made_from[key].as_object().into_iter().flatten()
    }

    /// Returns the parts of Fusee and of the tools that have another version.
    fn versions(&self) -> Vec<String> {
        let mut found = Vec::new();
        let (then, now) = (&self.made_from["fusee"], provenance::version());
        if then != now {
            found.push(format!("Fusee was {then}, and is {now}"));
        }
        let rust = self.made_from["tools"].get("Rust compiler").is_some();
        let compiler = self.made_from["compiler"].as_str().unwrap_or(fusee_glue::COMPILER);
        // What the library is compiled for is the same for all machines of a build.
        let platform = Platform::DEFAULT;
        let tools = fusee_glue::tools(platform, compiler, rust);
        for (name, then) in self.part("tools").filter(|(name, _)| *name != "C library") {
            let then = then.as_str().unwrap_or_default();
            // Who has no compiler can still read what was built.
            if let Some(now) = tools.get(name).filter(|now| *now != then) {
                found.push(format!("the {name} was `{then}`, and is `{now}`"));
            }
        }
        found
    }

    /// Returns the differences in the description's files about components that are made from them.
    fn texts(&self) -> Vec<String> {
        let stubs = self.made_from["stubs"].as_array().is_some_and(|stubs| !stubs.is_empty());
        if !stubs {
            return Vec::new();
        }
        self.changed("description")
            .map(|change| format!("{change}, and stubs are made from it"))
            .collect()
    }

    /// Returns the files that compilers have read and that have changed.
    fn files(&self) -> Vec<String> {
        self.changed("files").collect()
    }

    fn changed(&self, key: &str) -> impl Iterator<Item = String> {
        let folder = self.source.system.parent().unwrap_or(Path::new("")).to_owned();
        self.part(key).filter_map(move |(path, then)| {
            let then = then.as_str().unwrap_or_default();
            match fs::read(folder.join(path)) {
                Ok(bytes) if digest(&bytes) == then => None,
                Ok(_) => Some(format!("`{path}` has changed")),
                Err(_) => Some(format!("`{path}` is gone")),
            }
        })
    }

    /// Returns the components that would be compiled differently now.
    fn components(&self, (system, given): (&System, &Given), platform: Platform) -> Vec<String> {
        let request = fusee_glue::Request {
            system,
            folder: self.source.system.parent().unwrap_or(Path::new("")),
            given,
            platform,
            out: Path::new(""),
            origins: &|_| None,
            compiler: None,
            templates: self.templates.as_deref(),
            stubs: false,
        };
        let Ok(now) = fusee_glue::plan(&request) else {
            return vec!["its templates can't be used any more".to_owned()];
        };
        let mut found = Vec::new();
        for (name, then) in self.part("components") {
            match now.get(name) {
                None => found.push(format!("there is no component `{name}` any more")),
                Some(lines) if json!(lines) != *then => {
                    found.extend(differences(name, then, lines))
                }
                Some(_) => {}
            }
        }
        let known = |name: &&String| self.made_from["components"].get(name.as_str()).is_none();
        let added = now.keys().filter(known);
        found.extend(added.map(|name| format!("there is a component `{name}` now")));
        found
    }
}

/// Returns the differences in a component's compilation.
fn differences(name: &str, then: &Value, now: &[String]) -> Vec<String> {
    let then: Vec<&str> = then.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let what = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    let of = |lines: &mut dyn Iterator<Item = &str>| -> Vec<String> { lines.map(what).collect() };
    let (before, after) = (of(&mut then.iter().copied()), of(&mut now.iter().map(String::as_str)));
    let gone = before.iter().filter(|file| !after.contains(file));
    let new = after.iter().filter(|file| !before.contains(file));
    let mut found: Vec<String> = gone
        .map(|file| format!("`{file}` is no source of `{name}` any more"))
        .chain(new.map(|file| format!("`{file}` is a source of `{name}` now")))
        .collect();
    if found.is_empty() {
        let changed = now.iter().find(|line| !then.contains(&line.as_str()));
        let file = changed.map(|line| what(line)).unwrap_or_default();
        found.push(match file.as_str() {
            "camkes.h" => format!("the interfaces of `{name}` are others"),
            "" => format!("the sources of `{name}` are compiled in another order"),
            file => format!("`{file}` of `{name}` is compiled with other options"),
        });
    }
    found
}
