//! Policies beside simulators in unit steps, on drawn systems.
//!
//! A simulator computes everything anew from its policy's definition each time it asks, and
//! shares no code with the kernel, nor with the other simulator. Kernel paths take no time here,
//! so kernel and simulator must give the same schedule. After each event the kernel also checks
//! its own state.

mod ceilings;
mod deadlines;
mod scripted;
