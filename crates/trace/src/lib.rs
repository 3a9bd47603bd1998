//! Kernel records and their Perfetto form.
//!
//! The kernel writes fixed-size records: numbers, no names. This crate puts the
//! names back and draws the records as a timeline that Perfetto's viewer opens:
//! [`track`] has tracks, slices, instants, counters and flows; below it lies the
//! protobuf wire format.

mod protobuf;
pub mod track;
