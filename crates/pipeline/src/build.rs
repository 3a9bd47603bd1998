//! From a checked description to an image on disk.

use std::fs;
use std::path::{Path, PathBuf};

use fusee_diagnostics::{Diagnostic, Severity};
use fusee_image::{Built, DomainProgram, ImageError, Inputs, Report, VerifyError};
use fusee_kernel_build::BuildError;
use fusee_model::{Origin, Sourced, System};
use fusee_platform::{KernelConfig, KernelPolicy, Platform, Records};
use fusee_tables::{Machines, kernel_policy};

use crate::load::Loaded;
use crate::options::Making;
use crate::{files, progress, rules, stale};

/// An image that was made.
pub struct Made {
    /// The path of the image.
    pub path: PathBuf,
    /// The image and its sizes.
    pub built: Built,
    /// The system's numbers, core by core.
    pub machines: Machines,
    /// The warnings of the build.
    pub warnings: Vec<Diagnostic>,
}

/// The path of the kernel's own program, seen from the image's folder.
pub const KERNEL: &str = "kernel.elf";

/// The image's own name.
pub const IMAGE: &str = "image.elf";

/// The wishes for an image.
pub struct Wanted<'a> {
    /// The description's file.
    pub source: &'a Path,
    /// The machine that it runs on.
    pub platform: Platform,
    /// The records of the kernel.
    pub variant: Records,
    /// The options of the build.
    pub making: &'a Making,
}

impl Wanted<'_> {
    /// Returns the options of the build, for the record.
    fn how(&self) -> stale::How<'_> {
        let templates = self.making.templates.as_deref();
        stale::How { description: self.source, compiler: self.compiler(), templates }
    }

    /// Returns the C compiler.
    fn compiler(&self) -> String {
        let named = self.making.compiler.clone();
        let named = named.or_else(|| std::env::var("FUSEE_CC").ok().filter(|cc| !cc.is_empty()));
        named.unwrap_or_else(|| fusee_glue::COMPILER.to_owned())
    }
}

/// Makes an image of a system that was checked.
///
/// # Errors
/// What stands in the way, in the description, its components or the tools.
pub fn make(
    loaded: &Loaded,
    system: &System,
    wanted: &Wanted<'_>,
) -> Result<Made, Vec<Diagnostic>> {
    progress::during("building", || made(loaded, system, wanted))
}

fn made(loaded: &Loaded, system: &System, wanted: &Wanted<'_>) -> Result<Made, Vec<Diagnostic>> {
    let default = || Path::new("build").join(&system.name);
    let folder = wanted.making.folder.clone().unwrap_or_else(default);
    fits(loaded, system, wanted.platform)?;
    let kernels = kernels(wanted, system)?;
    let request = fusee_glue::Request {
        system,
        folder: wanted.source.parent().unwrap_or(Path::new("")),
        given: &loaded.given,
        platform: wanted.platform,
        out: &folder,
        origins: &|origin| loaded.origins.span(origin),
        compiler: wanted.making.compiler.as_deref(),
        templates: wanted.making.templates.as_deref(),
        stubs: wanted.making.stubs,
    };
    // One that is there is not of what is built now, and must not look so if that fails.
    let _ = fs::remove_file(folder.join(IMAGE));
    let linked = fusee_glue::build(&request)?;
    let programs = programs(&linked, &folder)?;
    let record =
        stale::Record::of(loaded, wanted.how(), linked.record.clone(), &stubs(system, &linked));
    let digest = record.digest();
    let inputs = Inputs {
        record: Some(&digest),
        system,
        machines: &linked.machines,
        platform: wanted.platform,
        kernels: &kernels.iter().map(Vec::as_slice).collect::<Vec<_>>(),
        variant: wanted.variant,
        domains: &borrowed(&programs),
        stubs: &linked.stubs,
    };
    let mut warnings = linked.warnings;
    let built = stacked(loaded, &inputs, linked.camkes, &mut warnings)?;
    // What was made is not believed: an image that is not what was described is never written.
    let report = fusee_image::verify(&built.elf, Some(system))
        .map_err(|error| vec![error.diagnostic("the image")])?;
    let domains = programs.into_iter().map(|program| program.map(|(bytes, _)| bytes)).collect();
    let kernels = kernels.into_iter().map(Some).collect();
    let linked_programs = fusee_image::Programs { kernels, domains };
    let contents =
        linked_programs.compare(&built.elf).map_err(|error| vec![error.diagnostic("the image")])?;
    let findings: Vec<Diagnostic> =
        report.findings.iter().chain(&contents).map(|found| found.diagnostic()).collect();
    if !findings.is_empty() {
        return Err(findings);
    }
    let policies = (0..system.cores()).map(|core| kernel_policy(system, core)).collect::<Vec<_>>();
    for (core, kernel) in linked_programs.kernels.into_iter().enumerate() {
        let path = folder.join(kernel_file(&policies, core));
        files::write(&path, &kernel.unwrap_or_default())
            .map_err(|error| vec![file(&path, &error)])?;
    }
    let path = folder.join(stale::RECORD);
    files::write(&path, &record.bytes(&folder)).map_err(|error| vec![file(&path, &error)])?;
    let path = folder.join(IMAGE);
    files::write(&path, &built.elf).map_err(|error| vec![file(&path, &error)])?;
    Ok(Made { path, built, machines: linked.machines, warnings })
}

