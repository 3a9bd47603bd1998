//! What was measured between cores: for programs, and beside published sizes.

use fusee_measure::{Path, PathBetween};
use fusee_model::Protocol;
use fusee_platform::Platform;
use serde_json::{Value, json};

use super::{Added, Found, Local};
use crate::measure::unit;

/// Table 1 of dos Santos et al. (2023), by what plays the same part here: code, data, static data.
/// Its processor is another one, whose instructions have other lengths.
const PAPER: [(Protocol, &str); 7] = [
    (Protocol::Inherited, "PIP 580, 0, 0"),
    (Protocol::Fixed, "IPCP 624, 0, 0"),
    (Protocol::Fifo, "semaphore 272, 16, 0"),
    (Protocol::Srp, "SRP 644, 168, 53"),
    (Protocol::Mpcp, "MPCP 666, 0, 4"),
    (Protocol::Msrp, "MSRP 412, 32, 73"),
    (Protocol::Mrsp, "MrsP 1552, 0, 60"),
];

impl Added {
    /// What the article has of its protocol: bytes of code, of data, of static data.
    pub fn published(&self) -> Option<&'static str> {
        let same = PAPER.iter().find(|(protocol, _)| *protocol == self.protocol);
        same.map(|&(_, sizes)| sizes)
    }

    fn json(&self) -> Value {
        json!({
            "name": self.protocol.name(),
            "code_bytes": self.code_bytes,
            "data_bytes": self.data_bytes,
        })
    }
}

impl Local {
    fn json(&self) -> impl Iterator<Item = Value> {
        self.paths.iter().map(|path: &Path| {
            json!({
                "name": format!("local.{}", path.name),
                "cores": self.cores,
                "waiting": 0,
                "runs": path.runs,
                "min": path.min,
                "max": path.max,
            })
        })
    }
}

impl Found {
    /// For programs.
    pub fn json(&self, platform: Platform) -> Value {
        let between = self.between.paths.iter().map(PathBetween::json);
        let local = self.local.iter().flat_map(Local::json);
        json!({
            "platform": platform.name(),
            "unit": unit(platform),
            "protocols": self.protocols.iter().map(Added::json).collect::<Vec<_>>(),
            "paths": between.chain(local).collect::<Vec<_>>(),
        })
    }
}
