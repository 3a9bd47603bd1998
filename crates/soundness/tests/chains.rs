//! Random chains in random systems: none takes longer than its bound.
//!
//! Runs observe chains from records of releases and completions and know nothing of bounds.
//! `CHAIN_SYSTEMS` says how many systems are drawn; `make soundness` asks for 20,000.

use fusee_bounds::{ChainBound, ChainPart, analyze};
use fusee_generate::{Case, Mix, Random, case};
use fusee_model::derived::Derived;
use fusee_model::{
    Chain, ChainLink, ChainStage, DataportId, Duration, Notification, NotificationId, Origin,
};
use fusee_model::{ReleaseKind, Step, System, TaskId};
use fusee_sim::simulate;
use fusee_soundness::{Effort, scenarios};
use fusee_testing::given_or;

/// The counts of systems drawn and seen.
#[derive(Default)]
struct Tally {
    chains: u64,
    bounded: u64,
    /// Bounded chains that have a task which another one releases.
    triggered: u64,
    reactions: u64,
    /// Bounds of which a run has shown nine tenths.
    close: u64,
}

/// Returns the task that signals the event which releases another, if there is one.
fn emitter(system: &System, task: TaskId) -> Option<TaskId> {
    let event = system.task(task).release_event()?;
    system.emitters(event).find(|emitter| *emitter != task)
}

/// Lets earlier tasks release later ones by events of their own, once or twice a job, mostly as
/// fast as these may come.
fn release_by_events(random: &mut Random, system: &mut System) {
    for index in 1..system.tasks.len() {
        let emitter = random.below(index as u64) as usize;
        let period =
            system.tasks[emitter].release.as_ref().map(|release| release.period.value.ns());
        let (Some(before), true) = (period, random.chance(45)) else { continue };
        let event = NotificationId::from(system.notifications.len());
        system.notifications.push(Notification {
            name: format!("e{index}"),
            counting: true,
            origin: Origin::NONE,
        });
        let signals = 1 + u64::from(random.chance(25));
        for _ in 0..signals {
            let at = random.below(system.tasks[emitter].body.steps.len() as u64 + 1) as usize;
            system.tasks[emitter].body.steps.insert(at, Step::Emit(event));
        }
        let Some(release) = &mut system.tasks[index].release else { continue };
        let enough = random.between(before / (4 * signals), before / signals).max(1);
        release.kind = ReleaseKind::Notification(event);
        (release.offset, release.jitter.value) = (Duration::ZERO, Duration::ZERO);
        release.period.value =
            if random.chance(90) { Duration(enough) } else { release.period.value };
    }
}

/// Returns a way of up to four tasks; where one releases the next the effect goes with the event,
/// else through memory.
fn draw(random: &mut Random, system: &System) -> Chain {
    let mut stages: Vec<ChainStage> = Vec::new();
    for _ in 0..random.between(1, 4) {
        let used = |task: &TaskId| stages.iter().any(|stage| stage.task == *task);
        let free: Vec<TaskId> =
            system.task_ids().map(|(id, _)| id).filter(|task| !used(task)).collect();
        let released = |task: &&TaskId| {
            let last = stages.last().map(|stage| stage.task);
            last.is_some() && emitter(system, **task) == last
        };
        let by_event = free.iter().find(released).filter(|_| random.chance(80)).copied();
        let link = |task| match (stages.is_empty(), by_event, system.task(task).release_event()) {
            (true, ..) => ChainLink::Start,
            (false, Some(_), Some(event)) => ChainLink::Event(event),
            _ => ChainLink::Memory(DataportId::from(0)),
        };
        let Some(task) = by_event.or_else(|| random.pick(&free).copied()) else { break };
        stages.push(ChainStage { task, link: link(task) });
    }
    Chain { name: "drawn".into(), stages, within: None, age: None, origin: Origin::NONE }
}

fn drawn(seed: u64, index: u64) -> Case {
    let mix = Mix { utilisation: (10, 80), jitter: 30, wait: 0, ..Mix::default() };
    let mut case = case(&mix, seed, index);
    let mut random = Random::new(seed ^ 0xc4a1_5000, index);
    release_by_events(&mut random, &mut case.system);
    for _ in 0..3 {
        let chain = draw(&mut random, &case.system);
        case.system.chains.push(chain);
    }
    case
}

