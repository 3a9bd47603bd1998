//! Experiments: many task sets, many tests, counted.
//!
//! An experiment is a grid of parameters, a number of task sets for each point of
//! the grid, and tests to ask about each set. Three decisions make its results
//! trustworthy.
//!
//! *A set is a function of its place.* Seed, point and number give the set, so any
//! worker can make any set, at any time, once or twice.
//!
//! *Work is cut into fixed chunks.* A [`Chunk`] is some sets of one point. What a
//! chunk gives is whole numbers, and sums of whole numbers don't depend on the
//! order: any number of workers and any interruption lead to the same bytes.
//!
//! *What is done is in a [`Log`]* that only grows, with a checksum on every record.
//! A record that was cut off is noticed and its chunk done again.
//!
//! [`Experiment::read`] reads a file, [`run()`] does what is missing in the log,
//! [`Results`] are written as CSV, Parquet and figures. Generators, placements and tests of
//! one's own are [`Own`].

mod checksum;
mod columns;
mod estimate;
mod experiment;
mod faults;
mod figure;
mod grid;
mod log;
mod options;
mod own;
mod parquet;
mod point;
mod read;
mod results;
mod rules;
mod run;
mod table;
mod value;
mod wilson;
mod work;

pub use columns::Column;
pub use estimate::Estimate;
pub use experiment::{Axis, Choice, Experiment, Figure, Setting, Sharing, Stage, Test};
pub use figure::{FilesError, Picture};
pub use grid::{Chunk, Plan};
pub use log::{Log, LogError, Recovery};
pub use options::{Account, Charge, HelpingCost, Options};
pub use own::{Draw, Own, Place};
pub use parquet::parquet;
pub use point::Point;
pub use results::{Cell, Counts, Results, Row};
pub use rules::{OTHER_LOG, OUTSIDE, RULES};
pub use run::{Progress, RunError, run, run_while};
pub use value::Value;
pub use wilson::interval;
pub use work::{Impossible, count, seed};

#[cfg(test)]
mod tests;
