//! The facts about each entry of a program: bound, worst path, runs, answers.

use std::path::Path;

use fusee_diagnostics::{Diagnostic, SourceMap, render};
use fusee_report::worst_path::Supposed;
use fusee_wcet::execute::{Bound, Failure, Obstacle};
use fusee_wcet::names::readable_text;
use serde_json::{Value, json};

use super::Task;
use super::lower::{Lower, lower};
use super::observe::{Observed, observe};
use super::obstacles::{groups, idle, place_text, placed_json};
use super::page::{Part, page};
use super::supposed::supposed;
use super::what_if::{Answer, answers};
use super::worst_path::{WorstPath, place_json, source_at};
use crate::progress::{self, Seen};

/// The known facts of one entry.
pub struct Entry<'a> {
    /// Its name, as it was asked for.
    pub name: &'a str,
    /// Its bound, or what stands in the way.
    pub bound: Bound,
    /// The worst path, if it is wanted.
    pub path: Option<WorstPath>,
    /// The time that was seen, if it was run.
    pub observed: Option<Observed>,
    /// Answers to the questions about loops.
    pub answers: Vec<Answer<'a>>,
}

/// The results that are wanted beside the bounds.
pub struct Wanted<'a> {
    /// The program's file, to be run with these wait states.
    pub observe: Option<(&'a Path, u32)>,
    /// `true` if worst paths are.
    pub path: bool,
}

/// All entries, and what there is to say about the facts.
pub struct Examined<'a> {
    /// In the order in which they were asked for.
    pub entries: Vec<Entry<'a>>,
    /// Facts that are wrong, or on which nothing rests.
    pub diagnostics: Vec<Diagnostic>,
}

/// Bounds every entry, and finds out what else is wanted.
///
/// # Errors
/// What failed on this host, in a sentence.
pub fn examine<'a>(task: &'a Task, wanted: &Wanted<'_>) -> Result<Examined<'a>, String> {
    let bounds = progress::watching("bounding the program", seen(task), || super::bounds(task))
        .map_err(|failure| failure.to_string())?;
    let diagnostics = task.facts.judge(&bounds);
    let watch = |(program, wait_states)| {
        progress::during("watching the program", || observe(program, wait_states, task))
    };
    let mut observed = wanted.observe.map(watch).transpose()?.unwrap_or_default().into_iter();
    let answers = task.entries.iter().map(|&(_, entry)| answers(task, entry, &task.what_if));
    let answers: Result<Vec<_>, _> =
        progress::watching("bounding the program again", seen(task), || answers.collect());
    let answers = answers.map_err(|failure| failure.to_string())?;
    let entries = task.entries.iter().zip(bounds).zip(answers);
    let entry = |(((name, _), bound), answers): ((&'a (String, u64), Bound), _)| Entry {
        name,
        path: wanted.path.then(|| WorstPath::of(task.code(), &bound)),
        bound,
        observed: observed.next(),
        answers,
    };
    Ok(Examined { entries: entries.map(entry).collect(), diagnostics })
}

/// Returns a function that tells how far the analysis is.
fn seen(task: &Task) -> impl Fn() -> Seen + Send + 'static {
    let watch = task.watch.clone();
    move || {
        let found = watch.found();
        let line = |obstacle: &Obstacle| {
            format!("  {}: {}", place_text(obstacle, ""), readable_text(&obstacle.what))
        };
        let so_far = format!("{} blocks, {}", watch.blocks(), count(found.len(), "obstacle"));
        Seen { so_far, found: found.iter().map(line).collect() }
    }
}

impl Entry<'_> {
    /// Returns `true` if there is a bound, and nothing longer was seen.
    pub fn holds(&self) -> bool {
        let within = |bound| self.longest().is_none_or(|longest| longest <= bound);
        self.bound.time.is_some_and(within)
    }

    /// Returns the longest call that was seen.
    pub fn longest(&self) -> Option<u64> {
        self.observed.as_ref().and_then(Observed::longest)
    }

    fn json(&self, task: &Task) -> Value {
        let bound = &self.bound;
        let facts: Vec<&str> =
            task.facts.about(&bound.grounds.facts_used).map(|given| given.line.as_str()).collect();
        // Where there is no bound, a loop may iterate more often than was executed.
        let loops =
            bound.coverage.loops.iter().map(|(&header, &iterations)| {
                loop_json(task, header, bound.time.map(|_| iterations))
            });
        let mut entry = json!({
            "name": self.name,
            "bound": bound.time,
            "observed": self.longest(),
            "facts": facts,
            "stack_bytes": stack(bound),
            "assumptions": bound.grounds.assumptions,
            "loops": loops.collect::<Vec<_>>(),
        });
        if let Some(observed) = &self.observed {
            entry["calls"] = observed.calls.len().into();
        }
        if !bound.obstacles.is_empty() {
            let code = task.code();
            entry["obstacles"] = groups(bound, code).iter().map(|group| group.json(code)).collect();
            entry["may_not_matter"] = idle(bound).map(|one| placed_json(one, code)).collect();
        }
        let lower = lower(task, bound);
        if !lower.is_empty() {
            entry["may_lower"] = lower.iter().map(Lower::json).collect();
        }
        if let Some(path) = &self.path {
            entry["path"] = path.json(task.code(), bound);
        }
        if !self.answers.is_empty() {
            entry["what_if"] = self.answers.iter().map(Answer::json).collect();
        }
        entry
    }

    fn part(&self, loops: Vec<Supposed>) -> Part<'_> {
        let seen = self.longest().map(|longest| ("observed".to_owned(), longest.to_string()));
        let stack =
            stack(&self.bound).map(|bytes| ("stack".to_owned(), count(bytes as usize, "byte")));
        Part {
            name: self.name,
            bound: &self.bound,
            facts: seen.into_iter().chain(stack).collect(),
            loops,
        }
    }
}

impl Examined<'_> {
    /// Returns the result for programs.
    pub fn json(&self, task: &Task, sources: &SourceMap) -> Value {
        json!({
            "machine": task.machine.name(),
            "unit": task.machine.unit(),
            "entries": self.entries.iter().map(|entry| entry.json(task)).collect::<Vec<_>>(),
            "diagnostics": render::json(&self.diagnostics, sources),
        })
    }

    /// Returns the page about all entries of a program.
    ///
    /// # Errors
    /// What failed on this host, in a sentence.
    pub fn page(&self, task: &Task, program: &Path) -> Result<String, String> {
        let loops = || {
            let entries = self.entries.iter().zip(&task.entries);
            entries.map(|(entry, &(_, at))| supposed(task, at, &entry.bound)).collect()
        };
        let loops: Result<Vec<Vec<Supposed>>, Failure> =
            progress::watching("bounding the program again", seen(task), loops);
        let loops = loops.map_err(|failure| failure.to_string())?;
        let parts = self.entries.iter().zip(loops).map(|(entry, loops)| entry.part(loops));
        let parts: Vec<Part<'_>> = parts.collect();
        Ok(page(task, &program.file_name().unwrap_or_default().to_string_lossy(), &parts))
    }
}

/// Returns a loop that was entered, and how often it iterates at most, if that is known.
fn loop_json(task: &Task, header: u64, iterations: Option<u64>) -> Value {
    let mut said = place_json(header, &task.program.describe(header));
    said["source"] = source_at(task.code(), header).into();
    said["iterations"] = iterations.into();
    said
}

/// Returns the deepest stack, which is only known when every path was followed to its end.
pub fn stack(bound: &Bound) -> Option<u64> {
    bound.stack_bytes.filter(|_| bound.time.is_some())
}

/// So many of these.
pub fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
