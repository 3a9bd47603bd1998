//! The reasons for which bytes are no instruction.

/// Bytes that stand for no instruction that the decoder knows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The bytes end inside the instruction.
    #[error("the code ends inside the instruction at {address:#x}")]
    Truncated {
        /// Address of the instruction.
        address: u64,
    },
    /// An address at which no instruction can be.
    #[error("no instruction of this processor can be at {address:#x}, which is no multiple of 4")]
    Misaligned {
        /// The address of the instruction.
        address: u64,
    },
    /// An odd address: code of the other instruction set of 32-bit ARM processors.
    #[error("{address:#x} is Thumb code, for which there is no decoder; build it with `-marm`")]
    Thumb {
        /// The address, without the bit that says so.
        address: u64,
    },
    /// The processor would raise an illegal-instruction exception, or the
    /// instruction belongs to an extension that is not supported.
    #[error("{bits:#010x} at {address:#x} is no instruction of {isa}")]
    Unknown {
        /// Address of the instruction.
        address: u64,
        /// The bits of the instruction.
        bits: u32,
        /// The instruction set.
        isa: &'static str,
    },
    /// More of it belongs together than any function that people write.
    #[error("what starts at {address:#x} is no function: {what}")]
    Endless {
        /// Address of the function.
        address: u64,
        /// The thing that there is too much of.
        what: &'static str,
    },
}
