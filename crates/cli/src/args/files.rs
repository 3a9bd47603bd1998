//! The arguments that name files to read, and those that name files to write.

use std::path::{Path, PathBuf};

use fusee_pipeline::outputs::{Inputs, Outputs};

use super::{Analysis, Command, Making, Measure, RunSystem, Source, Wcet};

/// What a command reads and writes.
#[derive(Default)]
pub(crate) struct Files {
    /// What it reads.
    pub(crate) inputs: Inputs,
    /// What it writes.
    pub(crate) outputs: Outputs,
}

impl Files {
    /// Those that a command's arguments name.
    pub(crate) fn of(command: &Command) -> Self {
        let files = Self::default();
        match command {
            Command::Simulate(own) => {
                files.analysis(&own.analysis).traced(&own.trace).reported(&own.report)
            }
            Command::Analyze(own) => {
                files.analysis(&own.analysis).writes("--junit", own.junit.as_deref())
            }
            Command::Report(own) => {
                files.analysis(&own.analysis).writes("--report", Some(&own.page()))
            }
            Command::Build(own) => files.source(&own.source).made(&own.making, &own.source),
            Command::Run(own) => files.run(own),
            Command::Measure(own) => files.measure(own),
            Command::Wcet(own) => files.wcet(own),
            Command::Sweep(own) => files.reads(Some(&own.experiment)),
            Command::Virtual(own) => files.builds("--booted", own.booted.as_deref()),
            Command::Campaign(own) => files.builds("FOLDER", Some(&own.folder)),
            Command::Check(_)
            | Command::Place(_)
            | Command::Solve(_)
            | Command::Verify(_)
            | Command::Demo
            | Command::Explain(_)
            | Command::Doctor
            | Command::New(_)
            | Command::Lsp
            | Command::Completions(_) => files,
        }
    }

    fn run(self, own: &RunSystem) -> Self {
        let files = self.source(&own.source).traced(&own.trace).reported(&own.report);
        let files = files.writes("--junit", own.junit.as_deref());
        files.read_all(&own.costs).made(&own.making, &own.source)
    }

    fn measure(self, own: &Measure) -> Self {
        let files = self.writes("-o", own.costs.as_deref());
        files.writes("--figure", own.figure.as_deref()).builds("--in", own.folder.as_deref())
    }

    fn wcet(mut self, own: &Wcet) -> Self {
        if own.kernel && !own.program.as_os_str().is_empty() {
            self.inputs.sources.push(own.described());
        }
        let machine = PathBuf::from(&own.machine);
        let files = self.reads(Some(&own.program)).reads(own.facts.as_deref());
        let files = files.read_all(&own.facts_from).reads(Some(&machine));
        files.writes("-o", own.costs.as_deref()).reported(&own.report)
    }

    fn analysis(mut self, own: &Analysis) -> Self {
        self.inputs.builds.extend(own.programs.clone());
        self.source(&own.source).read_all(&own.platform.costs)
    }

    fn source(mut self, own: &Source) -> Self {
        self.inputs.sources.push(own.chosen());
        self
    }

    fn made(self, own: &Making, source: &Source) -> Self {
        let default = || {
            let name = source.system.file_stem()?;
            Some(Path::new("build").join(name))
        };
        let folder = own.folder.clone().or_else(default);
        self.builds("-o", folder.as_deref())
    }

    fn traced(self, path: &Option<PathBuf>) -> Self {
        self.writes("--trace", path.as_deref())
    }

    fn reported(self, path: &Option<PathBuf>) -> Self {
        self.writes("--report", path.as_deref())
    }

    fn reads(mut self, path: Option<&Path>) -> Self {
        self.inputs.files.extend(path.map(Path::to_owned));
        self
    }

    fn read_all(mut self, paths: &[PathBuf]) -> Self {
        self.inputs.files.extend(paths.iter().cloned());
        self
    }

    fn writes(mut self, option: &'static str, path: Option<&Path>) -> Self {
        self.outputs.files.extend(path.map(|path| (option, path.to_owned())));
        self
    }

    fn builds(mut self, option: &'static str, folder: Option<&Path>) -> Self {
        self.outputs.builds.extend(folder.map(|folder| (option, folder.to_owned())));
        self
    }
}
