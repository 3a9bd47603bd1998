//! The input of code generation: signatures, headers, locks, attribute types.

use super::{component, system};
use fusee_model::{DataType, Direction, LockKind};

const TEXT: &str = "
    struct Range { int low; double high[]; }
    procedure Store {
        include <stdint.h>;
        include \"store.h\";
        void put(in uint32_t key, refin struct entry value, inout string names[]);
        unsigned char get(out int64_t value);
        void flush();
    }
    component Disk {
        control;
        provides Store store;
        include \"disk.h\";
        has mutex m;
        has semaphore free;
        has binary_semaphore full;
        attribute Range range;
        attribute string title = \"disk\";
    }
    assembly {
        composition { component Disk d; }
        configuration { d.free_value = 4; }
    }";

#[test]
fn signatures_are_kept_with_their_procedure() {
    let system = system(TEXT);
    let store = system.procedure("Store").expect("it is declared");
    assert_eq!(system.procedure_of(&component(&system, "d").interfaces[0]), Some(store));
    let headers: Vec<_> = store.headers.iter().map(|h| (h.path.as_str(), h.system)).collect();
    assert_eq!(headers, [("stdint.h", true), ("store.h", false)]);
    let put: Vec<_> = store.methods[0]
        .parameters
        .iter()
        .map(|p| (p.name.as_str(), p.direction, p.type_.clone(), p.array))
        .collect();
    assert_eq!(
        put,
        [
            ("key", Direction::In, DataType::Named("uint32_t".into()), false),
            ("value", Direction::RefIn, DataType::Struct("entry".into()), false),
            ("names", Direction::InOut, DataType::String, true),
        ]
    );
    assert_eq!(store.methods[0].returns, None);
    assert_eq!(store.methods[1].returns, Some(DataType::UnsignedChar));
    assert_eq!(store.methods[1].parameters[0].type_, DataType::Int64);
    assert_eq!(store.methods[2].parameters, []);
    assert_eq!(system.structure("Range").map(|range| range.fields[1].array), Some(true));
}

#[test]
fn a_component_keeps_its_locks_headers_and_types() {
    let system = system(TEXT);
    let code = &component(&system, "d").code;
    let locks: Vec<_> =
        code.locks.iter().map(|lock| (lock.name.as_str(), lock.kind, lock.initial)).collect();
    assert_eq!(
        locks,
        [
            ("m", LockKind::Mutex, 1),
            ("free", LockKind::Semaphore, 4),
            ("full", LockKind::BinarySemaphore, 0)
        ]
    );
    assert_eq!(code.headers[0].path, "disk.h");
    let types: Vec<_> =
        code.attributes.iter().map(|field| (field.name.as_str(), field.type_.clone())).collect();
    assert_eq!(types, [("range", DataType::Named("Range".into())), ("title", DataType::String)]);
}
