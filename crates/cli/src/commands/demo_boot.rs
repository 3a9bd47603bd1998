//! The demonstration's second half: the same lander as an image that boots.
//!
//! It needs a compiler for the machine and QEMU. Where those are missing, the first
//! half stands alone and the command that brings them is printed.

use std::path::Path;

use fusee_model::Duration;
use fusee_pipeline::analyze::{Analysed, analyse};
use fusee_pipeline::build::{self, Wanted};
use fusee_pipeline::load::{Loaded, load};
use fusee_pipeline::options::{Making, Source};
use fusee_pipeline::run::{Booted, Problem, boot_for};
use fusee_pipeline::simulate::Run;
use fusee_pipeline::{costs, simulate};
use fusee_platform::{KernelVariant, Platform};
use fusee_report::verdict::Verdict;
use fusee_sim::{Execution, Outcome, Releases};
use serde_json::{Value, json};

use crate::commands::run::Seen;
use crate::table::{Side, Table};
use crate::verdict::{self, rounded_up};

/// Virtual time of each run: long enough for the inversion.
const DURATION: Duration = Duration(2_000_000_000);

/// One description on the machine, and what was said about it before.
pub(crate) struct OnMachine {
    loaded: Loaded,
    analysed: Analysed,
    simulated: Outcome,
    booted: Booted,
    verdict: Verdict,
}

/// Builds and boots one description in this folder.
pub(crate) fn run(folder: &Path, name: &str) -> Result<OnMachine, Problem> {
    let description = folder.join(name).with_extension("camkes");
    let source = Source::of(description);
    let one = |diagnostic: Box<_>| Problem::tool_with(vec![*diagnostic]);
    let costs = costs::named(Some(Platform::DEFAULT)).map_err(one)?;
    let loaded = load(&source, &costs);
    let Some((system, derived)) = loaded.usable() else {
        return Err(Problem::tool_with(loaded.diagnostics));
    };
    let costs = costs.of(system.policy());
    let analysed = analyse(&loaded, system, derived, costs);
    let run =
        Run { duration: DURATION, seed: 1, execution: Execution::Worst, releases: Releases::Drawn };
    let simulated =
        simulate::run(system, &run, costs).map_err(|error| Problem::tool(error.to_string()))?;
    let making = Making::into_folder(folder.join("build").join(name)).with_stubs();
    let (platform, variant) = (Platform::DEFAULT, KernelVariant::Plain);
    let wanted = Wanted { source: &source.system, platform, variant, making: &making };
    let made = build::make(&loaded, system, &wanted).map_err(Problem::tool_with)?;
    let booted = boot_for(&made.path, DURATION, Some(system))?;
    let verdict =
        booted.verdict(system, Some(&analysed.analysis), &|origin| loaded.origins.span(origin));
    Ok(OnMachine { simulated: simulated.outcome, verdict, analysed, booted, loaded })
}

impl OnMachine {
    fn seen(&self) -> Option<Seen<'_>> {
        let (system, _) = self.loaded.usable()?;
        Some(Seen {
            system,
            outcome: &self.booted.outcome,
            verdict: &self.verdict,
            booted: Some(&self.booted),
            origins: None,
        })
    }

    /// Missed deadlines.
    pub(crate) fn misses(&self) -> u64 {
        self.booted.outcome.misses()
    }

    /// Whether no job took longer than its bound.
    pub(crate) fn bounds_held(&self) -> bool {
        self.seen().is_some_and(|seen| seen.bounds_held())
    }

    /// The run for programs.
    pub(crate) fn json(&self) -> Value {
        self.seen().map_or(Value::Null, |seen| {
            let mut value = seen.json();
            value["simulated_max_ns"] =
                self.simulated.tasks.iter().map(|task| json!(task.response_max.ns())).collect();
            value
        })
    }

    /// Each task's deadline and bound beside what the simulator and the machine showed.
    pub(crate) fn table(&self) -> Table {
        let right = |name| (name, Side::Right);
        let mut table = Table::new(&[
            ("task", Side::Left),
            right("deadline"),
            right("bound"),
            right("observed"),
            right("simulated"),
            right("misses"),
            ("verdict", Side::Left),
        ]);
        let Some((system, _)) = self.loaded.usable() else { return table };
        let mut order: Vec<usize> = (0..system.tasks.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(system.tasks[i].priority.value));
        let of = |time: &dyn Fn(usize) -> Option<Duration>| {
            verdict::times(&order.iter().map(|&i| time(i)).collect::<Vec<_>>())
        };
        let promised = &self.analysed.analysis.tasks;
        let deadlines = of(&|i| promised[i].deadline);
        let bounds = of(&|i| promised[i].response());
        let observed = of(&|i| Some(rounded_up(self.booted.outcome.tasks[i].response_max)));
        let simulated = of(&|i| Some(rounded_up(self.simulated.tasks[i].response_max)));
        for (row, &i) in order.iter().enumerate() {
            table.row([
                system.tasks[i].name.clone(),
                deadlines[row].clone(),
                bounds[row].clone(),
                observed[row].clone(),
                simulated[row].clone(),
                self.booted.outcome.tasks[i].misses.to_string(),
                verdict::word(&self.verdict.tasks[i]),
            ]);
        }
        table
    }

    /// The run in a line.
    pub(crate) fn summary(&self) -> String {
        self.seen().map_or_else(String::new, |seen| seen.summary())
    }
}
