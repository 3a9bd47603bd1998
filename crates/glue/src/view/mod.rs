//! The templates' view of a component: plain data, with all decisions made.
//!
//! Templates only write: which slot, which register, which C type and how an argument
//! travels is decided here. The names of the fields are an interface that users'
//! own templates rely on; the book's chapter on templates lists them.

mod attribute;
mod buffers;
mod component;
mod ctype;
mod dispatches;
mod ends;
mod found;
mod held;
mod method;
mod parameter;
mod rust;
mod senders;
mod shape;
mod synthetic;

pub(crate) use component::{Maker, awaited_release, header, release, trait_name};
pub(crate) use ctype::Types;
pub(crate) use found::Found;
pub(crate) use held::held;
pub(crate) use rust::rust_name;
pub(crate) use senders::asked;
pub(crate) use shape::Component;
