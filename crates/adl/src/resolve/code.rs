//! The input of code generation: procedure types, structs, headers, locks.
//!
//! All of it is a copy of what the tree says, in the model's words; nothing is looked
//! up but the first value of a semaphore, which is an attribute (`name_value`).

use super::names::Names;
use super::read::{Attributes, LAST_CORE};
use super::report::Report;
use super::settings::Given;
use super::shape::Shape;
use crate::tree::{self, Include, TypeKind};
use fusee_model::{
    Code, DataType, Direction, Duration, Field, Header, Lock, LockKind, Locking, Parameter,
    Procedure, Signature, Sourced, Struct,
};
use std::collections::BTreeMap;

/// Returns all procedure types, in order of declaration.
pub(super) fn procedures(names: &Names<'_>, report: &mut Report) -> Vec<Procedure> {
    let declared = names.procedures.in_order();
    declared
        .map(|(name, procedure)| Procedure {
            name: name.into(),
            methods: procedure.methods.iter().map(|method| signature(method, report)).collect(),
            headers: procedure.includes.iter().map(|include| header(include, report)).collect(),
        })
        .collect()
}

/// Returns all structs, in order of declaration.
pub(super) fn structs(names: &Names<'_>) -> Vec<Struct> {
    let declared = names.structs.in_order();
    declared
        .map(|(name, declared)| Struct {
            name: name.into(),
            fields: declared.body.fields.iter().map(field).collect(),
        })
        .collect()
}

/// The locks of a component, in order of declaration.
pub(super) fn locks<'t>(shape: &Shape<'t>) -> Vec<&'t tree::Lock> {
    let mut locks: Vec<&tree::Lock> = shape.locks.values().copied().collect();
    locks.sort_by_key(|lock| lock.span);
    locks
}

/// Returns the code that an instance is made from.
pub(super) fn of_instance(
    shape: &Shape<'_>,
    given: &BTreeMap<String, Given>,
    report: &mut Report,
) -> Code {
    let mut attributes: Vec<Field> =
        shape.attributes.values().map(|attribute| field(attribute)).collect();
    attributes.sort_by(|a, b| a.name.cmp(&b.name));
    Code {
        headers: shape.includes.iter().map(|include| header(include, report)).collect(),
        locks: locks(shape).into_iter().map(|declared| lock(declared, given, report)).collect(),
        attributes,
    }
}

/// Returns a header; the compiler finds out if the component needs one that only comes with its
/// procedure types.
fn header(include: &Include, report: &mut Report) -> Header {
    Header {
        path: include.path.clone(),
        system: include.system,
        origin: report.origin(include.span),
    }
}

fn lock(declared: &tree::Lock, given: &BTreeMap<String, Given>, report: &mut Report) -> Lock {
    let mut first = |most| first_value(&declared.name.text, given, most, report);
    let (kind, initial) = match declared.kind {
        tree::LockKind::Mutex => (LockKind::Mutex, 1),
        tree::LockKind::Semaphore => (LockKind::Semaphore, first(u32::MAX).unwrap_or(1)),
        tree::LockKind::BinarySemaphore => (LockKind::BinarySemaphore, first(1).unwrap_or(0)),
    };
    let origin = report.origin(declared.name.span);
    let locking = Sourced { value: Locking::default(), origin };
    Lock { name: declared.name.text.clone(), kind, initial, locking, core: None, origin }
}

/// Returns the first value of a semaphore, where its attribute gives one.
fn first_value(
    lock: &str,
    given: &BTreeMap<String, Given>,
    most: u32,
    report: &mut Report,
) -> Option<u32> {
    let attributes = Attributes { given, declared: None, tick: Duration::ZERO, looks: false };
    attributes.integer(&format!("{lock}_value"), (0, most), report).map(|first| first.value)
}

/// Sets the way in which the mutexes of an instance are locked, and the core whose tasks wait for
/// its semaphores.
pub(super) fn locking(attributes: &Attributes<'_, '_>, code: &mut Code, report: &mut Report) {
    for lock in &mut code.locks {
        let name = |what: &str| format!("{}_{what}", lock.name);
        if lock.kind == LockKind::Mutex {
            let given = attributes.choice(&name("locking"), Locking::WORDS, report);
            lock.locking = given.unwrap_or(lock.locking);
        } else {
            lock.core = attributes.integer(&name("core"), (0, LAST_CORE), report);
        }
    }
}

fn signature(method: &tree::Method, report: &mut Report) -> Signature {
    let parameters = method.parameters.iter().map(|parameter| Parameter {
        name: parameter.name.text.clone(),
        direction: match parameter.direction {
            tree::Direction::In => Direction::In,
            tree::Direction::Out => Direction::Out,
            tree::Direction::InOut => Direction::InOut,
            tree::Direction::RefIn => Direction::RefIn,
        },
        type_: type_(&parameter.type_),
        array: parameter.array,
        origin: report.origin(parameter.span),
    });
    let parameters = parameters.collect();
    let returns = method.returns.as_ref().map(type_);
    Signature {
        name: method.name.text.clone(),
        returns,
        parameters,
        origin: report.origin(method.name.span),
    }
}

fn field(attribute: &tree::Attribute) -> Field {
    Field {
        name: attribute.name.text.clone(),
        type_: type_(&attribute.type_),
        array: attribute.array,
    }
}

fn type_(written: &tree::Type) -> DataType {
    match &written.kind {
        TypeKind::Int => DataType::Int,
        TypeKind::UnsignedInt => DataType::UnsignedInt,
        TypeKind::Int64 => DataType::Int64,
        TypeKind::UnsignedInt64 => DataType::UnsignedInt64,
        TypeKind::Char => DataType::Char,
        TypeKind::SignedChar => DataType::SignedChar,
        TypeKind::UnsignedChar => DataType::UnsignedChar,
        TypeKind::String => DataType::String,
        TypeKind::Struct(name) => DataType::Struct(name.text.clone()),
        TypeKind::Inline(body) => DataType::Inline(body.fields.iter().map(field).collect()),
        TypeKind::Named(reference) => DataType::Named(reference.text()),
    }
}
