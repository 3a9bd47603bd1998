//! Drawn descriptions with events, waits and chains: no bound is exceeded.
//!
//! Each system is written as a description and read as commands read it, then analyzed and
//! simulated. What is drawn leaves nothing to the analysis: several emitters of an event, each of
//! which signals once or more, also from stores; signals that come too early; jobs that wait for
//! others or for an answer; one core or two; chains along all of it. What has no bound is counted
//! and judged by nobody. The same systems are held against bounds that rest on their offsets, in
//! runs that keep to these.
//! `DESCRIBED_SYSTEMS` says how many systems are drawn, `DESCRIBED_SEED` and `DESCRIBED_FIRST`
//! which; `make soundness` asks for 20,000.

mod draw;
mod text;

use fusee_bounds::{Analysis, analyze, analyze_at_offsets};
use fusee_generate::Random;
use fusee_model::costs::{CoreCosts, CostTable, ProtocolCosts};
use fusee_model::derived::Derived;
use fusee_model::{Body, ChainLink, Duration, GateId, NotificationId, Policy, Step, System};
use fusee_sim::{Execution, Options, Outcome, Releases, simulate};
use fusee_testing::given_or;

/// Returns the system that a description means; commands would refuse one with errors.
fn read(description: &str) -> System {
    fusee_soundness::read("drawn", description)
        .unwrap_or_else(|wrong| panic!("{wrong}\n{description}"))
}

/// Kernels of half of the systems cost nothing; of the others a few paths do, or all.
fn costs(random: &mut Random, least: u64) -> CostTable {
    let mut table = CostTable::zero("drawn");
    table.also = Some(Policy::EarliestDeadline);
    if random.chance(50) {
        return table;
    }
    let all = random.chance(40);
    let most = (least / 40).max(1);
    let mut path = || match all || random.chance(25) {
        true => Duration(random.between(0, most)),
        false => Duration::ZERO,
    };
    let (ask, back) = (path(), path());
    table.invoke = ProtocolCosts::of_each(|_| Some(ask));
    table.return_ = ProtocolCosts::of_each(|_| Some(back));
    (table.release, table.completion, table.signal) = (path(), path(), path());
    (table.wake, table.wait, table.block) = (path(), path(), path());
    (table.handoff, table.inherit_step) = (path(), path());
    let (lock, look, lose, gain, pass) = (path(), path(), path(), path(), path());
    table.cores = Some(CoreCosts { lock, look, lose, gain, pass, ..CoreCosts::default() });
    table
}

fn period(system: &System, task: usize) -> u64 {
    system.tasks[task].release.as_ref().map_or(0, |release| release.period.value.ns())
}

/// Returns runs in which a task that arrives by the clock begins within its period, as a waiting
/// task counts on.
fn runs(random: &mut Random, system: &System, costs: &CostTable) -> Vec<Options> {
    let all = 0..system.tasks.len();
    let longest = all.clone().map(|task| period(system, task)).max().unwrap_or(1);
    let base = Options {
        duration: Duration(longest * 40),
        most_events: 2_500,
        costs: costs.clone(),
        ..Options::default()
    };
    let mut runs = vec![base.clone()];
    for round in 0..9 {
        let starts = all.clone().map(|task| match round % 3 {
            0 => random.between(0, period(system, task)),
            1 => random.between(0, period(system, task) / 8 + 1),
            _ => 0,
        });
        let releases = Releases::Phased { starts: starts.map(Duration).collect() };
        let releases = if round % 3 == 2 { Releases::Drawn } else { releases };
        let execution = if random.chance(30) { Execution::Random } else { Execution::Worst };
        runs.push(Options { releases, execution, seed: random.bits(), ..base.clone() });
    }
    runs
}

/// The counts of systems drawn and seen.
#[derive(Debug, Default)]
struct Tally {
    tasks: u64,
    bounded: u64,
    /// Bounds that a run has reached exactly.
    reached: u64,
    /// Tasks that wait in their jobs, and those of them that have a bound.
    waiters: u64,
    waiters_bounded: u64,
    /// Tasks that pass gates in which somebody waits, and those of them that have a bound.
    kept_out: u64,
    kept_out_bounded: u64,
    /// Tasks that wait and have a bound where deadlines decide.
    by_deadline: u64,
    /// Tasks that several others release, and those of them that have a bound.
    joins: u64,
    joins_bounded: u64,
    chains: u64,
    chains_bounded: u64,
    /// Bounded chains with a link by an event, and with one whose event has several emitters.
    by_event: u64,
    by_join: u64,
    reactions: u64,
    /// Bounded chains of which a run has shown nine tenths.
    close: u64,
}

