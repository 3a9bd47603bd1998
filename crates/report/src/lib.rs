//! One self-contained page about a system.
