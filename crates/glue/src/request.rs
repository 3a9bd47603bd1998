//! The request for a build, and its result.

use crate::made::Record;
use crate::sources::Given;
use fusee_diagnostics::{Diagnostic, Span};
use fusee_model::{ComponentId, Origin, System};
use fusee_platform::Platform;
use fusee_tables::Machines;
use std::path::{Path, PathBuf};

/// The request for a build: the system, its sources, the machine, and the folder.
pub struct Request<'a> {
    /// The system to build.
    pub system: &'a System,
    /// The folder of its description, around which sources are looked for.
    pub folder: &'a Path,
    /// Macros and folders that the user gives.
    pub given: &'a Given,
    /// The machine that it is to run on.
    pub platform: Platform,
    /// The folder of generated and compiled files; made if it is not there.
    pub out: &'a Path,
    /// Returns the places of objects in the description.
    pub origins: &'a dyn Fn(Origin) -> Option<Span>,
    /// The C compiler; `None`: the environment's `FUSEE_CC`, else Debian's cross GCC.
    pub compiler: Option<&'a str>,
    /// A folder with templates that replace those of the same names.
    pub templates: Option<&'a Path>,
    /// `true` if every component without sources becomes a stub, and not only those whose
    /// description says so.
    pub stubs: bool,
}

/// The programs of all domains.
#[derive(Debug)]
pub struct Built {
    /// The numbers that they were built with.
    pub machines: Machines,
    /// One program for each domain that has code; the boot domain's comes last.
    pub domains: Vec<DomainElf>,
    /// Components that run as their description says, without code of their own.
    pub stubs: Vec<ComponentId>,
    /// `true` if it is a project of CAmkES's, whose defaults hold where a description is silent.
    pub camkes: bool,
    /// The record of all its sources.
    pub record: Record,
    /// The warnings of the build.
    pub warnings: Vec<Diagnostic>,
}

/// A protection domain's program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DomainElf {
    /// Position in the machine's domains.
    pub domain: usize,
    /// The domain's name.
    pub name: String,
    /// An ELF executable, linked at the domain's addresses, with debug information.
    pub path: PathBuf,
}
