//! The corpus: programs, the facts in their comments, what is found with them.

use std::path::{Path, PathBuf};

use fusee_wcet::execute::{Bound, Effort, Facts, Obstacle, Supported, bound};
use fusee_wcet::program::Program;

use crate::workspace;

/// Programs whose recursion depends on their data: refused, with the place.
pub const REFUSED: [&str; 1] = ["quick_sort"];

/// The sources in the order of their names.
///
/// # Panics
/// When the corpus is not there.
pub fn sources() -> Vec<PathBuf> {
    let corpus = workspace().join("crates/wcet/tests/corpus");
    let files = std::fs::read_dir(corpus).expect("the corpus");
    let mut sources: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    sources.sort();
    sources
}

/// A program's name.
///
/// # Panics
/// When the path has none.
pub fn name(source: &Path) -> &str {
    source.file_stem().and_then(|stem| stem.to_str()).expect("a name")
}

/// What was found about a program's `run`.
pub struct Found {
    /// Loops that were reached.
    pub loops: usize,
    /// Those for which a fact had to be given.
    pub by_fact: usize,
    /// The bound, with the facts in the program's comments.
    pub bound: Bound,
}

/// Bounds `run` without facts, then with those that its comments give to what was asked.
///
/// # Panics
/// When the program has no `run` or the analysis fails.
pub fn analyse<M: Supported>(source: &Path, program: &Program, machine: &M) -> Found {
    let given = given(source);
    let entry = program.symbol("run").expect("run").address;
    let effort = Effort { blocks: 100_000, ..Effort::default() };
    let mut facts = Facts::default();
    loop {
        let found = bound(program, machine, entry, &facts, effort).expect("no failure");
        let before = facts.loop_bounds.len();
        for obstacle in &found.obstacles {
            facts.loop_bounds.extend(answer(&given, obstacle));
        }
        let by_fact = facts.loop_bounds.len();
        if by_fact == before {
            return Found { loops: found.coverage.loops.len(), by_fact, bound: found };
        }
    }
}

/// The facts of lines such as `/* fact: walk 16 */`: every loop of `walk` goes round 16 times.
fn given(source: &Path) -> Vec<(String, u64)> {
    let text = std::fs::read_to_string(source).expect("a source");
    let facts = text.lines().filter_map(|line| line.strip_prefix("/* fact: ")?.strip_suffix(" */"));
    let fact = |fact: &str| {
        let (function, rounds) = fact.split_once(' ').expect("a function and a number");
        (function.to_owned(), rounds.parse().expect("a number"))
    };
    facts.map(fact).collect()
}

/// What the comments say about an obstacle that asks for a loop's rounds.
fn answer(given: &[(String, u64)], obstacle: &Obstacle) -> Option<(u64, u64)> {
    if !obstacle.fact.starts_with("loops.") {
        return None;
    }
    // Compilers give copies of a function names such as `walk.constprop.0`.
    let function = obstacle.symbol.split(['+', '.']).next()?;
    let (_, rounds) = given.iter().find(|(name, _)| name == function)?;
    Some((obstacle.address, *rounds))
}

/// The median of ratios.
///
/// # Panics
/// When there are none.
pub fn median(mut ratios: Vec<f64>) -> f64 {
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}
