//! The kernel's bounds in the systems that are asked for.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fusee_diagnostics::{Diagnostic, render};
use fusee_model::Duration;
use fusee_model::costs::CostTable;
use fusee_platform::Platform;
use fusee_wcet::execute::{Bound, Obstacle, Used};
use serde_json::{Value, json};

use super::clock::Clock;
use super::watch::{Seen, observe};
use super::{Paths, Refused, Scope, bound, image_of, open_image, priced};
use crate::options::Source;
use crate::problem::Problem;
use crate::program::entry::stack;
use crate::program::obstacles::obstacle_json;
use crate::program::worst_path::WorstPath;
use crate::status::Status;
use crate::{costs, files, progress};

/// The lines above a table of every system.
const OF_ALL: &str = "# What has the origin `proved` bounds every path of the kernel's binary; the \
                      rest was measured.\n";
/// The lines above a table of one image.
const OF_IMAGE: &str = "# Bounds of the kernel in one image. What components execute is in none of \
                        them: `--programs` has it.\n";

fn unbounded(entry: String) -> String {
    format!("the kernel's entry `{entry}` has no bound, so there is no cost table")
}

/// The request of the command.
pub struct Asked {
    /// The unit of the kernel's time.
    pub clock: Clock,
    /// The closed system, an image or a description, if there is one.
    pub system: Option<Source>,
    /// `true` if its components without sources are built from their description.
    pub stubs: bool,
    /// `true` if a cost table is wanted.
    pub priced: bool,
    /// Entries whose paths are wanted.
    pub entries: Vec<String>,
    /// `true` if paths of all entries are wanted where none is named.
    pub path: bool,
    /// The time for which the machine is watched, if it is.
    pub observe: Option<Duration>,
    /// The function in which alone time counts; none: it counts everywhere.
    pub within: Option<String>,
}

/// The bounds that were found.
pub struct Found {
    /// The unit of their time.
    pub clock: Clock,
    /// In the system that was asked for; in the open one where none was.
    system: Paths,
    /// `true` if a system was asked for.
    is_closed: bool,
    /// In the open one beside a closed one, where that takes little time and holds for the closed
    /// one too: a system that runs another kernel, or is larger, has no open one.
    beside: Option<Paths>,
    /// The reason for which nothing of the open system holds for the system that was asked for, if
    /// there is one.
    beyond_open: Option<&'static str>,
    /// The paths that the machine showed.
    pub seen: Option<Seen>,
    /// Names of the entries whose paths are wanted.
    shown: BTreeSet<String>,
    /// The function in which alone time counts.
    pub within: Option<String>,
}

/// Builds what is asked for, bounds the kernel in it, and watches it run.
///
/// # Errors
/// What can't be built, bounded or run.
pub fn find(asked: &Asked) -> Result<Found, Refused> {
    let (clock, platform) = (asked.clock, asked.clock.platform());
    let is_closed = asked.system.is_some();
    let (image, beside) = progress::during("building", || {
        let image = match &asked.system {
            Some(file) => {
                let image = image_of(file, asked.stubs, platform)?;
                asked.priced.then(|| priced(&image)).transpose()?;
                image
            }
            None => open_image(platform)?,
        };
        let beside = is_closed && clock == Clock::Instructions && asked.within.is_none();
        let beside = beside.then(|| Beside::of(&image, platform)).transpose()?;
        Ok::<_, Refused>((image, beside))
    })?;
    let (beside, beyond_open) = match beside {
        None => (None, None),
        Some(Beside::Holds(open)) => (Some(open), None),
        Some(Beside::LeavesOut(why)) => (None, Some(why)),
    };
    let (system, beside) = progress::during("bounding the kernel", || {
        let within = asked.within.as_deref();
        let beside = beside.map(|image| bound(&image, clock, None)).transpose()?;
        Ok::<_, Refused>((bound(&image, clock, within)?, beside))
    })?;
    let paths = &system;
    let shown = shown(asked, paths)?;
    let watch =
        |duration| progress::during("watching the kernel", || observe(duration, paths, clock));
    let seen = asked.observe.map(watch).transpose()?;
    let within = asked.within.clone();
    Ok(Found { clock, system, is_closed, beside, beyond_open, seen, shown, within })
}

