//! The corpus: programs, the facts in their comments, what is found with them.

use std::path::{Path, PathBuf};

use fusee_wcet::execute::{Bound, Effort, Facts, Obstacle, Supported, bound};
use fusee_wcet::program::Program;

use crate::workspace;

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

/// The findings about a program's `run`.
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
    analyse_within(source, program, machine, Effort::default())
}

/// The same with another effort than users have.
///
/// # Panics
/// As `analyse` does.
pub fn analyse_within<M: Supported>(
    source: &Path,
    program: &Program,
    machine: &M,
    effort: Effort,
) -> Found {
    let given = Given::in_comments(source);
    let entry = program.symbol("run").expect("run").address;
    let mut facts = Facts::default();
    loop {
        let found = bound(program, machine, entry, &facts, effort).expect("no failure");
        let count =
            |facts: &Facts| facts.loop_bounds.len() + facts.recursion.len() + facts.calls.len();
        let before = count(&facts);
        found.obstacles.iter().for_each(|obstacle| given.answer(obstacle, &mut facts));
        if count(&facts) == before {
            let loops = found.coverage.loops.len();
            // One that is entered at several places may need several.
            let by_fact = facts.loop_bounds.len().min(loops);
            return Found { loops, by_fact, bound: found };
        }
    }
}

/// The facts in the comments of a program, each about a function: `/* fact: walk 16 */` that its
/// loops iterate 16 times, `/* recursion: walk 5 */` and `/* calls: walk 31 */` for the number of
/// its calls.
struct Given {
    rounds: Vec<(String, u64)>,
    recursion: Vec<(String, u64)>,
    calls: Vec<(String, u64)>,
}

impl Given {
    fn in_comments(source: &Path) -> Self {
        let text = std::fs::read_to_string(source).expect("a source");
        let of_kind = |kind: &str| {
            let begin = format!("/* {kind}: ");
            let lines = text.lines();
            let facts = lines.filter_map(|line| line.strip_prefix(&begin)?.strip_suffix(" */"));
            facts.map(Self::read).collect()
        };
        Self { rounds: of_kind("fact"), recursion: of_kind("recursion"), calls: of_kind("calls") }
    }

    fn read(fact: &str) -> (String, u64) {
        let (function, number) = fact.split_once(' ').expect("a function and a number");
        (function.to_owned(), number.parse().expect("a number"))
    }

    /// Adds what is said about an obstacle, if it asks for that. Who is asked how deep calls come
    /// says how many there are as well.
    fn answer(&self, obstacle: &Obstacle, facts: &mut Facts) {
        // Compilers give copies of a function names such as `walk.constprop.0`.
        let function = obstacle.symbol.split(['+', '.']).next();
        let said = |given: &[(String, u64)]| {
            let of_function = given.iter().find(|(name, _)| Some(name.as_str()) == function);
            of_function.map(|&(_, number)| (obstacle.address, number))
        };
        match obstacle.fact.split('.').next() {
            Some("loops") => facts.loop_bounds.extend(said(&self.rounds)),
            Some("recursion") => {
                facts.recursion.extend(said(&self.recursion));
                facts.calls.extend(said(&self.calls));
            }
            Some("calls") => facts.calls.extend(said(&self.calls)),
            _ => {}
        }
    }
}

/// The median of ratios.
///
/// # Panics
/// When there are none.
pub fn median(mut ratios: Vec<f64>) -> f64 {
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}