fn waits(body: &Body) -> bool {
    body.steps.iter().any(|step| matches!(step, Step::Wait(_)))
}

fn is_waited_in(system: &System, gate: GateId) -> bool {
    system.gate(gate).methods.iter().any(|method| waits(&method.body))
}

fn is_joined(system: &System, event: NotificationId) -> bool {
    system.emitters(event).count() > 1
}

/// The longest response of each task, and of each chain the longest reaction and greatest age.
struct Seen {
    responses: Vec<Duration>,
    chains: Vec<(Duration, Duration)>,
    reactions: u64,
}

impl Seen {
    fn add(&mut self, outcome: &Outcome) {
        for (longest, task) in self.responses.iter_mut().zip(&outcome.tasks) {
            *longest = task.latest().max(*longest);
        }
        for ((reaction, age), chain) in self.chains.iter_mut().zip(&outcome.chains) {
            if chain.observable {
                *reaction = chain.reaction_max.max(chain.oldest).max(*reaction);
                *age = chain.age_max.max(*age);
                self.reactions += chain.reactions;
            }
        }
    }
}

fn attack(system: &System, analysis: &Analysis, runs: &[Options]) -> Result<Seen, String> {
    let mut seen = Seen {
        responses: vec![Duration::ZERO; system.tasks.len()],
        chains: vec![(Duration::ZERO, Duration::ZERO); system.chains.len()],
        reactions: 0,
    };
    for options in runs {
        let outcome = simulate(system, options).map_err(|error| error.to_string())?;
        seen.add(&outcome);
        for (bound, longest) in analysis.tasks.iter().zip(&seen.responses) {
            if let Some(most) = bound.response().filter(|most| most < longest) {
                let name = &system.task(bound.task).name;
                return Err(format!("{name} takes {longest} of {most}: {bound:#?}\n{options:?}"));
            }
        }
        for (at, (bound, &(reaction, age))) in analysis.chains.iter().zip(&seen.chains).enumerate()
        {
            let above = |bound: &Result<Duration, _>, seen| bound.is_ok_and(|bound| seen > bound);
            if above(&bound.reaction, reaction) || above(&bound.age, age) {
                let name = &system.chains[at].name;
                return Err(format!("{name}: {reaction}, {age}: {bound:#?}\n{options:?}"));
            }
        }
    }
    Ok(seen)
}

impl Tally {
    fn add(&mut self, system: &System, analysis: &Analysis, seen: &Seen) {
        for (bound, &longest) in analysis.tasks.iter().zip(&seen.responses) {
            let task = system.task(bound.task);
            let joined = task.release_event().is_some_and(|event| is_joined(system, event));
            let response = bound.response();
            let has_bound = u64::from(response.is_some());
            self.tasks += 1;
            self.bounded += has_bound;
            self.reached += u64::from(response == Some(longest));
            if waits(&task.body) {
                self.waiters += 1;
                self.waiters_bounded += has_bound;
                let by_deadline = system.policy_on(task.core) == Policy::EarliestDeadline;
                self.by_deadline += has_bound * u64::from(by_deadline);
            }
            let mut steps = task.body.steps.iter();
            if steps.any(
                |step| matches!(*step, Step::Invoke { gate, .. } if is_waited_in(system, gate)),
            ) {
                self.kept_out += 1;
                self.kept_out_bounded += has_bound;
            }
            if joined {
                self.joins += 1;
                self.joins_bounded += has_bound;
            }
        }
        for ((bound, chain), &(longest, _)) in
            analysis.chains.iter().zip(&system.chains).zip(&seen.chains)
        {
            self.chains += 1;
            let Ok(reaction) = bound.reaction else { continue };
            let events = chain.stages.iter().filter_map(|stage| match stage.link {
                ChainLink::Event(event) => Some(event),
                _ => None,
            });
            self.chains_bounded += 1;
            self.by_event += u64::from(events.clone().next().is_some());
            self.by_join += u64::from(events.clone().any(|event| is_joined(system, event)));
            self.close += u64::from(longest.ns() * 10 >= reaction.ns() * 9);
        }
        self.reactions += seen.reactions;
    }
}

