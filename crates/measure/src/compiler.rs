//! The compiler that made a program.
//!
//! Compilers leave a line about themselves in what they make. A cost table that was
//! measured on one compiler's kernel says nothing certain about another's, so the table
//! names it.

/// The beginning of a line about the Rust compiler.
const START: &[u8] = b"rustc version ";

/// Returns the Rust compiler with its version, if the program names it.
pub fn compiler(program: &[u8]) -> Option<String> {
    let at = program.windows(START.len()).position(|window| window == START)?;
    let rest = &program[at + START.len()..];
    let version =
        rest.split(|byte| !(byte.is_ascii_alphanumeric() || b".-+".contains(byte))).next()?;
    let version = std::str::from_utf8(version).ok().filter(|version| !version.is_empty())?;
    Some(format!("rustc {version}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_found_wherever_it_is() {
        let program = b"\x7fELF\0clang LLVM (rustc version 1.96.0 (ac68faa20 2026-05-25))\0";
        assert_eq!(compiler(program).as_deref(), Some("rustc 1.96.0"));
        assert_eq!(
            compiler(b"rustc version 1.97.0-nightly").as_deref(),
            Some("rustc 1.97.0-nightly")
        );
        for none in [&b""[..], b"rustc versio", b"rustc version ", b"GCC 12.2.0"] {
            assert_eq!(compiler(none), None);
        }
    }
}
