//! Who can reach what, from the finished image alone.
//!
//! The verifier reads an image as the machine will: the protection registers as the
//! kernel sets them, each component's page tables as the walker follows them, the
//! capability tables as the kernel decodes them. What comes out must be sound in
//! itself (nothing both writable and executable, an unmapped page beside every stack,
//! no page in two domains but shared memory, nothing open that nobody uses) and,
//! where the description is at hand, exactly what it says. It trusts nothing that the
//! build has computed, and shares the format's constants with it and no code. The
//! names in the image are a third witness: what they promise must be there, too.

mod capabilities;
mod file;
mod finding;
mod memory;
mod names;
mod protection;
mod ranges;
mod restart;
mod stacks;
mod timing;
mod walk;
mod windows;

pub use finding::{Finding, Reach, Report, VerifyError};

use file::File;
use finding::Findings;
use fusee_image_format::{Blob, System as Tables};
use fusee_model::System;
use names::Names;
use protection::Protection;
use walk::{Page, Walk};

/// Everything that the checks look at.
pub(crate) struct Subject<'a> {
    pub(crate) file: &'a File,
    pub(crate) tables: &'a Tables,
    pub(crate) names: &'a Names,
    pub(crate) protection: &'a Protection,
    /// Bytes of the tables.
    pub(crate) length: u64,
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
    let file = File::read(bytes)?;
    let names = Names::read(file.manifest())?;
    let (tables, length) = tables(&file)?;
    if file.platform() != tables.header.platform {
        return Err(VerifyError::Platform { file: file.platform().name(), tables: tables.header.platform.name() });
    }
    names.fit(&tables)?;
    let mut findings = Findings::default();
    let protection = Protection::of(&tables.openings);
    let walk = Walk::all(&file, &tables, &names, &protection, &mut findings);
    let subject = Subject {
        file: &file,
        tables: &tables,
        names: &names,
        protection: &protection,
        length,
        pages: &walk.domains,
        table_pages: &walk.tables,
    };
    memory::check(&subject, &mut findings);
    stacks::check(&subject, &mut findings);
    restart::check(&subject, &mut findings);
    timing::check_header(&subject, &mut findings);
    if let Some(system) = system {
        names.describe(system, &mut findings);
        windows::check(&subject, system, &mut findings);
        timing::check(&subject, system, &mut findings);
    }
    capabilities::check(&subject, system, &mut findings);
    Ok(finding::report(&subject, findings))
}

fn tables(file: &File) -> Result<(Tables, u64), VerifyError> {
    let start = file.platform().memory_map().blob;
    let head = file.bytes(start, Blob::HEAD_BYTES as u64).ok_or(VerifyError::NoTables)?;
    let length = Blob::length(&head).map_err(VerifyError::Tables)?;
    let bytes = file.bytes(start, length as u64).ok_or(VerifyError::NoTables)?;
    Ok((Tables::decode(&bytes).map_err(VerifyError::Tables)?, length as u64))
}
