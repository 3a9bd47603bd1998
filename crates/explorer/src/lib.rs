//! Every interleaving of a small system, checked state by state.
