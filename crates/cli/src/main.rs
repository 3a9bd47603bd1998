//! The `fusee` command line.

fn main() {}
