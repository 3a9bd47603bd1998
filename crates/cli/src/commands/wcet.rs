//! How long can a function of a program take, and why?

use std::fmt::Write;
use std::sync::Arc;

use fusee_diagnostics::{Diagnostic, Severity, SourceMap, render};
use fusee_pipeline::files;
use fusee_pipeline::program::observe::{Observed, observe};
use fusee_pipeline::program::what_if::{Answer, answers};
use fusee_pipeline::program::{Task, bounds, load};
use fusee_pipeline::status::Status;
use fusee_wcet::execute::{Bound, Obstacle, Watch};
use fusee_wcet::names::readable_text;
use serde_json::{Value, json};

use crate::args::{Observer, Wcet};
use crate::output::{Output, bad};
use crate::progress::{Seen, watching};
use crate::wcet::page::{Part, page};
use crate::wcet::path::{WorstPath, place_json, source_at};
use crate::wcet::what_if;

/// The status of a command that an interrupt has ended.
const INTERRUPTED: i32 = 130;

/// Prints a bound for each entry, or what stands in its way.
pub(crate) fn run(arguments: &Wcet, output: &mut Output) -> Status {
    if arguments.kernel {
        return super::wcet_kernel::run(arguments, output);
    }
    if let Some(Observer::Machine(machine)) = arguments.observe {
        return output.bad_input(format!("`{machine}` observes the kernel only: add `--kernel`"));
    }
    let mut sources = SourceMap::default();
    let task = match load(&arguments.asked(), &mut sources) {
        Ok(task) => task,
        Err(diagnostics) => return not_bounded(&arguments.machine, &diagnostics, &sources, output),
    };
    end_on_interrupt(&task.watch);
    let watch = task.watch.clone();
    let bounds = match watching("bounding the program", || seen(&watch), || bounds(&task)) {
        Ok(bounds) => bounds,
        Err(failure) => return output.failed(failure),
    };
    let watch = || observe(&arguments.program, arguments.wait_states, &task);
    let watched = (arguments.observe == Some(Observer::Board))
        .then(|| fusee_pipeline::progress::during("watching the program", watch));
    let observed = match watched.transpose() {
        Ok(observed) => observed,
        Err(failure) => return output.failed(failure),
    };
    let answers = task.entries.iter().map(|&(_, entry)| answers(&task, entry, &task.what_if));
    let answers = match watching(
        "bounding the program again",
        || seen(&task.watch),
        || answers.collect::<Result<Vec<_>, _>>(),
    ) {
        Ok(answers) => answers,
        Err(failure) => return output.failed(failure),
    };
    let results = results(&task, &bounds, (observed, answers), arguments.path);
    let diagnostics = task.facts.judge(&bounds);
    output.json(|| document(&task, &results, render::json(&diagnostics, &sources)));
    output.diagnostics(&diagnostics, &sources);
    if let Some(path) = &arguments.report
        && let Err(error) = files::write(path, written(&task, arguments, &results).as_bytes())
    {
        return output.failed(format!("{}: {error}", path.display()));
    }
    for (index, result) in results.iter().enumerate() {
        let gap = if index == 0 { "" } else { "\n" };
        output.text(format!("{gap}{}", entry_text(&task, result)));
    }
    if let Some(path) = &arguments.report {
        output.text(format!("\n{}\n", path.display()));
    }
    match results.iter().all(Entry::holds) {
        _ if diagnostics.iter().any(|one| one.severity == Severity::Error) => Status::BadInput,
        true => Status::Fine,
        false => Status::Missed,
    }
}

/// The first interrupt ends the analysis with what is known, the second one the command.
fn end_on_interrupt(watch: &Arc<Watch>) {
    let watch = watch.clone();
    let end = move || match watch.is_stopped() {
        false => watch.stop(),
        true => std::process::exit(INTERRUPTED),
    };
    // Without a handler an interrupt just ends the command.
    let _ = ctrlc::set_handler(end);
}

/// How far the analysis is.
fn seen(watch: &Watch) -> Seen {
    let found = watch.found();
    let line = |obstacle: &Obstacle| {
        format!("  {}: {}", place_text(obstacle, ""), readable_text(&obstacle.what))
    };
    let so_far = format!("{} blocks, {}", watch.blocks(), count(found.len(), "obstacle"));
    Seen { so_far, found: found.iter().map(line).collect() }
}