#[test]
fn nothing_takes_longer_than_its_bound() {
    let systems = given_or("DESCRIBED_SYSTEMS", 300);
    let (seed, first) = (given_or("DESCRIBED_SEED", 21), given_or("DESCRIBED_FIRST", 0));
    let mut tally = Tally::default();
    for index in first..first + systems {
        let description = text::text(&draw::plan(seed, index));
        let system = read(&description);
        let random = &mut Random::new(seed, index);
        let least = (0..system.tasks.len()).map(|task| period(&system, task)).min().unwrap_or(1);
        let costs = costs(random, least);
        let analysis = analyze(&system, &Derived::of(&system), &costs);
        let runs = runs(random, &system, &costs);
        let seen = attack(&system, &analysis, &runs).unwrap_or_else(|broken| {
            panic!("system {index} of seed {seed}: {broken}\n{costs:#?}\n{description}")
        });
        tally.add(&system, &analysis, &seen);
    }
    println!("{systems} systems: {tally:#?}");
    let Tally { tasks, bounded, reached, waiters_bounded, joins_bounded, .. } = tally;
    assert!(bounded * 3 > tasks, "few tasks have a bound: {tally:?}");
    assert!(reached * 4 > bounded, "bounds are loose, or runs miss them: {tally:?}");
    assert!(waiters_bounded * 10 > systems, "few waits have a bound: {tally:?}");
    assert!(tally.by_deadline * 100 > systems, "few waits by deadlines have a bound: {tally:?}");
    assert!(tally.kept_out_bounded * 25 > systems, "few waits in gates have a bound: {tally:?}");
    assert!(joins_bounded * 50 > systems, "few joins have a bound: {tally:?}");
    let Tally { chains_bounded, by_event, by_join, close, reactions, .. } = tally;
    assert!(chains_bounded > systems / 2 && by_event * 10 > systems, "few chains: {tally:?}");
    assert!(by_join * 100 > systems, "few chains over joins: {tally:?}");
    assert!(close * 4 > chains_bounded && reactions > systems * 100, "loose: {tally:?}");
}

/// For each bound that offsets make smaller how much of it was seen, in percent.
#[derive(Debug, Default)]
struct Closeness {
    responses: Vec<u64>,
    reactions: Vec<u64>,
}

impl Closeness {
    fn add(&mut self, (known, anywhere): (&Analysis, &Analysis), seen: &Seen) {
        let percent = |seen: Duration, most: Duration| seen.ns() * 100 / most.ns().max(1);
        for ((known, anywhere), &longest) in
            known.tasks.iter().zip(&anywhere.tasks).zip(&seen.responses)
        {
            let Some(most) = known.response() else { continue };
            assert!(anywhere.response().is_none_or(|all| most <= all), "{known:#?}{anywhere:#?}");
            if Some(most) < anywhere.response() {
                self.responses.push(percent(longest, most));
            }
        }
        for ((known, anywhere), &(longest, _)) in
            known.chains.iter().zip(&anywhere.chains).zip(&seen.chains)
        {
            let (Ok(most), Ok(all)) = (known.reaction, anywhere.reaction) else { continue };
            assert!(most <= all, "{known:#?}{anywhere:#?}");
            if most < all && longest > Duration::ZERO {
                self.reactions.push(percent(longest, most));
            }
        }
    }
}

fn median(of: &mut [u64]) -> u64 {
    of.sort_unstable();
    of.get(of.len() / 2).copied().unwrap_or(0)
}

#[test]
fn nothing_takes_longer_than_its_bound_at_offsets() {
    let systems = given_or("DESCRIBED_SYSTEMS", 300) / 2;
    let seed = given_or("DESCRIBED_SEED", 21) + 1;
    let mut closeness = Closeness::default();
    for index in 0..systems {
        let description = text::text(&draw::plan(seed, index));
        let system = read(&description);
        let random = &mut Random::new(seed, index);
        let least = (0..system.tasks.len()).map(|task| period(&system, task)).min().unwrap_or(1);
        let costs = costs(random, least);
        let derived = Derived::of(&system);
        let known = analyze_at_offsets(&system, &derived, &costs);
        let mut runs = runs(random, &system, &costs);
        runs.retain(|options| matches!(options.releases, Releases::Drawn));
        let seen = attack(&system, &known, &runs).unwrap_or_else(|broken| {
            panic!("system {index} of seed {seed}: {broken}\n{costs:#?}\n{description}")
        });
        closeness.add((&known, &analyze(&system, &derived, &costs)), &seen);
    }
    let Closeness { mut responses, mut reactions } = closeness;
    let (response, reaction) = (median(&mut responses), median(&mut reactions));
    println!(
        "{systems} systems at their offsets: {} responses below those for all offsets, median \
         seen {response} %; {} reactions, {reaction} %",
        responses.len(),
        reactions.len()
    );
    // Waits and joins leave few responses that offsets make smaller, and more chains.
    assert!(reactions.len() as u64 * 10 > systems && reaction >= 60, "{response} {reaction}");
}
