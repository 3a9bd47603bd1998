//! The bound for other numbers of iterations, loop by loop.
//!
//! Each is bounded again, with the number as a fact: what else becomes possible
//! or impossible then is known to that, and another path may take over. Numbers in
//! between are not guessed: a bound for more iterations holds for fewer as well.

use std::collections::BTreeSet;

use fusee_report::worst_path::Supposed;
use fusee_wcet::execute::{Bound, Effort, Facts, Failure, Used};
use fusee_wcet::names::readable_text;

use super::Task;
use super::worst_path::source_at;

/// Blocks to execute for the answers of one entry: some seconds.
const BLOCKS: u64 = 2_000_000;
/// An answer may take so large a part of what is left.
const SHARE: u64 = 8;
/// Numbers that are tried for a loop, at least and at most.
const FEWEST: u64 = 6;
const MOST: u64 = 40;
/// A fact is tried up to so many times its number.
const LONGER: u64 = 4;

/// The loop or fact whose number is changed.
#[derive(Clone, Copy)]
enum Whose {
    /// The fact about a loop.
    Fact(Used),
    /// A loop that ends by itself.
    Loop(u64),
}

impl Whose {
    fn fact(self) -> Used {
        match self {
            Whose::Fact(fact) => fact,
            Whose::Loop(header) => Used::Loop(header),
        }
    }
}

/// The loops of an entry that has a bound, each with the bounds for other numbers.
///
/// # Errors
/// The host's failure.
pub(super) fn supposed(task: &Task, entry: u64, bound: &Bound) -> Result<Vec<Supposed>, Failure> {
    let Some(time) = bound.time else { return Ok(Vec::new()) };
    let all = all(task, bound);
    let answers = BLOCKS / bound.blocks.max(1) / (all.len() as u64).max(1);
    let steps = answers.clamp(FEWEST, MOST);
    let (mut found, mut told, mut spent) = (Vec::new(), BTreeSet::new(), 0);
    for (whose, place, most) in all {
        let ends_by_itself = matches!(whose, Whose::Loop(_));
        if matches!(whose, Whose::Loop(header) if told.contains(&header)) {
            continue;
        }
        if spent >= BLOCKS {
            found.push(Supposed { place, iterations: most, ..Supposed::default() });
            continue;
        }
        let known = vec![(most, time)];
        let mut one = Supposed { place, iterations: most, ends_by_itself, known, least: 0 };
        for iterations in numbers(most, steps, !ends_by_itself) {
            let facts = with(&task.facts.facts, whose, iterations);
            let found = task.bound_with(left(task.effort, spent), entry, &facts)?;
            spent += found.blocks;
            if found.grounds.contradictions.contains_key(&whose.fact()) {
                // Whatever is fewer is impossible as well.
                one.least = iterations + 1;
                break;
            }
            one.known.extend(found.time.map(|time| (iterations, time)));
            if iterations < most && found.time.is_some() {
                // The loops that a line of source is about are those that follow its number.
                let before = &bound.coverage.loops;
                for (&header, &now) in &found.coverage.loops {
                    if now == iterations && before.get(&header) == Some(&most) {
                        told.insert(header);
                    }
                }
            }
            if spent >= BLOCKS {
                break;
            }
        }
        one.known.sort_unstable();
        found.push(one);
    }
    Ok(found)
}

/// Returns the effort for another answer: all together end.
fn left(effort: Effort, spent: u64) -> Effort {
    let blocks = (BLOCKS.saturating_sub(spent) / SHARE).clamp(1, effort.blocks);
    Effort { blocks, ..effort }
}

/// Returns the facts of a bound that have a number of iterations, and the other loops, those that
/// iterate most often first.
fn all(task: &Task, bound: &Bound) -> Vec<(Whose, String, u64)> {
    let mut all = Vec::new();
    let mut told = BTreeSet::new();
    for given in task.facts.about(&bound.grounds.facts_used) {
        let number = match given.fact {
            Used::Loop(header) => {
                told.insert(header);
                task.facts.facts.loop_bounds.get(&header).copied()
            }
            Used::LineBound(line) => {
                task.facts.facts.line_bounds.get(line).map(|line| line.iterations)
            }
            _ => None,
        };
        all.extend(number.map(|number| (Whose::Fact(given.fact), given.line.clone(), number)));
    }
    let mut loops: Vec<(u64, u64)> = bound.coverage.loops.clone().into_iter().collect();
    loops.retain(|(header, _)| !told.contains(header));
    loops.sort_by_key(|&(_, iterations)| std::cmp::Reverse(iterations));
    for (header, iterations) in loops {
        let source = source_at(task.code(), header);
        let symbol = readable_text(&task.program.describe(header));
        let place = if source.is_empty() { symbol } else { format!("{symbol}, {source}") };
        all.push((Whose::Loop(header), place, iterations));
    }
    all
}

/// Other numbers to try, the largest first.
fn numbers(most: u64, steps: u64, is_fact: bool) -> Vec<u64> {
    let end = if is_fact { most.saturating_mul(LONGER).max(steps) } else { most };
    let step = (end / steps).max(1);
    let all = (0..=steps).map(|number| number * step).filter(|&number| number <= end);
    let mut all: Vec<u64> = all.chain([end]).filter(|&number| number != most).collect();
    all.sort_unstable_by(|one, other| other.cmp(one));
    all.dedup();
    all
}

/// Facts with another number.
fn with(facts: &Facts, whose: Whose, iterations: u64) -> Facts {
    let mut facts = facts.clone();
    match whose.fact() {
        Used::Loop(header) => {
            facts.loop_bounds.insert(header, iterations);
        }
        Used::LineBound(line) => facts.line_bounds[line].iterations = iterations,
        _ => {}
    }
    facts
}
