//! Every construct of ADL and IDL.

use super::{assert_reads, print, read};
use fusee_adl::tree::{Item, SettingValue};

#[test]
fn components_with_every_kind_of_interface() {
    assert_reads(
        r#"component Store {
            control; hardware;
            provides Read read; maybe uses lib.Write write;
            emits Full full; maybe emits Full other; consumes Tick tick; maybe consumes Tick tock;
            dataport Buf all; maybe dataport Buf(4096 * 2) part; dataport frame_t frames;
            has mutex lock; has semaphore slots; has binary_semaphore flag;
            include "store.h"; include <stdint.h>; include <sys/types-x86.h>;
        }"#,
        r#"component Store { control; hardware; provides Read read; maybe uses lib.Write write;
        emits Full full;
            maybe emits Full other; consumes Tick tick; maybe consumes Tick tock; dataport Buf all;
            maybe dataport Buf((4096 * 2)) part; dataport frame_t frames; has mutex lock;
            has semaphore slots;
            has binary_semaphore flag; include "store.h"; include <stdint.h>;
            include <sys/types-x86.h>; }"#,
    );
}

#[test]
fn attributes_of_every_type() {
    assert_reads(
        r#"component A {
            attribute int i = 1; attribute integer j; attribute signed s; attribute signed int si;
            attribute signed char sc; attribute unsigned u; attribute unsigned integer ui;
            attribute unsigned char uc;
            attribute char c; attribute string t = "x"; attribute int64_t l;
            attribute uint64_t ul = 0xffffffffffffffff;
            attribute uint32_t w; attribute bool b = True; attribute double d = 1.5;
            attribute int many[] = [1, 2]; attribute struct point p; attribute point q = {"x": 1};
            attribute struct { int x; string names[]; } inline_; attribute { int y = 2; } short_;
        }"#,
        r#"component A {
            attribute int i = 1; attribute int j; attribute int s; attribute int si;
            attribute signed char sc; attribute unsigned int u; attribute unsigned int ui;
            attribute unsigned char uc;
            attribute char c; attribute string t = "x"; attribute int64_t l;
            attribute uint64_t ul = 18446744073709551615;
            attribute uint32_t w; attribute bool b = true; attribute double d = 1.5;
            attribute int many[] = [1, 2]; attribute struct point p; attribute point q = {"x": 1};
            attribute struct { int x; string names[]; } inline_; attribute struct { int y = 2; }
            short_; }"#,
    );
}

#[test]
fn assemblies_with_everything_in_them() {
    assert_reads(
        r#"assembly Plant {
            composition {
                component Pump pump;
                component { control; uses Read in_; } reader;
                connection seL4RPCCall one(from reader.in_, to pump.read);
                connection lib.Bus bus(from a.x, from b.x, to c.x, to d.y,);
                connection { from Procedures with 0 threads; to Procedure; } own(from a.p, to b.q);
                group box { component Pump left; component Pump right; }
                group { component Pump third; }
                export pump.read -> read;
            }
            configuration { pump.priority = 7; pump.peer <- box.left.name; }
            composition Extra;
            configuration Tuned;
            schedule { [(0, 3), (1, 4 ticks), (2, 10us)] }
        }"#,
        r#"assembly Plant { composition { component Pump pump; component { control; uses Read in_;
        } reader;
            connection seL4RPCCall one(from reader.in_, to pump.read);
            connection lib.Bus bus(from a.x, from b.x, to c.x, to d.y);
            connection { from Procedures with 0 threads; to Procedure; } own(from a.p, to b.q);
            group box { component Pump left; component Pump right; } group { component Pump third; }
            export pump.read -> read; }
            configuration { pump.priority = 7; pump.peer <- box.left.name; }
            composition Extra; configuration Tuned;
            schedule { [(0, 3 ticks), (1, 4 ticks), (2, 10 us)] } }"#,
    );
}

#[test]
fn components_inside_components() {
    assert_reads(
        r#"component Outer {
            provides Read read;
            composition { component Inner a; component { provides Read r; composition Named; } b;
            export a.r -> read; }
            configuration { a.n <- n; a.m = 1; }
        }
        composition Named { component Inner c; }
        configuration Preset { c.n = 1; }
        struct point { int x; int y = 2; string tags[]; }"#,
        r#"component Outer { provides Read read;
            composition { component Inner a; component { provides Read r; composition Named; } b;
            export a.r -> read; }
            configuration { a.n <- n; a.m = 1; } }
        composition Named { component Inner c; }
        configuration Preset { c.n = 1; }
        struct point { int x; int y = 2; string tags[]; }"#,
    );
}

#[test]
fn connectors() {
    assert_reads(
        r#"connector A { from Procedures with 0 threads; to Procedure; }
        connector B { from hardware Event; to Events with 2 * 2 threads;
        attribute string note = "a" "b"; }
        connector C { from Dataports with 1 thread; to hardware Dataport;
        attribute bool flag = false; }
        connector Old { from Procedure client template "from.c"; to Procedure template "to.c"; }"#,
        r#"connector A { from Procedures with 0 threads; to Procedure; }
        connector B { from hardware Event; to Events with (2 * 2) threads;
        attribute string note = "ab"; }
        connector C { from Dataports with 1 threads; to hardware Dataport;
        attribute bool flag = false; }
        connector Old { from Procedure; to Procedure; }"#,
    );
}

