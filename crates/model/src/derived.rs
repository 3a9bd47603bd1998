//! What follows from a system: reachability, ceilings, stacks, nesting, cycles.
