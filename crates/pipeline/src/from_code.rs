//! Execution times that a description leaves to the code of its components.
//!
//! Where times are missing and the sources are there, nobody has to write times down: the
//! system is built, unless what was built before is still of it, and they are bounded from its
//! programs. So a description that leaves times out is not wrong, as long as somebody can
//! tell them.

use std::path::Path;

use fusee_platform::{Platform, Records};

use crate::analyze::Asked;
use crate::build::{self, Wanted};
use crate::complete::{self, Completed, Programs};
use crate::costs::{self, Costs};
use crate::load::{Loaded, WITHOUT_WCET};
use crate::options::Making;
use crate::{advice, methods};

/// Returns the names of the bodies whose times are missing; nothing where somebody else must tell
/// some of them, because sources are missing, too, or no machine of Fusee's runs the system.
pub(crate) fn bodies(loaded: &Loaded) -> Vec<String> {
    let Some((system, _)) = loaded.buildable() else { return Vec::new() };
    if !loaded.has_code || !loaded.foreign.is_empty() {
        return Vec::new();
    }
    methods::left_out(system).unwrap_or_default()
}

/// Takes away the messages about times that are missing.
pub(crate) fn allow(loaded: &mut Loaded) {
    loaded.diagnostics.retain(|found| !WITHOUT_WCET.contains(&found.code));
}

impl Asked {
    /// Returns the description with the times that it leaves out, from programs that are built for
    /// that if need be, and the costs of the kernel's paths on the machine that they are for.
    pub(crate) fn ready(&self) -> Result<(Completed, Costs), Box<Loaded>> {
        let costs = self.costs()?;
        let completed = self.completed(&costs);
        let builds = self.builds && self.programs.is_none();
        match builds && !bodies(&completed.loaded).is_empty() {
            true => self.built(completed.loaded),
            false => Ok((completed, costs)),
        }
    }

    /// The same with programs of this description.
    fn built(&self, loaded: Loaded) -> Result<(Completed, Costs), Box<Loaded>> {
        let platform = self.platform.unwrap_or(Platform::DEFAULT);
        let costs = costs::chosen(&self.costs, Some(platform));
        let costs = costs.map_err(|wrong| Box::new(Loaded::nothing(*wrong)))?;
        let Some((system, _)) = loaded.buildable() else { return Err(Box::new(loaded)) };
        let folder = advice::folder(&system.name);
        let folder = Path::new(&folder);
        let is_current = folder.join(build::IMAGE).is_file()
            && methods::differences((system, &loaded.given), folder, platform).is_empty();
        if !is_current {
            let making = Making::into_folder(folder.to_owned());
            let (source, variant) = (&self.source.system, Records::Plain);
            let wanted = Wanted { source, platform, variant, making: &making };
            if let Err(wrong) = build::make(&loaded, system, &wanted) {
                return Err(Box::new(not_built(loaded, wrong)));
            }
        }
        let programs = Programs { folder, trust_written: self.trust_written };
        Ok((complete::with_own_programs(&self.source, platform, &costs, programs), costs))
    }
}

/// Returns a description that could not be built: what is missing would not matter if it could.
fn not_built(mut loaded: Loaded, wrong: Vec<fusee_diagnostics::Diagnostic>) -> Loaded {
    allow(&mut loaded);
    loaded.diagnostics.extend(wrong);
    loaded
}
