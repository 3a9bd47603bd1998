//! The measurements between cores: as JSON, and beside published sizes.

use fusee_measure::{Path, PathBetween};
use fusee_model::Protocol;
use fusee_platform::Platform;
use serde_json::{Value, json};

use super::{Added, Found, Local};
use crate::measuring::unit;

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

/// Table 2 of the same, MrsP on an i7-2600 at 3.4 GHz: cores, and nanoseconds of lock, unlock and
/// helping.
const PAPER_MRSP: [(u64, [u64; 3]); 8] = [
    (1, [315, 196, 48]),
    (2, [345, 3_098, 1_737]),
    (3, [860, 2_962, 1_726]),
    (4, [509, 246, 1_726]),
    (5, [679, 3_049, 1_726]),
    (6, [552, 3_052, 1_724]),
    (7, [1_451, 2_580, 1_760]),
    (8, [803, 2_682, 1_726]),
];

/// The costs of MrsP in systems of so many cores, beside an article's.
#[derive(Debug, Clone, Copy)]
pub struct OfCores {
    /// The number of cores.
    pub cores: u64,
    /// The longest way to lock, to unlock and to help; none: not measured.
    pub longest: [Option<u64>; 3],
    /// The same in the article, in nanoseconds.
    pub published: [u64; 3],
}

impl OfCores {
    fn json(&self) -> Value {
        let [lock, unlock, help] = self.longest;
        let [lock_ns, unlock_ns, help_ns] = self.published;
        json!({
            "cores": self.cores,
            "lock": lock,
            "unlock": unlock,
            "help": help,
            "article": { "lock_ns": lock_ns, "unlock_ns": unlock_ns, "help_ns": help_ns },
        })
    }
}

impl Added {
    /// Returns the article's sizes of its protocol: bytes of code, of data, of static data.
    pub fn published(&self) -> Option<&'static str> {
        let same = PAPER.iter().find(|(protocol, _)| *protocol == self.protocol);
        same.map(|&(_, sizes)| sizes)
    }

    fn json(&self) -> Value {
        json!({
            "name": self.protocol.name(),
            "code_bytes": self.code_bytes,
            "data_bytes": self.data_bytes,
            "article": self.published(),
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
    /// Returns the costs of MrsP as cores are added: Table 2 of dos Santos et al. (2023).
    pub fn by_cores(&self) -> Vec<OfCores> {
        let longest = |cores: u64, name: &str| {
            let same = self.between.paths.iter();
            let same = same.filter(|path| path.cores == cores && path.name == name);
            same.map(|path| path.max).max()
        };
        let of = |(cores, published)| {
            let longest =
                ["mrsp.lock", "mrsp.unlock", "mrsp.help"].map(|name| longest(cores, name));
            OfCores { cores, longest, published }
        };
        PAPER_MRSP.into_iter().map(of).collect()
    }

    /// Returns the result as JSON, for programs.
    pub fn json(&self, platform: Platform) -> Value {
        let between = self.between.paths.iter().map(PathBetween::json);
        let local = self.local.iter().flat_map(Local::json);
        json!({
            "platform": platform.name(),
            "unit": unit(platform),
            "protocols": self.protocols.iter().map(Added::json).collect::<Vec<_>>(),
            "mrsp": self.by_cores().iter().map(OfCores::json).collect::<Vec<_>>(),
            "paths": between.chain(local).collect::<Vec<_>>(),
        })
    }
}