/// The open system beside a closed one.
enum Beside {
    /// Its bounds hold for the closed one: the image.
    Holds(PathBuf),
    /// They do not, for this reason.
    LeavesOut(&'static str),
}

impl Beside {
    /// Returns the open system of an image, or why it does not include that.
    fn of(image: &Path, platform: Platform) -> Result<Self, Refused> {
        let open = open_image(platform)?;
        let scope = |image: &Path| Scope::of(image, platform);
        Ok(match scope(&open)?.leaves_out(&scope(image)?) {
            Some(why) => Self::LeavesOut(why),
            None => Self::Holds(open),
        })
    }
}

/// Returns the entries whose paths are wanted.
fn shown(asked: &Asked, paths: &Paths) -> Result<BTreeSet<String>, Refused> {
    let all = || paths.rows().map(|(name, _)| name);
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
    /// Returns the system that was asked for; the open one where none was.
    pub fn asked(&self) -> &Paths {
        &self.system
    }

    /// Returns the system that was asked for, if one was.
    pub fn closed(&self) -> Option<&Paths> {
        Some(&self.system).filter(|_| self.is_closed)
    }

    /// Returns the open system, if it was bounded.
    pub fn open(&self) -> Option<&Paths> {
        if self.is_closed { self.beside.as_ref() } else { Some(&self.system) }
    }

    /// Returns the reason for which nothing of the open system holds for the system that was asked
    /// for, in half a sentence; `None`: it holds, or no system was asked for.
    pub fn beyond_open(&self) -> Option<&'static str> {
        self.beyond_open
    }

    /// Returns the paths whose facts tell if something rests on them: those of the system with
    /// most.
    pub fn largest(&self) -> &Paths {
        self.open().unwrap_or(&self.system)
    }

    /// Returns the longest path that was seen of an entry, by its place.
    pub fn longest(&self, index: usize) -> Option<u64> {
        self.seen.as_ref().and_then(|seen| *seen.longest.get(index)?)
    }

    /// Returns an entry's bound in hundredths of the longest path that was seen.
    pub fn ratio(&self, index: usize) -> Option<u128> {
        let bound = self.asked().rows().nth(index)?.1.time?;
        (u128::from(bound) * 100).checked_div(self.longest(index)?.into())
    }

    /// Returns `true` if the entry has a bound, and nothing longer was seen.
    fn holds(&self, index: usize, bound: &Bound) -> bool {
        bound.time.is_some_and(|bound| self.longest(index).is_none_or(|longest| longest <= bound))
    }

    /// Returns the status with which the command ends.
    pub fn status(&self) -> Status {
        let explained = self.seen.as_ref().is_none_or(|seen| seen.unexplained == 0);
        let mut rows = self.asked().rows().enumerate();
        let held = rows.all(|(index, (_, bound))| self.holds(index, bound));
        let all = held && explained && self.systems().all(|paths| paths.response().is_some());
        if all { Status::Fine } else { Status::Missed }
    }

    fn systems(&self) -> impl Iterator<Item = &Paths> {
        [&self.system].into_iter().chain(&self.beside)
    }

    /// Returns the time of the analysis in seconds.
    pub fn seconds(&self) -> f64 {
        self.systems().map(|paths| paths.seconds).sum()
    }

    /// Returns the worst path of an entry, if it is wanted.
    pub fn path(&self, entry: &str, bound: &Bound) -> Option<WorstPath> {
        let wanted = self.shown.contains(entry) && bound.time.is_some();
        wanted.then(|| WorstPath::of(self.asked().code(), bound))
    }

