//! The kernel under virtual time.
