//! From a system and its sources to a program for each protection domain.
//!
//! [`build`] compiles each component against a header that says what it may call,
//! looks at what the result defines and asks for, and only then generates the code
//! around it: which callbacks need a thread and how large a shared struct is, nobody
//! knew before. The generated code comes from templates that a project may replace. A
//! component without sources gets the code that its description tells of.
//!
//! Nothing here decides anything about the system: numbers, slots and addresses are
//! those of `fusee_tables`, the binary interface is that of `fusee_image_format`.

mod boot;
mod build;
mod builder;
mod checks;
mod cmake;
mod component;
mod crate_root;
mod domain;
mod failure;
mod foreign;
mod inputs;
mod kept;
mod made;
mod manifest;
mod messages;
mod objects;
mod paths;
mod record;
mod registry;
mod request;
mod rules;
mod runtime;
mod rust;
mod rust_names;
mod sources;
mod stubs;
mod templates;
mod tool;
mod view;

pub use build::build;
pub use cmake::rules::CMAKE_RULES;
pub use cmake::{Include, Part};
pub use foreign::foreign;
pub use fusee_kept::digest;
pub use made::Record;
pub use paths::{absolute, relative};
pub use record::{plan, tools};
pub use request::{Built, DomainElf, Request};
pub use rules::RULES;
pub use runtime::FILES as RUNTIME_FILES;
pub use sources::{Connector, Given, Project, Reading, Sources, facts_files};
pub use stubs::has_code;
pub use tool::GCC as COMPILER;
