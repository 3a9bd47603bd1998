//! The choices of users: reading of a description, making of images.

use std::path::PathBuf;

use fusee_platform::Platform;

/// A description and how to read it.
#[derive(Debug, Clone)]
pub struct Source {
    /// The description, for example `system.camkes`.
    pub system: PathBuf,
    /// Macros for the preprocessor, as `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// Further folders with imported and included files.
    pub include_paths: Vec<PathBuf>,
    /// The method that chooses priorities which the description leaves out; as it says itself
    /// without this.
    pub assign: Option<Assign>,
}

impl Source {
    /// Returns a description as it is.
    pub fn of(system: PathBuf) -> Self {
        Self { system, defines: Vec::new(), include_paths: Vec::new(), assign: None }
    }
}

/// A method that chooses priorities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assign {
    /// The shorter the deadline, the higher the priority.
    DeadlineMonotonic,
    /// Audsley's search, which finds an order that holds if there is one.
    Audsley,
}

impl Assign {
    const ALL: [Self; 2] = [Self::DeadlineMonotonic, Self::Audsley];

    /// Returns its word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::DeadlineMonotonic => "deadline-monotonic",
            Self::Audsley => "audsley",
        }
    }

    /// Returns the one with this word.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }
}

/// A place where a system runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The kernel on this host under virtual time.
    Simulator,
    /// A run on a machine.
    Machine(Platform),
}

impl Place {
    /// Returns the machine, if it is one.
    pub fn machine(self) -> Option<Platform> {
        match self {
            Place::Simulator => None,
            Place::Machine(machine) => Some(machine),
        }
    }
}

/// The options of making an image.
#[derive(Debug, Clone, Default)]
pub struct Making {
    /// The folder for everything that is made; `build/NAME` in the current folder without this.
    pub folder: Option<PathBuf>,
    /// The C compiler; `FUSEE_CC` of the environment, else Debian's cross GCC, without this.
    pub compiler: Option<String>,
    /// The folder of templates of generated code, if they are there.
    pub templates: Option<PathBuf>,
    /// `true` if components without sources are built from their description.
    pub stubs: bool,
    /// `true` if the written times and calls are taken for true where programs contradict them.
    pub trust_written: bool,
}

impl Making {
    /// As the description says, into this folder.
    pub fn into_folder(folder: PathBuf) -> Self {
        Self { folder: Some(folder), ..Self::default() }
    }

    /// The same, where components without sources are built from their description.
    pub fn with_stubs(self) -> Self {
        Self { stubs: true, ..self }
    }
}
