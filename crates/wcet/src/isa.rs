//! Decoders: bytes of one processor family to the common language.

mod error;
pub mod riscv;

pub use error::DecodeError;
