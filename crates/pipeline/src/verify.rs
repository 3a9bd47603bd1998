//! The reach of each domain in a finished image.

use std::fs;
use std::path::PathBuf;

use fusee_diagnostics::{Diagnostic, render};
use fusee_image::{Reach, Report};
use serde_json::{Value, json};

use crate::costs::Costs;
use crate::load::{Loaded, WITHOUT_WCET, load};
use crate::options::Source;
use crate::{build, progress, rules, stale};

/// The request of the command.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The image that was made.
    pub image: PathBuf,
    /// The description that it is held against; without this only its own soundness is looked at.
    pub source: Option<Source>,
}

/// The findings about an image.
pub struct Verified {
    /// The description, if there is one.
    pub loaded: Loaded,
    /// The facts that the image alone tells.
    pub report: Report,
    /// `true` if it is made from something else than what is there now.
    pub is_stale: bool,
    /// All that there is to say.
    pub diagnostics: Vec<Diagnostic>,
}

/// Verifies an image, against a description if one is named.
///
/// # Errors
/// The image or the description can't be used: what is left, with what there is to say.
pub fn run(asked: &Asked) -> Result<Verified, Box<Loaded>> {
    let loaded = match asked.source.as_ref().map(|source| load(source, &Costs::nothing())) {
        Some(loaded) if loaded.buildable().is_none() => return Err(Box::new(loaded)),
        // An image holds no times of bodies: what leaves them out can be compared.
        Some(mut loaded) => {
            loaded.diagnostics.retain(|found| !WITHOUT_WCET.contains(&found.code));
            loaded
        }
        None => Loaded::empty(),
    };
    let path = asked.image.display().to_string();
    let bytes = fs::read(&asked.image).map_err(|error| {
        let message = format!("`{path}` can't be read");
        let diagnostic = Diagnostic::error(rules::UNREADABLE, message);
        Loaded::nothing(diagnostic.with_note(error.to_string()))
    })?;
    let system = loaded.buildable().map(|(system, _)| system);
    let verified = progress::during("verifying", || build::verified(&asked.image, &bytes, system));
    let (report, missing) = verified.map_err(|error| Loaded::nothing(error.diagnostic(&path)))?;
    let mut diagnostics = [loaded.diagnostics.clone(), missing].concat();
    let named = loaded.buildable().map(|(system, _)| (system, &loaded.given));
    let image = stale::Image { path: &asked.image, bytes: &bytes, platform: report.platform };
    let stale::Told { wrong, unknown, .. } = image.against(named);
    let is_stale = wrong.is_some();
    diagnostics.extend(wrong.into_iter().chain(unknown));
    diagnostics.extend(report.findings.iter().map(|finding| finding.diagnostic()));
    Ok(Verified { loaded, report, is_stale, diagnostics })
}

impl Verified {
    /// Returns `true` if the image is as it should be.
    pub fn is_fine(&self) -> bool {
        self.report.findings.is_empty() && !self.is_stale
    }

    /// Returns the name of the system that it was held against.
    pub fn against(&self) -> Option<&str> {
        self.loaded.buildable().map(|(system, _)| system.name.as_str())
    }

    /// Returns the result for programs.
    pub fn json(&self) -> Value {
        let report = &self.report;
        json!({
            "system": report.system,
            "platform": report.platform.name(),
            "verified": self.is_fine(),
            "against": self.against(),
            "domains": report.domains.iter().map(domain).collect::<Vec<_>>(),
            "page_tables": report.table_pages,
            "capabilities": report.capabilities,
            "stacks": report.stacks,
            "bus_masters": report.bus_masters.iter().map(bus_master).collect::<Vec<_>>(),
            "diagnostics": render::json(&self.diagnostics, &self.loaded.sources),
        })
    }
}

fn bus_master((domain, device): &(String, &'static str)) -> Value {
    json!({ "domain": domain, "device": device })
}

fn domain(reach: &Reach) -> Value {
    json!({
        "name": reach.name,
        "execute_bytes": reach.execute,
        "read_bytes": reach.read,
        "write_bytes": reach.write,
        "device_bytes": reach.devices,
        "gates": reach.gates,
    })
}
