//! The search for releases that bring a response close to its bound.

use fusee_bounds::Analysis;
use fusee_generate::Random;
use fusee_model::{Duration, System};
use fusee_sim::{Execution, Options, Outcome, Releases, simulate};

/// A microsecond, the grain of all that is drawn.
const GRAIN: u64 = 1_000;

/// The longest response of each task that any run has shown, with the starts of that run.
pub(crate) struct Closest {
    pub(crate) longest: Vec<Duration>,
    starts: Vec<Vec<Duration>>,
}

fn period(system: &System, task: usize) -> u64 {
    system.tasks[task].release.as_ref().map_or(0, |release| release.period.value.ns())
}

fn run(system: &System, starts: Vec<Duration>, execution: Execution) -> Result<Outcome, String> {
    let longest = (0..system.tasks.len()).map(|task| period(system, task)).max().unwrap_or(1);
    let options = Options {
        duration: Duration(longest * 4),
        most_events: 6_000,
        releases: Releases::Phased { starts },
        execution,
        ..Options::default()
    };
    simulate(system, &options).map_err(|error| error.to_string())
}

/// Returns starts within the period of each task, as whoever waits for a signal of it counts on.
fn anywhere(random: &mut Random, system: &System, part: u64) -> Vec<Duration> {
    let tasks = 0..system.tasks.len();
    tasks
        .map(|task| Duration(random.below(period(system, task) / part / GRAIN + 1) * GRAIN))
        .collect()
}

/// Runs a system again and again, each time from starts near those that brought some task closest
/// to its bound.
///
/// # Errors
/// The task that took longer than its bound, and the starts.
pub(crate) fn climb(
    random: &mut Random,
    system: &System,
    analysis: &Analysis,
    runs: u64,
) -> Result<Closest, String> {
    let tasks = system.tasks.len();
    let none = vec![Duration::ZERO; tasks];
    let mut closest = Closest { longest: none.clone(), starts: vec![none; tasks] };
    let bounded: Vec<usize> =
        (0..tasks).filter(|&task| analysis.tasks[task].response().is_some()).collect();
    for round in 0..runs {
        let aim = random.pick(&bounded).copied();
        let starts = match (round, aim) {
            (0, _) => vec![Duration::ZERO; tasks],
            // Everywhere, and close together.
            (1..12, _) | (_, None) => anywhere(random, system, 1 + 3 * (round % 2)),
            (_, Some(task)) => closest.nearby(random, system, task),
        };
        let less = if round % 16 == 15 { Execution::Random } else { Execution::Worst };
        let outcome = run(system, starts.clone(), less)?;
        closest.add(system, analysis, (&outcome, &starts))?;
    }
    Ok(closest)
}

impl Closest {
    /// Returns starts that differ from those that brought a task closest to its bound in one or two
    /// tasks: by a little, altogether, or so that they begin while that task's first job runs.
    fn nearby(&self, random: &mut Random, system: &System, aim: usize) -> Vec<Duration> {
        let mut starts = self.starts[aim].clone();
        let (from, to) = (starts[aim].ns() / GRAIN, self.longest[aim].ns() / GRAIN);
        for _ in 0..random.between(1, 2) {
            let task = random.below(starts.len() as u64) as usize;
            let (old, most) = (starts[task].ns() / GRAIN, period(system, task) / GRAIN);
            let new = match random.below(4) {
                0 => random.below(most + 1),
                1 => (old + random.below(25)).saturating_sub(12),
                _ => (from + random.below(to + 30)).saturating_sub(20),
            };
            starts[task] = Duration(new.min(most) * GRAIN);
        }
        starts
    }

    fn add(
        &mut self,
        system: &System,
        analysis: &Analysis,
        (outcome, starts): (&Outcome, &[Duration]),
    ) -> Result<(), String> {
        for (task, seen) in outcome.tasks.iter().enumerate() {
            let latest = seen.latest();
            if analysis.tasks[task].response().is_some_and(|bound| latest > bound) {
                let name = &system.tasks[task].name;
                let bound = &analysis.tasks[task];
                let names = system.tasks.iter().map(|task| &task.name);
                let starts: Vec<_> = names.zip(starts).collect();
                return Err(format!("{name} takes {latest}: {bound:#?}\nfrom {starts:?}"));
            }
            // Those that are as late as the closest are kept as well: a plateau is left that way.
            if latest >= self.longest[task] {
                self.longest[task] = latest;
                self.starts[task] = starts.to_vec();
            }
        }
        Ok(())
    }
}
