//! Kernel records and their Perfetto form.
//!
//! The kernel writes fixed-size records: numbers, no names. This crate puts the
//! names back and draws the records as a timeline that Perfetto's viewer opens:
//! [`draw`] turns records into slices, [`track`] writes slices, instants, counters
//! and flows, and below it lies the protobuf wire format.

mod counters;
mod draw;
mod names;
mod protobuf;
mod threads;
pub mod track;

pub use draw::{Drawing, draw};
pub use names::{GateName, Names, ThreadName, Urgency};
