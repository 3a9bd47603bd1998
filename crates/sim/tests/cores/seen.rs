//! The state of each tick, from the records of a run.

use fusee_kernel::{Kind, Record};

use super::drawn::Drawn;
use super::oracle::{Schedule, Tick};

struct Seen {
    /// The thread that each core has chosen.
    charged: Vec<Option<usize>>,
    /// The gate at which each task has asked.
    asked: Vec<Option<usize>>,
    /// The core that executes each gate's section, and the section's owner.
    executing: Vec<Option<(usize, usize)>>,
}

/// Returns the schedule up to `end`.
pub(crate) fn schedule(drawn: &Drawn, records: &[Record], end: u64) -> Schedule {
    let mut seen = Seen {
        charged: vec![None; drawn.cores],
        asked: vec![None; drawn.tasks.len()],
        executing: vec![None; drawn.gates],
    };
    let mut schedule = Schedule::default();
    let mut records = records.iter().peekable();
    for tick in 0..end {
        while let Some(record) = records.next_if(|record| record.time <= tick) {
            if record.kind == Kind::Complete {
                schedule.ends.push((record.time, record.thread.at(), record.value));
            }
            seen.take(drawn, record);
        }
        schedule.ticks.push(seen.tick());
    }
    schedule
}

impl Seen {
    fn take(&mut self, drawn: &Drawn, record: &Record) {
        let (task, object) = (record.thread.at(), usize::from(record.object));
        match record.kind {
            Kind::Switch => self.charged[object] = record.thread.is_some().then_some(task),
            Kind::Ask => self.asked[task] = Some(object),
            Kind::Return if self.asked[task] == Some(object) => self.asked[task] = None,
            Kind::Take => {
                let core = drawn.tasks[task].core;
                assert_eq!(self.executing[object], None, "taken once, at {}", record.time);
                self.executing[object] = Some((core, record.value as usize));
            }
            Kind::LayDown | Kind::Finish => {
                let core = drawn.tasks[task].core;
                let executed = self.executing[object].take();
                assert_eq!(executed, Some((core, record.value as usize)), "at {}", record.time);
            }
            _ => {}
        }
    }

    fn tick(&self) -> Tick {
        let core = |(core, &charged): (usize, &Option<usize>)| {
            let charged = charged?;
            let executes = match self.asked[charged] {
                None => Some(charged),
                Some(gate) => {
                    self.executing[gate].filter(|&(by, _)| by == core).map(|(_, owner)| owner)
                }
            };
            Some((charged, executes))
        };
        self.charged.iter().enumerate().map(core).collect()
    }
}
