//! The page of a program's worst paths.

use fusee_report::worst_path::{Block, Entry, Step, Sum, Supposed, WorstPaths, render};
use fusee_wcet::execute::Bound;
use fusee_wcet::machine::Misses;
use fusee_wcet::names::readable_text;
use fusee_wcet::walk;

use super::Task;
use super::obstacles::{Group, groups};
use super::sources::files;
use super::worst_path::{WorstPath, block_text, code, source};

/// Steps that a page shows of one level; more would be no page to read.
const STEPS: usize = 400;
/// Blocks whose code is shown.
const BLOCKS: usize = 200;

/// One entry with all that is known of it.
pub struct Part<'a> {
    /// Its name, as it is shown.
    pub name: &'a str,
    /// The bound of the entry.
    pub bound: &'a Bound,
    /// The further facts, with a name for each.
    pub facts: Vec<(String, String)>,
    /// Its bounds for other numbers of iterations.
    pub loops: Vec<Supposed>,
}

/// Returns the page about the worst paths.
pub fn page(task: &Task, program: &str, parts: &[Part<'_>]) -> String {
    render(&WorstPaths {
        program: program.to_owned(),
        machine: task.machine.name().to_owned(),
        unit: task.machine.unit().to_owned(),
        entries: parts.iter().map(|part| entry(task, part)).collect(),
    })
}

fn entry(task: &Task, part: &Part<'_>) -> Entry {
    let bound = part.bound;
    let facts = task
        .facts
        .about(&bound.grounds.facts_used)
        .map(|given| format!("the fact `{}`", given.line));
    let mut entry = Entry {
        name: part.name.to_owned(),
        bound: bound.time,
        facts: part.facts.clone(),
        basis: facts
            .chain(bound.grounds.assumptions.iter().map(|assumption| readable_text(assumption)))
            .collect(),
        loops: part.loops.clone(),
        obstacles: groups(bound, task.code()).iter().map(Group::sentence).collect(),
        ..Entry::default()
    };
    if bound.time.is_none() {
        return entry;
    }
    let WorstPath { profile, steps } = WorstPath::of(task.code(), bound);
    let missed = |misses: Misses| match misses {
        Misses { instructions: 0, data: 0 } => String::new(),
        Misses { instructions, data } => {
            format!("lines loaded: {instructions} of instructions, {data} of data")
        }
    };
    let functions = profile
        .functions
        .iter()
        .map(|share| (readable_text(&share.name), missed(share.misses), share.time));
    let lines = profile
        .lines
        .iter()
        .map(|share| (source(&share.line), share.line.function.clone(), share.time));
    entry.sums = vec![
        Sum { kind: "function".to_owned(), rows: functions.collect() },
        Sum { kind: "line".to_owned(), rows: lines.collect() },
    ];
    entry.files = files(task.code(), bound, &profile);
    entry.steps = shown(task, &steps);
    entry.blocks = profile
        .blocks
        .iter()
        .take(BLOCKS)
        .map(|share| Block {
            name: readable_text(&share.name),
            executed: share.executed,
            time: share.time,
            code: code(task.code(), bound, share.address)
                .map(|l| (format!("{:#x}", l.address), readable_text(&l.text), l.source))
                .collect(),
        })
        .collect();
    entry
}

fn shown(task: &Task, steps: &[walk::Step]) -> Vec<Step> {
    let one = |step: &walk::Step| match step {
        walk::Step::Block(visit) => {
            let line = task.lines.at(visit.block).into_iter().next().unwrap_or_default();
            Step::Block(block_text(&task.program, visit), source(&line), visit.time)
        }
        walk::Step::Repeated { times, steps } => {
            Step::Repeated(*times, step.time(), shown(task, steps))
        }
    };
    let mut result: Vec<Step> = steps.iter().take(STEPS).map(one).collect();
    if let Some(rest) = steps.get(STEPS..).filter(|rest| !rest.is_empty()) {
        let time = rest.iter().map(walk::Step::time).sum();
        result.push(Step::Block(format!("and {} steps more", rest.len()), String::new(), time));
    }
    result
}
