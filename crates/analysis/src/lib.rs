//! Schedulability tests on task sets.
