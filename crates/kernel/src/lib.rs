//! The kernel's decisions as one pure state machine.
