//! A starter project: a folder with a system that keeps its deadlines.
//!
//! A template is a description and the sources of its components, in C and in Rust. No
//! execution time is written in it: they come from the programs.
//!
//! The folder is made under another name first and renamed when it is complete,
//! so that an interrupted run leaves nothing that looks finished.

mod templates;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::files;
pub use templates::{Language, Template};

/// The most cores that a starter's tasks are spread over: each template has as many tasks.
pub const MOST_CORES: u32 = 4;

/// The text of `.gitignore`: everything that is built stays out of a repository.
const IGNORED: &str = "/build/\n";

/// The line behind which the cores of tasks are said.
const CONFIGURATION: &str = "    configuration {\n";

/// The paragraph of a text before which several cores are told of.
const OF_RUNS: &str = "Change something, and ask again:\n";

/// The paragraph about several cores.
const ON_CORES: &str = "\
Its tasks are spread over several cores. QEMU runs these one after the other, so `run` shows what
the code does, and says nothing of deadlines; `analyze` and `simulate` do.

";

/// Texts about the protocol of gates: for tasks of one core, and for those of several.
const PROTOCOLS: [(&str, &str); 2] = [
    ("\"inherited\"", "\"msrp\""),
    (
        "who is inside inherits the priority of who waits.",
        "who waits for another core, or is inside, keeps its own core.",
    ),
];

/// The wishes for a starter.
#[derive(Debug, Clone, Copy)]
pub struct Starter {
    /// The system to start from.
    pub template: Template,
    /// The language of its components.
    pub language: Language,
    /// The number of cores that its tasks are spread over; from 1 to [`MOST_CORES`].
    pub cores: u32,
}

impl Starter {
    /// Writes the project into a folder that does not exist yet; returns the paths, the description
    /// first.
    ///
    /// # Errors
    /// It can't be written.
    pub fn write(self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let part = files::beside(folder)?;
        let written = self.fill(&part).and_then(|()| fs::rename(&part, folder));
        if written.is_err() {
            // The first error is the one to report.
            let _ = fs::remove_dir_all(&part);
        }
        written.map(|()| self.files().iter().map(|(name, _)| folder.join(name)).collect())
    }

    fn fill(self, folder: &Path) -> io::Result<()> {
        fs::create_dir(folder)?;
        for (name, text) in self.files() {
            let path = folder.join(name);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            files::write(&path, text.as_bytes())?;
        }
        Ok(())
    }

    /// Returns the files of the project, the description first.
    fn files(self) -> Vec<(&'static str, String)> {
        let own = [
            ("system.camkes", self.description()),
            ("README.md", self.page()),
            (".gitignore", IGNORED.to_owned()),
        ];
        let sources = self.template.sources(self.language).iter();
        own.into_iter().chain(sources.map(|&(name, text)| (name, text.to_owned()))).collect()
    }

    /// Returns the text that leads through it.
    fn page(self) -> String {
        let text = self.template.page();
        match self.cores {
            1 => text.to_owned(),
            _ => text.replacen(OF_RUNS, &format!("{ON_CORES}{OF_RUNS}"), 1),
        }
    }

    /// Returns the description, with the core of each task if there are several.
    fn description(self) -> String {
        let text = self.template.description().to_owned();
        if self.cores == 1 {
            return text;
        }
        let task = |(task, core)| format!("        {task}.core = {core};\n");
        let tasks = self.template.tasks().into_iter().zip((0..self.cores).cycle());
        let placed: String = tasks.map(task).collect();
        let text = text.replacen(CONFIGURATION, &format!("{CONFIGURATION}{placed}\n"), 1);
        PROTOCOLS.iter().fold(text, |text, (one, several)| text.replace(one, several))
    }
}
