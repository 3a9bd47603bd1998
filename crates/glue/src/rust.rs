//! Components in Rust, as static libraries that look like objects from C.
//!
//! The build writes a small workspace: the runtime's crate, the generated crate `camkes`
//! and one that takes the component's own sources where they are. Of a registry comes only
//! what is pinned. The core library is part of the toolchain or built from its source.
//!
//! The workspace lies in the cache, always at the same place, and is written anew for each
//! component while nobody else may build: so the core library, which takes longest, is
//! compiled once for each toolchain and target, whatever folder a system is built in. Where
//! the component's sources are, only its own crate is told.

use crate::builder::Builder;
use crate::failure::{self, Failure};
use crate::manifest::Manifest;
use crate::view::{Component, Found};
use crate::{messages, registry, rules, runtime, tool};
use fusee_diagnostics::Diagnostic;
use fusee_kept::dependencies;
use fusee_kernel_build::BuildError;
use fusee_model::ComponentId;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The profile of all Rust code: small enough to be read, with places in the source.
const PROFILE: &str = "[profile.release]\nopt-level = 2\nlto = \"fat\"\ncodegen-units = 1\npanic = \
                       \"abort\"\n\
                       debug = \"line-tables-only\"\noverflow-checks = true\n";

/// Compiles a component's crate and returns one object with everything in it.
pub(crate) fn compile(
    builder: &Builder<'_>,
    id: ComponentId,
    view: &Component,
    root: &Path,
) -> Result<PathBuf, Failure> {
    let source = root.canonicalize().map_err(|error| failure::file(root, &error))?;
    let manifest = Manifest::of(&source, &view.name)?;
    let library = builder.templates.component("camkes.rs", view)?;
    // For people: what is compiled is the same text in the cache.
    failure::write(&builder.glue(id).join("camkes.rs"), &library)?;
    let rust = builder.request.platform.descriptor().compilers.rust;
    let target = fusee_kernel_build::cache().join("components");
    let object = builder.objects(id).join("rust.o");
    let flags = flags(builder, &target.join("workspace"));
    let texts = [
        ("root", &*source.to_string_lossy()),
        ("camkes", &library),
        ("runtime", &runtime::in_rust()),
        ("manifest", &crate_manifest(view, &source, &manifest)),
        ("flags", &flags.iter().chain(&expected(view)).cloned().collect::<Vec<_>>().join("\n")),
        ("clock", &format!("{:?}", tool::clock(builder.request.platform))),
    ];
    let key = fusee_kernel_build::compiler_key("crate 1", rust).map_err(|e| toolchain(&e))?;
    let kept = builder.tools.of_crate(key, &texts).filter(|_| manifest.sections.is_empty());
    failure::write(&object.with_extension("txt"), "")?;
    if kept.as_ref().is_some_and(|kept| kept.restore(&object)) {
        return Ok(object);
    }
    let (target, flags, root) = (&*target, &*flags, &*source);
    let unit = Unit { view, camkes: &library, root, manifest: &manifest, target, flags };
    make(builder, &unit, &object)?;
    if let Some(kept) = kept {
        kept.keep(&object, (&source, own_sources(&object, target)));
    }
    Ok(object)
}

/// The crate of a component, with the text of its `camkes`.
struct Unit<'a> {
    view: &'a Component,
    camkes: &'a str,
    root: &'a Path,
    manifest: &'a Manifest,
    /// The folder in which crates are compiled.
    target: &'a Path,
    /// The options of the compiler.
    flags: &'a [String],
}

/// Has a component's crate compiled into an object.
fn make(builder: &Builder<'_>, unit: &Unit<'_>, object: &Path) -> Result<(), Failure> {
    let &Unit { view, camkes, root, manifest, target, flags } = unit;
    let rust = builder.request.platform.descriptor().compilers.rust;
    // The core library is compiled once for all, so results of other builds go through the same
    // folder.
    let held = fusee_kernel_build::hold(target).map_err(|error| failure::file(target, &error))?;
    let workspace = target.join("workspace");
    write_workspace(&workspace, (view, camkes), (root, manifest))?;
    registry::pin(manifest.lock.as_ref(), &workspace)?;
    let cargo = |subcommand: &[&str]| -> Result<Command, Failure> {
        let mut cargo = fusee_kernel_build::cargo(rust).map_err(|error| toolchain(&error))?;
        cargo.current_dir(&workspace).args(subcommand).args(["--quiet", "--color", "never"]);
        cargo.args(["--target", rust]);
        Ok(cargo)
    };
    if manifest.lock.is_some() {
        registry::fetch(&view.name, cargo(&["fetch", "--offline"])?, cargo(&["fetch"])?)?;
    }
    let mut command = cargo(&["rustc", "--lib", "--release", "--offline"])?;
    command.arg("--target-dir").arg(target);
    if let Some(clock) = tool::clock(builder.request.platform) {
        command.env("FUSEE_CLOCK", clock.to_string());
    }
    command.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    command.arg("--").args([remap(&builder.folder, "."), remap(&builder.out, "build")]);
    let output = command.output().map_err(|error| failure::file(Path::new("cargo"), &error))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(vec![messages::rust(&view.name, &text)]);
    }
    registry::check(&view.name, manifest.lock.as_ref(), &workspace)?;
    let library = target.join(rust).join("release").join(format!("libcomponent_{}.a", view.symbol));
    // What was read is told beside the library, which the next component replaces.
    let told = std::fs::read_to_string(library.with_extension("d")).unwrap_or_default();
    failure::write(&object.with_extension("d"), &told)?;
    let said = builder.tools.gather(&library, &expected(view), object)?;
    drop(held);
    if said.fine { Ok(()) } else { Err(vec![messages::linking(&view.name, &said.text)]) }
}

