//! Running a program on the board.

use std::io::{BufReader, Read};
use std::path::Path;
use std::process::{Child, Stdio};

use crate::vexriscv::Board;

/// Bytes of a record of the board.
const RECORD: usize = 20;
/// The board's status for a program that does not fit it.
const BAD_INPUT: i32 = 125;
/// The board's status for a program that did not end in time.
const OUT_OF_TIME: i32 = 124;

/// One instruction that retired.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retired {
    /// The cycle, counted from reset.
    pub cycle: u64,
    /// The address of the instruction.
    pub address: u64,
    /// The word of the instruction.
    pub word: u32,
    /// The value that it wrote to its register, if it writes one.
    pub result: u32,
}

impl Retired {
    /// Returns the register that it writes, by the form of its word.
    pub(crate) fn target(self) -> Option<u32> {
        // Stores, branches and fences have other bits where the others name their register.
        let none = matches!(self.word & 0x7f, 0x23 | 0x63 | 0x0f);
        (!none).then_some(self.word >> 7 & 31)
    }
}

/// The options of a program's run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// Wait states of a single beat, and of the first beat of a burst.
    pub first: u32,
    /// Wait states of each further beat of a burst.
    pub further: u32,
    /// Cycles after which it is stopped.
    pub cycles: u64,
}

/// The results that a run left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The output of the serial line.
    pub serial: String,
    /// The status with which it ended.
    pub status: i32,
}

/// The reason for which there is no outcome.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The board could not be started or read.
    #[error("the board can't be run: {0}")]
    Broken(#[from] std::io::Error),
    /// The program is no RV32 program for the board's memory.
    #[error("{0}")]
    Refused(String),
    /// It did not end in time.
    #[error("the program did not end within {0} cycles; it ends by storing 0x5555 to 0xf0020000")]
    OutOfTime(u64),
}

impl Board {
    /// Runs a program to its end and shows what retires.
    ///
    /// # Errors
    /// [`RunError`] where the program does not fit the board or does not end.
    pub fn run(
        &self,
        elf: &Path,
        run: Run,
        see: &mut dyn FnMut(Retired),
    ) -> Result<Outcome, RunError> {
        let mut child = self
            .command(elf)
            .args([run.first.to_string(), run.further.to_string(), run.cycles.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let serial = follow(&mut child, see)?;
        let status = child.wait()?.code().unwrap_or(-1);
        match status {
            BAD_INPUT => Err(RunError::Refused(serial.trim().to_owned())),
            OUT_OF_TIME => Err(RunError::OutOfTime(run.cycles)),
            status => Ok(Outcome { serial, status }),
        }
    }
}

/// Reads both outputs of the board to their ends.
fn follow(child: &mut Child, see: &mut dyn FnMut(Retired)) -> Result<String, RunError> {
    let (Some(records), Some(mut errors)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(std::io::Error::other("it has no output").into());
    };
    let serial = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        errors.read_to_end(&mut bytes).map(|_| String::from_utf8_lossy(&bytes).into_owned())
    });
    let mut records = BufReader::with_capacity(1 << 16, records);
    let mut record = [0; RECORD];
    loop {
        match records.read_exact(&mut record) {
            Ok(()) => see(decode(&record)),
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => break,
            Err(error) => return Err(error.into()),
        }
    }
    let serial = serial.join().map_err(|_| std::io::Error::other("its serial line broke off"))?;
    Ok(serial?)
}

fn decode(record: &[u8; RECORD]) -> Retired {
    let field = |at: usize| {
        u32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]])
    };
    Retired {
        cycle: u64::from(field(0)) | u64::from(field(4)) << 32,
        address: field(8).into(),
        word: field(12),
        result: field(16),
    }
}
