//! No run shows a longer reaction time or an older input than its bound.

use super::machine::{Node, observed, run};
use crate::arrivals::ArrivalCurve;
use crate::chains::{Communication, Link, Stage, at_offsets, data_age, reaction_time};
use crate::compositional::tests::{below, count, load};
use crate::compositional::{Activation, Activity, Bounded, analyse};
use crate::generation::{Part, Random};

/// The way in which the arrivals of clocks are drawn.
#[derive(Clone, Copy, PartialEq)]
enum Clocks {
    Periodic,
    Sporadic,
}

/// Up to five tasks on two cores; some are triggered by an earlier one.
fn drawn(clocks: Clocks, random: &mut Random) -> Vec<Node> {
    let count = 2 + below(random, 4) as usize;
    (0..count).map(|position| node(position, clocks, random)).collect()
}

fn node(position: usize, clocks: Clocks, random: &mut Random) -> Node {
    let triggered = position > 0 && random.chance(0.3);
    let period = [6, 8, 9, 12, 16, 18][below(random, 6) as usize];
    let jitter = if random.chance(0.3) { below(random, 4) } else { 0 };
    let longest = if clocks == Clocks::Sporadic { period + below(random, 8) } else { period };
    let source = ArrivalCurve::periodic(period, jitter).expect("a period");
    let activation = match triggered {
        true => Activation::After(below(random, position as u64) as usize),
        false => Activation::Source(source),
    };
    let wcet = 1 + below(random, 3);
    let (core, priority) = (below(random, 2) as usize, below(random, 1000) as u32);
    let activity =
        Activity { core, priority, best: 1 + below(random, wcet), wcet, blocking: 0, activation };
    let offset = (clocks == Clocks::Periodic).then(|| below(random, period));
    Node {
        activity,
        offset,
        separation: (period, longest),
        jitter: if triggered { 0 } else { jitter },
    }
}

/// A path through the nodes, along triggers where there are some, and what is known of its stages.
fn path(
    nodes: &[Node],
    bounded: &[Bounded],
    way: Communication,
    random: &mut Random,
) -> (Vec<usize>, Vec<Stage>) {
    let mut chain = vec![below(random, nodes.len() as u64) as usize];
    while chain.len() < 4 && (chain.len() < 2 || random.chance(0.6)) {
        chain.push(below(random, nodes.len() as u64) as usize);
    }
    let stage = |place: usize| {
        let node = &nodes[chain[place]];
        let before = place.checked_sub(1).map(|before| chain[before]);
        let link = match (&node.activity.activation, before) {
            (Activation::After(by), Some(before)) if *by == before => Link::Triggered,
            (_, Some(before)) if behind(&nodes[before].activity, &node.activity, way) => {
                Link::SampledBehind
            }
            _ => Link::Sampled,
        };
        let response = bounded[chain[place]].response + node.jitter;
        // What is triggered outside of the chain comes as its source does, with its delays.
        let (clock, delays) = source(nodes, bounded, chain[place]);
        let separation = if clock == chain[place] {
            node.separation.1
        } else {
            nodes[clock].separation.1 + delays
        };
        Stage { link, separation, response, jitter: node.jitter }
    };
    let stages = (0..chain.len()).map(stage).collect();
    (chain, stages)
}

fn behind(writer: &Activity, reader: &Activity, way: Communication) -> bool {
    way == Communication::Implicit
        && writer.core == reader.core
        && writer.priority > reader.priority
}

/// The clock behind a node, and how much the node's arrivals may vary against it.
fn source(nodes: &[Node], bounded: &[Bounded], node: usize) -> (usize, u64) {
    match nodes[node].activity.activation {
        Activation::Source(_) => (node, 0),
        Activation::After(by) => {
            let (clock, delays) = source(nodes, bounded, by);
            (clock, delays + bounded[by].response + nodes[by].jitter)
        }
    }
}

/// Runs a campaign; at least so many percent of the bounds must be reached within a tenth.
fn campaign(clocks: Clocks, way: Communication, near: u64) {
    let (mut compared, mut reached) = (0, 0);
    for number in 0..count() {
        let mut random = Random::new(7 + way as u64, number, Part::Other);
        let nodes = drawn(clocks, &mut random);
        let activities: Vec<Activity> = nodes.iter().map(|node| node.activity.clone()).collect();
        if load(&activities) > 0.95 {
            continue;
        }
        let Ok(bounded) = analyse(&activities) else { continue };
        let (chain, stages) = path(&nodes, &bounded, way, &mut random);
        let bound = bounds(clocks, &nodes, &chain, &stages);
        let mut worst = (0, 0);
        for _ in 0..4 {
            let jobs = run(&nodes, way, 600, &mut random);
            let seen = observed(&jobs, &chain, &stages);
            worst = (worst.0.max(seen.0), worst.1.max(seen.1));
        }
        assert!(
            worst.0 <= bound.0,
            "{number}: reaction {} > {} of {chain:?} {stages:?}",
            worst.0,
            bound.0
        );
        assert!(
            worst.1 <= bound.1,
            "{number}: age {} > {} of {chain:?} {stages:?}",
            worst.1,
            bound.1
        );
        compared += 1;
        reached += u64::from(worst.0 * 10 >= bound.0 * 9) + u64::from(worst.1 * 10 >= bound.1 * 9);
    }
    assert!(compared * 2 > count(), "only {compared} chains have bounds");
    let share = reached * 50 / compared;
    assert!(share >= near, "{share} % of the bounds are reached within a tenth");
}

/// The bounds of a chain; with offsets where they are known and all clocks.
fn bounds(clocks: Clocks, nodes: &[Node], chain: &[usize], stages: &[Stage]) -> (u64, u64) {
    let sums = (reaction_time(stages).expect("fits"), data_age(stages).expect("fits"));
    let head = |(&node, stage): (&usize, &Stage)| match nodes[node].activity.activation {
        Activation::After(_) => stage.link == Link::Triggered,
        Activation::Source(_) => true,
    };
    if clocks == Clocks::Sporadic || !chain.iter().zip(stages).all(head) {
        return sums;
    }
    let offsets: Vec<u64> = chain.iter().map(|&node| nodes[node].offset.unwrap_or(0)).collect();
    let followed = (
        at_offsets::reaction_time(stages, &offsets).expect("fits"),
        at_offsets::data_age(stages, &offsets).expect("fits"),
    );
    assert!(followed.0 <= sums.0 && followed.1 <= sums.1, "offsets make nothing worse");
    followed
}

#[test]
fn periodic_chains_that_read_at_the_start() {
    campaign(Clocks::Periodic, Communication::Implicit, 20);
}

#[test]
fn periodic_chains_that_read_anywhere() {
    campaign(Clocks::Periodic, Communication::Explicit, 5);
}

#[test]
fn sporadic_chains_that_read_at_the_start() {
    campaign(Clocks::Sporadic, Communication::Implicit, 10);
}

#[test]
fn sporadic_chains_that_read_anywhere() {
    campaign(Clocks::Sporadic, Communication::Explicit, 2);
}
