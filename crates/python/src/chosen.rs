//! The choice of a test: a name, or a name with the caller's parameters.

use std::ops::Deref;

use fusee_analysis::partitioned::dpcp::Dpcp;
use fusee_analysis::partitioned::mrsp::{Helping, Mrsp2013, Mrsp2017};
use fusee_analysis::partitioned::omlp::{ClusteredOmlp, ClusteredOmlpEdf};
use fusee_analysis::{SchedulabilityTest, TaskSet, registry};
use pyo3::prelude::*;

use crate::errors::error;

/// How callers say it: a text, or an object with these attributes.
#[derive(FromPyObject)]
pub(crate) enum Asked {
    Name(String),
    Configured {
        name: String,
        homes: Option<Vec<usize>>,
        cluster: Option<usize>,
        helping: Option<(u64, u64)>,
    },
}

/// A test to ask.
pub(crate) enum Chosen {
    Listed(&'static dyn SchedulabilityTest),
    Own(Box<dyn SchedulabilityTest + Send>),
    /// With the home core of each resource.
    Homes(Dpcp),
}

impl Deref for Chosen {
    type Target = dyn SchedulabilityTest;

    fn deref(&self) -> &Self::Target {
        match self {
            Chosen::Listed(test) => *test,
            Chosen::Own(test) => &**test,
            Chosen::Homes(test) => test,
        }
    }
}

impl Chosen {
    /// Whether its parameters are about this set, or what is wrong with them.
    pub(crate) fn fits(&self, set: &TaskSet) -> Result<(), String> {
        let Chosen::Homes(test) = self else { return Ok(()) };
        test.fits(set).map_err(|wrong| format!("`homes`: {wrong}"))
    }
}

/// The test that is meant.
pub(crate) fn find(asked: &Asked) -> PyResult<Chosen> {
    let (name, parameters) = match asked {
        Asked::Name(name) => (name, (None, None, None)),
        Asked::Configured { name, homes, cluster, helping } => {
            (name, (homes.clone(), *cluster, *helping))
        }
    };
    if matches!(parameters, (None, None, None)) {
        return listed(name).map(Chosen::Listed);
    }
    let helping = |(migration, non_preemptive)| Helping { migration, non_preemptive };
    Ok(match (name.as_str(), parameters) {
        ("dpcp", (Some(homes), None, None)) => Chosen::Homes(Dpcp { homes: Some(homes) }),
        (_, (None, Some(0), None)) => return Err(error("`cluster` is 0; at least 1 is needed")),
        ("omlp-clusters", (None, Some(cores), None)) => {
            Chosen::Own(Box::new(ClusteredOmlp { cores }))
        }
        ("omlp-clusters-edf", (None, Some(cores), None)) => {
            Chosen::Own(Box::new(ClusteredOmlpEdf { cores }))
        }
        ("mrsp-2013", (None, None, Some(cost))) => {
            Chosen::Own(Box::new(Mrsp2013 { helping: helping(cost) }))
        }
        ("mrsp-2017", (None, None, Some(cost))) => {
            Chosen::Own(Box::new(Mrsp2017 { helping: helping(cost) }))
        }
        _ => {
            return Err(error(format!(
                "`{name}` has no such parameters; `homes` are of `dpcp`, `cluster` is of \
                 `omlp-clusters` and `omlp-clusters-edf`, `helping` of `mrsp-2013` and `mrsp-2017`"
            )));
        }
    })
}

fn listed(name: &str) -> PyResult<&'static dyn SchedulabilityTest> {
    registry::by_name(name).ok_or_else(|| {
        if ["omlp-clusters", "omlp-clusters-edf"].contains(&name) {
            return error(format!("`{name}` needs the parameter `cluster`"));
        }
        match meant(name) {
            Some(meant) => error(format!("there is no test `{name}`; did you mean {meant}?")),
            None => error(format!("there is no test `{name}`; `fusee.tests()` lists them")),
        }
    })
}

/// Tests whose names are nearly this, or have its words among theirs.
fn meant(name: &str) -> Option<String> {
    let known = || registry::all().map(|test| test.metadata().name);
    if let Some(nearest) = fusee_diagnostics::closest(name, known()) {
        return Some(format!("`{nearest}`"));
    }
    let simple = name.to_lowercase().replace(['_', ' '], "-");
    let mut words = simple.split('-').filter(|word| !word.is_empty()).peekable();
    words.peek()?;
    let has = |known: &&str| words.clone().all(|word| known.split('-').any(|part| part == word));
    let found: Vec<String> = known().filter(has).map(|known| format!("`{known}`")).collect();
    match found.split_last()? {
        (last, []) => Some(last.clone()),
        (last, others) => Some(format!("{} or {last}", others.join(", "))),
    }
}
