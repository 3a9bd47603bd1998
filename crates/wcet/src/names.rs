//! Names of functions as people write them.
//!
//! Linker names of Rust and C++ are taken apart as far as they name a path; type
//! arguments are left out. Any other name is what it is.

mod itanium;

/// Returns the path in a linker name: `fusee_kernel::list::List::remove` for `_RNvM...`.
pub fn readable(name: &str) -> String {
    let path = match name.get(..2) {
        Some("_R") => Reader { text: &name.as_bytes()[2..], at: 0, depth: 0 }.path(),
        Some("_Z") => itanium::path(&name[2..]),
        _ => None,
    };
    // A name that is not understood is shown as it is: half of it could be another function's.
    path.filter(|path| !path.is_empty()).unwrap_or_else(|| name.to_owned())
}

/// Returns a text for people, with each linker name in it made [`readable`]: `jal a::b+0x12` for
/// `jal _RNvC1a1b+0x12`.
pub fn readable_text(text: &str) -> String {
    with_names(text, readable)
}

/// Returns a text with what this makes of each word in it that may be a linker name.
pub(crate) fn with_names(text: &str, name: impl Fn(&str) -> String) -> String {
    let is_inside =
        |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '$');
    let mut result = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        let word = rest.find(|letter| !is_inside(letter)).unwrap_or(rest.len());
        result += &name(&rest[..word]);
        let next = rest[word..].find(is_inside).map_or(rest.len(), |between| word + between);
        result += &rest[word..next];
        rest = &rest[next..];
    }
    result
}