fn part<'r>(result: &'r Entry<'_>) -> Part<'r> {
    let seen = result.longest().map(|longest| ("observed".to_owned(), longest.to_string()));
    let stack =
        stack(result.bound).map(|bytes| ("stack".to_owned(), count(bytes as usize, "byte")));
    Part { name: result.name, bound: result.bound, facts: seen.into_iter().chain(stack).collect() }
}

/// The page about all entries.
fn written(task: &Task, arguments: &Wcet, results: &[Entry<'_>]) -> String {
    let parts: Vec<Part<'_>> = results.iter().map(part).collect();
    let name = arguments.program.file_name().unwrap_or_default().to_string_lossy();
    page(task, &name, &parts)
}

/// What is known of one entry.
struct Entry<'a> {
    name: &'a str,
    bound: &'a Bound,
    path: Option<WorstPath>,
    observed: Option<Observed>,
    answers: Vec<Answer<'a>>,
}

impl Entry<'_> {
    /// Whether there is a bound, and nothing longer was seen.
    fn holds(&self) -> bool {
        self.bound.time.is_some() && !self.exceeded()
    }

    fn longest(&self) -> Option<u64> {
        self.observed.as_ref().and_then(Observed::longest)
    }

    fn exceeded(&self) -> bool {
        self.bound.time.zip(self.longest()).is_some_and(|(bound, longest)| longest > bound)
    }
}

fn results<'a>(
    task: &'a Task,
    bounds: &'a [Bound],
    (observed, answers): (Option<Vec<Observed>>, Vec<Vec<Answer<'a>>>),
    with_path: bool,
) -> Vec<Entry<'a>> {
    let mut observed = observed.unwrap_or_default().into_iter();
    let mut answers = answers.into_iter();
    let entries = task.entries.iter().zip(bounds);
    entries
        .map(|((name, _), bound)| Entry {
            name,
            bound,
            path: with_path.then(|| WorstPath::of(task.code(), bound)),
            observed: observed.next(),
            answers: answers.next().unwrap_or_default(),
        })
        .collect()
}

/// The same shape of result where there is nothing to bound.
fn not_bounded(
    machine: &str,
    diagnostics: &[Diagnostic],
    sources: &SourceMap,
    output: &mut Output,
) -> Status {
    output.json(|| json!({ "machine": machine, "entries": [], "diagnostics": render::json(diagnostics, sources) }));
    output.diagnostics(diagnostics, sources);
    Status::BadInput
}

