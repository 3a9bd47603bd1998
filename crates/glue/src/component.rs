//! One component: from its sources to one object that shows only its entries.
//!
//! Components of one domain may use the same names, and two instances of one type surely
//! do, so each is compiled by itself, joined with its glue and its copy of the console,
//! and closed.

use crate::builder::Builder;
use crate::cmake::Part;
use crate::failure::{self, Failure};
use crate::objects;
use crate::sources::Sources;
use crate::tool::Options;
use crate::view::{self, Found, Maker};
use crate::{checks, messages, runtime, rust, stubs};
use fusee_diagnostics::Diagnostic;
use fusee_kept::dependencies;
use fusee_model::ComponentId;
use fusee_tables::symbol;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A component whose own code is compiled.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) id: ComponentId,
    /// The names that its code defines and asks for.
    pub(crate) found: Found,
    /// Bytes of each dataport's type, by interface.
    pub(crate) dataports: BTreeMap<String, u64>,
    pub(crate) warnings: Vec<Diagnostic>,
    /// The files that compilers have read.
    pub(crate) read: BTreeSet<PathBuf>,
    sources: Sources,
    objects: Vec<PathBuf>,
    /// The objects of static libraries, of which only what is asked for is taken, by their names
    /// and in the order in which they are linked.
    libraries: Vec<(String, Vec<PathBuf>)>,
}

impl Compiled {
    /// Returns `true` if some of it is in Rust.
    pub(crate) fn is_rust(&self) -> bool {
        self.found.in_rust
    }
}

/// Compiles what the component itself consists of.
pub(crate) fn compile(builder: &Builder<'_>, id: ComponentId) -> Result<Compiled, Failure> {
    let component = builder.request.system.component(id);
    let stub = stubs::described(builder, id)?;
    let mut sources = if stub {
        Sources::default()
    } else {
        builder.project.sources(&component.kind, &component.name)
    };
    if sources.is_empty() && !stub {
        sources = Sources::of_files(runtime::component(&builder.runtime, component));
    }
    checks::compilable(builder, id, &sources)?;
    sources.generate()?;
    let (has_sources, in_rust) = (!sources.is_empty(), sources.rust.is_some());
    let found = Found { sources: has_sources, in_rust, ..Found::default() };
    let mut compiled = Compiled {
        id,
        found,
        dataports: BTreeMap::new(),
        warnings: Vec::new(),
        read: BTreeSet::new(),
        sources,
        objects: Vec::new(),
        libraries: Vec::new(),
    };
    if compiled.sources.is_empty() {
        stubs::allowed(builder, id)?;
        return Ok(compiled);
    }
    let view = view::header(builder.request.system, builder.types(), id);
    let header = builder.templates.component("camkes.h", &view)?;
    failure::write(&builder.glue(id).join("camkes.h"), &header)?;
    let parts = std::mem::take(&mut compiled.sources.parts);
    let sources = parts.iter().flat_map(|part| part.sources.iter().map(move |one| (one, part)));
    for (position, (source, part)) in sources.enumerate() {
        let object = builder.objects(id).join(format!("{position}.o"));
        builder.one(&mut compiled, (source, part), &object)?;
        compiled.keep(object, part.library.as_deref());
    }
    compiled.sources.parts = parts;
    if let Some(root) = compiled.sources.rust.clone() {
        let object = rust::compile(builder, id, &view, &root)?;
        compiled.read.extend(dependencies::read(&object.with_extension("d")).unwrap_or_default());
        compiled.read.insert(root);
        compiled.objects.push(object);
    }
    for object in compiled.libraries.iter().flat_map(|(_, all)| all).chain(&compiled.objects) {
        objects::add(object, &mut compiled.found)?;
    }
    if compiled.is_rust() {
        rust::refuse(&view, &compiled.found)?;
    }
    checks::implemented(builder, id, &compiled.found)?;
    checks::released(builder, id, &compiled.found)?;
    if !view.dataports.is_empty() {
        let text = builder.templates.component("sizes.c", &view)?;
        let source = builder.glue(id).join("sizes.c");
        failure::write(&source, &text)?;
        let object = builder.objects(id).join("sizes.o");
        builder.generated(&compiled, &source, &object)?;
        compiled.dataports = objects::sizes(&object, "fusee_size_")?;
    }
    Ok(compiled)
}