    /// Returns the obstacles to any bound: unknown facts, and facts that cannot be true.
    pub fn obstacles(&self) -> BTreeSet<Obstacle> {
        let entries = self.systems().flat_map(|paths| &paths.bounds.entries);
        entries.flat_map(|entry| obstacles(&entry.bound)).collect()
    }

    /// Writes the cost table: of the image that was asked for, or of every system, and then what
    /// components take part in was measured.
    ///
    /// # Errors
    /// There is no table, or the file can't be written, in a sentence.
    pub fn write_costs(&self, path: &Path) -> Result<(), String> {
        let (head, table) = match self.closed() {
            Some(image) => (OF_IMAGE, image.costs_of_image(self.clock.late()).map_err(unbounded)?),
            None => (OF_ALL, self.costs_of_all()?),
        };
        let text = table.to_toml().map_err(|error| error.to_string())?;
        files::write(path, format!("{head}{text}").as_bytes())
            .map_err(|error| format!("cannot write `{}`: {error}", path.display()))
    }

    fn costs_of_all(&self) -> Result<CostTable, String> {
        let measured = costs::named(Some(self.clock.platform()))
            .map_err(|diagnostic| diagnostic.message.clone())?;
        let open = self.open().ok_or("the open system was not bounded")?;
        open.costs(measured.of_priorities().clone(), self.clock.late())
            .ok_or_else(|| unbounded("timer".to_owned()))
    }

    /// Returns the result for programs, with what there is to say.
    pub fn json(&self, diagnostics: &[Diagnostic]) -> Value {
        let entries = self.asked().rows().enumerate();
        let entries: Vec<_> = entries.map(|(index, entry)| self.entry_json(index, entry)).collect();
        let response = |paths: &Paths| paths.response().filter(|_| self.within.is_none());
        let mut document = json!({
            "machine": self.clock.machine(),
            "unit": self.clock.unit(),
            "entries": entries,
            "interrupt_response": {
                "closed": self.closed().and_then(response),
                "open": self.open().and_then(response),
                "no_open": self.beyond_open,
            },
            "within": self.within,
            "stubs": self.asked().stubs,
        });
        let obstacles = self.obstacles();
        if !obstacles.is_empty() {
            document["obstacles"] = obstacles.iter().map(obstacle_json).collect();
        }
        if let Some(seen) = &self.seen {
            document["paths"] = json!({
                "observed": seen.paths,
                "unexplained": seen.unexplained,
                "refused": seen.refused,
            });
        }
        document["diagnostics"] = render::json(diagnostics, &self.largest().sources);
        document
    }

    fn entry_json(&self, index: usize, (name, bound): (String, &Bound)) -> Value {
        let mut value = json!({
            "name": name,
            "bound": bound.time,
            "observed": self.longest(index),
            "facts": self.asked().facts.about(&bound.grounds.facts_used).collect::<Vec<_>>(),
            "stack_bytes": stack(bound),
            "assumptions": bound.grounds.assumptions,
        });
        if let Some(path) = self.path(&name, bound) {
            value["path"] = path.json(self.asked().code(), bound);
        }
        let obstacles = obstacles(bound);
        if !obstacles.is_empty() {
            value["obstacles"] = obstacles.iter().map(obstacle_json).collect();
        }
        value
    }
}

/// Returns the obstacles to one bound.
fn obstacles(bound: &Bound) -> Vec<Obstacle> {
    // Of a kernel only loops and computed jumps are facts.
    let place = |used: &Used| match *used {
        Used::Loop(at) | Used::Targets(at) => at,
        _ => 0,
    };
    let contradicted = bound.grounds.contradictions.iter().map(|(used, why)| Obstacle {
        address: place(used),
        symbol: "a fact that cannot be true".to_owned(),
        what: why.clone(),
        fact: String::new(),
    });
    bound.obstacles.iter().cloned().chain(contradicted).collect()
}