/// References may lead back to references; no name needs more than this.
const DEPTH: usize = 64;

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<u8> {
        let byte = *self.text.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    /// A number in base 62, closed by an underscore.
    fn base62(&mut self) -> Option<usize> {
        let mut number = 0usize;
        // The underscore alone is 0, and digits before it begin with 1.
        if self.eat(b'_') {
            return Some(0);
        }
        loop {
            let digit = match self.next()? {
                b'_' => return number.checked_add(1),
                byte @ b'0'..=b'9' => byte - b'0',
                byte @ b'a'..=b'z' => byte - b'a' + 10,
                byte @ b'A'..=b'Z' => byte - b'A' + 36,
                _ => return None,
            };
            // A name may be made up, so its numbers may be too large.
            number = number.checked_mul(62)?.checked_add(usize::from(digit))?;
        }
    }

    fn disambiguator(&mut self) -> Option<()> {
        if self.eat(b's') {
            self.base62()?;
        }
        Some(())
    }

    fn identifier(&mut self) -> Option<String> {
        self.disambiguator()?;
        // `u` marks an identifier outside of ASCII, which is shown in its encoding.
        self.eat(b'u');
        let mut length = 0usize;
        while let Some(digit) = self.text.get(self.at).filter(|byte| byte.is_ascii_digit()) {
            length = length.checked_mul(10)?.checked_add(usize::from(digit - b'0'))?;
            self.at += 1;
        }
        // An underscore parts the length from a name that begins with a digit or with one itself.
        self.eat(b'_');
        let end = self.at.checked_add(length)?;
        let text = self.text.get(self.at..end)?;
        self.at = end;
        String::from_utf8(text.to_vec()).ok()
    }

    fn path(&mut self) -> Option<String> {
        // Names nest, and a made-up one must not exhaust the stack.
        self.depth += 1;
        if self.depth > DEPTH {
            return None;
        }
        let path = self.path_inside();
        self.depth -= 1;
        path
    }

    fn path_inside(&mut self) -> Option<String> {
        match self.next()? {
            b'C' => self.identifier(),
            b'N' => {
                let space = self.next()?;
                let (outer, inner) = (self.path()?, self.identifier()?);
                Some(match (space, inner.as_str()) {
                    // A closure has no name of its own.
                    (b'C', _) => format!("{outer}::{{closure}}"),
                    // Other places without a name, such as an implementation, add
                    // nothing for people.
                    (_, "") => outer,
                    _ => format!("{outer}::{inner}"),
                })
            }
            b'M' => {
                // The path where an implementation stands is skipped: the type that it
                // is for names the method.
                self.disambiguator()?;
                self.path()?;
                self.kind()
            }
            b'X' => {
                self.disambiguator()?;
                self.path()?;
                let own = self.kind()?;
                self.path()?;
                Some(own)
            }
            b'Y' => {
                let own = self.kind()?;
                self.path()?;
                Some(own)
            }
            b'I' => {
                let path = self.path()?;
                while !self.eat(b'E') {
                    self.argument()?;
                }
                Some(path)
            }
            b'B' => self.back(Self::path),
            _ => None,
        }
    }

    fn back(&mut self, read: fn(&mut Self) -> Option<String>) -> Option<String> {
        // A back reference counts bytes from behind `_R`, which is where the text begins.
        let place = self.base62()?;
        let here = std::mem::replace(&mut self.at, place);
        let found = read(self);
        self.at = here;
        found
    }

    fn argument(&mut self) -> Option<()> {
        // A lifetime is an argument, but no type, and is not shown.
        if self.eat(b'L') {
            return self.base62().map(|_| ());
        }
        match self.eat(b'K') {
            true => self.constant(),
            false => self.kind().map(|_| ()),
        }
    }

    fn constant(&mut self) -> Option<()> {
        if self.eat(b'B') {
            return self.base62().map(|_| ());
        }
        // A number is a letter for its type and digits up to an underscore,
        // which says where it ends.
        self.next()?;
        while self.next()? != b'_' {}
        Some(())
    }

    /// A type; only those that are paths are named.
    fn kind(&mut self) -> Option<String> {
        self.depth += 1;
        if self.depth > DEPTH {
            return None;
        }
        let kind = self.kind_inside();
        self.depth -= 1;
        kind
    }

    fn kind_inside(&mut self) -> Option<String> {
        match *self.text.get(self.at)? {
            // The letter belongs to the path, so it is not taken here.
            b'C' | b'N' | b'M' | b'X' | b'Y' | b'I' => return self.path(),
            _ => {}
        }
        match self.next()? {
            b'R' | b'Q' => {
                if self.eat(b'L') {
                    self.base62()?;
                }
                self.kind()
            }
            b'P' | b'O' | b'S' => self.kind(),
            b'A' => {
                let element = self.kind()?;
                self.constant()?;
                Some(element)
            }
            b'T' => {
                while !self.eat(b'E') {
                    self.kind()?;
                }
                Some("()".to_owned())
            }
            b'B' => self.back(Self::kind),
            byte if byte.is_ascii_lowercase() => Some(char::from(byte).to_string()),
            // The parts of a function or a trait object as a type are not read, so the
            // whole name stays as it is.
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{readable, readable_text};

    #[test]
    fn takes_rust_names_apart() {
        let of_kernel = "_RNvMNtCsO1ASfjc01f_12fusee_kernel6invokeINtNtB4_6kernel6KernelNtNtCsg\
            NNZkhmzSOw_12fusee_system8recorder8RecorderE15refuse_or_blockB12_";
        assert_eq!(readable(of_kernel), "fusee_kernel::kernel::Kernel::refuse_or_block");
        let queue = "_RNvMs_NtCsO1ASfjc01f_12fusee_kernel5readyNtB4_5Queue6remove";
        assert_eq!(readable(queue), "fusee_kernel::ready::Queue::remove");
        assert_eq!(
            readable("_RNvNtCs20VcGKaYApO_16fusee_arch_riscv6vector5timer"),
            "fusee_arch_riscv::vector::timer"
        );
    }

    #[test]
    fn leaves_other_names_as_they_are() {
        let cut = [
            "_R",
            "_RNv",
            "_RB_",
            "_RNvNvB_",
            "_RNvC99999999999999999999a",
            "_Z",
            "_ZN",
            "_ZNE",
            "_ZN3fo",
            "_Z9a",
        ];
        let others = [
            "memcpy",
            "_ZTV3foo",
            "_ZN3fooplEi",
            "_ZN3fooIiE3barEv",
            "_ZNC1Ev",
            "_Z99999999999999999999a",
            "",
        ];
        for name in cut.into_iter().chain(others) {
            assert_eq!(readable(name), name);
        }
    }

    #[test]
    fn takes_names_of_cpp_and_older_rust_apart() {
        for (name, path) in [
            ("_ZN3foo3barE", "foo::bar"),
            ("_ZNK5queue4sizeEv", "queue::size"),
            ("_ZN5queueC2Ei", "queue::queue"),
            ("_ZN5queueD1Ev", "queue::~queue"),
            ("_Z3addii", "add"),
            ("_ZL5innerv", "inner"),
            ("_ZN4core5slice4sort17h0123456789abcdefE", "core::slice::sort"),
            (
                "_ZN42_$LT$str$u20$as$u20$core..fmt..Display$GT$3fmt17h0123456789abcdefE",
                "<str as core::fmt::Display>::fmt",
            ),
        ] {
            assert_eq!(readable(name), path);
        }
    }

    #[test]
    fn makes_names_within_text_readable() {
        let text = "loops.\"_ZN3foo3barEv+0x1c\" and 80000000 <_RNvCs1_1a1b> beside memcpy\n";
        assert_eq!(
            readable_text(text),
            "loops.\"foo::bar+0x1c\" and 80000000 <a::b> beside memcpy\n"
        );
    }
}
