//! Whole builds: the examples, and mistakes in components' code.

mod bad_code;
mod cmake;
mod common;
mod declared;
mod examples;
mod rust;
