//! How long can each path of the kernel take, and how late can an interrupt be?

use std::collections::BTreeSet;
use std::fmt::Write;

use fusee_diagnostics::{Diagnostic, render};
use fusee_model::Policy;
use fusee_pipeline::kernel::watch::{Seen, observe};
use fusee_pipeline::kernel::{self, Paths, Refused};
use fusee_pipeline::run::Problem;
use fusee_pipeline::status::Status;
use fusee_pipeline::{costs, files, progress};
use fusee_platform::Platform;
use fusee_wcet::execute::Obstacle;
use fusee_wcet::kernel::EntryBound;
use serde_json::{Value, json};

use super::wcet::{obstacle_json, obstacle_text, stack};
use crate::args::{Observer, Wcet};
use crate::output::{Output, bad};
use crate::table::{Side, Table};
use crate::wcet::path::WorstPath;

/// By how much the platform's timer may be late, in nanoseconds.
const LATE: u64 = 100;

/// What was found out.
struct Found {
    /// In the system that was asked for, if one was.
    closed: Option<Paths>,
    open: Paths,
    seen: Option<Seen>,
    /// Names of the entries whose paths are wanted.
    shown: BTreeSet<String>,
}

/// Bounds the kernel's paths, and writes the cost table if one is wanted.
pub(crate) fn run(arguments: &Wcet, output: &mut Output) -> Status {
    if arguments.machine != "instructions" {
        return output.bad_input("the kernel's paths are bounded in instructions only");
    }
    if arguments.observe == Some(Observer::Board) {
        return output.bad_input(format!("the kernel is observed on `{}`", Platform::DEFAULT));
    }
    if arguments.costs.is_some() && is_closed(arguments) {
        let message = "a cost table is for every system of the platform, and these bounds are for \
                       one: leave it out";
        return output.bad_input(message);
    }
    match found(arguments) {
        Ok(found) => show(arguments, &found, output),
        Err(Refused { problem: Problem { diagnostics, status }, sources }) => {
            let messages = || render::json(&diagnostics, &sources);
            output.json(
                || json!({ "machine": "instructions", "entries": [], "diagnostics": messages() }),
            );
            output.diagnostics(&diagnostics, &sources);
            status
        }
    }
}

/// Whether a system was asked for.
fn is_closed(arguments: &Wcet) -> bool {
    !arguments.program.as_os_str().is_empty()
}

fn found(arguments: &Wcet) -> Result<Found, Refused> {
    let system = is_closed(arguments).then_some(&arguments.program);
    let (closed, open) = progress::during("building", || {
        let closed = system.map(|file| kernel::image_of(file, arguments.stubs)).transpose()?;
        Ok::<_, Refused>((closed, kernel::open_image()?))
    })?;
    let (closed, open) = progress::during("bounding the kernel", || {
        let closed = closed.map(|image| kernel::bound(&image)).transpose()?;
        Ok::<_, Refused>((closed, kernel::bound(&open)?))
    })?;
    let asked = closed.as_ref().unwrap_or(&open);
    let shown = shown(arguments, asked)?;
    let watch = || progress::during("watching the kernel", || observe(arguments.duration, asked));
    let seen = arguments.observe.map(|_| watch()).transpose()?;
    Ok(Found { closed, open, seen, shown })
}

/// The entries whose paths are wanted.
fn shown(arguments: &Wcet, paths: &Paths) -> Result<BTreeSet<String>, Refused> {
    let all = || paths.bounds.entries.iter().map(|entry| entry.name.clone());
    if let Some(unknown) = arguments.entries.iter().find(|&name| all().all(|entry| entry != *name))
    {
        let names = all().collect::<Vec<_>>().join("`, `");
        let message = format!("the kernel has no entry `{unknown}`");
        let diagnostic =
            Diagnostic::error(fusee_wcet::ENTRY, message).with_note(format!("it has `{names}`"));
        return Err(Problem { diagnostics: vec![diagnostic], status: Status::BadInput }.into());
    }
    let asked = arguments.entries.iter().cloned();
    Ok(if arguments.path && arguments.entries.is_empty() {
        all().collect()
    } else {
        asked.collect()
    })
}

impl Found {
    /// The system that was asked for; the open one where none was.
    fn asked(&self) -> &Paths {
        self.closed.as_ref().unwrap_or(&self.open)
    }

    fn longest(&self, index: usize) -> Option<u64> {
        self.seen.as_ref().and_then(|seen| *seen.longest.get(index)?)
    }

    fn holds(&self, index: usize, entry: &EntryBound) -> bool {
        entry
            .bound
            .time
            .is_some_and(|bound| self.longest(index).is_none_or(|longest| longest <= bound))
    }

