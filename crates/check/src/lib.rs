//! Rules that a description must keep.
