//! A bootable image on the host: into the guest's memory, and its names.

use std::fs;
use std::path::{Path, PathBuf};

use fusee_image_format::{BelowEntry, Blob, CoreBlob, END_OFFSET, Header, Platform, tables_of};
use fusee_model::System;
use object::{Object, ObjectSection, ObjectSegment};

use crate::areas::{self, Area};
use crate::{Manifest, Ram, RunError, system};

/// The section of the names.
const MANIFEST: &str = ".fusee.manifest";

/// Memory behind what the map says, because QEMU puts its description of the machine at the end.
const BEHIND: u64 = 4 << 20;

/// A bootable image that was read.
#[derive(Debug)]
pub struct Image {
    path: PathBuf,
    segments: Vec<(u64, Vec<u8>)>,
    /// The names of the objects.
    pub manifest: Manifest,
    /// The facts about the system as a whole, as each core knows them: one at least.
    pub cores: Vec<Header>,
    /// The system as far as the image tells: without bodies.
    pub system: System,
    /// Message areas of all stacks.
    pub(crate) areas: Vec<Area>,
}

impl Image {
    /// Components without code of their own, which run as their description says.
    pub fn stubs(&self) -> Vec<String> {
        let components = self.manifest.components.iter();
        components.filter(|one| one.stub).map(|one| one.name.clone()).collect()
    }

    /// Reads an image.
    ///
    /// # Errors
    /// It can't be read or is none.
    pub fn read(path: &Path) -> Result<Image, RunError> {
        let wrong = |reason: String| RunError::Image { path: path.display().to_string(), reason };
        let bytes = fs::read(path).map_err(|error| wrong(error.to_string()))?;
        let file =
            object::File::parse(bytes.as_slice()).map_err(|error| wrong(error.to_string()))?;
        let manifest = file.section_by_name(MANIFEST).and_then(|section| section.data().ok());
        let manifest = manifest.ok_or_else(|| wrong(format!("it has no section `{MANIFEST}`")))?;
        let manifest: Manifest =
            serde_json::from_slice(manifest).map_err(|error| wrong(error.to_string()))?;
        let mut segments = Vec::new();
        for segment in file.segments() {
            let data = segment.data().map_err(|error| wrong(error.to_string()))?;
            segments.push((segment.address(), data.to_vec()));
        }
        let platform = Platform::from_name(&manifest.platform);
        let platform = platform
            .ok_or_else(|| wrong(format!("nobody knows the platform `{}`", manifest.platform)))?;
        let map = platform.memory_map();
        let of_core = |core| tables(&segments, tables_of(map, core));
        let blobs: Option<Vec<Blob<'_>>> = (0..manifest.core_count()).map(of_core).collect();
        let blobs = blobs.ok_or_else(|| wrong("it has no tables".to_owned()))?;
        let (cores, system) =
            (blobs.iter().map(|blob| blob.header).collect(), system::of(&manifest, &blobs));
        let areas = areas::of_tables(&manifest, &blobs, &below(&segments, tables_of(map, 0)));
        Ok(Image { path: path.to_owned(), segments, manifest, cores, system, areas })
    }

    /// Returns the first core's facts about the system as a whole.
    pub fn header(&self) -> &Header {
        &self.cores[0]
    }

    /// Returns the machine that it is for.
    pub fn platform(&self) -> Platform {
        self.header().platform
    }

    /// Asks for the machine that it is for.
    ///
    /// # Errors
    /// It is for another one.
    pub fn expect(&self, wanted: Platform) -> Result<(), RunError> {
        let image = self.platform();
        if image == wanted {
            return Ok(());
        }
        Err(RunError::Platform { image: image.name(), wanted: wanted.name() })
    }

    /// Returns the image and the linked programs of its domains.
    pub fn programs(&self) -> Vec<PathBuf> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let domains = self.manifest.domains.iter().map(|domain| folder.join(&domain.elf));
        std::iter::once(self.path.clone()).chain(domains).collect()
    }

    /// Returns the linked program of a domain.
    pub(crate) fn program(&self, domain: u32) -> Option<PathBuf> {
        let folder = self.path.parent().unwrap_or(Path::new("."));
        self.manifest.domains.get(domain as usize).map(|domain| folder.join(&domain.elf))
    }

    /// Returns a memory with the image in it, which ends by itself after `duration` nanoseconds.
    ///
    /// # Errors
    /// It does not fit, or the host has no room for it.
    pub fn load(&self, duration: u64) -> Result<Ram, RunError> {
        let map = self.platform().memory_map();
        let ram = Ram::new(map.ram, map.ram_end - map.ram + BEHIND)?;
        for (address, bytes) in &self.segments {
            let outside = |_| RunError::Image {
                path: self.path.display().to_string(),
                reason: format!("a part of it at {address:#x} is not in the machine's memory"),
            };
            ram.write(*address, bytes).map_err(outside)?;
        }
        let end = self.header().startup.saturating_add(duration);
        for core in 0..self.cores.len() {
            ram.write(tables_of(map, core) + END_OFFSET as u64, &end.to_le_bytes())?;
        }
        Ok(ram)
    }
}

/// Returns the content from an address on, in the segment that holds it.
fn bytes_at(segments: &[(u64, Vec<u8>)], address: u64) -> Option<&[u8]> {
    let inside =
        |(at, bytes): &&(u64, Vec<u8>)| *at <= address && address - at < bytes.len() as u64;
    let (start, bytes) = segments.iter().find(inside)?;
    bytes.get(usize::try_from(address - start).ok()?..)
}

/// Returns a core's tables, at their place.
fn tables(segments: &[(u64, Vec<u8>)], address: u64) -> Option<Blob<'_>> {
    Blob::parse(bytes_at(segments, address)?).ok()
}

/// Stacks of activations of gates between cores, behind a core's tables.
fn below(segments: &[(u64, Vec<u8>)], address: u64) -> Vec<BelowEntry> {
    let bytes = bytes_at(segments, address).unwrap_or_default();
    let behind = Blob::length(bytes).ok().and_then(|length| bytes.get(CoreBlob::offset(length)..));
    let blob = behind.and_then(|bytes| CoreBlob::parse(bytes).ok());
    blob.map_or_else(Vec::new, |blob| blob.below.iter().flatten().collect())
}
