//! The systems that measure.
//!
//! Each is an ordinary description with C components whose clock is the platform's.
//! `@words@` stand for what varies: how many other threads there are, which
//! protocol, how long the queue. The kernel's search for the next release grows with
//! the number of threads, and the table is meant for systems of up to [`THREADS`]: where
//! releases are measured, other threads do nothing, but they are there.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fusee_model::{Duration, Protocol};

use crate::between;
use crate::ceilings::{CEILINGS, lifted, with_ceiling};
use crate::deadlines::{BEHIND, by_deadline};
use crate::queue::queue;
use crate::setting::{Others, Setting};
use crate::stretch::stretched;
use crate::words::{nest, with_word, words};

/// Threads in a measuring system, those of the system's start apart.
pub const THREADS: usize = 32;

/// The longest queue that a system of the size that is meant can have: all but the holder and one
/// that runs.
pub(crate) const WAITERS: usize = THREADS - 2;

/// Nanoseconds for what a system does before and after its runs.
const AROUND: u64 = 300_000;

/// The fewest microseconds that free mutexes are measured in.
const ALONE: u64 = 200;

/// When the first jobs of the measuring systems begin.
const START: u64 = 1_000_000;

/// What systems are made for where an instruction is a tick.
const RUNS: u64 = 10_000;

/// Which gates a system has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gates {
    /// Those that its description names.
    AsWritten,
    /// Those of a system where deadlines decide: this one for one at a ceiling.
    ByDeadline(Protocol),
    /// One more, of the priority ceiling protocol; this one instead of those at a ceiling.
    Ceilings(Option<Protocol>),
    Word,
}

/// One system, and how long it has to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Experiment {
    /// Its name, also that of its folder.
    pub name: String,
    /// Virtual time.
    pub duration: Duration,
    files: &'static [(&'static str, &'static str)],
    words: Vec<(String, String)>,
    /// Which gates it has.
    gates: Gates,
    /// Many come one close behind the other.
    is_crowded: bool,
    stretch: u64,
    /// On the first of which all happens.
    cores: usize,
    others: Others,
}

/// The files of a system: its description and its components' sources.
macro_rules! files {
    ($system:literal, $($file:literal),*) => {
        &[
            ("system.camkes", include_str!(concat!("../systems/", $system, "/system.camkes"))),
            $(($file, include_str!(concat!("../systems/", $system, "/", $file)))),*
        ]
    };
}
pub(crate) use files;

const HEADER: &str = include_str!("../systems/include/measure.h");

/// All systems, the quick ones first. Queues are as long as `longest`.
pub fn experiments(setting: Setting, longest: usize) -> Vec<Experiment> {
    let mut all = vec![gates()];
    all.extend(["inherited", "fifo"].map(contention).map(without_budgets));
    all.extend([mutexes(), queued_jobs(), interrupt(), messages()]);
    all.extend([chain(), jobs(), events(), slices(), deepest()].map(without_budgets));
    all.extend([
        with_budgets(contention("inherited"), "low high"),
        with_budgets(chain(), "high task1 task2 task3 task4 task5 task6 task7"),
        with_budgets(jobs(), "spinner job"),
        with_budgets(events(), "waiter sender late last"),
        with_budgets(slices(), "one two"),
        with_budgets(deepest(), "low high"),
    ]);
    all.extend(["suspend", "continue"].map(budgets));
    all.extend(["continue", "restart"].map(faults));
    let waiters: String = (0..WAITERS).map(|i| format!(" waiter{i}")).collect();
    all.push(with_budgets(queue(WAITERS), &format!("holder releaser spinner{waiters}")));
    all.push(without_budgets(queue(longest)));
    all.into_iter().map(|experiment| experiment.in_setting(setting)).collect()
}

/// The same for a kernel that orders threads by deadlines. The one that is left out needs a
/// callback that preempts, and callbacks have no deadline.
pub fn experiments_by_deadline(setting: Setting, longest: usize) -> Vec<Experiment> {
    let mut all = experiments(setting, longest);
    all.retain(|experiment| experiment.name != "interrupt");
    let mut all: Vec<_> =
        all.into_iter().map(|experiment| experiment.with_deadlines(Protocol::Srp)).collect();
    let more = gates().in_setting(setting).called("non_preemptive");
    all.push(more.with_deadlines(Protocol::NonPreemptive));
    all
}

