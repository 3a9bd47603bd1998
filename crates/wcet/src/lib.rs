//! Safe bounds on the execution time of binaries, and the worst path.
//!
//! A bound is only as good as the weakest step between the bytes of a binary
//! and the number, so the steps are few and each hands on plain data:
//!
//! 1. [`program`]: an ELF file to loaded bytes and names;
//! 2. [`fusee_isa`]: bytes to one small vocabulary for all processors;
//! 3. [`flow`]: instructions to blocks and nested loops, function by function;
//! 4. [`execute`]: all executions at once on sets of [`value`]s, on a [`machine`];
//! 5. [`profile`] and [`walk`]: the worst path summed up, and step by step.
//!
//! What cannot be found comes from a file of [`facts`] about [`place`]s.
//!
//! Nothing behind the decoder knows which processor it looks at; what differs
//! in time between processors is in the machine descriptions.

pub mod assembly;
pub mod execute;
pub mod fact_line;
pub mod facts;
pub mod flow;
pub mod invariant;
pub mod lines;
pub mod machine;
pub mod names;
pub mod parameters;
pub mod place;
pub mod profile;
pub mod program;
pub mod replay;
mod rules;
pub mod setting;
mod state;
pub mod value;
pub mod walk;

pub use rules::{
    ENTRY, FACTS, METHOD, NO_MACHINE, OTHER_MACHINE, PLACE, REGISTER, RULES, UNUSED, refusal,
};
