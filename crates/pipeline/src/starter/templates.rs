//! The templates: what systems there are to start from, and their files.

/// The path of a file in a project, and its text.
pub(super) type File = (&'static str, &'static str);

/// A system to start from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Template {
    /// A periodic sensor, a task that its event releases, a driver that interrupts release, and a
    /// state behind a gate.
    Drone,
    /// Clients of one component type, and two servers.
    Server,
}

/// The language of components.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// C, as for CAmkES.
    C,
    /// Rust without its standard library.
    Rust,
}

/// Returns files of the folder of starters, under the path that they have in a project.
macro_rules! files {
    ($folder:literal: $($path:literal),*) => {
        &[$(($path, include_str!(concat!("../../starter/", $folder, "/", $path)))),*]
    };
}

impl Template {
    /// All of them, the default first.
    pub const ALL: [Self; 2] = [Self::Drone, Self::Server];

    /// Returns its word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Drone => "drone",
            Self::Server => "server",
        }
    }

    /// Returns half a sentence about it.
    pub fn about(self) -> &'static str {
        match self {
            Self::Drone => {
                "a chain from a sensor to motors, a shared state, and a driver with an interrupt"
            }
            Self::Server => "three clients of one type, two servers, and a report",
        }
    }

    /// Returns its description, for one core.
    pub(super) fn description(self) -> &'static str {
        match self {
            Self::Drone => include_str!("../../starter/drone/system.camkes"),
            Self::Server => include_str!("../../starter/server/system.camkes"),
        }
    }

    /// Returns the text that leads through it.
    pub(super) fn page(self) -> &'static str {
        match self {
            Self::Drone => include_str!("../../starter/drone/README.md"),
            Self::Server => include_str!("../../starter/server/README.md"),
        }
    }

    /// Returns its tasks; neighbors are placed on different cores.
    pub(super) fn tasks(self) -> [&'static str; 4] {
        match self {
            Self::Drone => ["gyro", "attitude", "telemetry", "radio"],
            Self::Server => ["alice", "bob", "carol", "report"],
        }
    }

    /// Returns the sources of its components.
    pub(super) fn sources(self, language: Language) -> &'static [File] {
        match (self, language) {
            (Self::Drone, Language::C) => files!("drone/c":
                "components/Gyro/gyro.c",
                "components/Attitude/attitude.c",
                "components/Telemetry/telemetry.c",
                "components/Radio/radio.c",
                "components/StateStore/state_store.c",
                "components/MotorDriver/motor_driver.c"
            ),
            (Self::Drone, Language::Rust) => files!("drone/rust":
                "components/Gyro/lib.rs",
                "components/Attitude/lib.rs",
                "components/Telemetry/lib.rs",
                "components/Radio/lib.rs",
                "components/StateStore/lib.rs",
                "components/MotorDriver/lib.rs"
            ),
            (Self::Server, Language::C) => files!("server/c":
                "components/Client/client.c",
                "components/Store/store.c",
                "components/Book/book.c",
                "components/Report/report.c"
            ),
            (Self::Server, Language::Rust) => files!("server/rust":
                "components/Client/lib.rs",
                "components/Store/lib.rs",
                "components/Book/lib.rs",
                "components/Report/lib.rs"
            ),
        }
    }
}