/// The same for a kernel that has the priority ceiling protocol.
pub fn experiments_by_ceiling(setting: Setting, longest: usize) -> Vec<Experiment> {
    let mut more = vec![without_budgets(contention("ceiling"))];
    more.push(with_budgets(contention("ceiling"), "low high"));
    more.extend([1, CEILINGS].map(lifted));
    let more = more.into_iter().map(|experiment| experiment.in_setting(setting));
    let all = experiments(setting, longest).into_iter().chain(more);
    let with = |protocol, experiment| Experiment { gates: Gates::Ceilings(protocol), ..experiment };
    let instead = with(Some(Protocol::Ceiling), gates().called("ceiling").in_setting(setting));
    all.map(|experiment| with(None, experiment)).chain([instead]).collect()
}

/// The same for a kernel that has mutexes that are words.
pub fn experiments_by_word(setting: Setting, longest: usize) -> Vec<Experiment> {
    let with = |experiment| Experiment { gates: Gates::Word, ..experiment };
    let all = experiments(setting, longest).into_iter().map(with);
    all.chain([words(setting), nest(setting)]).collect()
}

/// A system whose threads may run as long as they like.
fn without_budgets(experiment: Experiment) -> Experiment {
    experiment.with("budgets", "").with("kind", "")
}

/// A system in which some threads have budgets, which never end: their time is counted at each
/// switch.
fn with_budgets(experiment: Experiment, threads: &str) -> Experiment {
    let budgets =
        threads.split(' ').map(|thread| format!("{thread}.budget = \"1000 s\";\n        "));
    experiment
        .with("budgets", &budgets.collect::<String>())
        .with("kind", ".budget")
        .called("budget")
}

fn gates() -> Experiment {
    let files = files!(
        "gates",
        "components/Client/client.c",
        "components/Server/server.c",
        "components/Pass/pass.c",
        "components/Inner/inner.c"
    );
    Experiment::new("gates", files, 1_000, THREADS)
}

fn contention(protocol: &str) -> Experiment {
    let files = files!(
        "contention",
        "components/Low/low.c",
        "components/High/high.c",
        "components/Server/server.c"
    );
    Experiment::new("contention", files, 240, THREADS).with("protocol", protocol).called(protocol)
}

/// Mutexes each of whose locks is a call.
fn mutexes() -> Experiment {
    let files = files!(
        "mutex",
        "components/Alone/alone.c",
        "components/Low/low.c",
        "components/High/high.c",
        "components/Server/server.c"
    );
    let mutexes = Experiment::new("mutex", files, 290, THREADS).with("locking", "");
    mutexes.with("waits", "mutex.waits").with("served", "mutex.served")
}

fn chain() -> Experiment {
    let files = files!(
        "chain",
        "components/Task/task.c",
        "components/High/high.c",
        "components/Link/link.c",
        "components/End/end.c"
    );
    Experiment::new("chain", files, 2_200, THREADS)
}

/// Jobs that begin at once.
fn jobs() -> Experiment {
    let files = files!("jobs", "components/Job/job.c", "components/Spinner/spinner.c");
    Experiment::new("jobs", files, 101, 3)
        .with("other_period", "1000 s")
        .with("other_offset", "999 s")
        .with("period", "10007")
        .with("what", "board((volatile uint64_t *)board)")
}

/// Jobs that find a higher one at work, and one that never begins.
fn queued_jobs() -> Experiment {
    let files = files!("jobs", "components/Job/job.c", "components/Spinner/spinner.c");
    let jobs = Experiment::new("jobs", files, 101, 3)
        .with("other_period", "10007 ns")
        .with("other_offset", "5 us");
    without_budgets(jobs).with("period", "1000000000").with("what", "clock()").called("queued")
}

fn events() -> Experiment {
    let files = files!(
        "events",
        "components/Waiter/waiter.c",
        "components/Sender/sender.c",
        "components/Late/late.c",
        "components/Last/last.c"
    );
    Experiment::new("events", files, 200, THREADS)
}

