//! The inputs that an image is made of.

use fusee_model::{ComponentId, System};
use fusee_platform::{Platform, Records};
use fusee_tables::{Machine, Machines};

/// Everything that an image is made of.
#[derive(Debug, Clone, Copy)]
pub struct Inputs<'a> {
    /// The description's system.
    pub system: &'a System,
    /// Its numbers, core by core.
    pub machines: &'a Machines,
    /// The machine it is for.
    pub platform: Platform,
    /// The kernels' programs, ELF files, core by core: the same ones where the policy is.
    pub kernels: &'a [&'a [u8]],
    /// The records of these kernels.
    pub variant: Records,
    /// The linked programs of the machine's domains, in their order; `None`: no software in it.
    pub domains: &'a [Option<DomainProgram<'a>>],
    /// Components that run as their description says, without code of their own.
    pub stubs: &'a [ComponentId],
    /// The digest of the record of all its sources, if there is one.
    pub record: Option<&'a str>,
}

impl<'a> Inputs<'a> {
    /// Returns the first core, which has all components, domains and devices.
    pub(crate) fn machine(&self) -> &'a Machine {
        self.machines.first()
    }
}

/// A domain's linked program.
#[derive(Debug, Clone, Copy)]
pub struct DomainProgram<'a> {
    /// The ELF file.
    pub bytes: &'a [u8],
    /// The path of the file, seen from the image's folder.
    pub path: &'a str,
}
