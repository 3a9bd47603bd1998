//! From a description's file to an image, with what there is to say about both.

use fusee_diagnostics::{Diagnostic, Severity, render};
use fusee_image::{DomainSizes, Sizes};
use fusee_platform::{Platform, Records};
use serde_json::{Value, json};

use crate::advice;
use crate::build::{Made, Wanted, make};
use crate::complete::Built;
use crate::costs::Costs;
use crate::load::{Loaded, WITHOUT_WCET, load};
use crate::methods::Proved;
use crate::options::{Making, Source};

/// The request of the command.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The description that was read.
    pub source: Source,
    /// The machine that it runs on.
    pub platform: Platform,
    /// The records of the kernel.
    pub variant: Records,
    /// The options of the build.
    pub making: Making,
}

/// An image with its description.
pub struct Image {
    /// The description, with all that there is to say.
    pub loaded: Loaded,
    /// The image that was made.
    pub made: Made,
    platform: Platform,
}

/// Checks, compiles, links, and writes the image.
///
/// # Errors
/// What is left of the description, with what stands in the way.
pub fn build(asked: &Asked) -> Result<Image, Box<Loaded>> {
    let mut loaded = load(&asked.source, &Costs::nothing()).demanding_a_machine();
    let Some((system, _)) = loaded.buildable() else { return Err(Box::new(loaded)) };
    let Asked { source, platform, variant, making } = asked;
    let wanted = Wanted { source: &source.system, platform: *platform, variant: *variant, making };
    match make(&loaded, system, &wanted) {
        Ok(made) => {
            let built = Built { path: &made.path, platform: *platform };
            let system = system.clone();
            let mut compared = built.compared(&mut loaded, &system, (source, &Proved::default()));
            if making.trust_written {
                compared.trust();
            }
            let folder = made.path.parent().map(|folder| folder.display().to_string());
            let next = advice::analysis(source, *platform, &folder.unwrap_or_default());
            loaded.diagnostics.iter_mut().for_each(|found| without_wcet(found, &next));
            let refused = compared.is_contradicted() && !making.trust_written;
            loaded.diagnostics.extend(compared.diagnostics);
            if refused {
                // Nobody shall take it for one that holds what is promised.
                let _ = std::fs::remove_file(&made.path);
                return Err(Box::new(loaded));
            }
            loaded.diagnostics.extend(made.warnings.iter().cloned());
            Ok(Image { loaded, made, platform: *platform })
        }
        Err(diagnostics) => {
            loaded.diagnostics.extend(diagnostics);
            Err(Box::new(loaded))
        }
    }
}

/// Turns a missing time into a warning: it stands in the way of bounds, and not of the build.
fn without_wcet(found: &mut Diagnostic, next: &str) {
    if WITHOUT_WCET.contains(&found.code) {
        found.severity = Severity::Warning;
        let note = format!("the image needs no time; this takes it from what was built: `{next}`");
        found.notes.push(note);
    }
}

impl Image {
    /// Returns the result for programs.
    pub fn json(&self) -> Value {
        let (loaded, made) = (&self.loaded, &self.made);
        json!({
            "system": loaded.system.as_ref().map(|(system, _)| &system.name),
            "platform": self.platform.name(),
            "image": made.path.display().to_string(),
            "bytes": made.built.elf.len(),
            "sizes": sizes(&made.built.sizes),
            "diagnostics": render::json(&loaded.diagnostics, &loaded.sources),
        })
    }
}

fn sizes(sizes: &Sizes) -> Value {
    let domain = |domain: &DomainSizes| {
        json!({
            "name": domain.name,
            "text": domain.text,
            "constants": domain.constants,
            "data": domain.data,
            "stacks": domain.stack_count,
            "stack_bytes": domain.stacks,
            "console_bytes": domain.consoles,
        })
    };
    json!({
        "kernel_text": sizes.kernel_text,
        "kernel_data": sizes.kernel_data,
        "tables": sizes.tables,
        "initial": sizes.initial,
        "page_tables": sizes.page_tables,
        "shared": sizes.shared,
        "domains": sizes.domains.iter().map(domain).collect::<Vec<_>>(),
    })
}
