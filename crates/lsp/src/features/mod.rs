//! What an editor asks for, one feature a file.

pub(crate) mod completion;
pub(crate) mod hints;
pub(crate) mod hover;
pub(crate) mod messages;
pub(crate) mod navigation;
pub(crate) mod rename;
pub(crate) mod repairs;
