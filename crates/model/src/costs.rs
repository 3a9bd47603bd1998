//! What each kernel path costs on a platform.
//!
//! The simulator charges these costs and the analysis accounts for them, so
//! both read the same table. An entry is the worst case of its path from kernel
//! entry to kernel exit, *including* the switch that it may lead to: nobody
//! adds a context switch on top. Kernel paths are not preemptible.
//!
//! A table comes from a measurement, from a proof on the kernel's own binary, or
//! from somebody's word; [`Provenance`] travels with every bound that rests on
//! it. A table read from a file must name every path: an entry that is left out
//! is an error and never a zero.

use serde::{Deserialize, Serialize};

use crate::{Duration, Protocol};

/// Where the numbers of a cost table come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Provenance {
    /// The largest value seen in runs: no bound in the strict sense.
    Measured,
    /// A static analysis of the binary that runs.
    Proved,
    /// Somebody's word, for example a simulated platform's own choice.
    Given,
}

/// Cost of a path for each protocol; direct gates never enter the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProtocolCosts {
    /// At a `propagated` gate.
    pub propagated: Duration,
    /// At a `fixed` gate.
    pub fixed: Duration,
    /// At an `inherited` gate.
    pub inherited: Duration,
    /// At a `fifo` gate.
    pub fifo: Duration,
}

impl ProtocolCosts {
    /// The entry of one protocol.
    pub fn of(&self, protocol: Protocol) -> Duration {
        match protocol {
            Protocol::Propagated => self.propagated,
            Protocol::Fixed => self.fixed,
            Protocol::Inherited => self.inherited,
            Protocol::Fifo => self.fifo,
        }
    }

    /// The largest entry.
    pub fn largest(&self) -> Duration {
        self.propagated.max(self.fixed).max(self.inherited).max(self.fifo)
    }
}

/// Worst-case costs of a platform's kernel paths, in nanoseconds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CostTable {
    /// The platform's name, for example `sim` or `qemu-rv64`.
    pub platform: String,
    /// Where the numbers come from.
    pub provenance: Provenance,
    /// Timer interrupt that releases one job.
    pub release: Duration,
    /// End of a job.
    pub completion: Duration,
    /// Passing a gate.
    pub invoke: ProtocolCosts,
    /// Coming back through a gate.
    #[serde(rename = "return")]
    pub return_: ProtocolCosts,
    /// Added to an invocation that has to wait for its gate.
    pub block: Duration,
    /// Added to a return that hands its gate to a waiter.
    pub handoff: Duration,
    /// Added for each gate over which a priority is inherited.
    pub inherit_step: Duration,
    /// Signalling a notification.
    pub signal: Duration,
    /// Waiting for a notification.
    pub wait: Duration,
    /// Added for each thread that a signal wakes.
    pub wake: Duration,
    /// The end of a budget.
    pub budget_end: Duration,
    /// A fault that unwinds one invocation.
    pub fault: Duration,
    /// The end of a time slice among equal priorities.
    pub time_slice: Duration,
}

/// Why a text is no cost table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a cost table: {0}")]
pub struct ReadCostTableError(String);

impl CostTable {
    /// A table in which no path costs anything: an idealised kernel.
    pub fn zero(platform: impl Into<String>) -> Self {
        Self {
            platform: platform.into(),
            provenance: Provenance::Given,
            release: Duration::ZERO,
            completion: Duration::ZERO,
            invoke: ProtocolCosts::default(),
            return_: ProtocolCosts::default(),
            block: Duration::ZERO,
            handoff: Duration::ZERO,
            inherit_step: Duration::ZERO,
            signal: Duration::ZERO,
            wait: Duration::ZERO,
            wake: Duration::ZERO,
            budget_end: Duration::ZERO,
            fault: Duration::ZERO,
            time_slice: Duration::ZERO,
        }
    }

    /// Whether no path costs anything.
    pub fn is_zero(&self) -> bool {
        *self == Self { provenance: self.provenance, ..Self::zero(self.platform.clone()) }
    }

    /// Reads a table whose times are whole nanoseconds.
    ///
    /// # Errors
    /// The text is no TOML, or a path is missing, unknown or no non-negative integer.
    pub fn from_toml(text: &str) -> Result<Self, ReadCostTableError> {
        toml::from_str(text).map_err(|error| ReadCostTableError(error.to_string().trim_end().to_owned()))
    }

    /// The table as text that [`CostTable::from_toml`] reads back.
    ///
    /// # Errors
    /// A cost is larger than TOML's integers, 2^63 - 1.
    pub fn to_toml(&self) -> Result<String, ReadCostTableError> {
        toml::to_string(self).map_err(|error| ReadCostTableError(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn survives_a_round_trip() {
        let mut table = CostTable::zero("board");
        table.provenance = Provenance::Measured;
        table.invoke.inherited = Duration(2226);
        table.inherit_step = Duration(1844);
        let text = table.to_toml().unwrap();
        assert!(text.contains("inherit_step = 1844"), "{text}");
        assert_eq!(CostTable::from_toml(&text), Ok(table));
    }

    #[test]
    fn a_missing_path_is_an_error_and_no_zero() {
        let text = CostTable::zero("sim").to_toml().unwrap();
        for line in text.lines().filter(|l| l.ends_with("= 0")) {
            let without = text.replacen(&format!("{line}\n"), "", 1);
            assert!(CostTable::from_toml(&without).is_err(), "accepted without `{line}`");
        }
        assert!(CostTable::from_toml(&format!("extra = 1\n{text}")).is_err());
        assert!(CostTable::from_toml(&text.replacen("release = 0", "release = -1", 1)).is_err());
    }

    #[test]
    fn knows_when_it_is_zero() {
        let mut table = CostTable::zero("sim");
        assert!(table.is_zero());
        table.return_.fifo = Duration(1);
        assert!(!table.is_zero());
    }
}