fn interrupt() -> Experiment {
    // The handler's thread is one more.
    Experiment::new("interrupt", files!("interrupt", "components/Device/device.c"), 60, 2)
}

fn deepest() -> Experiment {
    let files = files!(
        "deepest",
        "components/Low/low.c",
        "components/High/high.c",
        "components/Level/level.c",
        "components/Last/last.c"
    );
    Experiment::new("deepest", files, 240, 2)
}

fn messages() -> Experiment {
    let files = files!("messages", "components/Client/client.c", "components/Server/server.c");
    Experiment::new("messages", files, 4_000, 1)
}

fn slices() -> Experiment {
    Experiment::new("slices", files!("slices", "components/Spinner/spinner.c"), 230, THREADS)
}

fn budgets(action: &str) -> Experiment {
    let files = files!("budgets", "components/Eager/eager.c", "components/Spinner/spinner.c");
    Experiment::new("budgets", files, 130, 2).with("action", action).called(action)
}

fn faults(action: &str) -> Experiment {
    let files = files!("faults", "components/Client/client.c", "components/Server/server.c");
    Experiment::new("faults", files, 200, THREADS).with("action", action).called(action)
}

impl Experiment {
    /// A system that runs for some milliseconds, with so many threads that are not there to fill it
    /// up.
    pub(crate) fn new(
        name: &str,
        files: &'static [(&'static str, &'static str)],
        milliseconds: u64,
        threads: usize,
    ) -> Experiment {
        let padding: String = (threads..THREADS)
            .map(|i| format!("component Padding padding{i};\n        "))
            .collect();
        let timing: String = (threads..THREADS).map(padding_timing).collect();
        let experiment = Experiment {
            name: name.to_owned(),
            duration: Duration(milliseconds * 1_000_000),
            files,
            words: Vec::new(),
            gates: Gates::AsWritten,
            is_crowded: matches!(name, "queue" | "ceilings"),
            stretch: 1,
            cores: 1,
            others: Others::Sleep,
        };
        experiment
            .with("padding", &padding)
            .with("padding_timing", &timing)
            .with("start", &START.to_string())
    }

    /// A system of several cores, which says itself who fills them up, and runs for so long.
    pub(crate) fn of_cores(
        name: &str,
        files: &'static [(&'static str, &'static str)],
        duration: Duration,
    ) -> Experiment {
        Experiment { duration, ..Experiment::new(name, files, 0, THREADS) }
    }

    /// The same with a word filled in.
    pub(crate) fn with(mut self, word: &str, text: &str) -> Experiment {
        self.words.push((format!("@{word}@"), text.trim_end().to_owned()));
        self
    }

    /// The same on a platform that is measured in this way.
    pub(crate) fn in_setting(self, setting: Setting) -> Experiment {
        let Setting { runs, gap, serial, serial_interrupt, .. } = setting;
        let stretch = if self.is_crowded { setting.crowded_stretch } else { setting.stretch };
        // What does not grow with the runs is there once more for each time that all is stretched.
        let time = self.duration.ns() / RUNS * runs * stretch + (stretch - 1) * AROUND;
        let alone = (4 * runs).max(ALONE);
        let words = [
            ("runs", runs),
            ("stretch", stretch),
            ("gap", gap),
            ("serial", serial),
            ("serial_interrupt", serial_interrupt.into()),
            ("alone", alone),
        ];
        let with =
            words.into_iter().fold(self, |all, (word, number)| all.with(word, &number.to_string()));
        Experiment { duration: Duration(time), stretch, others: setting.others, ..with }
    }

    /// The same where deadlines decide.
    fn with_deadlines(self, instead_of_fixed: Protocol) -> Experiment {
        Experiment { gates: Gates::ByDeadline(instead_of_fixed), ..self }
    }

    /// The same with other cores that do so.
    pub(crate) fn beside(self, others: Others) -> Experiment {
        Experiment { others, ..self }
    }

    /// The same in a system of so many cores, on each of which but the first is one thread for what
    /// the others do.
    #[must_use]
    pub fn on_cores(self, cores: usize) -> Experiment {
        Experiment { cores, ..self }.called(&format!("on-{cores}"))
    }

