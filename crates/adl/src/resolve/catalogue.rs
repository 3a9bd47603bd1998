//! The attributes that CAmkES, its prioritized requests, and Fusee read.
//!
//! CAmkES takes any setting and reads those that it knows, so a slip of the pen
//! goes unseen. Here every set attribute is either declared by its component or in
//! this catalogue, or a word is said about it; and of those that are in it each is followed, or
//! it is said why not. The book's chapter on descriptions lists the same table.

mod table;

pub use table::ATTRIBUTES;

use super::flatten::Flat;
use super::names::Names;
use super::shape::Port;
use crate::tree::{InterfaceKind, Lock, LockKind};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The kind of object that an attribute belongs to; in names, the part in angle brackets is
/// replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A component instance: `NAME`.
    Component,
    /// An interface: `<interface>_NAME`.
    Interface,
    /// A provided procedure interface: `<interface>_NAME`.
    Provided,
    /// A method of a provided procedure interface: `<interface>_<method>_NAME`, or for all methods
    /// `<interface>_NAME`.
    Method,
    /// A mutex: `<mutex>_NAME`.
    Mutex,
    /// A semaphore: `<semaphore>_NAME`.
    Semaphore,
    /// The whole system: `system.NAME`.
    System,
    /// One core: `system.core<number>_NAME`.
    Core,
    /// A connection: `connection.NAME`.
    Connection,
    /// An interface's own: `<interface>.NAME`.
    Own,
}

/// The treatment of an attribute: followed, told or refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is followed. Where a description has nothing that it is about, that is told (F0347).
    Followed,
    /// Nothing here depends on it, and why: told (F0347).
    Needless,
    /// It is followed, told or refused, by what else the description says.
    Judged,
    /// It would make a difference on seL4 and makes none here: told (F0348).
    Apart,
}

/// The program that reads an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// CAmkES itself, its standard connectors and templates.
    Camkes,
    /// The library for prioritized requests (Sudvarg et al. 2024).
    PrioritisedRequests,
    /// The attribute is read by Fusee.
    Fusee,
}

/// An attribute that something reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    /// Its name without the interface's.
    pub name: &'static str,
    /// The object that it belongs to.
    pub place: Place,
    /// The program that reads it.
    pub reader: Reader,
    /// Its type and unit.
    pub takes: &'static str,
    /// The value where none is given.
    pub default: &'static str,
    /// The meaning of the attribute.
    pub meaning: &'static str,
    /// The treatment of the attribute.
    pub fate: Fate,
    /// The reason for which it is not followed, or the way in which it is judged; empty where it is
    /// followed.
    pub why: &'static str,
}

/// The target of a set attribute's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Known(&'static Known),
    Unknown,
}

/// Names longer than this are not taken apart: none that is known is nearly as long.
const LONGEST_NAME: usize = 500;

/// Finds out what reads an attribute of an instance.
pub(super) fn meaning(flat: &Flat<'_>, name: &str, names: &Names<'_>) -> Meaning {
    if let Some(known) = find(Place::Component, name).or_else(|| pool(name)) {
        return Meaning::Known(known);
    }
    if name.len() > LONGEST_NAME {
        return Meaning::Unknown;
    }
    if let Some((_, own)) = name.split_once('.') {
        return find(Place::Own, own).map_or(Meaning::Unknown, Meaning::Known);
    }
    for (end, _) in name.match_indices('_') {
        let (owner, rest) = (&name[..end], &name[end + 1..]);
        let known = match flat.shape.port(owner) {
            Some(port) => of_interface(&flat.shape.interfaces[port], rest, names),
            None => flat.shape.locks.get(owner).and_then(|lock| of_lock(lock, rest)),
        };
        if let Some(known) = known {
            return Meaning::Known(known);
        }
    }
    Meaning::Unknown
}

/// Returns the attribute whose name follows a lock's name.
fn of_lock(lock: &Lock, rest: &str) -> Option<&'static Known> {
    let value = || find(Place::Interface, rest).filter(|known| known.name == "value");
    find(of_kind(lock), rest).or_else(value)
}

