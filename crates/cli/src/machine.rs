//! The machine that `--machine` names.

use std::path::Path;

use fusee_diagnostics::{Diagnostic, SourceMap};
use fusee_wcet::execute::{self, Bound, Effort, Facts, Failure};
use fusee_wcet::isa::Architecture;
use fusee_wcet::machine::description::{self, BUILT_IN, Description};
use fusee_wcet::machine::{Instructions, Machine, Pipeline};
use fusee_wcet::program::Program;

use crate::args::Wcet;
use crate::rules;

/// A machine, ready to be made for a program.
pub(crate) enum Chosen {
    /// It counts instructions.
    Instructions,
    /// It is described.
    Described {
        /// Its description, whose numbers are known to fit.
        description: Box<Description>,
        /// The stack pointer at entry, if it is known.
        stack: Option<u64>,
    },
}

impl Chosen {
    /// Finds the machine, or reads its file.
    pub(crate) fn load(arguments: &Wcet, isa: Architecture, sources: &mut SourceMap) -> Result<Self, Vec<Diagnostic>> {
        let described =
            |description| Self::Described { description: Box::new(description), stack: arguments.stack_pointer };
        let name = arguments.machine.as_str();
        if name == Instructions.name() {
            return Ok(Self::Instructions);
        }
        if let Some(description) = description::built_in(name, arguments.wait_states) {
            if isa != description::BUILT_IN_FOR {
                let message = format!("the machine `{name}` does not execute {} programs", isa.name());
                let note = format!(
                    "it is for {}; use `instructions`, or describe the machine in a file",
                    description::BUILT_IN_FOR.name()
                );
                return Err(vec![Diagnostic::error(fusee_wcet::OTHER_MACHINE, message).with_note(note)]);
            }
            return Ok(described(description));
        }
        if !name.ends_with(".toml") {
            let message = format!("there is no machine `{name}`");
            let known = [Instructions.name()].into_iter().chain(BUILT_IN).collect::<Vec<_>>().join("`, `");
            let note = format!("known are `{known}`, and files that end in `.toml`");
            return Err(vec![Diagnostic::error(fusee_wcet::NO_MACHINE, message).with_note(note)]);
        }
        let text = std::fs::read_to_string(name).map_err(|error| {
            vec![Diagnostic::error(rules::UNREADABLE, format!("`{name}` can't be read")).with_note(error.to_string())]
        })?;
        let file = sources.add(Path::new(name), text);
        description::read(sources, file).map(described).map_err(|error| vec![error])
    }

    /// Its name.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Instructions => Instructions.name(),
            Self::Described { description, .. } => &description.name,
        }
    }

    /// The unit of its times.
    pub(crate) fn unit(&self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::Described { .. } => "cycles",
        }
    }

    /// Bounds an entry of a program.
    pub(crate) fn bound(&self, program: &Program, entry: u64, facts: &Facts, effort: Effort) -> Result<Bound, Failure> {
        match self {
            Self::Instructions => execute::bound(program, &Instructions, entry, facts, effort),
            Self::Described { description, stack } => {
                // A description that does not fit together was refused when it was read.
                let machine = Pipeline::new(Description::clone(description), program, *stack).ok_or(Failure::Defect)?;
                execute::bound(program, &machine, entry, facts, effort)
            }
        }
    }
}
