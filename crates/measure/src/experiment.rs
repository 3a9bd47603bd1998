//! A system that measures.
//!
//! It is an ordinary description with C components whose clock is the platform's. `@words@` stand
//! for what varies: how many other threads there are, which protocol, how long the queue.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use fusee_model::{Duration, Protocol};

use crate::added::{added, idle};
use crate::ceilings::with_ceiling;
use crate::deadlines::{BEHIND, by_deadline, ordered};
use crate::on_cores::{ON_CORES, line, startup, with_cores, with_sleepers};
use crate::setting::{Others, Setting, THREADS, USUAL_STARTUP};
use crate::stretch::stretched;
use crate::with_schedulers::beside_schedulers;
use crate::with_service::with_service;
use crate::with_word::with_word;

/// Nanoseconds for what a system does before and after its runs.
const AROUND: u64 = 300_000;

/// The fewest microseconds that free mutexes are measured in.
const ALONE: u64 = 200;

/// Nanoseconds in a millisecond.
const MILLISECOND: u64 = 1_000_000;

/// The number of runs that systems are made for where an instruction is a tick.
const RUNS: u64 = 10_000;

/// The gates of a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gates {
    /// Those that its description names.
    AsWritten,
    /// Those of a system where deadlines decide: this one for one at a ceiling.
    ByDeadline(Protocol),
    /// Those that its description names, where deadlines decide.
    OrderedByDeadline,
    /// One more, of the priority ceiling protocol; this one instead of those at a ceiling.
    Ceilings(Option<Protocol>),
}

/// The schedulers beside a system's threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beside {
    None,
    /// As many as the costs hold for, in trees of their own.
    Schedulers,
}

/// The part that a system gets so that it runs on a kernel with more for locks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Adds {
    Nothing,
    /// A mutex that is a word.
    Word,
    /// A component that may let threads sleep.
    Service,
}

/// One system, and how long it has to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Experiment {
    /// Its name, also that of its folder.
    pub name: String,
    /// The length of the run in virtual time.
    pub duration: Duration,
    pub(crate) files: &'static [(&'static str, &'static str)],
    /// Its own threads; as many as usual, where their number is of no account.
    threads: usize,
    words: Vec<(String, String)>,
    /// The gates that it has.
    gates: Gates,
    beside: Beside,
    adds: Adds,
    /// Many come one close behind the other.
    is_crowded: bool,
    stretch: u64,
    /// Milliseconds for setting up.
    startup: u64,
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

impl Experiment {
    /// Returns a system that runs for some milliseconds, with so many threads that are not there to
    /// fill it up.
    pub(crate) fn new(
        name: &str,
        files: &'static [(&'static str, &'static str)],
        milliseconds: u64,
        threads: usize,
    ) -> Experiment {
        let experiment = Experiment {
            name: name.to_owned(),
            duration: Duration(milliseconds * 1_000_000),
            threads,
            files,
            words: Vec::new(),
            gates: Gates::AsWritten,
            beside: Beside::None,
            adds: Adds::Nothing,
            is_crowded: matches!(name, "queue" | "ceilings"),
            stretch: 1,
            startup: USUAL_STARTUP,
            cores: 1,
            others: Others::Sleep,
        };
        experiment.filled_up(THREADS).with("start", &(USUAL_STARTUP * MILLISECOND).to_string())
    }

    /// Returns a system of several cores, which names itself the threads that fill them up, and
    /// runs for so long.
    pub(crate) fn of_cores(
        name: &str,
        files: &'static [(&'static str, &'static str)],
        duration: Duration,
    ) -> Experiment {
        Experiment { duration, ..Experiment::new(name, files, 0, THREADS) }
    }

    /// The same, filled up to so many threads where it does not have them itself.
    fn filled_up(mut self, threads: usize) -> Experiment {
        self.words.retain(|(word, _)| !word.starts_with("@padding"));
        // Who says that it has as many as usual is as large as it needs to be.
        let threads = if self.threads < THREADS { threads } else { self.threads };
        let padding = |i| format!("component Padding padding{i};\n        ");
        let missing = self.threads..threads;
        let timing: String = missing.clone().map(padding_timing).collect();
        self.with("padding", &missing.map(padding).collect::<String>())
            .with("padding_timing", &timing)
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
        // Systems with many threads set up for longer.
        let startup = setting.startup + u64::from(self.is_crowded);
        let time = time + (startup - USUAL_STARTUP) * MILLISECOND;
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
        let others = setting.others;
        let with = if setting.threads > THREADS { with.filled_up(setting.threads) } else { with };
        Experiment { duration: Duration(time), stretch, others, ..with }.beginning(startup)
    }

    /// The same where deadlines decide.
    #[must_use]
    pub fn with_deadlines(self, instead_of_fixed: Protocol) -> Experiment {
        Experiment { gates: Gates::ByDeadline(instead_of_fixed), ..self }
    }

