//! A file's definitions, its `use` declarations, and the paths it names.

use std::collections::BTreeSet;

use syn::visit::{self, Visit};
use syn::{Attribute, File, Item, ItemMod, ItemUse, UseTree};

/// A path as it is written: its segments.
pub(super) type Path = Vec<String>;

/// The known facts about a file.
#[derive(Default)]
pub(super) struct Parts {
    /// The names of its items.
    pub(super) defined: BTreeSet<String>,
    /// Names that a `use` brings in, with the path behind each.
    pub(super) imported: Vec<(String, Path)>,
    /// Modules whose names a `use` brings in all.
    pub(super) globs: Vec<Path>,
    /// Every path that it names.
    pub(super) paths: BTreeSet<Path>,
    /// The number of modules in braces that the walk is inside of.
    depth: usize,
}

impl Parts {
    /// Adds what a file says.
    pub(super) fn read(&mut self, file: &File) {
        self.defined.extend(file.items.iter().filter_map(name_of));
        self.visit_file(file);
    }

    fn add_tree(&mut self, before: &Path, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => {
                self.add_tree(&with(before, path.ident.to_string()), &path.tree);
            }
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.add_tree(before, tree));
            }
            UseTree::Glob(_) => self.globs.push(self.outside(before.clone())),
            UseTree::Name(name) => self.import(before, name.ident.to_string(), None),
            UseTree::Rename(name) => {
                self.import(before, name.ident.to_string(), Some(name.rename.to_string()));
            }
        }
    }

    fn import(&mut self, before: &Path, name: String, as_name: Option<String>) {
        let (path, name) = if name == "self" {
            (before.clone(), before.last().cloned().unwrap_or_default())
        } else {
            (with(before, name.clone()), name)
        };
        let path = self.outside(path);
        self.paths.insert(path.clone());
        self.imported.push((as_name.unwrap_or(name), path));
    }

    /// A path as the file's own module would write it: one `super` fewer for each
    /// module in braces around it.
    fn outside(&self, mut path: Path) -> Path {
        for _ in 0..self.depth {
            if path.first().is_some_and(|first| first == "super") {
                path.remove(0);
            }
        }
        path
    }
}

fn with(path: &Path, name: String) -> Path {
    path.iter().cloned().chain([name]).collect()
}

impl<'a> Visit<'a> for Parts {
    fn visit_item_mod(&mut self, module: &'a ItemMod) {
        if module.content.is_some() && !only_for_tests(&module.attrs) {
            self.depth += 1;
            visit::visit_item_mod(self, module);
            self.depth -= 1;
        }
    }

    fn visit_item_use(&mut self, item: &'a ItemUse) {
        if !only_for_tests(&item.attrs) {
            self.add_tree(&Path::new(), &item.tree);
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let segments = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let segments = self.outside(segments);
        self.paths.insert(segments);
        visit::visit_path(self, path);
    }
}

/// Returns `true` if an item is behind `#[cfg(test)]`.
fn only_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

fn name_of(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::TraitAlias(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}