/// Returns the options of the compiler for all crates of a component: the same for all systems, or
/// everything would be compiled anew.
fn flags(builder: &Builder<'_>, workspace: &Path) -> Vec<String> {
    let mut flags = vec![remap(workspace, "build/rust"), "-Crelocation-model=static".into()];
    flags.extend(registry::sources().map(|folder| remap(&folder, "registry")));
    flags.extend(tool::clock(builder.request.platform).map(|_| "--cfg=fusee_clock".into()));
    flags
}

fn remap(from: &Path, to: &str) -> String {
    format!("--remap-path-prefix={}={to}", from.display())
}

/// Returns the files of the component itself among those that were read for an object.
fn own_sources(object: &Path, cache: &Path) -> BTreeSet<PathBuf> {
    let read = dependencies::read(&object.with_extension("d")).unwrap_or_default();
    read.into_iter().filter(|path| !path.starts_with(cache)).collect()
}

/// Methods that have no form in Rust, and that the code does not define as C has them.
pub(crate) fn refuse(view: &Component, found: &Found) -> Result<(), Failure> {
    let provided = view.provides.iter().flat_map(|i| i.methods.iter().map(move |m| (&i.name, m)));
    let without = provided.filter(|(interface, method)| {
        method.rust.is_none() && !found.defined.contains(&format!("{interface}_{}", method.name))
    });
    let failure: Failure = without
        .map(|(interface, method)| {
            let message =
                format!("`{interface}.{}` of `{}` has no form in Rust", method.name, view.name);
            let (returns, name) = (&method.returns, format!("{interface}_{}", method.name));
            Diagnostic::error(rules::NOT_IN_RUST, message)
                .with_note(format!("in C it is `{returns} {name}({})`", method.declaration))
                .with_note(format!(
                    "write `#[unsafe(no_mangle)] extern \"C\" fn {name}` with `#[repr(C)]` types \
                     of your own"
                ))
        })
        .collect();
    if failure.is_empty() { Ok(()) } else { Err(failure) }
}

/// The workspace of a component, from the text of its `camkes`, its root file, and what its
/// manifest says.
fn write_workspace(
    folder: &Path,
    (view, camkes): (&Component, &str),
    (root, manifest): (&Path, &Manifest),
) -> Result<(), Failure> {
    runtime::write_rust(&folder.join("fusee-runtime"))?;
    let camkes_manifest = package(
        "camkes",
        "2024",
        "[dependencies]\nfusee-runtime = { path = \"../fusee-runtime\" }\n",
    );
    failure::renew(&folder.join("camkes/Cargo.toml"), &camkes_manifest)?;
    failure::renew(&folder.join("camkes/src/lib.rs"), camkes)?;
    failure::renew(&folder.join("Cargo.toml"), &crate_manifest(view, root, manifest))
}

fn package(name: &str, edition: &str, more: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"{edition}\"\n\n{more}")
}

/// Returns the manifest of a component's crate.
fn crate_manifest(view: &Component, root: &Path, manifest: &Manifest) -> String {
    let name = format!("component_{}", view.symbol);
    let library = format!(
        "[lib]\npath = {root:?}\ncrate-type = [\"staticlib\"]\n\n[dependencies.camkes]\npath = \
         \"camkes\"\n\n{}\n\
         [workspace]\n\n{PROFILE}",
        manifest.sections
    );
    package(&name, &manifest.edition, &library)
}

/// Names under which the component's code may be asked for.
fn expected(view: &Component) -> Vec<String> {
    let mut names: Vec<String> = ["run", "pre_init", "post_init"].map(str::to_owned).to_vec();
    for provided in &view.provides {
        names.extend(
            provided.methods.iter().map(|method| format!("{}_{}", provided.name, method.name)),
        );
        names.push(format!("{}__init", provided.name));
    }
    let interfaces = view.uses.iter().map(|i| &i.name).chain(view.emits.iter().map(|i| &i.name));
    names.extend(
        interfaces
            .chain(view.dataports.iter().map(|d| &d.name))
            .map(|name| format!("{name}__init")),
    );
    for consumed in &view.consumes {
        names.extend([format!("{}__init", consumed.name), format!("{}_handle", consumed.name)]);
    }
    names
}

fn toolchain(error: &BuildError) -> Failure {
    let diagnostic =
        Diagnostic::error(rules::NO_COMPILER, format!("no Rust compiler for components: {error}"));
    vec![match error.fix() {
        Some(fix) => diagnostic.with_note(format!("next: {fix}")),
        None => diagnostic,
    }]
}
