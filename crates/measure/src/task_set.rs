//! The task sets of Sudvarg et al. (Real-Time Systems, 2024), section 6.2.
//!
//! Four tasks over five shared components in four configurations of protocols (their
//! Table 3). For each utilization, (1) the tasks' shares are drawn by UUniSort, (2)
//! periods from harmonic values between 10 ms and 1 s, (3) workloads follow, and (4)
//! are sorted in increasing order; each is then split by UUniSort over the components
//! that its task passes, where those that an earlier task has fixed keep their share.
//! Priorities are rate-monotonic. The paper gives neither the set of periods nor the
//! connections below A and B; these are ours, as in `examples/nested`.

use fusee_generate::Random;
use fusee_model::Duration;

/// The periods, in milliseconds: each divides the next.
const PERIODS: [u64; 5] = [10, 20, 100, 200, 1000];

/// Protocols of C, D and E in each configuration.
const CONFIGURATIONS: [[&str; 3]; 4] = [
    ["inherited", "propagated", "inherited"],
    ["inherited", "propagated", "propagated"],
    ["fixed", "inherited", "propagated"],
    ["fixed", "propagated", "inherited"],
];

/// Utilizations in tenths, in the order in which they run.
const ORDER: [u64; 10] = [9, 4, 10, 7, 2, 8, 5, 1, 6, 3];

/// A set of the campaign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskSet {
    /// 1 to 4.
    pub configuration: u64,
    /// Utilization in tenths, 1 to 10.
    pub tenths: u64,
    /// 0 to 9 for each of the above.
    pub index: u64,
    /// The factor by which all times are shorter than the paper's.
    pub scale: u64,
}

/// The components of the tasks.
const TASKS: [&str; 4] = ["t1", "t2", "t3", "t4"];

/// The components of Figure 7 that tasks share.
const SHARED: [&str; 5] = ["a", "b", "c", "d", "e"];

/// The gates that a task passes: positions in [`SHARED`].
const WAYS: [&[usize]; 4] = [&[0, 2, 3, 4], &[0, 2, 3, 4], &[1, 3, 4], &[1, 3, 4]];

/// The times drawn for a set, in nanoseconds.
struct Drawn {
    periods: [u64; 4],
    own: [u64; 4],
    shared: [u64; 5],
}

impl TaskSet {
    /// Returns all 400 sets, first the first set of each configuration and utilization, and heavy
    /// and light ones by turns, so that any beginning is a cross-section.
    pub fn all(scale: u64) -> Vec<TaskSet> {
        let utilisations = |index, tenths| {
            (1..=4).map(move |configuration| TaskSet { configuration, tenths, index, scale })
        };
        (0..10)
            .flat_map(|index| ORDER.into_iter().flat_map(move |tenths| utilisations(index, tenths)))
            .collect()
    }

    /// Returns its name in results, and that of its folder.
    pub fn name(&self) -> String {
        let TaskSet { configuration, tenths, index, scale } = self;
        format!("config{configuration}-u{tenths:02}-{index}-scale{scale}")
    }

    /// Returns the length of ten hyperperiods.
    pub fn duration(&self) -> Duration {
        Duration(10 * self.draw().periods.into_iter().max().unwrap_or(1))
    }

    fn draw(&self) -> Drawn {
        let stream = (self.configuration * 16 + self.tenths) * 16 + self.index;
        let mut random = Random::new(6_2, stream);
        let shares = random.split(self.tenths * 100_000_000, 4);
        let mut tasks: Vec<(u64, u64)> =
            shares.iter().map(|share| draw_task(&mut random, *share, self.scale)).collect();
        tasks.sort_unstable();
        let (mut shared, mut own) = ([None; 5], [0; 4]);
        for (task, &(work, _)) in tasks.iter().enumerate() {
            own[task] = divide(&mut random, work, WAYS[task], &mut shared);
        }
        let periods = std::array::from_fn(|task| tasks[task].1);
        Drawn { periods, own, shared: shared.map(Option::unwrap_or_default) }
    }

    /// Returns its description as text.
    pub fn description(&self) -> String {
        let Drawn { periods, own, shared } = self.draw();
        let mut timing = String::new();
        let mut line = |text: String| timing += &format!("        {text}\n");
        for task in 0..4 {
            let name = task + 1;
            line(format!("t{name}.period = \"{} ns\";", periods[task]));
            line(format!("t{name}.wcet = \"{} ns\";", own[task]));
            line(format!("t{name}.calls = [\"work.run\"];"));
        }
        for (name, time) in SHARED.iter().zip(shared) {
            line(format!("{name}.work_wcet = \"{time} ns\";"));
        }
        for (name, calls) in [("a", "\"c.run\", \"d.run\""), ("b", "\"d.run\""), ("d", "\"e.run\"")]
        {
            line(format!("{name}.work_calls = [{calls}];"));
        }
        let protocols = CONFIGURATIONS[(self.configuration as usize - 1) % 4];
        for (name, protocol) in SHARED.iter().zip(["inherited"; 2].into_iter().chain(protocols)) {
            line(format!("{name}.work_priority_protocol = \"{protocol}\";"));
        }
        // A drawn set has times and no code.
        for name in TASKS.into_iter().chain(SHARED) {
            timing += &format!("        {name}.stub = true;\n");
        }
        TEXT.replace("@timing@", timing.trim_end())
    }
}

/// Workload and period of a task with this share of a thousand million.
fn draw_task(random: &mut Random, share: u64, scale: u64) -> (u64, u64) {
    let milliseconds = random.pick(&PERIODS).copied().unwrap_or(PERIODS[0]);
    let period = milliseconds * 1_000_000 / scale;
    ((u128::from(share) * u128::from(period) / 1_000_000_000) as u64, period)
}

/// Splits a workload over a task and what it passes; answers the task's own part.
fn divide(random: &mut Random, work: u64, way: &[usize], shared: &mut [Option<u64>; 5]) -> u64 {
    let fixed: u64 = way.iter().filter_map(|&at| shared[at]).sum();
    let open: Vec<usize> = way.iter().copied().filter(|&at| shared[at].is_none()).collect();
    let mut parts = random.split(work.saturating_sub(fixed), open.len() + 1).into_iter();
    let own = parts.next().unwrap_or_default();
    for (at, part) in open.into_iter().zip(parts) {
        shared[at] = Some(part);
    }
    own
}

const TEXT: &str = include_str!("../systems/task_set.camkes");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sets_differ_and_have_the_utilisation_asked_for() {
        let sets = TaskSet::all(1);
        assert_eq!(sets.len(), 400);
        let descriptions: std::collections::BTreeSet<_> =
            sets.iter().map(TaskSet::description).collect();
        assert_eq!(descriptions.len(), 400);
        for set in sets {
            let Drawn { periods, own, shared } = set.draw();
            let utilisation: f64 = (0..4)
                .map(|task| {
                    let passed: u64 = WAYS[task].iter().map(|&at| shared[at]).sum();
                    (own[task] + passed) as f64 / periods[task] as f64
                })
                .sum();
            assert!(
                (utilisation - set.tenths as f64 / 10.0).abs() < 1e-6,
                "{}: {utilisation}",
                set.name()
            );
        }
    }
}
