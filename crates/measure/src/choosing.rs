//! Systems of schedulers that choose among their threads, servers among them.
//!
//! Choosers are in a slot of a table, as they can be, and servers are the roots of their trees, as
//! they must be. Where somebody below them has the core as well, that is seen from there.

use crate::added::idle;
use crate::experiment::{Experiment, files};
use crate::setting::{SCHEDULERS, THREADS};
use crate::with_schedulers::{TABLE_ABOVE, idle_schedulers};

/// So many threads has a scheduler where that is measured: few, more, and as many as there can be.
pub(crate) const CHOSEN: [usize; 3] = [2, 8, 24];

/// The number of times that each path is taken.
pub(crate) const BURSTS: usize = 24;

/// The time between two bursts of jobs, in nanoseconds.
const PERIOD: usize = 10_000_000;

/// When jobs come, and how urgent they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Burst {
    /// All at once, the last of the threads being the most urgent: each is better than the others.
    Together,
    /// Two at once, while all others wait for ever.
    Pair,
    /// One after the other, the last of the threads first, all as urgent, or less urgent if it has
    /// time of its own: each has a better turn than those before. The first of them watches how
    /// they come.
    Turns,
    /// As together; the last one watches until its time is used up, and filled up again.
    Spent,
    /// As together; the last one watches while its time is filled up, of which it has enough.
    Filled,
}

/// Schedulers, and the bursts in which their threads come. When they come one after the other,
/// equals in turns are not heard of before the first has ended.
const ALL: [(&str, &[Burst]); 5] = [
    ("FixedPriority", &[Burst::Together, Burst::Pair, Burst::Turns]),
    ("EarliestDeadline", &[Burst::Together, Burst::Pair, Burst::Turns]),
    ("RoundRobin", &[Burst::Together, Burst::Pair]),
    (DEFERRABLE, &SERVED),
    (SERVERS, &SERVED),
];

const SERVED: [Burst; 5] =
    [Burst::Together, Burst::Pair, Burst::Turns, Burst::Spent, Burst::Filled];

/// Its threads have time together.
const DEFERRABLE: &str = "DeferrableServer";
/// Its threads have time of their own.
const SERVERS: &str = "PriorityServers";

/// A scheduler whose threads come in bursts.
#[derive(Clone, Copy)]
struct Choosing {
    chooser: &'static str,
    language: &'static str,
    threads: usize,
    burst: Burst,
}

/// Returns the systems in a language.
pub(crate) fn choosing(language: &'static str) -> Vec<Experiment> {
    let mut all = Vec::new();
    for (chooser, bursts) in ALL {
        for threads in CHOSEN {
            let of = |&burst| Choosing { chooser, language, threads, burst }.system();
            all.extend(bursts.iter().map(of));
        }
    }
    all
}

impl Choosing {
    fn is_server(self) -> bool {
        [DEFERRABLE, SERVERS].contains(&self.chooser)
    }

    /// Returns the number of threads that have something to do.
    fn active(self) -> usize {
        if self.burst == Burst::Pair { 2 } else { self.threads }
    }

    fn system(self) -> Experiment {
        let files = files!("choosers", "components/Job/job.c", "components/Below/below.c");
        let Self { chooser, language, threads, burst } = self;
        let (active, is_server) = (self.active(), self.is_server());
        let schedulers = if is_server { 1 } else { 2 };
        let (extra, extra_settings) = idle_schedulers(schedulers, ("Padding", |_| 150));
        let all = |line: &dyn Fn(usize) -> String| (0..threads).map(line).collect::<String>();
        let kind = |i: usize| if i < active { "Job" } else { "Padding" };
        let boards: Vec<_> = (0..active).map(|i| format!("from job{i}.board")).collect();
        let own = threads + schedulers + 1 + 2 * (SCHEDULERS - schedulers);
        let name = format!("{chooser}-{language}-{threads}-{burst:?}").to_lowercase();
        let decides = if is_server { "serve" } else { "choose" };
        // All of them come by themselves: that many arrivals are no part of a decision.
        let filled = chooser == SERVERS && matches!(burst, Burst::Spent | Burst::Filled);
        Experiment::new("choosing", files, BURSTS as u64 * 10 + 20, own.min(THREADS))
            .called(&name)
            .with("chooser", chooser)
            .with("language", language)
            .with("above", if is_server { "" } else { TABLE_ABOVE.0 })
            .with("jobs", &all(&|i| format!("component {} job{i};\n        ", kind(i))))
            .with("boards", &boards.join(", "))
            .with("extra", &extra)
            .with("extra_settings", &extra_settings)
            .with("time", &self.time())
            .with("settings", &all(&|i| self.setting_of(i)))
            .with("kind", if filled { "burst" } else { decides })
            .with("same", &format!("{decides}.{}", if filled { "fill" } else { "same" }))
            .with("threads", &threads.to_string())
            .with("at_once", &if burst == Burst::Turns { 1 } else { active }.to_string())
            .with("bursts", &BURSTS.to_string())
            .with("period", &PERIOD.to_string())
            .with("idle", &format!("{decides}.idle.{threads}"))
    }