/// Holds a bound against the parts that it is told with: they are all of it.
fn adds_up(bound: &ChainBound) {
    let sum = |parts: &[ChainPart]| Duration(parts.iter().map(|part| part.time.ns()).sum());
    for (whole, parts) in [(bound.reaction, &bound.parts), (bound.age, &bound.age_parts)] {
        assert_eq!(sum(parts), whole.unwrap_or_default(), "{bound:?}");
    }
}

/// Runs a system and holds what it shows against its chains' bounds.
fn attack(case: &Case, bounds: &[ChainBound], tally: &mut Tally) {
    let mut seen = vec![(Duration::ZERO, 0); bounds.len()];
    for options in scenarios(case, &Effort::default()) {
        let outcome = simulate(&case.system, &options).expect("the simulator takes the system");
        for (at, (chain, bound)) in outcome.chains.iter().zip(bounds).enumerate() {
            let reaction = chain.reaction_max.max(chain.oldest);
            let (stages, releases) = (&case.system.chains[at].stages, &options.releases);
            let what = || {
                format!(
                    "{} chain {at}, {stages:?}:\n{chain:#?}\n{bound:#?}\n{releases:?}",
                    case.system.name
                )
            };
            if chain.observable {
                assert!(bound.reaction.map_or(true, |bound| reaction <= bound), "{}", what());
                assert!(bound.age.map_or(true, |bound| chain.age_max <= bound), "{}", what());
            }
            seen[at] = (seen[at].0.max(chain.reaction_max), seen[at].1 + chain.reactions);
        }
    }
    for ((bound, chain), (longest, reactions)) in bounds.iter().zip(&case.system.chains).zip(seen) {
        tally.chains += 1;
        adds_up(bound);
        let Ok(reaction) = bound.reaction else { continue };
        let by_event = |stage: &ChainStage| matches!(stage.link, ChainLink::Event(_));
        tally.bounded += 1;
        tally.triggered += u64::from(chain.stages.iter().any(by_event));
        tally.reactions += reactions;
        tally.close += u64::from(longest.ns() * 10 >= reaction.ns() * 9);
    }
}

#[test]
fn no_chain_takes_longer_than_its_bound() {
    let (systems, seed) = (given_or("CHAIN_SYSTEMS", 300), given_or("CHAIN_SEED", 11));
    let mut tally = Tally::default();
    for index in 0..systems {
        let case = drawn(seed, index);
        let analysis = analyze(&case.system, &Derived::of(&case.system), &case.costs);
        attack(&case, &analysis.chains, &mut tally);
    }
    let Tally { chains, bounded, triggered, reactions, close } = tally;
    println!(
        "{systems} systems: {bounded} of {chains} chains bounded, {triggered} with events, \
         {reactions} reactions, {close} close"
    );
    assert!(bounded * 3 > chains, "only {bounded} of {chains} chains have a bound");
    assert!(
        triggered * 20 > bounded,
        "only {triggered} of {bounded} bounded chains go with an event"
    );
    assert!(reactions > bounded * 20, "only {reactions} reactions");
    assert!(close * 20 > bounded, "bounds are loose: {close} of {bounded} were nearly reached");
}

/// If a task is released by its clock only, a chain of one task reacts within a period and a
/// response.
#[test]
fn a_chain_of_one_polling_task_takes_a_period_and_a_response() {
    let mut checked = 0;
    for index in 0..200 {
        let mut case = drawn(12, index);
        case.system.chains.retain(|chain| {
            let first = case.system.tasks[chain.stages[0].task.index()].release.as_ref();
            chain.stages.len() == 1
                && first.is_some_and(|release| release.kind == ReleaseKind::Periodic)
        });
        let analysis = analyze(&case.system, &Derived::of(&case.system), &case.costs);
        for (chain, bound) in case.system.chains.iter().zip(&analysis.chains) {
            let task = chain.stages[0].task;
            let (Some(response), Ok(reaction)) =
                (analysis.tasks[task.index()].response(), bound.reaction)
            else {
                continue;
            };
            let period = case.system.task(task).release.as_ref().expect("a release").period.value;
            assert_eq!(
                reaction.ns(),
                period.ns() + response.ns(),
                "{} of {}",
                task.0,
                case.system.name
            );
            checked += 1;
        }
    }
    assert!(checked > 20, "only {checked} were checked");
}
