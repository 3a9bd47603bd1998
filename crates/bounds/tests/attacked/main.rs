//! Bounds of drawn systems, attacked by a machine that goes on unit by unit.

mod attack;
mod brute_force;
mod enforced;
mod policies;
mod unit_step;
