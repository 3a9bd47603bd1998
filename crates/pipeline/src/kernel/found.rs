//! The kernel's bounds in the systems that are asked for.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fusee_diagnostics::{Diagnostic, render};
use fusee_model::Duration;
use fusee_platform::Platform;
use fusee_wcet::execute::Obstacle;
use fusee_wcet_kernel::EntryBound;
use serde_json::{Value, json};

use super::watch::{Seen, observe};
use super::{Paths, Refused, bound, image_of, open_image};
use crate::problem::Problem;
use crate::program::entry::{obstacle_json, stack};
use crate::program::worst_path::WorstPath;
use crate::status::Status;
use crate::{costs, files, progress};

/// By how much the platform's timer may be late, in nanoseconds.
const LATE: u64 = 100;

/// What is asked for.
pub struct Asked {
    /// The closed system, an image or a description, if there is one.
    pub system: Option<PathBuf>,
    /// Whether its components without sources are built from their description.
    pub stubs: bool,
    /// Entries whose paths are wanted.
    pub entries: Vec<String>,
    /// Whether paths of all entries are wanted where none is named.
    pub path: bool,
    /// For how long the machine is watched, if it is.
    pub observe: Option<Duration>,
}

/// What was found out.
pub struct Found {
    /// In the system that was asked for, if one was.
    pub closed: Option<Paths>,
    /// In the open one.
    pub open: Paths,
    /// What the machine showed.
    pub seen: Option<Seen>,
    /// Names of the entries whose paths are wanted.
    shown: BTreeSet<String>,
}

/// Builds what is asked for, bounds the kernel in it, and watches it run.
///
/// # Errors
/// What can't be built, bounded or run.
pub fn find(asked: &Asked) -> Result<Found, Refused> {
    let (closed, open) = progress::during("building", || {
        let closed = asked.system.as_ref().map(|file| image_of(file, asked.stubs)).transpose()?;
        Ok::<_, Refused>((closed, open_image()?))
    })?;
    let (closed, open) = progress::during("bounding the kernel", || {
        let closed = closed.map(|image| bound(&image)).transpose()?;
        Ok::<_, Refused>((closed, bound(&open)?))
    })?;
    let paths = closed.as_ref().unwrap_or(&open);
    let shown = shown(asked, paths)?;
    let watch = |duration| progress::during("watching the kernel", || observe(duration, paths));
    let seen = asked.observe.map(watch).transpose()?;
    Ok(Found { closed, open, seen, shown })
}

/// The entries whose paths are wanted.
fn shown(asked: &Asked, paths: &Paths) -> Result<BTreeSet<String>, Refused> {
    let all = || paths.bounds.entries.iter().map(|entry| entry.name.clone());
    if let Some(unknown) = asked.entries.iter().find(|&name| all().all(|entry| entry != *name)) {
        let names = all().collect::<Vec<_>>().join("`, `");
        let message = format!("the kernel has no entry `{unknown}`");
        let diagnostic =
            Diagnostic::error(fusee_wcet::ENTRY, message).with_note(format!("it has `{names}`"));
        return Err(Problem { diagnostics: vec![diagnostic], status: Status::BadInput }.into());
    }
    let named = asked.entries.iter().cloned();
    Ok(if asked.path && asked.entries.is_empty() { all().collect() } else { named.collect() })
}

impl Found {
    /// The system that was asked for; the open one where none was.
    pub fn asked(&self) -> &Paths {
        self.closed.as_ref().unwrap_or(&self.open)
    }

    /// The longest path that was seen of an entry, by its place.
    pub fn longest(&self, index: usize) -> Option<u64> {
        self.seen.as_ref().and_then(|seen| *seen.longest.get(index)?)
    }

    /// How many hundredths of the longest path that was seen an entry's bound is.
    pub fn ratio(&self, index: usize) -> Option<u128> {
        let bound = self.asked().bounds.entries[index].bound.time?;
        (u128::from(bound) * 100).checked_div(self.longest(index)?.into())
    }

