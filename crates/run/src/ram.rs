//! The guest's memory as a file that the host reads unnoticed.
//!
//! QEMU can take a file for the memory of a machine and share it. So the host puts
//! the image into it before the machine starts, and takes records, results and
//! consoles out of it afterwards: the guest executes no instruction for that, and
//! its clock, which counts instructions, shows no difference. The file has no name
//! as soon as it exists; it disappears with the last process that has it open,
//! however that ends.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Memory of one machine, from `base` on.
#[derive(Debug)]
pub struct Ram {
    file: File,
    base: u64,
    size: u64,
}

impl Ram {
    /// Zeroed memory of `size` bytes whose first byte has the address `base`.
    ///
    /// # Errors
    /// No folder for temporary files takes it.
    pub fn new(base: u64, size: u64) -> io::Result<Ram> {
        let mut last = io::Error::other("no folder for temporary files");
        for folder in [PathBuf::from("/dev/shm"), std::env::temp_dir()] {
            match anonymous(&folder).and_then(|file| file.set_len(size).map(|()| file)) {
                Ok(file) => return Ok(Ram { file, base, size }),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// Address of the first byte.
    pub fn base(&self) -> u64 {
        self.base
    }

    /// Returns the size in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns a path under which other processes open it, as long as this one lives.
    pub(crate) fn path(&self) -> String {
        format!("/proc/{}/fd/{}", std::process::id(), self.file.as_raw_fd())
    }

    /// Puts bytes at an address.
    ///
    /// # Errors
    /// They are not all inside the memory, or the file can't be written.
    pub fn write(&self, address: u64, bytes: &[u8]) -> io::Result<()> {
        let offset = self.offset(address, bytes.len() as u64)?;
        self.file.write_all_at(bytes, offset)
    }

    /// Takes `length` bytes from an address.
    ///
    /// # Errors
    /// They are not all inside the memory, or the file can't be read.
    pub fn read(&self, address: u64, length: u64) -> io::Result<Vec<u8>> {
        let offset = self.offset(address, length)?;
        let mut bytes = vec![0; usize::try_from(length).map_err(io::Error::other)?];
        self.file.read_exact_at(&mut bytes, offset)?;
        Ok(bytes)
    }

    fn offset(&self, address: u64, length: u64) -> io::Result<u64> {
        let offset = address.checked_sub(self.base);
        let inside =
            offset.filter(|offset| offset.checked_add(length).is_some_and(|end| end <= self.size));
        inside.ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::InvalidInput,
                format!("{address:#x} is not in the memory"),
            )
        })
    }
}

/// Returns a file without a name.
fn anonymous(folder: &Path) -> io::Result<File> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let path = folder.join(format!("fusee-ram-{}-{number}", std::process::id()));
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
    fs::remove_file(&path)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_what_is_written_inside() {
        let ram = Ram::new(0x8000_0000, 4096).unwrap();
        ram.write(0x8000_0ffe, &[1, 2]).unwrap();
        assert_eq!(ram.read(0x8000_0ffc, 4).unwrap(), [0, 0, 1, 2]);
        assert!(ram.write(0x8000_0fff, &[1, 2]).is_err());
        assert!(ram.read(0x7fff_ffff, 1).is_err());
        assert!(ram.read(0x8000_0000, u64::MAX).is_err());
        assert_eq!(fs::read(ram.path()).unwrap().len(), 4096);
    }
}