    /// A path that it printed, by the name of the protocol that its gate has.
    pub fn named(&self, path: crate::Path) -> crate::Path {
        match self.instead_of_fixed() {
            Some(protocol) => path.called(&path.name.replace("fixed", protocol.name())),
            None => path,
        }
    }

    /// What gates at a fixed ceiling have instead.
    fn instead_of_fixed(&self) -> Option<Protocol> {
        match self.gates {
            Gates::ByDeadline(protocol) => Some(protocol),
            Gates::Ceilings(protocol) => protocol,
            Gates::AsWritten | Gates::Word => None,
        }
    }

    /// The same with a longer name.
    pub(crate) fn called(mut self, addition: &str) -> Experiment {
        self.name = format!("{}-{addition}", self.name);
        self
    }

    /// Writes all files below a folder and gives the description's path.
    ///
    /// # Errors
    /// A file can't be written.
    pub fn write(&self, folder: &Path) -> io::Result<PathBuf> {
        let folder = folder.join(&self.name);
        for (name, text) in self.files.iter().chain(self.others.files()) {
            let path = folder.join(name);
            let parent = path.parent().unwrap_or(&folder);
            fs::create_dir_all(parent)?;
            if name.ends_with(".c") {
                fs::write(parent.join("measure.h"), HEADER)?;
            }
            fs::write(&path, self.fill(text))?;
        }
        Ok(folder.join("system.camkes"))
    }

    fn fill(&self, text: &str) -> String {
        if text.contains("configuration {") { self.description(text) } else { self.code(text) }
    }

    fn description(&self, text: &str) -> String {
        match self.gates {
            Gates::AsWritten => self.stretched(&between::with_cores(text, self.cores, self.others)),
            Gates::Word => with_word(&self.stretched(text)),
            Gates::Ceilings(instead) => with_ceiling(&self.stretched(text), instead),
            Gates::ByDeadline(protocol) => {
                // These are filled up in another way.
                let text = text.replace("@padding@", "").replace("@padding_timing@", "");
                by_deadline(&self.stretched(&text), protocol.name(), self.behind())
            }
        }
    }

    fn code(&self, text: &str) -> String {
        let Gates::ByDeadline(_) = self.gates else { return self.with_words(text) };
        // What code counts from is when its own thread begins.
        let start = START + self.behind().ns();
        self.with_words(&text.replace("@start@", &start.to_string()))
    }

    /// How long after the others' deadlines those of threads that fill a system up are.
    fn behind(&self) -> Duration {
        Duration(BEHIND.ns() * self.stretch)
    }

    /// A description, with the times in it by which things happen.
    fn stretched(&self, text: &str) -> String {
        let text = self.with_words(text);
        if self.stretch == 1 {
            return text;
        }
        text.lines().map(|line| stretched(line, self.stretch) + "\n").collect()
    }

    fn with_words(&self, text: &str) -> String {
        let all = self.words.iter();
        all.fold(text.to_owned(), |text, (word, with)| text.replace(word, with))
    }
}

/// Threads that fill a system up have the lowest priority and are first released long after the
/// end.
fn padding_timing(index: usize) -> String {
    format!(
        "padding{index}.priority = 1;\n        padding{index}.period = \"1000 s\";\n        \
         padding{index}.offset = \"999 s\";\n        padding{index}.wcet = \"1 us\";\n        \
         padding{index}.stub = true;\n        "
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_filled_in() {
        let setting = Setting {
            runs: 8,
            stretch: 4,
            crowded_stretch: 5,
            gap: 7,
            serial: 1,
            serial_interrupt: 2,
            others: Others::Walk,
        };
        let all = [
            experiments(setting, 3),
            experiments_by_deadline(setting, 3),
            experiments_by_ceiling(setting, 3),
            experiments_by_word(setting, 3),
        ];
        for experiment in all.concat() {
            for (name, text) in experiment.files {
                let text = experiment.fill(text);
                assert!(!text.contains('@'), "{}/{name}: {text}", experiment.name);
            }
        }
    }
}
