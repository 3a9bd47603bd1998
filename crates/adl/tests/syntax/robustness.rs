//! Inputs that no user writes: none may cause a panic, all are answered soon.

use super::{read, round_trip::examples};
use fusee_adl::syntax::load_bytes;
use std::time::{Duration, Instant};

/// A source that uses as much of the language as possible.
const DENSE: &str = include_str!("dense.camkes");

#[test]
fn the_dense_source_is_right() {
    assert_eq!(super::messages(&read(DENSE)), Vec::<String>::new());
}

#[test]
fn truncated_at_every_byte() {
    for length in 0..DENSE.len() {
        load_bytes(&DENSE.as_bytes()[..length]);
    }
}

#[test]
fn examples_truncated() {
    for path in examples() {
        let bytes = std::fs::read(path).expect("a readable example");
        let step = 1 + bytes.len() / 400;
        for length in (0..bytes.len()).step_by(step) {
            load_bytes(&bytes[..length]);
        }
    }
}

/// A small generator: the same numbers on every machine.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

#[test]
fn bytes_changed_at_random() {
    const PIECES: &[&str] = &[
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ";",
        "\"",
        "#",
        "##",
        "\n#if 1\n",
        "\n#endif\n",
        "/*",
        "*/",
        "\\\n",
        "<",
        "é",
        "\0",
        "component ",
        "F(",
    ];
    let mut numbers = Numbers(0x5EED);
    let started = Instant::now();
    for _ in 0..3_000 {
        let mut bytes = DENSE.as_bytes().to_vec();
        for _ in 0..=numbers.below(8) {
            let place = numbers.below(bytes.len());
            match numbers.below(4) {
                0 => bytes[place] = numbers.below(256) as u8,
                1 => drop(bytes.remove(place)),
                2 => drop(bytes.splice(place..place, PIECES[numbers.below(PIECES.len())].bytes())),
                _ => {
                    let end = (place + numbers.below(60)).min(bytes.len());
                    let copy = bytes[place..end].to_vec();
                    let target = numbers.below(bytes.len());
                    bytes.splice(target..target, copy);
                }
            }
        }
        load_bytes(&bytes);
        if started.elapsed() > Duration::from_secs(20) {
            break;
        }
    }
}

#[test]
fn deep_nesting_is_reported_and_survived() {
    let deep = 10_000;
    let value = |open: &str, close: &str| {
        format!(
            "configuration {{ a.b = {}1{}; a.c = 1; }} component After {{}}",
            open.repeat(deep),
            close.repeat(deep)
        )
    };
    let sources = [
        value("(", ")"),
        value("[", "]"),
        value("{1:", "}"),
        value("-", ""),
        value("1 ? ", ": 2"),
        value("q(", ")"),
        value("1 + ", ""),
        value("1 || 1 && 1 | ", ""),
        value("a[", "]"),
        "component { composition { ".repeat(deep),
        "component A { composition { component { ".repeat(deep),
        "component A { attribute { ".to_owned() + &"struct { ".repeat(deep),
        "{".repeat(deep),
        "(".repeat(deep),
        "#if 1\n".repeat(deep),
        format!("#if {}1\n#endif", "(".repeat(deep)),
        format!("#if {}1\n#endif", "!".repeat(deep)),
        format!("#if {}1\n#endif", "1 ? ".repeat(deep)),
        format!("#if {}1\n#endif", "1 + ".repeat(deep)),
    ];
    for source in sources {
        let loaded = read(&source);
        let expected = source.starts_with("#if")
            || loaded
                .diagnostics
                .iter()
                .any(|it| it.severity == fusee_diagnostics::Severity::Error);
        assert!(expected, "{}", &source[..60]);
    }
}

#[test]
fn large_files_are_answered_within_seconds() {
    let fill = |piece: &str| piece.repeat(1_000_000 / piece.len());
    let sources = [
        fill("component A { control; uses P p; attribute int n = 4 * (2 + 1); }\n").repeat(10),
        fill("x").repeat(10),
        fill(";"),
        fill("}"),
        fill("\""),
        fill("\"\n"),
        fill("/*"),
        fill("#\n"),
        fill("é"),
        fill("#define X Y\n"),
        fill("provides X\n"),
        "component A {\n".to_owned() + &fill("garbage here ( ;\n"),
        "configuration { a.b = [".to_owned() + &fill("1, "),
        "configuration { a.b = ".to_owned() + &fill("1 + "),
        "#define F(x) x\nF(".to_owned() + &fill("(a, b) "),
        "#if 0\n".to_owned() + &fill("it's \" /* */ \n"),
    ];
    for source in sources {
        let started = Instant::now();
        read(&source);
        assert!(
            started.elapsed() < Duration::from_secs(20),
            "{} {:?}",
            &source[..20.min(source.len())].escape_debug(),
            started.elapsed()
        );
    }
}
