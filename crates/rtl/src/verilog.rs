//! The place of the cores' Verilog.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A Python package with the Verilog of a core.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Package {
    /// Its name for `pip`, with its version.
    pub(crate) requirement: &'static str,
    /// Its name in Python.
    pub(crate) module: &'static str,
    /// The environment's variable that names a place besides.
    pub(crate) variable: &'static str,
    /// The thing that the variable names, in words.
    pub(crate) named: &'static str,
}

/// The Verilog is nowhere.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the core's Verilog is not there: install it with `pip install {}`, or name {} in the \
     variable {}",
    package.requirement, package.named, package.variable
)]
pub struct Missing {
    package: &'static Package,
}

impl Package {
    /// Returns the package's files, all of them: in the place that the variable names, else in the
    /// package of the Python in `.venv` of the current directory or one above it, else in that of
    /// `python3`. `files` says what they are, seen from the place.
    pub(crate) fn find(
        &'static self,
        files: impl Fn(&Path) -> Vec<PathBuf>,
    ) -> Result<Vec<PathBuf>, Missing> {
        let missing = Missing { package: self };
        let whole = |place: &Path| {
            let files = files(place);
            files.iter().all(|file| file.is_file()).then_some(files)
        };
        if let Some(place) = std::env::var_os(self.variable) {
            return whole(Path::new(&place)).ok_or(missing);
        }
        let here = std::env::current_dir().unwrap_or_default();
        let own = here
            .ancestors()
            .map(|folder| folder.join(".venv/bin/python"))
            .filter(|python| python.is_file());
        let mut pythons = own.chain([PathBuf::from("python3")]);
        pythons.find_map(|python| whole(&self.place(&python)?)).ok_or(missing)
    }

    fn place(&self, python: &Path) -> Option<PathBuf> {
        let script = format!("import {} as package; print(package.data_location)", self.module);
        let output =
            Command::new(python).args(["-c", &script]).stdin(Stdio::null()).output().ok()?;
        let folder = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| PathBuf::from(folder.trim()))
    }
}
