//! From addresses to functions and source lines.
//!
//! Each domain has addresses of its own, so one address names one place in one
//! program. The linked programs of the domains keep their debug information; it
//! is read only when something has to be explained.

use std::fmt;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use addr2line::Context;
use gimli::{EndianRcSlice, LittleEndian, SectionId};
use object::{Object, ObjectSection, ObjectSymbol};

type Reader = EndianRcSlice<LittleEndian>;

/// A place in a program's source.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// The function at the address.
    pub function: Option<String>,
    /// File and line.
    pub line: Option<(String, u32)>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.function.as_deref().unwrap_or_default())?;
        match &self.line {
            Some((file, line)) => write!(f, " ({file}:{line})"),
            None => Ok(()),
        }
    }
}

/// The debug information of some programs with disjoint addresses.
#[derive(Default)]
pub struct Symbols {
    programs: Vec<Program>,
}

struct Program {
    /// Functions by address: start, end, name.
    functions: Vec<(u64, u64, String)>,
    lines: Option<Context<Reader>>,
}

impl Symbols {
    /// Returns the programs in these files; what can't be read explains nothing.
    pub fn read<'p>(files: impl IntoIterator<Item = &'p Path>) -> Symbols {
        let programs = files.into_iter().filter_map(|file| Program::parse(&fs::read(file).ok()?));
        Symbols { programs: programs.collect() }
    }

    /// Returns the place of an instruction.
    pub fn place(&self, address: u64) -> Place {
        let program =
            self.programs.iter().find_map(|program| Some((program.function(address)?, program)));
        let Some((function, program)) = program else { return Place::default() };
        Place { function: Some(function.to_owned()), line: program.line(address) }
    }
}

impl Program {
    fn parse(bytes: &[u8]) -> Option<Program> {
        let file = object::File::parse(bytes).ok()?;
        let functions = file.symbols().filter(|symbol| symbol.kind() == object::SymbolKind::Text);
        let functions = functions.filter_map(|symbol| {
            let name =
                symbol.name().ok().filter(|name| !name.is_empty() && !name.starts_with('$'))?;
            Some((symbol.address(), symbol.address() + symbol.size().max(1), name.to_owned()))
        });
        let mut functions: Vec<_> = functions.collect();
        functions.sort();
        let section = |id: SectionId| {
            let data = file
                .section_by_name(id.name())
                .and_then(|section| section.uncompressed_data().ok());
            let data: Rc<[u8]> = Rc::from(data.unwrap_or_default().as_ref());
            Ok::<_, gimli::Error>(EndianRcSlice::new(data, LittleEndian))
        };
        let lines = gimli::Dwarf::load(section).and_then(Context::from_dwarf).ok();
        Some(Program { functions, lines })
    }

    fn function(&self, address: u64) -> Option<&str> {
        let behind = self.functions.partition_point(|(start, _, _)| *start <= address);
        let candidates = self.functions[..behind].iter().rev().take(4);
        let mut inside = candidates.filter(|(_, end, _)| address < *end);
        inside.next().map(|(_, _, name)| name.as_str())
    }

    fn line(&self, address: u64) -> Option<(String, u32)> {
        let location = self.lines.as_ref()?.find_location(address).ok()??;
        Some((location.file?.to_owned(), location.line?))
    }
}
