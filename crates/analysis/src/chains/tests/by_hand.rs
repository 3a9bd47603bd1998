//! Numbers that can be checked on paper.

use crate::chains::{
    Communication, InvalidChain, Link, Stage, at_offsets, data_age, reaction_time, stages,
};
use crate::fixed_priority::ResponseTimeAnalysis;
use crate::registry::by_name;
use crate::{Task, TaskSet};

fn stage(link: Link, separation: u64, response: u64) -> Stage {
    Stage { link, separation, response, jitter: 0 }
}

#[test]
fn sampled_links_add_period_and_response() {
    let chain =
        [stage(Link::Sampled, 10, 2), stage(Link::Sampled, 20, 5), stage(Link::Sampled, 5, 1)];
    // Davare et al. 2007: the sum of all periods and response times.
    assert_eq!(reaction_time(&chain), Ok(10 + 2 + 20 + 5 + 5 + 1));
    // The last task's period is no part of the age at its completion.
    assert_eq!(data_age(&chain), Ok(10 + 2 + 20 + 5 + 1));
}

#[test]
fn triggered_links_add_the_response_only() {
    let chain =
        [stage(Link::Sampled, 10, 2), stage(Link::Triggered, 1, 5), stage(Link::Triggered, 1, 1)];
    assert_eq!(reaction_time(&chain), Ok(10 + 2 + 5 + 1));
    assert_eq!(data_age(&chain), Ok(2 + 5 + 1));
    let interrupt = [stage(Link::Triggered, 90, 2), stage(Link::Triggered, 1, 5)];
    assert_eq!(reaction_time(&interrupt), Ok(7));
    let then_sampled = [interrupt[0], interrupt[1], stage(Link::Sampled, 10, 3)];
    assert_eq!(reaction_time(&then_sampled), Ok(7 + 10 + 3));
    assert_eq!(data_age(&then_sampled), Ok(7 + 90 + 3));
}

#[test]
fn who_never_starts_before_the_writer_has_written_needs_no_response() {
    let writer = Stage { jitter: 1, ..stage(Link::Sampled, 10, 4) };
    let chain = [writer, stage(Link::SampledBehind, 20, 9)];
    assert_eq!(reaction_time(&chain), Ok(10 + 1 + 20 + 9));
    assert_eq!(data_age(&chain), Ok(10 + 1 + 9));
}

#[test]
fn offsets_tell_the_wait_at_each_link() {
    let chain = [stage(Link::Sampled, 10, 2), stage(Link::Sampled, 10, 3)];
    // The reader arrives 2 after the writer: everything fits.
    assert_eq!(at_offsets::reaction_time(&chain, &[0, 2]), Ok(10 + 2 + 3));
    assert_eq!(at_offsets::data_age(&chain, &[0, 2]), Ok(2 + 3));
    // One tick earlier it reads what was written a period ago.
    assert_eq!(at_offsets::reaction_time(&chain, &[0, 1]), Ok(10 + 11 + 3));
    assert_eq!(at_offsets::data_age(&chain, &[0, 1]), Ok(11 + 3));
}

#[test]
fn offsets_of_other_periods_are_followed_until_they_repeat() {
    let chain = [stage(Link::Sampled, 4, 1), stage(Link::Sampled, 6, 2)];
    // Arrivals 0, 4, 8 | 12 and readers 0, 6 | 12: 0 -> 6, 4 -> 6, 8 -> 12.
    assert_eq!(at_offsets::reaction_time(&chain, &[0, 0]), Ok(4 + 6 + 2));
    // Readers 0 and 6 have the jobs of -4 and 4.
    assert_eq!(at_offsets::data_age(&chain, &[0, 0]), Ok(4 + 2));
}

#[test]
fn a_set_gives_the_stages() {
    let task = |wcet, period, priority| Task::implicit(wcet, period, priority);
    let set = TaskSet::new(vec![task(1, 5, 3), task(2, 10, 2), task(3, 20, 1)]).expect("valid");
    let path = [(0, Link::Sampled), (1, Link::Sampled), (2, Link::Sampled)];
    let implicit =
        stages(&set, &ResponseTimeAnalysis, &path, Communication::Implicit).expect("bounded");
    assert_eq!(implicit.iter().map(|s| s.response).collect::<Vec<_>>(), [1, 3, 7]);
    assert_eq!(implicit[1].link, Link::SampledBehind);
    assert_eq!(reaction_time(&implicit), Ok(5 + 10 + 20 + 7));
    let explicit =
        stages(&set, &ResponseTimeAnalysis, &path, Communication::Explicit).expect("bounded");
    assert_eq!(reaction_time(&explicit), Ok(5 + 1 + 10 + 3 + 20 + 7));
    let at_deadline =
        stages(&set, &ResponseTimeAnalysis, &path, Communication::AtDeadline).expect("bounded");
    assert_eq!(reaction_time(&at_deadline), Ok(2 * (5 + 10 + 20)));
    // Upwards a reader may start before the writer has written.
    let upwards = [(2, Link::Sampled), (0, Link::Sampled)];
    let upwards =
        stages(&set, &ResponseTimeAnalysis, &upwards, Communication::Implicit).expect("bounded");
    assert_eq!(reaction_time(&upwards), Ok(20 + 7 + 5 + 1));
    // Priorities say nothing about who starts first under EDF.
    let edf = by_name("edf-response-times").expect("a test");
    let edf = stages(&set, edf, &path, Communication::Implicit).expect("bounded");
    assert_eq!(edf[1].link, Link::Sampled);
}

#[test]
fn what_is_no_chain_says_why() {
    let set = TaskSet::new(vec![Task::implicit(3, 5, 2), Task::implicit(3, 5, 1)]).expect("valid");
    let ask = |path: &[(usize, Link)], communication| {
        stages(&set, &ResponseTimeAnalysis, path, communication)
    };
    assert_eq!(ask(&[], Communication::Implicit), Err(InvalidChain::Empty));
    let beyond = InvalidChain::NoSuchTask { task: 2, tasks: 2 };
    assert_eq!(ask(&[(2, Link::Sampled)], Communication::Implicit), Err(beyond));
    let unbounded = InvalidChain::NoResponse { task: 1 };
    assert_eq!(ask(&[(1, Link::Sampled)], Communication::Implicit), Err(unbounded));
    assert_eq!(reaction_time(&[]), Err(InvalidChain::Empty));
    let long = stage(Link::Sampled, u64::MAX, 1);
    assert_eq!(reaction_time(&[long]), Err(InvalidChain::Overflow));
    let chain = [stage(Link::Sampled, 1_000_003, 1), stage(Link::Sampled, 999_983, 1)];
    assert!(at_offsets::reaction_time(&chain, &[0, 0]).is_ok());
    let longer = [chain[0], chain[1], stage(Link::Sampled, 1_000_033, 1)];
    assert_eq!(at_offsets::data_age(&longer, &[0, 0, 0]), Err(InvalidChain::LongCycle));
    assert_eq!(
        at_offsets::data_age(&longer, &[0]),
        Err(InvalidChain::Offsets { offsets: 1, stages: 3 })
    );
    let outside = [stage(Link::Triggered, 5, 1)];
    assert_eq!(at_offsets::data_age(&outside, &[0]), Err(InvalidChain::NoClock));
}
