//! The finished part of an experiment, in a file that only grows.
//!
//! The file starts with the experiment's identity, so that results of two
//! experiments never mix. Then follow records of one size, each with the number of
//! its chunk, the counts and a checksum. A process may be killed at any moment:
//! what it leaves at most is a record that is cut short or was never written out.
//! Such a record fails its checksum, is dropped when the file is opened, and its
//! chunk is done again. While a log is open the file is locked, so that two runs
//! can't write to it at once.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::checksum::crc32;
use crate::{Cell, Counts, Experiment, Plan};

const MAGIC: &[u8; 8] = b"FUSEESW1";
/// Magic, identity, checksum.
const HEADER: usize = 8 + 16 + 4;
/// The chunk's number and the discarded sets, before a record's cells.
const FRONT: usize = 8 + 4;

/// The reason for which a log can't be used.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The file can't be read or written.
    #[error("`{}` can't be used: {error}", path.display())]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The error that happened.
        error: io::Error,
    },
    /// The file has the results of another experiment.
    #[error("`{}` has results of another experiment", path.display())]
    OtherExperiment {
        /// The path of the file.
        path: PathBuf,
    },
    /// The bytes that a worker handed over are no record of this experiment.
    #[error("a worker handed over a record that is damaged or of another experiment")]
    NoRecord,
    /// Another process is writing to it.
    #[error("`{}` is being written by another run", path.display())]
    InUse {
        /// The path of the file.
        path: PathBuf,
    },
}

/// The results that were found in a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recovery {
    /// Chunks that need not be done again.
    pub done: u64,
    /// Damaged records that were dropped.
    pub dropped: u64,
}

/// An open log.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
    cells: usize,
    counts: Vec<Option<Counts>>,
    recovery: Recovery,
}

impl Log {
    /// Opens the log of an experiment, or begins one.
    ///
    /// # Errors
    /// The file can't be used, is in use, or belongs to another experiment.
    pub fn open(path: &Path, experiment: &Experiment, plan: &Plan) -> Result<Self, LogError> {
        let failed = |error| LogError::Io { path: path.to_owned(), error };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LogError::InUse { path: path.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let header = header(experiment);
        // A start that was cut short is no one's: it holds no record.
        let begun = bytes.len() >= HEADER;
        if begun && bytes[..HEADER] != header {
            return Err(LogError::OtherExperiment { path: path.to_owned() });
        }
        let mut counts = vec![None; usize::try_from(plan.chunks()).unwrap_or(0)];
        let body = if begun { &bytes[HEADER..] } else { &[] };
        let cells = Counts::cells(experiment, plan);
        let dropped = read_records(body, cells, &mut counts);
        let done = counts.iter().flatten().count() as u64;
        let mut log = Self {
            path: path.to_owned(),
            file,
            cells,
            counts,
            recovery: Recovery { done, dropped },
        };
        if !begun || dropped > 0 {
            log.rewrite(&header).map_err(failed)?;
        }
        log.file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok(log)
    }

    /// Returns the results that were found when it was opened.
    pub fn recovery(&self) -> Recovery {
        self.recovery
    }

    /// Returns `true` if a chunk is done.
    pub fn is_done(&self, chunk: u64) -> bool {
        usize::try_from(chunk)
            .ok()
            .and_then(|chunk| self.counts.get(chunk))
            .is_some_and(Option::is_some)
    }

    /// The counts of all chunks; `None` for those that are not done.
    pub fn counts(&self) -> &[Option<Counts>] {
        &self.counts
    }

    /// Returns the results of a chunk as bytes with a checksum, for workers in other processes.
    pub fn record(chunk: u64, counts: &Counts) -> Vec<u8> {
        record(chunk, counts)
    }

    /// Adds a [`record`](Self::record) of this experiment.
    ///
    /// # Errors
    /// The record is damaged or of another experiment, or the file can't be written.
    pub fn add_record(&mut self, bytes: &[u8]) -> Result<(), LogError> {
        match read_record(bytes, self.cells) {
            Some((chunk, counts)) if chunk < self.counts.len() => self.add(chunk as u64, counts),
            _ => Err(LogError::NoRecord),
        }
    }

    /// Adds what a chunk gave; a chunk that is done already is left as it is.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn add(&mut self, chunk: u64, counts: Counts) -> Result<(), LogError> {
        if self.is_done(chunk) {
            return Ok(());
        }
        let Some(place) = usize::try_from(chunk).ok().and_then(|chunk| self.counts.get_mut(chunk))
        else {
            return Ok(());
        };
        let written = self.file.write_all(&record(chunk, &counts));
        written.map_err(|error| LogError::Io { path: self.path.clone(), error })?;
        *place = Some(counts);
        Ok(())
    }

    /// Writes the file anew with the good records only. Records are lost if this
    /// is interrupted; their chunks are then done again.
    fn rewrite(&mut self, header: &[u8]) -> io::Result<()> {
        let mut bytes = header.to_vec();
        for (chunk, counts) in self.counts.iter().enumerate() {
            bytes.extend(counts.iter().flat_map(|counts| record(chunk as u64, counts)));
        }
        self.file.set_len(0)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&bytes)?;
        self.file.sync_all()
    }
}

fn header(experiment: &Experiment) -> [u8; HEADER] {
    let mut bytes = [0; HEADER];
    bytes[..8].copy_from_slice(MAGIC);
    bytes[8..24].copy_from_slice(&experiment.identity().to_le_bytes());
    let checksum = crc32(&bytes[..24]);
    bytes[24..].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

fn record(chunk: u64, counts: &Counts) -> Vec<u8> {
    let mut bytes = chunk.to_le_bytes().to_vec();
    bytes.extend(counts.discarded.to_le_bytes());
    for cell in &counts.cells {
        bytes.extend(cell.schedulable.to_le_bytes());
        bytes.extend(cell.outside.to_le_bytes());
    }
    let checksum = crc32(&bytes);
    bytes.extend(checksum.to_le_bytes());
    bytes
}

/// Fills in the good records; how many others there were.
fn read_records(body: &[u8], cells: usize, counts: &mut [Option<Counts>]) -> u64 {
    let mut dropped = 0;
    for bytes in body.chunks(FRONT + 8 * cells + 4) {
        match read_record(bytes, cells) {
            Some((chunk, good)) if chunk < counts.len() => counts[chunk] = Some(good),
            _ => dropped += 1,
        }
    }
    dropped
}

fn read_record(bytes: &[u8], cells: usize) -> Option<(usize, Counts)> {
    let (content, checksum) = bytes.split_at_checked(FRONT + 8 * cells)?;
    if crc32(content).to_le_bytes() != checksum {
        return None;
    }
    let word =
        |at: usize| content.get(at..at + 4).and_then(|b| b.try_into().ok()).map(u32::from_le_bytes);
    let cell = |k: usize| {
        Some(Cell { schedulable: word(FRONT + 8 * k)?, outside: word(FRONT + 4 + 8 * k)? })
    };
    let chunk = u64::from(word(0)?) | u64::from(word(4)?) << 32;
    let counts =
        Counts { discarded: word(8)?, cells: (0..cells).map(cell).collect::<Option<_>>()? };
    Some((usize::try_from(chunk).ok()?, counts))
}
