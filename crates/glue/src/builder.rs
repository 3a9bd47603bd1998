//! The data that all steps of a build look things up in.

use crate::failure::{self, Failure};
use crate::request::Request;
use crate::runtime;
use crate::sources::Project;
use crate::templates::Templates;
use crate::tool::{Paths, Tools};
use crate::view::Types;
use fusee_model::ComponentId;
use fusee_platform::Platform;
use fusee_tables::symbol;
use std::path::{Path, PathBuf};

/// Bytes of a machine's word.
fn word(platform: Platform) -> u32 {
    platform.word_bytes() as u32
}

/// The data that all steps look things up in.
pub(crate) struct Builder<'a> {
    pub(crate) request: &'a Request<'a>,
    pub(crate) project: Project,
    pub(crate) templates: Templates,
    pub(crate) tools: Tools,
    /// The absolute path of it.
    pub(crate) folder: PathBuf,
    /// The absolute path of it.
    pub(crate) out: PathBuf,
    pub(crate) runtime: PathBuf,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(request: &'a Request<'a>) -> Result<Self, Failure> {
        let absolute = |path: &Path| {
            let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
            path.canonicalize().map_err(|error| failure::file(path, &error))
        };
        for folder in ["objects", "domains", "glue"] {
            let folder = request.out.join(folder);
            std::fs::create_dir_all(&folder).map_err(|error| failure::file(&folder, &error))?;
        }
        let (folder, out) = (absolute(request.folder)?, absolute(request.out)?);
        let paths = Paths { folder: folder.clone(), out: out.clone() };
        let of_cmake = out.join("cmake");
        let word = word(request.platform);
        let project = Project::built_in(&of_cmake, &folder, word, request.given);
        if !project.problems().is_empty() {
            return Err(project.problems().to_vec());
        }
        Ok(Self {
            project,
            templates: Templates::new(request.templates)?,
            tools: Tools::find(
                request.platform,
                request.compiler,
                (paths, fusee_kernel_build::store()),
            )?,
            runtime: runtime::write(&out)?,
            folder,
            out,
            request,
        })
    }

    pub(crate) fn types(&self) -> Types<'_> {
        Types { system: self.request.system, word: word(self.request.platform) }
    }

    /// Returns the folder of a component's generated sources.
    pub(crate) fn glue(&self, id: ComponentId) -> PathBuf {
        self.out.join("glue").join(symbol::identifier(&self.request.system.component(id).name))
    }

    /// Returns the folder of a component's objects.
    pub(crate) fn objects(&self, id: ComponentId) -> PathBuf {
        self.out.join("objects").join(symbol::identifier(&self.request.system.component(id).name))
    }

    /// The object of a runtime's source.
    pub(crate) fn runtime_object(&self, source: &str) -> PathBuf {
        self.out.join("objects").join("runtime").join(source.replace('/', "_")).with_extension("o")
    }
}