#[test]
fn procedures() {
    assert_reads(
        r#"procedure Disk {
            include <stdint.h>;
            void sync(void); void stop();
            int read(in int sector, out char data[], inout unsigned int length,
            refin struct block b, uint8_t plain,);
            struct block next(string name); lib.type other(); unsigned char byte();
            int size = 4
            attribute int more[];
        };"#,
        r#"procedure Disk { include <stdint.h>; int size = 4; int more[]; void sync(); void stop();
            int read(in int sector, out char data[], inout unsigned int length,
            refin struct block b, in uint8_t plain);
            struct block next(in string name); lib.type other(); unsigned char byte(); }"#,
    );
}

#[test]
fn declarations_without_names() {
    assert_reads(
        "assembly { composition {} } component { control; } procedure { void f(); } connector { \
         from Event; to Event; }",
        "assembly { composition { } } component { control; } procedure { void f(); } connector { \
         from Event; to Event; }",
    );
}

#[track_caller]
fn assert_value(text: &str, expected: &str) {
    let loaded = read(&format!("configuration {{ a.b = {text}; }}"));
    let Some(Item::Configuration(configuration)) = loaded.tree.items.first() else {
        panic!("{:?}", loaded.tree)
    };
    let SettingValue::Value(value) = &configuration.settings[0].value else {
        panic!("{configuration:?}")
    };
    assert_eq!(print::expr(value), expected);
    assert_eq!(super::messages(&loaded), Vec::<String>::new());
}

#[test]
fn literals() {
    assert_value("12", "12");
    assert_value("0x1F", "31");
    assert_value("0b101", "5");
    assert_value("0o17", "15");
    assert_value("2.50", "2.5");
    assert_value("1e3", "1000.0");
    assert_value("True", "true");
    assert_value("false", "false");
    assert_value("\"a\" \"b\"\n\"c\"", "\"abc\"");
    assert_value("\"two\nlines\"", "\"two\nlines\"");
    assert_value("\"back\\slash\"", "\"back\\slash\"");
    assert_value("[]", "[]");
    assert_value("[1, [\"x\",], {},]", "[1, [\"x\"], {}]");
    assert_value(
        "{\"a\": 1, 2: [true], \"c\" \"d\": {\"e\": 1.5},}",
        "{\"a\": 1, 2: [true], \"cd\": {\"e\": 1.5}}",
    );
}

#[test]
fn operators_bind_as_in_camkes() {
    assert_value("1 + 2 * 3", "(1 + (2 * 3))");
    assert_value("2 * 3 ** 2", "((2 * 3) ** 2)");
    assert_value("2 ** 3 ** 2", "((2 ** 3) ** 2)");
    assert_value("10 - 4 - 3", "((10 - 4) - 3)");
    assert_value("7 / 2 % 3", "((7 / 2) % 3)");
    assert_value("1 << 2 + 1", "(1 << (2 + 1))");
    assert_value("1 < 2 == 3 >= 4", "((1 < 2) == (3 >= 4))");
    assert_value("1 | 2 ^ 3 & 4 != 5", "(1 | (2 ^ (3 & (4 != 5))))");
    assert_value("1 || 2 && 3 | 4", "(1 || (2 && (3 | 4)))");
    assert_value("1 > 0 ? 2 : 3 <= 4 ? 5 : 6", "((1 > 0) ? 2 : ((3 <= 4) ? 5 : 6))");
    assert_value("-2 ** 2", "((-2) ** 2)");
    assert_value("!~+-1 >> 1", "((!(~(+(-1)))) >> 1)");
    assert_value("(1 + 2) * 3", "((1 + 2) * 3)");
}

#[test]
fn references_and_queries() {
    assert_value("other.value", "other.value");
    assert_value("other.value[\"k\"][2 + 1]", "other.value[\"k\"][(2 + 1)]");
    assert_value("dtb({\"path\": \"/soc/uart\"})", "dtb({\"path\": \"/soc/uart\"})");
    assert_value(
        "dtb([{\"a\": 1}, {\"b\": 2}])[\"query\"][0]",
        "dtb([{\"a\": 1}, {\"b\": 2}])[\"query\"][0]",
    );
    assert_value("clock()", "clock()");
}

#[test]
fn aliases_with_keys() {
    assert_reads(
        "configuration { a.b <- c.d[\"reg\"][0]; a.e <- f; }",
        "configuration { a.b <- c.d[\"reg\"][0]; a.e <- f; }",
    );
}

#[test]
fn empty_statements_and_comments() {
    assert_reads(
        "; /* one */ component A { ; control; // two\n ; };; /* three\n lines */",
        "component A { control; }",
    );
}
