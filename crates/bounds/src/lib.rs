//! Response-time bounds of a modelled system, with their causes.