    fn status(&self) -> Status {
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

    fn seconds(&self) -> f64 {
        self.systems().map(|paths| paths.seconds).sum()
    }

    /// The worst path of an entry, if it is wanted.
    fn path(&self, entry: &EntryBound) -> Option<WorstPath> {
        let wanted = self.shown.contains(&entry.name) && entry.bound.time.is_some();
        wanted.then(|| WorstPath::of(self.asked().code(), &entry.bound))
    }

    fn obstacles(&self) -> BTreeSet<&Obstacle> {
        let entries = self.systems().flat_map(|paths| &paths.bounds.entries);
        entries.flat_map(|entry| &entry.bound.obstacles).collect()
    }
}

fn show(arguments: &Wcet, found: &Found, output: &mut Output) -> Status {
    if let Some(path) = &arguments.costs {
        if let Err(sentence) = write_costs(path, found) {
            return output.failed(sentence);
        }
        output.wrote(path);
    }
    let unused = found.open.unused();
    output.json(|| document(found, render::json(&unused, &found.open.sources)));
    output.diagnostics(&unused, &found.open.sources);
    output.text(table(found));
    output.text(summary(found));
    for entry in &found.asked().bounds.entries {
        if let Some(path) = found.path(entry) {
            output.text(format!(
                "\n{}:\n{}",
                entry.name,
                path.text(found.asked().code(), &entry.bound)
            ));
        }
    }
    found.status()
}

fn write_costs(path: &std::path::Path, found: &Found) -> Result<(), String> {
    let measured =
        costs::named(Some(Platform::DEFAULT)).map_err(|diagnostic| diagnostic.message.clone())?;
    let table = found
        .open
        .costs(measured.of(Policy::FixedPriority).clone(), LATE)
        .ok_or("the kernel's timer has no bound")?;
    let text = table.to_toml().map_err(|error| error.to_string())?;
    let head = "# What has the origin `proved` bounds every path of the kernel's binary; the rest \
                was measured.\n";
    files::write(path, format!("{head}{text}").as_bytes())
        .map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}

fn document(found: &Found, diagnostics: Value) -> Value {
    let entry = |(index, entry): (usize, &EntryBound)| {
        let mut value = json!({
            "name": entry.name,
            "bound": entry.bound.time,
            "observed": found.longest(index),
            "facts": found.asked().facts.about(&entry.bound.facts_used).collect::<Vec<_>>(),
            "stack_bytes": stack(&entry.bound),
            "assumptions": entry.bound.assumptions,
        });
        if let Some(path) = found.path(entry) {
            value["path"] = path.json(found.asked().code(), &entry.bound);
        }
        if !entry.bound.obstacles.is_empty() {
            value["obstacles"] = entry.bound.obstacles.iter().map(obstacle_json).collect();
        }
        value
    };
    let entries: Vec<Value> = found.asked().bounds.entries.iter().enumerate().map(entry).collect();
    let mut document = json!({
        "machine": "instructions",
        "unit": "instructions",
        "entries": entries,
        "interrupt_response": {
            "closed": found.closed.as_ref().and_then(Paths::response),
            "open": found.open.response(),
        },
        "seconds": found.seconds(),
        "stubs": found.asked().stubs,
    });
    let obstacles = found.obstacles();
    if !obstacles.is_empty() {
        document["obstacles"] = obstacles.into_iter().map(obstacle_json).collect();
    }
    if let Some(seen) = &found.seen {
        document["paths"] = json!({ "observed": seen.paths, "unexplained": seen.unexplained });
    }
    document["diagnostics"] = diagnostics;
    document
}

fn table(found: &Found) -> Table {
    let right = |name| (name, Side::Right);
    let columns = [
        ("entry", Side::Left),
        right("bound"),
        right("observed"),
        right("ratio"),
        right("stack"),
        ("facts", Side::Left),
    ];
    let mut table = Table::new(&columns);
    for (index, entry) in found.asked().bounds.entries.iter().enumerate() {
        let number =
            |number: Option<u64>| number.map_or("-".to_owned(), |number| number.to_string());
        let ratio = entry.bound.time.zip(found.longest(index)).map(|(bound, longest)| {
            let hundredths = (u128::from(bound) * 100).checked_div(longest.into()).unwrap_or(0);
            format!("{}.{:02}", hundredths / 100, hundredths % 100)
        });
        let facts: Vec<&str> = found.asked().facts.about(&entry.bound.facts_used).collect();
        table.row([
            entry.name.clone(),
            number(entry.bound.time),
            number(found.longest(index)),
            ratio.unwrap_or("-".to_owned()),
            number(stack(&entry.bound)),
            facts.join(", "),
        ]);
    }
    table
}

fn summary(found: &Found) -> String {
    let mut text = String::new();
    let systems = found.closed.iter().map(|paths| ("closed", paths)).chain([("open", &found.open)]);
    for (name, paths) in systems {
        let _ = match paths.response() {
            Some(time) => {
                writeln!(text, "interrupt response, {name} system: at most {time} instructions")
            }
            None => writeln!(text, "interrupt response, {name} system: {}", bad("no bound")),
        };
    }
    if !found.asked().stubs.is_empty() {
        let _ = writeln!(
            text,
            "stubs, with the calls of the description and no code: {}",
            found.asked().stubs.join(", ")
        );
    }
    let _ = writeln!(text, "the analysis took {:.1} s", found.seconds());
    if let Some(seen) = &found.seen {
        let _ = writeln!(
            text,
            "{} paths observed, {} that no entry explains",
            seen.paths, seen.unexplained
        );
    }
    found.obstacles().into_iter().for_each(|obstacle| text += &obstacle_text(obstacle, ""));
    text
}