/// Returns the kind of object that a lock's own attributes belong to.
fn of_kind(lock: &Lock) -> Place {
    match lock.kind {
        LockKind::Mutex => Place::Mutex,
        LockKind::Semaphore | LockKind::BinarySemaphore => Place::Semaphore,
    }
}

/// Returns the attribute whose name follows an interface's name.
fn of_interface(port: &Port<'_>, rest: &str, names: &Names<'_>) -> Option<&'static Known> {
    if port.kind != InterfaceKind::Provides {
        return find(Place::Interface, rest);
    }
    let places = [Place::Provided, Place::Method, Place::Interface];
    places.iter().find_map(|&place| find(place, rest)).or_else(|| {
        let (method, suffix) = rest.rsplit_once('_')?;
        names.methods(&port.type_name)?.position(method)?;
        find(Place::Method, suffix)
    })
}

/// Returns the number in `core12_policy`, and what comes behind it.
pub(super) fn of_core(name: &str) -> Option<(u32, &'static Known)> {
    let (core, rest) = name.strip_prefix("core")?.split_once('_')?;
    let is_plain = core == "0" || !core.starts_with(['0', '+']);
    let number = core.parse().ok().filter(|_| is_plain)?;
    Some((number, find(Place::Core, rest)?))
}

/// `untyped12_pool` and `simple_untyped12_pool`: the number is part of the name.
fn pool(name: &str) -> Option<&'static Known> {
    let rest = name.strip_prefix("simple_").unwrap_or(name);
    let number = rest.strip_prefix("untyped")?.strip_suffix("_pool")?;
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    let row = if rest == name { "untypedN_pool" } else { "simple_untypedN_pool" };
    if is_number { find(Place::Component, row) } else { None }
}

/// Returns `true` if a result depends on the attribute, to judge by its name.
pub(super) fn is_timing(name: &str) -> bool {
    ATTRIBUTES
        .iter()
        .filter(|known| known.reader != Reader::Camkes && known.name != "priority")
        .any(|known| {
            name == known.name
                || name.strip_suffix(known.name).is_some_and(|rest| rest.ends_with('_'))
        })
}

/// The catalogue by name; asked for every attribute of every instance.
static BY_NAME: LazyLock<HashMap<&'static str, Vec<&'static Known>>> = LazyLock::new(|| {
    let mut by_name: HashMap<&str, Vec<&Known>> = HashMap::new();
    for known in ATTRIBUTES {
        by_name.entry(known.name).or_default().push(known);
    }
    by_name
});

/// Returns the attribute of that place and name.
pub(super) fn find(place: Place, name: &str) -> Option<&'static Known> {
    BY_NAME.get(name)?.iter().find(|known| known.place == place).copied()
}

/// Looking for similar names takes time: no more than this many are looked at.
const MOST_CANDIDATES: usize = 10_000;

/// Names that an instance's unknown attribute may have been meant to be.
pub(super) fn candidates(flat: &Flat<'_>) -> Vec<String> {
    let mut names: Vec<String> =
        flat.shape.attributes.values().map(|a| a.name.text.clone()).collect();
    names.sort();
    for known in ATTRIBUTES {
        match known.place {
            Place::Component => names.push(known.name.into()),
            Place::Interface | Place::Provided | Place::Method => {
                for port in flat.shape.interfaces.iter().take(MOST_CANDIDATES / ATTRIBUTES.len()) {
                    if known.place == Place::Interface || port.kind == InterfaceKind::Provides {
                        names.push(format!("{}_{}", port.name.text, known.name));
                    }
                }
            }
            Place::Mutex | Place::Semaphore => {
                let locks = flat.shape.locks.values().filter(|lock| of_kind(lock) == known.place);
                names.extend(locks.map(|lock| format!("{}_{}", lock.name.text, known.name)));
            }
            Place::System | Place::Core | Place::Connection | Place::Own => {}
        }
    }
    names
}