fn document(task: &Task, results: &[Entry<'_>], diagnostics: Value) -> Value {
    let entries: Vec<Value> = results.iter().map(|result| entry_json(task, result)).collect();
    json!({
        "machine": task.machine.name(),
        "unit": task.machine.unit(),
        "entries": entries,
        "diagnostics": diagnostics,
    })
}

fn entry_json(task: &Task, result: &Entry<'_>) -> Value {
    let Entry { name, bound, path, observed, answers } = result;
    let facts: Vec<&str> =
        task.facts.about(&bound.facts_used).map(|given| given.line.as_str()).collect();
    let mut entry = json!({
        "name": name,
        "bound": bound.time,
        "observed": result.longest(),
        "facts": facts,
        "stack_bytes": stack(bound),
        "assumptions": bound.assumptions,
        "loops": bound.loops.iter().map(|(&header, &rounds)| loop_json(task, header, rounds)).collect::<Vec<_>>(),
    });
    if let Some(observed) = observed {
        entry["calls"] = observed.calls.len().into();
    }
    if !bound.obstacles.is_empty() {
        let told = |obstacle: &Obstacle| {
            let mut said = obstacle_json(obstacle);
            said["source"] = source_at(task.code(), obstacle.address).into();
            said
        };
        entry["obstacles"] = ordered(bound).map(told).collect();
    }
    if let Some(path) = path {
        entry["path"] = path.json(task.code(), bound);
    }
    if !answers.is_empty() {
        entry["what_if"] = answers.iter().map(what_if::json).collect();
    }
    entry
}

/// A loop that was entered, and how often it goes round at most.
fn loop_json(task: &Task, header: u64, rounds: u64) -> Value {
    let mut said = place_json(header, &task.program.describe(header));
    said["source"] = source_at(task.code(), header).into();
    said["rounds"] = rounds.into();
    said
}

/// Obstacles; behind the others those that are none by themselves.
fn ordered(bound: &Bound) -> impl Iterator<Item = &Obstacle> {
    let (own, other): (Vec<&Obstacle>, Vec<_>) =
        bound.obstacles.iter().partition(|obstacle| obstacle.decides());
    own.into_iter().chain(other)
}

pub(super) fn obstacle_json(obstacle: &Obstacle) -> Value {
    let mut said = place_json(obstacle.address, &obstacle.symbol);
    said["what"] = obstacle.what.clone().into();
    said["fact"] = obstacle.fact.clone().into();
    said
}

/// The deepest stack, which is only known when every path was followed to its end.
pub(super) fn stack(bound: &Bound) -> Option<u64> {
    bound.stack_bytes.filter(|_| bound.time.is_some())
}

fn entry_text(task: &Task, result: &Entry<'_>) -> String {
    let Entry { name, bound, path, observed, answers } = result;
    let unit = task.machine.unit();
    let mut text = match bound.time {
        Some(time) => format!("{name}: at most {time} {unit}\n"),
        None if bound.obstacles.is_empty() => {
            format!("{name}: {} (facts are wrong)\n", bad("no bound"))
        }
        None => {
            format!("{name}: {} ({})\n", bad("no bound"), count(bound.obstacles.len(), "obstacle"))
        }
    };
    if let Some(observed) = observed {
        text += &observed_text(observed, bound.time);
    }
    if bound.time.is_some() {
        let stack = stack(bound).map_or("not known".to_owned(), |bytes| {
            format!("at most {}", count(bytes as usize, "byte"))
        });
        let _ = writeln!(text, "  stack: {stack}");
    }
    for given in task.facts.about(&bound.facts_used) {
        let _ = writeln!(text, "  rests on the fact: {}", given.line);
    }
    for assumption in &bound.assumptions {
        let _ = writeln!(text, "  assumes: {}", readable_text(assumption));
    }
    for obstacle in ordered(bound) {
        text += &obstacle_text(obstacle, &source_at(task.code(), obstacle.address));
    }
    for answer in answers {
        text += &what_if::text(answer, unit);
    }
    if let Some(path) = path.as_ref().filter(|_| bound.time.is_some()) {
        text += &path.text(task.code(), bound);
    }
    text
}

fn observed_text(observed: &Observed, bound: Option<u64>) -> String {
    let Some(longest) = observed.longest() else { return "  observed: no call\n".to_owned() };
    let calls = count(observed.calls.len(), "call");
    let mut text = format!("  observed: at most {longest} cycles in {calls}");
    if let Some(bound) = bound {
        let hundredths = (u128::from(bound) * 100).checked_div(longest.into()).unwrap_or(0);
        let _ = write!(text, "; bound / observed {}.{:02}", hundredths / 100, hundredths % 100);
        if longest > bound {
            text += &format!(", {}", bad("above the bound"));
        }
    }
    let _ = match observed.stack {
        Some((first, last)) if first == last => {
            writeln!(text, "\n  observed stack pointer at entry: {first:#x}")
        }
        Some((first, last)) => {
            writeln!(text, "\n  observed stack pointers at entry: {first:#x} to {last:#x}")
        }
        None => writeln!(text),
    };
    text
}

/// Where an obstacle is, with its line of source.
fn place_text(obstacle: &Obstacle, source: &str) -> String {
    let place = match format!("{:#x}", obstacle.address) {
        address if address == obstacle.symbol => address,
        address => format!("{} ({address})", readable_text(&obstacle.symbol)),
    };
    if source.is_empty() { place } else { format!("{place}, {source}") }
}

pub(super) fn obstacle_text(obstacle: &Obstacle, source: &str) -> String {
    let place = place_text(obstacle, source);
    let settled = match obstacle.fact.as_str() {
        "" => "no fact can settle this".to_owned(),
        fact => format!("add to the facts: {fact}"),
    };
    format!("  {place}: {}\n      {settled}\n", readable_text(&obstacle.what))
}

fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