    /// The same where deadlines decide; it fills its cores up itself.
    pub(crate) fn ordered_by_deadline(self) -> Experiment {
        Experiment { gates: Gates::OrderedByDeadline, ..self }
    }

    /// The same with one more gate, of the priority ceiling protocol; this one instead of those
    /// at a ceiling.
    #[must_use]
    pub fn with_ceilings(self, instead_of_fixed: Option<Protocol>) -> Experiment {
        Experiment { gates: Gates::Ceilings(instead_of_fixed), ..self }
    }

    /// The same with a mutex that is a word.
    pub(crate) fn with_word(self) -> Experiment {
        Experiment { adds: Adds::Word, ..self }
    }

    /// The same with a component that may let threads sleep.
    pub(crate) fn with_service(self) -> Experiment {
        Experiment { adds: Adds::Service, ..self }
    }

    /// The same beside schedulers.
    #[must_use]
    pub fn beside_schedulers(self) -> Experiment {
        Experiment { beside: Beside::Schedulers, ..self }
    }

    /// The same with other cores that do so.
    pub(crate) fn beside(self, others: Others) -> Experiment {
        Experiment { others, ..self }
    }

    /// The same in a system of so many cores, on each of which but the first is one thread for what
    /// the others do.
    #[must_use]
    pub fn on_cores(self, cores: usize) -> Experiment {
        let startup = startup(cores, self.others).unwrap_or(ON_CORES) as u64;
        Experiment { cores, ..self }.beginning(startup).called(&format!("on-{cores}"))
    }

    /// The same where setting up has so many milliseconds.
    fn beginning(self, startup: u64) -> Experiment {
        let begins = (startup * MILLISECOND).to_string();
        let later = |(word, text): (String, String)| {
            let text = if word == "@start@" { begins.clone() } else { text };
            (word, text)
        };
        let words = self.words.into_iter().map(later).collect();
        Experiment { words, startup, ..self }
    }

    /// A path that it printed, by the name of the protocol that its gate has.
    pub fn named(&self, path: crate::Path) -> crate::Path {
        match self.instead_of_fixed() {
            Some(protocol) => path.called(&path.name.replace("fixed", protocol.name())),
            None => path,
        }
    }

    /// Returns the protocol that gates at a fixed ceiling have instead.
    fn instead_of_fixed(&self) -> Option<Protocol> {
        match self.gates {
            Gates::ByDeadline(protocol) => Some(protocol),
            Gates::Ceilings(protocol) => protocol,
            Gates::AsWritten | Gates::OrderedByDeadline => None,
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

    /// One of its files with all words filled in.
    pub(crate) fn fill(&self, text: &str) -> String {
        if text.contains("configuration {") { self.description(text) } else { self.code(text) }
    }

    fn description(&self, text: &str) -> String {
        let text = self.with_gates(&self.set_up(text));
        match self.adds {
            Adds::Nothing => text,
            Adds::Word => with_word(&text),
            Adds::Service => with_service(&text),
        }
    }

    fn with_gates(&self, text: &str) -> String {
        let placed = |text: &str| match self.beside {
            Beside::None => self.stretched(&with_cores(text, self.cores, self.others)),
            Beside::Schedulers => beside_schedulers(&self.stretched(text)),
        };
        match self.gates {
            Gates::AsWritten => placed(text),
            Gates::Ceilings(instead) => with_ceiling(&placed(text), instead),
            Gates::OrderedByDeadline => ordered(&self.stretched(text)),
            Gates::ByDeadline(protocol) => {
                // These are filled up in another way.
                let text = text.replace("@padding@", "").replace("@padding_timing@", "");
                let own = by_deadline(&self.stretched(&text), protocol.name(), self.behind());
                with_sleepers(&own, self.cores)
            }
        }
    }

    /// With the time for setting up, unless it has its own.
    fn set_up(&self, text: &str) -> String {
        if self.startup == USUAL_STARTUP || text.contains("system.startup") {
            return text.to_owned();
        }
        let line = format!("\n        {}", line(self.startup as usize));
        added(text, ["", "", &line])
    }

    fn code(&self, text: &str) -> String {
        let Gates::ByDeadline(_) = self.gates else { return self.with_words(text) };
        // What code counts from is when its own thread begins.
        let start = self.startup * MILLISECOND + self.behind().ns();
        self.with_words(&text.replace("@start@", &start.to_string()))
    }

    /// Returns the distance from the others' deadlines to those of threads that fill a system up.
    fn behind(&self) -> Duration {
        Duration(BEHIND.ns() * self.stretch)
    }

    /// Returns a description, with the times in it by which things happen.
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
    let name = format!("padding{index}");
    format!("{name}.priority = 1;\n        {}", idle(&name))
}
