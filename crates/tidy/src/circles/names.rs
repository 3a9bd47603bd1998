//! The definition of a name that a file writes.

use std::collections::BTreeMap;

use super::parts::{Parts, Path};

/// The number of times that a name may be passed on; modules that pass on each other's names would
/// go on for ever.
const PASSED_ON: usize = 8;

/// The modules of a crate.
pub(super) struct Names<'a> {
    modules: &'a BTreeMap<Path, Parts>,
}

impl<'a> Names<'a> {
    pub(super) fn new(modules: &'a BTreeMap<Path, Parts>) -> Self {
        Self { modules }
    }

    /// The module that defines what a path names when a module writes it; `None` for
    /// what is not of this crate, or is local to the module.
    pub(super) fn definition(&self, module: &[String], path: &[String]) -> Option<Path> {
        self.find(module, path, PASSED_ON)
    }

    fn find(&self, module: &[String], path: &[String], left: usize) -> Option<Path> {
        let left = left.checked_sub(1)?;
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => self.walk(Path::new(), rest, left),
            "self" => self.walk(module.to_vec(), rest, left),
            "super" => self.find_above(module, rest, left),
            _ => self.walk(module.to_vec(), path, left),
        }
    }

    fn find_above(&self, module: &[String], rest: &[String], left: usize) -> Option<Path> {
        let (_, above) = module.split_last()?;
        if rest.first().is_some_and(|next| next == "super") {
            return self.find(above, rest, left);
        }
        self.walk(above.to_vec(), rest, left)
    }

    /// Follows a path down from a module.
    fn walk(&self, module: Path, path: &[String], left: usize) -> Option<Path> {
        let parts = self.modules.get(&module)?;
        let Some((name, rest)) = path.split_first() else { return Some(module) };
        let inside: Path = module.iter().chain([name]).cloned().collect();
        if self.modules.contains_key(&inside) {
            return self.walk(inside, rest, left);
        }
        if parts.defined.contains(name) {
            return Some(module);
        }
        let imported = parts.imported.iter().filter(|(known, _)| known == name);
        let glob = parts.globs.iter();
        imported
            .map(|(_, behind)| behind.clone())
            .chain(glob.map(|behind| behind.iter().chain([name]).cloned().collect()))
            .find_map(|behind| self.find_on(&module, &behind, rest, left))
    }

    fn find_on(
        &self,
        module: &[String],
        behind: &[String],
        rest: &[String],
        left: usize,
    ) -> Option<Path> {
        // `use other_crate;` would ask for itself again.
        if behind.len() == 1 {
            return None;
        }
        let whole: Path = behind.iter().chain(rest).cloned().collect();
        self.find(module, &whole, left)
    }
}