    /// Whether the entry has a bound, and nothing longer was seen.
    fn holds(&self, index: usize, entry: &EntryBound) -> bool {
        entry
            .bound
            .time
            .is_some_and(|bound| self.longest(index).is_none_or(|longest| longest <= bound))
    }

    /// How the command ends.
    pub fn status(&self) -> Status {
        let explained = self.seen.as_ref().is_none_or(|seen| seen.unexplained == 0);
        let held = self
            .asked()
            .bounds
            .entries
            .iter()
            .enumerate()
            .all(|(index, entry)| self.holds(index, entry));
        let all = held && explained && self.open.response().is_some();
        if all { Status::Fine } else { Status::Missed }
    }

    fn systems(&self) -> impl Iterator<Item = &Paths> {
        self.closed.iter().chain([&self.open])
    }

    /// How long the analysis took.
    pub fn seconds(&self) -> f64 {
        self.systems().map(|paths| paths.seconds).sum()
    }

    /// The worst path of an entry, if it is wanted.
    pub fn path(&self, entry: &EntryBound) -> Option<WorstPath> {
        let wanted = self.shown.contains(&entry.name) && entry.bound.time.is_some();
        wanted.then(|| WorstPath::of(self.asked().code(), &entry.bound))
    }

    /// What stands in the way of any bound.
    pub fn obstacles(&self) -> BTreeSet<&Obstacle> {
        let entries = self.systems().flat_map(|paths| &paths.bounds.entries);
        entries.flat_map(|entry| &entry.bound.obstacles).collect()
    }

    /// Writes the cost table in which what is proved is.
    ///
    /// # Errors
    /// There is no table, or the file can't be written, in a sentence.
    pub fn write_costs(&self, path: &Path) -> Result<(), String> {
        let measured = costs::named(Some(Platform::DEFAULT))
            .map_err(|diagnostic| diagnostic.message.clone())?;
        let table = self
            .open
            .costs(measured.of_priorities().clone(), LATE)
            .ok_or("the kernel's timer has no bound")?;
        let text = table.to_toml().map_err(|error| error.to_string())?;
        let head = "# What has the origin `proved` bounds every path of the kernel's binary; the \
                    rest was measured.\n";
        files::write(path, format!("{head}{text}").as_bytes())
            .map_err(|error| format!("cannot write `{}`: {error}", path.display()))
    }

    /// The result for programs, with what there is to say.
    pub fn json(&self, diagnostics: &[Diagnostic]) -> Value {
        let entries = self.asked().bounds.entries.iter().enumerate();
        let entries: Vec<_> = entries.map(|(index, entry)| self.entry_json(index, entry)).collect();
        let mut document = json!({
            "machine": "instructions",
            "unit": "instructions",
            "entries": entries,
            "interrupt_response": {
                "closed": self.closed.as_ref().and_then(Paths::response),
                "open": self.open.response(),
            },
            "seconds": self.seconds(),
            "stubs": self.asked().stubs,
        });
        let obstacles = self.obstacles();
        if !obstacles.is_empty() {
            document["obstacles"] = obstacles.into_iter().map(obstacle_json).collect();
        }
        if let Some(seen) = &self.seen {
            document["paths"] = json!({ "observed": seen.paths, "unexplained": seen.unexplained });
        }
        document["diagnostics"] = render::json(diagnostics, &self.open.sources);
        document
    }

    fn entry_json(&self, index: usize, entry: &EntryBound) -> Value {
        let mut value = json!({
            "name": entry.name,
            "bound": entry.bound.time,
            "observed": self.longest(index),
            "facts": self.asked().facts.about(&entry.bound.grounds.facts_used).collect::<Vec<_>>(),
            "stack_bytes": stack(&entry.bound),
            "assumptions": entry.bound.grounds.assumptions,
        });
        if let Some(path) = self.path(entry) {
            value["path"] = path.json(self.asked().code(), &entry.bound);
        }
        if !entry.bound.obstacles.is_empty() {
            value["obstacles"] = entry.bound.obstacles.iter().map(obstacle_json).collect();
        }
        value
    }
}
