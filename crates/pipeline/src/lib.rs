//! The commands as a library: read, analyze, build, run, bound.
//!
//! A command of the command line is arguments, a few calls into this crate, and text or
//! JSON about what came back. A module is a capability; what it needs it is given, and
//! what it found it gives back. Nothing here prints, reads arguments or ends the process:
//! what is to be said is a [`Diagnostic`](fusee_diagnostics::Diagnostic), a failure is a
//! [`Problem`](problem::Problem) with the [`Status`](status::Status) that it means, and what
//! takes long is told to whoever listens, see [`progress`].

mod advice;
pub mod analysed;
pub mod analyze;
pub mod boot;
pub mod build;
mod callbacks;
pub mod campaign;
pub mod chains;
pub mod checked;
pub mod combinations;
pub mod commands;
pub mod compare;
pub mod complete;
pub mod costs;
pub mod demo;
mod digest;
pub mod elf;
pub mod estimate;
pub mod experiment;
pub mod files;
mod from_code;
pub mod gates;
pub mod kernel;
pub mod limits;
pub mod load;
pub mod measure;
mod measuring;
pub mod methods;
pub mod options;
pub mod outputs;
mod packings;
pub mod place;
mod priced;
pub mod problem;
pub mod program;
pub mod progress;
pub mod protocols;
pub mod provenance;
pub mod repair;
pub mod rules;
pub mod run;
pub mod simulate;
pub mod solve;
pub mod stale;
pub mod starter;
pub mod status;
pub mod subject;
mod together;
pub mod tools;
mod urgency;
pub mod verdict;
pub mod verify;
pub mod virtualization;
mod wait_states;
