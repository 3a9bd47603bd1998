//! Checks on the source tree of the project itself.

fn main() {}
