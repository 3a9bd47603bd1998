//! The costs of interrupts of devices.

use serde::{Deserialize, Serialize};

use crate::Duration;

/// Costs of a device's interrupt, each with all that it leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeviceCosts {
    /// The cost of taking it, with its signal and all threads that it wakes or releases.
    pub interrupt: Duration,
    /// The driver's acknowledgement.
    pub acknowledge: Duration,
}

impl DeviceCosts {
    /// Both larger numbers.
    pub(super) fn larger(self, other: Self) -> Self {
        Self {
            interrupt: self.interrupt.max(other.interrupt),
            acknowledge: self.acknowledge.max(other.acknowledge),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::costs::CostTable;

    const DEVICE: DeviceCosts =
        DeviceCosts { interrupt: Duration(7000), acknowledge: Duration(2000) };

    /// A thread that a device interrupts takes longer, as behind the timer.
    #[test]
    fn an_interruption_comes_with_each_interrupt() {
        let table = CostTable { device: Some(DEVICE), ..CostTable::zero("board") };
        let later = table.interrupted(Duration(30));
        assert_eq!((later.release, later.completion), (Duration(30), Duration::ZERO));
        let expected = DeviceCosts { interrupt: Duration(7030), ..DEVICE };
        assert_eq!(later.device, Some(expected));
    }

    #[test]
    fn survives_a_round_trip_and_counts() {
        let table = CostTable { device: Some(DEVICE), ..CostTable::zero("board") };
        let text = table.to_toml().unwrap();
        assert_eq!(CostTable::from_toml(&text).as_ref(), Ok(&table), "{text}");
        assert!(!table.is_zero());
        let free = CostTable { device: Some(DeviceCosts::default()), ..table };
        assert!(free.is_zero());
    }

    /// Systems of both policies count with the longer of each.
    #[test]
    fn the_larger_of_both_counts() {
        let other = DeviceCosts { interrupt: Duration(1), acknowledge: Duration(9000) };
        let larger = DeviceCosts { acknowledge: other.acknowledge, ..DEVICE };
        assert_eq!((DEVICE.larger(other), other.larger(DEVICE)), (larger, larger));
    }
}
