//! Whole builds: the examples, and mistakes in components' code.

mod bad_code;
mod cmake;
mod common;
mod examples;
mod rust;