/// Returns the components without code of their own, by name.
fn stubs(system: &System, linked: &fusee_glue::Built) -> Vec<String> {
    linked.stubs.iter().map(|&id| system.component(id).name.clone()).collect()
}

/// Refuses more cores than the machine has.
fn fits(loaded: &Loaded, system: &System, platform: Platform) -> Result<(), Vec<Diagnostic>> {
    let (cores, there) = (system.cores(), platform.descriptor().cores);
    if cores <= there {
        return Ok(());
    }
    let last = system.tasks.iter().find(|task| task.core >= there);
    let span = last.and_then(|task| loaded.origins.span(task.origin));
    let text = format!("its tasks run on {cores} cores, and {platform} has {there}");
    let message = Diagnostic::error(rules::TOO_MANY_CORES, text)
        .with_note("let `fusee place` find cores for its tasks: `fusee place SYSTEM --cores 4`");
    Err(vec![match span {
        Some(span) => message.at(span, "on a core that is not there"),
        None => message,
    }])
}

/// Bytes of a stack in CAmkES where nothing is said.
const STACK_OF_CAMKES: u32 = 16 << 10;

/// Builds the image. In a project of CAmkES's its default holds for stacks whose size neither the
/// code nor the description tells, with a word about each: what is beyond it is not mapped, so too
/// small a stack ends as a fault.
fn stacked(
    loaded: &Loaded,
    inputs: &Inputs<'_>,
    camkes: bool,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Built, Vec<Diagnostic>> {
    let shown = |error: &ImageError| error.diagnostic(&|origin| loaded.origins.span(origin));
    let all = |errors: Vec<ImageError>| errors.iter().map(shown).collect::<Vec<_>>();
    let unknown = |errors: &[ImageError]| {
        errors.iter().all(|error| matches!(error, ImageError::UnknownStack { .. }))
    };
    match fusee_image::build(inputs) {
        Ok(built) => Ok(built),
        Err(errors) if camkes && unknown(&errors) => {
            let mut system = inputs.system.clone();
            system.settings.stack_size =
                Some(Sourced { value: STACK_OF_CAMKES, origin: Origin::NONE });
            for mut warning in all(errors) {
                warning.severity = Severity::Warning;
                warnings.push(warning.with_note(
                    "it gets 16384 bytes, as in CAmkES; a fault tells if that is too little",
                ));
            }
            fusee_image::build(&Inputs { system: &system, ..*inputs }).map_err(all)
        }
        Err(errors) => Err(all(errors)),
    }
}

/// Verifies an image, also against the programs beside it; with a message for each of these that is
/// not there.
///
/// # Errors
/// It is no image.
pub fn verified(
    image: &Path,
    bytes: &[u8],
    system: Option<&System>,
) -> Result<(Report, Vec<Diagnostic>), VerifyError> {
    let mut report = fusee_image::verify(bytes, system)?;
    let folder = image.parent().unwrap_or(Path::new(""));
    let mut missing = Vec::new();
    let mut read = |path: &str| {
        let path = folder.join(path);
        let not_there =
            |_| missing.push(fusee_image::Programs::not_compared(&path.display().to_string()));
        fs::read(&path).map_err(not_there).ok()
    };
    let policies = fusee_image::Programs::policies(bytes)?;
    let cores = 0..policies.len();
    let kernels = cores.map(|core| read(&kernel_file(&policies, core))).collect();
    let paths = fusee_image::Programs::paths(bytes)?;
    let domains = paths.iter().map(|path| path.as_deref().and_then(&mut read)).collect();
    report.findings.extend(fusee_image::Programs { kernels, domains }.compare(bytes)?);
    Ok((report, missing))
}

/// The bytes of each domain's program, and its path seen from the image's folder.
type Programs = Vec<Option<(Vec<u8>, String)>>;

fn programs(linked: &fusee_glue::Built, folder: &Path) -> Result<Programs, Vec<Diagnostic>> {
    let mut programs: Programs = vec![None; linked.machines.first().domains.len()];
    let root = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    for domain in &linked.domains {
        let bytes = fs::read(&domain.path).map_err(|error| vec![file(&domain.path, &error)])?;
        let whole = domain.path.canonicalize().unwrap_or_else(|_| domain.path.clone());
        let path = whole.strip_prefix(&root).unwrap_or(&whole).display().to_string();
        if let Some(place) = programs.get_mut(domain.domain) {
            *place = Some((bytes, path));
        }
    }
    Ok(programs)
}

fn borrowed(programs: &Programs) -> Vec<Option<DomainProgram<'_>>> {
    let borrow = |(bytes, path)| DomainProgram { bytes, path };
    programs
        .iter()
        .map(|program| {
            program.as_ref().map(|(bytes, path)| (bytes.as_slice(), path.as_str())).map(borrow)
        })
        .collect()
}

