//! A booted kernel with components in assembly, laid out by the test itself.
//!
//! The build of real systems is elsewhere; here the image is as small as an image can be, so that a
//! test says all that matters about its system. Each component is one source that is assembled and
//! linked at the start of its slot. What it leaves in its data page is read from the guest's memory
//! when the machine has switched itself off.
#![expect(clippy::unwrap_used, reason = "a failure here is the test's failure")]

mod assemble;
mod layout;
pub mod ways;

use fusee_image_format::{Entry, Platform, RawRecord, ResultBlock, Status};
use fusee_kernel_build::build;
use fusee_platform::{Host, Records as Variant};
use layout::{Layout, RECORDS};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

pub use layout::{Bench, Domain, data, home};

static NUMBER: AtomicU32 = AtomicU32::new(0);

/// The results that a run left behind.
#[derive(Debug)]
pub struct Run {
    /// The kernel's result block.
    pub result: ResultBlock,
    /// The kernel's records, in their order.
    pub records: Vec<RawRecord>,
    /// The output of the serial line.
    pub console: String,
    memory: Vec<u8>,
    layout: Layout,
    word: usize,
}

impl Run {
    /// A word of a component's data page.
    ///
    /// # Panics
    /// Where there is no such page.
    pub fn word(&self, domain: usize, index: usize) -> u64 {
        let at = (self.layout.data(domain) - RAM) as usize + index * self.word;
        let mut bytes = [0; 8];
        bytes[..self.word].copy_from_slice(&self.memory[at..at + self.word]);
        u64::from_le_bytes(bytes)
    }

    /// Words of a component's data page, one after the other.
    ///
    /// # Panics
    /// Where there is no such page.
    pub fn words(&self, domain: usize, range: std::ops::Range<usize>) -> Vec<u64> {
        range.map(|index| self.word(domain, index)).collect()
    }

    /// Asserts that the run came to its end.
    ///
    /// # Panics
    /// When it did not, or records are missing.
    #[track_caller]
    pub fn finished(self) -> Run {
        assert_eq!(self.result.status, Status::Finished, "{:?}", self.result);
        assert_eq!(self.result.dropped, 0);
        self
    }
}

const RAM: u64 = 0x8000_0000;
const RAM_BYTES: usize = 64 << 20;

/// Boots a bench on the default platform's plain kernel and waits for its end.
///
/// # Panics
/// When a tool is missing or fails, or the kernel leaves no result.
pub fn boot(bench: &Bench) -> Run {
    boot_on(bench, Platform::DEFAULT, Variant::Plain)
}

/// The same on a platform, with a variant of its kernel.
///
/// # Panics
/// As [`boot`] does.
pub fn boot_on(bench: &Bench, platform: Platform, variant: Variant) -> Run {
    boot_kernel(bench, platform, &kernel(platform, variant))
}

/// The kernel, looked after once for each platform and variant.
fn kernel(platform: Platform, variant: Variant) -> PathBuf {
    static KERNELS: Mutex<BTreeMap<(&str, Variant), PathBuf>> = Mutex::new(BTreeMap::new());
    let mut kernels = KERNELS.lock().unwrap();
    let made = || build(platform, variant, &|_| {}).unwrap_or_else(|error| panic!("{error}"));
    kernels.entry((platform.name(), variant)).or_insert_with(made).clone()
}

/// The same with the kernel in this file.
///
/// # Panics
/// As [`boot`] does.
pub fn boot_kernel(bench: &Bench, platform: Platform, kernel: &Path) -> Run {
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("fusee-bench-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (image, layout) = bench.image(platform, &folder);
    let image_file = folder.join("image.bin");
    std::fs::write(&image_file, image).unwrap();
    let ram = folder.join("ram");
    let file = std::fs::File::create(&ram).unwrap();
    file.set_len(RAM_BYTES as u64).unwrap();
    let output = qemu(bench, platform, [kernel, &image_file, &ram])
        .output()
        .expect("qemu-system-misc is installed");
    let memory = std::fs::read(&ram).unwrap();
    if std::env::var_os("KEEP").is_none() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    let result = ResultBlock::decode(&memory[(RECORDS - RAM) as usize..][..ResultBlock::BYTES]);
    let result = result
        .unwrap_or_else(|| panic!("no result block: {}", String::from_utf8_lossy(&output.stderr)));
    let first = (RECORDS - RAM) as usize + ResultBlock::BYTES;
    let records = memory[first..].chunks(RawRecord::BYTES).take(result.records as usize);
    let records = records.map(|bytes| RawRecord::decode(bytes).unwrap()).collect();
    let console = String::from_utf8_lossy(&output.stdout).into_owned();
    Run { result, records, console, memory, layout, word: platform.word_bytes() as usize }
}

fn qemu(bench: &Bench, platform: Platform, [kernel, image, ram]: [&Path; 3]) -> Command {
    let Host::Emulator(emulator) = platform.descriptor().host else {
        panic!("`{platform}` is not emulated");
    };
    let bytes = RAM_BYTES;
    let memory: PathBuf = ram.into();
    let mut command = Command::new("timeout");
    command.args(["600", emulator.program]);
    command.args([
        "-machine",
        &format!("{},memory-backend=ram", emulator.machine),
        "-m",
        "64M",
        "-bios",
        "none",
    ]);
    command.args(["-serial", "stdio", "-display", "none", "-monitor", "none"]);
    if bench.deterministic {
        command.args(["-icount", "shift=0,sleep=off"]);
    }
    if let Some(core) = bench.core {
        command.args(["-cpu", core]);
    }
    command.arg("-object").arg(format!(
        "memory-backend-file,id=ram,size={bytes},share=on,mem-path={}",
        memory.display()
    ));
    command.arg("-kernel").arg(kernel);
    command
        .arg("-device")
        .arg(format!("loader,file={},addr=0x80100000,force-raw=on", image.display()));
    if let Some(log) = std::env::var_os("QEMU_LOG") {
        // Every instruction that is executed, a file for each boot, for whoever wants to know where
        // a path's go.
        let log = format!("{}.{}", log.display(), NUMBER.load(Ordering::Relaxed));
        command.args(["-singlestep", "-d", "exec,nochain,int", "-D"]).arg(log);
    }
    command
}
