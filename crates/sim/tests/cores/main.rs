//! Several cores beside a simulator in unit steps: the same schedule.
//!
//! `CORES_SYSTEMS` says how many systems each protocol gets; `make soundness` asks for 20,000 of
//! each.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests")]

mod drawn;
mod oracle;

use drawn::{Dice, Drawn, Op, Protocol};
use fusee_kernel::{Delivery, Error, Event};
use fusee_sim::cores::{Code, Reached, Want, Who, run};
use oracle::{Oracle, Schedule};

const END: u64 = 150;

/// The scripts, and where each task is.
struct Scripts<'d> {
    system: &'d Drawn,
    places: Vec<(usize, u64)>,
    refused: Option<(Event, Error)>,
}

impl Scripts<'_> {
    fn task(&self, who: Who) -> usize {
        self.system.task(who.core, who.thread)
    }
}

impl Code for Scripts<'_> {
    fn wants(&mut self, who: Who) -> Want {
        let task = self.task(who);
        let (at, done) = self.places[task];
        match self.system.tasks[task].script.get(at) {
            Some(Op::Work(time)) => Want::Execute(time - done),
            Some(Op::Ask(gate)) => Want::Enter(Event::Invoke(1 + *gate as u16)),
            Some(Op::Enter) => Want::Enter(Event::Invoke(0)),
            Some(Op::Leave) => Want::Enter(Event::Return),
            None => Want::Enter(Event::Complete),
        }
    }

    fn executed(&mut self, who: Who, time: u64) {
        let task = self.task(who);
        let place = &mut self.places[task];
        place.1 += time;
        if self.system.tasks[task].script.get(place.0) == Some(&Op::Work(place.1)) {
            *place = (place.0 + 1, 0);
        }
    }

    fn entered(&mut self, who: Who, event: Event, answer: Result<(), Error>) {
        if let Err(error) = answer {
            self.refused = Some((event, error));
        }
        let task = self.task(who);
        let next = if event == Event::Complete { 0 } else { self.places[task].0 + 1 };
        self.places[task] = (next, 0);
    }

    fn finds(&mut self, _: Who, _: Delivery) {}
}

/// What the kernel makes of a system.
fn kernel(system: &Drawn) -> Result<Schedule, String> {
    let mut code = Scripts { system, places: vec![(0, 0); system.tasks.len()], refused: None };
    let (done, reached) =
        system.with(|tables| run(tables, &mut code, (END, 100_000))).map_err(|e| e.to_string())?;
    if let Some(refused) = code.refused {
        return Err(format!("refused: {refused:?}"));
    }
    if reached != Reached::End {
        return Err(format!("{reached:?}"));
    }
    let mut schedule =
        Schedule { ticks: vec![vec![None; system.cores]; END as usize], ends: Vec::new() };
    for span in done.spans {
        let charged = system.task(span.core, span.charged);
        let executes = span.executes.map(|who| system.task(who.core, who.thread));
        for tick in span.from..span.until {
            schedule.ticks[tick as usize][span.core] = Some((charged, executes));
        }
    }
    let end = |end: fusee_sim::cores::Completion| {
        (end.time, system.task(end.who.core, end.who.thread), end.response)
    };
    schedule.ends = done.completions.into_iter().map(end).collect();
    Ok(schedule)
}

fn wanted() -> u64 {
    std::env::var("CORES_SYSTEMS").map_or(500, |systems| systems.parse().expect("a number"))
}

/// Compares so many systems; the ticks in which the section of another core's task was executed.
fn compare(protocol: Protocol) -> u64 {
    let mut total = 0;
    for seed in 0..wanted() {
        let system = Drawn::draw(&mut Dice(seed), protocol);
        let (expected, helped) = Oracle::run(&system, END);
        let seen = kernel(&system).unwrap_or_else(|why| panic!("seed {seed}: {why}\n{system:#?}"));
        for (tick, (seen, expected)) in seen.ticks.iter().zip(&expected.ticks).enumerate() {
            assert_eq!(seen, expected, "seed {seed}, tick {tick}\n{system:#?}");
        }
        assert_eq!(seen.ends, expected.ends, "seed {seed}\n{system:#?}");
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