    /// Returns the source of the scheduler's time, and the time that it gives.
    fn time(self) -> String {
        let spent = self.burst == Burst::Spent;
        match (self.chooser, self.burst) {
            (DEFERRABLE, Burst::Spent | Burst::Filled) => {
                let capacity = if spent { 1_000_000 } else { 8_000_000 };
                format!(
                    "root.priority = 100;\n        root.capacity = {capacity};\n        \
                     root.every = {PERIOD};\n        "
                )
            }
            // It is not filled up meanwhile.
            (DEFERRABLE, _) => {
                "root.priority = 100;\n        root.capacity = 5000000000;\n        \
                                root.every = 10000000000;\n        "
                    .to_owned()
            }
            (SERVERS, burst) => {
                let gifts: Vec<_> =
                    (0..self.threads).filter_map(|i| Some((self.own_time(i)?, i))).collect();
                let gifts = gifts.iter().map(|(us, i)| format!("\"{us} us to job{i}\""));
                let every = match burst {
                    Burst::Spent | Burst::Filled => "10 ms",
                    _ => "10 s",
                };
                format!(
                    "root.priority = 100;\n        root.delegates = [{}];\n        \
                     root.delegates_every = \"{every}\";\n        ",
                    gifts.collect::<Vec<_>>().join(", ")
                )
            }
            _ => TABLE_ABOVE.1.to_owned(),
        }
    }

    /// Returns the own time of a thread in microseconds, where threads have that.
    fn own_time(self, i: usize) -> Option<usize> {
        match self.burst {
            // The most urgent one and some others.
            Burst::Together | Burst::Pair => (i % 2 == 1).then_some(100_000),
            Burst::Turns => (i == 0).then_some(100_000),
            Burst::Spent => Some(300),
            Burst::Filled => Some(if i == 0 { 4_000 } else { 200 }),
        }
    }

    /// One of the threads.
    fn setting_of(self, i: usize) -> String {
        let Self { chooser, burst, .. } = self;
        let (name, active) = (format!("job{i}"), self.active());
        let scheduled = format!("{name}.scheduler = \"root\";\n        ");
        let place = match burst {
            // Of those that are as urgent, who comes by itself would go before.
            Burst::Turns => usize::from(chooser == SERVERS && i > 0),
            _ => i,
        };
        let urgency = match chooser {
            "EarliestDeadline" | "RoundRobin" => String::new(),
            _ => format!("{name}.priority = {};\n        ", 10 + place),
        };
        if i >= active {
            return scheduled + &urgency + &idle(&name);
        }
        let (offset, watches) = self.times(i);
        let due = match (chooser, burst) {
            // All at the same time.
            ("EarliestDeadline", Burst::Turns) => Some(PERIOD / 2 - offset),
            ("EarliestDeadline", _) => Some(PERIOD / 2 - 1000 * i),
            _ => None,
        };
        let due = due.map(|due| format!("{name}.deadline = \"{due} ns\";\n        "));
        format!(
            "{scheduled}{urgency}{}{name}.period = \"{PERIOD} ns\";\n        {name}.offset = \
             \"{offset} ns\";\n        {name}.wcet = \"1 us\";\n        {name}.watches = \
             {watches};\n        {name}.delay = {offset};\n        ",
            due.unwrap_or_default()
        )
    }

    /// When a thread's job comes in a period, and how long it watches, in nanoseconds.
    fn times(self, i: usize) -> (usize, usize) {
        let active = self.active();
        // The last one of all that come together, which is the least urgent.
        let last = |watches| if i == 0 { watches } else { 0 };
        match self.burst {
            Burst::Together | Burst::Pair => (0, 0),
            // The last is released first, each of the others so much later.
            Burst::Turns => {
                let watches = if i + 1 == active { active * 20_000 } else { 0 };
                ((active - 1 - i) * 20_000, watches)
            }
            Burst::Spent => (2_000_000, last(4_000_000)),
            // Servers begin with the system, so they are filled up at the end of each period.
            Burst::Filled => (9_000_000, last(2_000_000)),
        }
    }
}
