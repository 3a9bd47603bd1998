//! Chains by hand, and against runs that go one tick at a time.

mod by_hand;
mod machine;
mod runs;
