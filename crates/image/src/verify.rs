//! The reach of each domain, from the finished image alone.
//!
//! The verifier reads an image as the machine will: the protection registers as the
//! kernel sets them, each component's page tables as the walker follows them, the
//! capability tables as the kernel decodes them. What comes out must be sound in
//! itself (nothing both writable and executable, an unmapped page beside every stack,
//! no page in two domains but shared memory, nothing open that nobody uses) and,
//! where the description is at hand, exactly what it says. It trusts nothing that the
//! build has computed, and shares the format's constants with it and no code. The
//! names in the image are a third witness: what they promise must be there, too, and
//! the linked programs beside it, where they are at hand, a fourth.

mod capabilities;
mod chain;
mod contents;
mod cores;
mod file;
mod finding;
mod mail;
mod memory;
mod names;
mod page;
mod protection;
mod ranges;
mod restart;
mod restarts;
mod stacks;
mod timing;
mod trees;
mod walk;
mod windows;
mod words;

pub use contents::Programs;
pub use finding::{Finding, Reach, Region, Report, VerifyError};

use cores::Core;
use file::File;
use finding::Findings;
use fusee_image_format::System as Tables;
use fusee_model::System;
use names::Names;
use page::Page;
use protection::Protection;
use walk::Walk;

/// Everything that the checks look at.
pub(crate) struct Subject<'a> {
    pub(crate) file: &'a File,
    pub(crate) tables: &'a Tables,
    pub(crate) names: &'a Names,
    /// All cores, of which the tables are one's.
    pub(crate) cores: &'a [Core],
    pub(crate) protection: &'a Protection,
    /// Pages that each domain can reach, by address.
    pub(crate) pages: &'a [Vec<Page>],
    /// Page-table pages of all domains, in order.
    pub(crate) table_pages: &'a [u64],
}

/// Verifies an image, against a description if there is one.
///
/// # Errors
/// A [`VerifyError`] for bytes that are no image.
pub fn verify(bytes: &[u8], system: Option<&System>) -> Result<Report, VerifyError> {
    let mut findings = Findings::default();
    look(bytes, &mut findings, |subject, findings| {
        memory::check(subject, findings);
        stacks::check(subject, findings);
        words::check(subject, findings);
        restart::check(subject, findings);
        cores::check(subject, system, findings);
        for (number, core) in subject.cores.iter().enumerate() {
            timing::check_header(&subject.of(&core.raw, &core.names), number, findings);
        }
        if let Some(system) = system {
            subject.names.describe(system, findings);
            windows::check(subject, system, findings);
            words::describe(subject, system, findings);
            trees::check(subject, system, findings);
            for (number, core) in subject.cores.iter().enumerate() {
                timing::check_policy((number, &core.told.header), system, findings);
                let part = (subject.cores.len() > 1).then(|| cores::part(system, number));
                let system = part.as_ref().unwrap_or(system);
                let subject = subject.of(&core.told, &core.names);
                timing::check(&subject, system, findings);
                capabilities::check_sleepers(&subject, system, findings);
            }
        }
        capabilities::check(subject, system, findings);
        finding::report(subject, findings)
    })
}

impl<'a> Subject<'a> {
    /// The same with the tables of one core, and the names for them.
    fn of(&self, tables: &'a Tables, names: &'a Names) -> Subject<'a> {
        Subject { tables, names, ..*self }
    }
}

/// Reads an image and walks its page tables, then looks at it all.
fn look<T>(
    bytes: &[u8],
    findings: &mut Findings,
    checks: impl FnOnce(&Subject<'_>, &mut Findings) -> T,
) -> Result<T, VerifyError> {
    let file = File::read(bytes)?;
    let names = Names::read(file.manifest())?;
    let cores = Core::all(&file, &names, findings)?;
    let tables = &cores[0].told;
    if file.platform() != tables.header.platform {
        return Err(VerifyError::Platform {
            file: file.platform().name(),
            tables: tables.header.platform.name(),
        });
    }
    let protection = Protection::of(&tables.openings);
    let walk = Walk::all(&file, tables, &names, &protection, findings);
    let subject = Subject {
        file: &file,
        tables,
        names: &names,
        cores: &cores,
        protection: &protection,
        pages: &walk.domains,
        table_pages: &walk.tables,
    };
    Ok(checks(&subject, findings))
}