/// Returns the file of a core's kernel beside the image: where its policy is another one than the
/// first core's, the name tells it.
fn kernel_file(policies: &[KernelPolicy], core: usize) -> String {
    match policies[core] {
        policy if policy == policies[0] => KERNEL.to_owned(),
        policy => format!("kernel.{policy}.elf"),
    }
}

/// Returns the kernel of each core.
fn kernels(wanted: &Wanted<'_>, system: &System) -> Result<Vec<Vec<u8>>, Vec<Diagnostic>> {
    let kernel = |core: u32| {
        let kernel =
            KernelConfig { records: wanted.variant, ..fusee_tables::kernel_config(system, core) };
        let built = fusee_kernel_build::build(wanted.platform, kernel, &|_| ());
        let path = built.map_err(|error| vec![no_kernel(&error)])?;
        fs::read(&path).map_err(|error| vec![file(&path, &error)])
    };
    (0..system.cores()).map(kernel).collect()
}

fn no_kernel(error: &BuildError) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(rules::NO_KERNEL, format!("there is no kernel for the image: {error}"));
    match error.fix() {
        Some(command) => diagnostic.with_note(format!("type: {command}")),
        None => diagnostic,
    }
}

fn file(path: &Path, error: &std::io::Error) -> Diagnostic {
    let message = format!("`{}` can't be read or written", path.display());
    Diagnostic::error(rules::UNREADABLE, message).with_note(error.to_string())
}