/// Generates the code around a component and closes it; returns the object.
pub(crate) fn finish(
    builder: &Builder<'_>,
    maker: &Maker<'_>,
    compiled: &Compiled,
) -> Result<PathBuf, Failure> {
    let id = compiled.id;
    let view = maker.component(id, &compiled.found);
    if !compiled.found.sources {
        let source = builder.glue(id).join("synthetic.S");
        failure::write(&source, &builder.templates.component("synthetic.S", &view)?)?;
        let object = builder.objects(id).join("synthetic.o");
        builder.generated(compiled, &source, &object)?;
        return Ok(object);
    }
    let mut objects = compiled.objects.clone();
    for name in ["glue.c", "glue.S"] {
        let source = builder.glue(id).join(name);
        failure::write(&source, &builder.templates.component(name, &view)?)?;
        let object = builder.objects(id).join(format!("{name}.o"));
        builder.generated(compiled, &source, &object)?;
        objects.push(object);
    }
    objects.extend(runtime::OF_COMPONENT.iter().map(|source| builder.runtime_object(source)));
    let mut archives = Vec::new();
    for (position, (name, members)) in compiled.libraries.iter().enumerate() {
        let archive = builder.objects(id).join(format!("{position}.a"));
        let said = builder.tools.archive(members, &archive)?;
        if !said.fine {
            return Err(vec![messages::linking(name, &said.text)]);
        }
        archives.push(archive);
    }
    let merged = builder.out.join("objects").join(format!("{}.o", view.symbol));
    let said = builder.tools.merge(&objects, &archives, &merged)?;
    if !said.fine {
        return Err(vec![messages::linking(&view.name, &said.text)]);
    }
    let system = builder.request.system;
    let mut entries = view.entries.clone();
    let mut renamed = vec![("fusee_console_window", symbol::console(system, id))];
    if view.dma_bytes.is_some() {
        // The image finds them by name.
        let pool = [symbol::dma_pool(system, id), symbol::dma_offset(system, id)];
        renamed.extend(["fusee_dma_pool", "fusee_dma_offset"].into_iter().zip(pool.clone()));
        entries.extend(pool);
    }
    let said = builder.tools.narrow(&merged, &entries, &renamed)?;
    if said.fine { Ok(merged) } else { Err(vec![messages::linking(&view.name, &said.text)]) }
}

impl Compiled {
    /// Takes an object, as a part of a static library or by itself.
    fn keep(&mut self, object: PathBuf, library: Option<&str>) {
        let Some(library) = library else { return self.objects.push(object) };
        match self.libraries.iter_mut().find(|(name, _)| name == library) {
            Some((_, members)) => members.push(object),
            None => self.libraries.push((library.to_owned(), vec![object])),
        }
    }
}

impl Builder<'_> {
    /// Compiles a source of the component's own.
    fn one(
        &self,
        compiled: &mut Compiled,
        (source, part): (&Path, &Part),
        object: &Path,
    ) -> Result<(), Failure> {
        let component = self.request.system.component(compiled.id);
        let source = source.canonicalize().map_err(|error| failure::file(source, &error))?;
        let includes = self.includes(compiled.id);
        let mut flags = part.arguments_of(&source);
        flags.extend(self.folder_of_description());
        flags.extend(self.request.given.defines.iter().map(|(name, value)| match value {
            Some(value) => format!("-D{name}={value}"),
            None => format!("-D{name}"),
        }));
        let options = Options { includes: &includes, flags: &flags };
        failure::write(&object.with_extension("txt"), "")?;
        let said = self.tools.compile(&source, object, &options)?;
        if !said.fine {
            return Err(messages::compiling(self, compiled.id, &said.text));
        }
        if !said.text.trim().is_empty() {
            compiled.warnings.push(messages::warned(&component.name, &said.text));
        }
        compiled.read.extend(dependencies::read(&object.with_extension("d")).unwrap_or_default());
        compiled.read.insert(source);
        Ok(())
    }

    /// Compiles a generated source.
    fn generated(&self, compiled: &Compiled, source: &Path, object: &Path) -> Result<(), Failure> {
        let includes = self.includes(compiled.id);
        // Headers say the same to it as to the component's own code.
        let own = compiled.sources.parts.first();
        let mut flags = own.map_or(Vec::new(), Part::preprocessing);
        flags.extend(self.folder_of_description());
        failure::write(&object.with_extension("txt"), "")?;
        let said =
            self.tools.compile(source, object, &Options { includes: &includes, flags: &flags })?;
        if said.fine { Ok(()) } else { Err(messages::compiling(self, compiled.id, &said.text)) }
    }

    /// Folders of headers that come before the component's own.
    fn includes(&self, id: ComponentId) -> Vec<PathBuf> {
        vec![self.glue(id), self.runtime.join("include")]
    }

    /// The folder of headers that comes after all others.
    fn folder_of_description(&self) -> [String; 2] {
        ["-I".to_owned(), self.folder.to_string_lossy().into_owned()]
    }
}
