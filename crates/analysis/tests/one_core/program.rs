//! The steps of one job, tick by tick.
//!
//! A program is a list of ticks; each names the critical sections that the job
//! must be inside while it executes that tick, from the outermost in, and how long
//! it suspends itself before. Sections have a number of their own, so that two
//! sections of one resource in a row are two requests.

use fusee_analysis::generation::Random;
use fusee_analysis::{Request, Task, TaskSet};

/// A critical section that is being executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Inside {
    pub(crate) resource: usize,
    number: usize,
}

/// One tick of execution.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tick {
    pub(crate) inside: Vec<Inside>,
    pub(crate) suspended_before: u64,
}

/// A random program of a task: full execution time, every request made, full suspension.
pub(crate) fn random(set: &TaskSet, index: usize, random: &mut Random) -> Vec<Tick> {
    let task: &Task = &set.tasks()[index];
    let mut writer = Writer { ticks: Vec::new(), sections: 0, random };
    writer.body(task.wcet, set.requests(index), &[]);
    let mut ticks = writer.ticks;
    if !ticks.is_empty() {
        let pieces = random.whole(1, 3);
        let mut left = task.suspension;
        for piece in (1..=pieces).rev() {
            let share = if piece == 1 { left } else { random.whole(0, left) };
            let place = random.whole(0, ticks.len() as u64 - 1) as usize;
            ticks[place].suspended_before += share;
            left -= share;
        }
    }
    ticks
}

struct Writer<'a> {
    ticks: Vec<Tick>,
    sections: usize,
    random: &'a mut Random,
}

impl Writer<'_> {
    /// `length` ticks inside `around`, with the requests somewhere among them.
    fn body(&mut self, length: u64, requests: &[Request], around: &[Inside]) {
        let mut parts: Vec<Option<&Request>> = Vec::new();
        for request in requests {
            parts.extend((0..request.count).map(|_| Some(request)));
        }
        let sections: u64 = parts.iter().flatten().map(|r| r.length).sum();
        parts.extend((sections..length).map(|_| None));
        self.random.shuffle(&mut parts);
        for part in parts {
            match part {
                None => self.ticks.push(Tick { inside: around.to_vec(), suspended_before: 0 }),
                Some(request) => {
                    self.sections += 1;
                    let inside = Inside { resource: request.resource, number: self.sections };
                    let around: Vec<Inside> = around.iter().copied().chain([inside]).collect();
                    self.body(request.length, &request.nested, &around);
                }
            }
        }
    }
}
