//! The origin of results: marks of the image, of costs, of the version.
//!
//! Results outlive what made them: a folder of finished runs looks the same whichever
//! kernel was booted. So a campaign's file begins with marks of everything that decides
//! what a run shows: a bootable image (the kernel, the stubs and what the compilers made
//! of them), the costs that bounds and simulations charge, and Fusee's version. The
//! image is that of the campaign's first set; all others have the same parts. A mark is
//! Fowler, Noll and Vo's hash (1a, 64 bits): it guards against mistakes, not malice.

use std::fmt;

use fusee_model::costs::CostTable;
use serde::{Deserialize, Serialize};

/// Marks of what results were made with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The digest of the bootable image of the first set.
    image: String,
    /// The digest of the table of the kernel's costs.
    costs: String,
    /// The version of Fusee.
    fusee: String,
}

impl Origin {
    /// Returns the origin for an image, the costs that are charged, and a version of Fusee.
    pub fn of(image: &[u8], costs: &CostTable, fusee: &str) -> Origin {
        // A table is made of integers under names: there is nothing in it that JSON can't say.
        let costs = serde_json::to_vec(costs).unwrap_or_default();
        Origin { image: mark(image), costs: mark(&costs), fusee: fusee.to_owned() }
    }

    /// Returns the differences from another origin, in words.
    pub fn differences(&self, other: &Origin) -> Vec<&'static str> {
        let all = [
            (self.image == other.image, "another kernel"),
            (self.costs == other.costs, "other kernel costs"),
            (self.fusee == other.fusee, "another version of Fusee"),
        ];
        all.into_iter().filter(|(same, _)| !same).map(|(_, what)| what).collect()
    }

    /// Returns the first line of a campaign's file, with its end.
    ///
    /// # Errors
    /// Never for origins of this program; JSON's own.
    pub fn line(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string(self)? + "\n")
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "image {}, costs {}, Fusee {}", self.image, self.costs, self.fusee)
    }
}

fn mark(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_the_published_hash() {
        assert_eq!(mark(b""), "cbf29ce484222325");
        assert_eq!(mark(b"a"), "af63dc4c8601ec8c");
        assert_eq!(mark(b"foobar"), "85944171f73967e8");
    }

    #[test]
    fn every_part_makes_a_difference() {
        let costs = CostTable::from_toml(
            fusee_platform::Platform::DEFAULT
                .descriptor()
                .costs_of(fusee_platform::KernelConfig::PLAIN, 1)
                .unwrap(),
        )
        .unwrap();
        let origin = Origin::of(b"image", &costs, "1");
        assert!(origin.differences(&Origin::of(b"image", &costs, "1")).is_empty());
        assert_eq!(origin.differences(&Origin::of(b"imagf", &costs, "1")), ["another kernel"]);
        assert_eq!(
            origin.differences(&Origin::of(b"image", &costs.scaled(1, 2), "1")),
            ["other kernel costs"]
        );
        let all = Origin::of(b"", &CostTable::zero("sim"), "2");
        assert_eq!(origin.differences(&all).len(), 3);
        assert_eq!(serde_json::from_str::<Origin>(&origin.line().unwrap()).unwrap(), origin);
    }
}
