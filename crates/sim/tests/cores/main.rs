//! Several cores beside a simulator in unit steps: the same schedule.
//!
//! Systems are drawn and described, and each is run both ways: from its description by what
//! `fusee simulate` runs, and tick by tick from the definitions of the protocols.
//! `CORES_SYSTEMS` says how many systems each protocol gets; `make soundness` asks for 20,000 of
//! each.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests")]

mod drawn;
mod oracle;
mod seen;

use drawn::{Dice, Drawn};
use fusee_model::{Duration, Protocol};
use fusee_sim::{Options, Recording, Releases, simulate};
use oracle::{Oracle, Schedule};

const END: u64 = 150;

/// What the kernels make of a system, released by their timers or from outside.
fn kernels(drawn: &Drawn, by_timer: bool) -> Result<Schedule, String> {
    let starts = drawn.tasks.iter().map(|task| Duration(task.offset)).collect();
    let options = Options {
        duration: Duration(END),
        releases: if by_timer { Releases::Phased { starts } } else { Releases::Drawn },
        recording: Recording::Window { from: Duration::ZERO, to: Duration(END) },
        most_events: 100_000,
        ..Options::default()
    };
    let outcome = simulate(&drawn.system(), &options).map_err(|error| error.to_string())?;
    if outcome.refused > 0 || outcome.cut_short {
        return Err(format!("{} refused, cut short: {}", outcome.refused, outcome.cut_short));
    }
    Ok(seen::schedule(drawn, &outcome.records, END))
}

fn wanted() -> u64 {
    std::env::var("CORES_SYSTEMS").map_or(500, |systems| systems.parse().expect("a number"))
}

/// Compares so many systems; the ticks in which the section of another core's task was executed.
fn compare(protocol: Protocol) -> u64 {
    let mut total = 0;
    for seed in 0..wanted() {
        let drawn = Drawn::draw(&mut Dice(seed), protocol);
        let (mut expected, helped) = Oracle::run(&drawn, END);
        expected.ends.sort_unstable();
        let mut seen = kernels(&drawn, seed % 2 == 0)
            .unwrap_or_else(|why| panic!("seed {seed}: {why}\n{drawn:#?}"));
        seen.ends.sort_unstable();
        for (tick, (seen, expected)) in seen.ticks.iter().zip(&expected.ticks).enumerate() {
            assert_eq!(seen, expected, "seed {seed}, tick {tick}\n{drawn:#?}");
        }
        assert_eq!(seen.ends, expected.ends, "seed {seed}\n{drawn:#?}");
        total += helped;
    }
    eprintln!("{protocol:?}: {} systems, helped in {total} ticks", wanted());
    total
}

#[test]
fn msrp() {
    assert_eq!(compare(Protocol::Msrp), 0);
}

#[test]
fn mrsp() {
    let helped = compare(Protocol::Mrsp);
    assert!(helped > wanted(), "too little help to mean anything: {helped}");
}

#[test]
fn mpcp() {
    assert_eq!(compare(Protocol::Mpcp), 0);
}
