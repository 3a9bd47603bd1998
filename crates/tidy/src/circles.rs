//! Modules use each other one way, but for a module and what is inside it.
//!
//! Two modules that use each other can only be read together, and so can all modules
//! of a longer circle, whichever of their files it goes through. A module and what
//! stands inside it may: the one is the other's room. What is asked is where a name is
//! *defined*, so that a name which a module passes on with `pub use` leads to the file
//! behind it.

mod names;
mod parts;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use names::Names;

use crate::{File, Finding, Tree};

/// The modules that each module uses, by their paths.
type Uses = BTreeMap<Vec<String>, BTreeSet<Vec<String>>>;

/// A file of a crate.
struct Source<'t> {
    /// The path of the module that it holds.
    module: Vec<String>,
    file: &'t File,
}

/// Looks for circles in every crate.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut crates: BTreeMap<&str, Vec<Source<'_>>> = BTreeMap::new();
    for file in tree.files.iter().filter(|file| file.is_rust()) {
        if let Some((folder, module)) = module_of(&file.path)
            && !module.iter().any(|name| name == "tests")
        {
            crates.entry(folder).or_default().push(Source { module, file });
        }
    }
    crates.values().flat_map(|files| check_crate(files)).collect()
}

/// The folder of a crate and the path of the module that a file holds.
fn module_of(path: &str) -> Option<(&str, Vec<String>)> {
    let (folder, inside) = path.split_once("/src/")?;
    let inside = inside.strip_suffix(".rs")?;
    let inside = inside.strip_suffix("/mod").unwrap_or(inside);
    let module = if inside == "lib" || inside == "main" { "" } else { inside };
    Some((folder, module.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect()))
}

fn check_crate(files: &[Source<'_>]) -> Vec<Finding> {
    let mut parsed = BTreeMap::new();
    for Source { module, file } in files {
        // What does not parse is the compiler's to refuse.
        if let Ok(syntax) = syn::parse_file(&file.text) {
            // A library and a program in one folder are two roots; both stay looked at.
            parsed.entry(module.clone()).or_insert_with(parts::Parts::default).read(&syntax);
        }
    }
    let names = Names::new(&parsed);
    let uses: Uses = parsed
        .iter()
        .map(|(module, parts)| {
            let used = parts.paths.iter().filter_map(|path| names.definition(module, path));
            (module.clone(), used.filter(|used| !one_inside_other(module, used)).collect())
        })
        .collect();
    let path_of = |module: &Vec<String>| {
        files.iter().find(|one| one.module == *module).map_or("", |one| one.file.path.as_str())
    };
    circles(&between_siblings(&uses))
        .iter()
        .map(|circle| {
            let others: Vec<&str> = circle[1..].iter().map(path_of).collect();
            let message = format!(
                "a circle of modules with {}: take what both need into a file of its own",
                others.join(", which uses ")
            );
            Finding::new(path_of(&circle[0]), 0, message)
        })
        .collect()
}

/// Returns the uses of files as uses of the modules that hold them, side by side in one module.
fn between_siblings(uses: &Uses) -> Uses {
    let mut all = Uses::new();
    for (from, used) in uses {
        for to in used {
            let shared = from.iter().zip(to).take_while(|(one, other)| one == other).count();
            let (from, to) = (from[..=shared].to_vec(), to[..=shared].to_vec());
            all.entry(from).or_default().insert(to);
        }
    }
    all
}

fn one_inside_other(module: &[String], other: &[String]) -> bool {
    module.starts_with(other) || other.starts_with(module)
}

/// Returns one shortest circle through the first module of each set of modules that all reach each
/// other.
fn circles(uses: &Uses) -> Vec<Vec<Vec<String>>> {
    let mut found: Vec<Vec<Vec<String>>> = Vec::new();
    for start in uses.keys() {
        if let Some(circle) = way_back(uses, start)
            && !found.iter().flatten().any(|known| circle.contains(known))
        {
            found.push(circle);
        }
    }
    found
}

/// Returns the shortest way from a module over others back to itself, without its last step.
fn way_back(uses: &Uses, start: &Vec<String>) -> Option<Vec<Vec<String>>> {
    let mut came_from: BTreeMap<&Vec<String>, &Vec<String>> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        for next in uses.get(at).into_iter().flatten() {
            if next == start {
                let mut way = vec![at.clone()];
                let mut at = at;
                while let Some(before) = came_from.get(at) {
                    way.push((*before).clone());
                    at = before;
                }
                way.reverse();
                return Some(way);
            }
            if !came_from.contains_key(next) {
                came_from.insert(next, at);
                queue.push_back(next);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let files = files
            .iter()
            .map(|(path, text)| File {
                path: format!("crates/any/src/{path}"),
                text: (*text).to_owned(),
            })
            .collect();
        check(&Tree { files }).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn finds_two_files_that_use_each_other() {
        let found = found(&[
            ("lib.rs", "mod a;\nmod b;\n"),
            ("a.rs", "use crate::b::B;\npub struct A(B);\n"),
            ("b.rs", "pub struct B;\nfn f(_: super::a::A) {}\n"),
        ]);
        assert_eq!(
            found,
            ["crates/any/src/a.rs: a circle of modules with crates/any/src/b.rs: \
              take what both need into a file of its own"]
        );
    }

    #[test]
    fn follows_names_that_a_module_passes_on() {
        let folder = ("p/mod.rs", "mod c;\nmod d;\npub use c::*;\npub use self::d::D as E;\n");
        let d = ("p/d.rs", "pub struct D(crate::a::A);\n");
        let lib = ("lib.rs", "mod a;\nmod p;\n");
        let c = ("p/c.rs", "pub struct C;\n");
        let by_name = ("a.rs", "use crate::p;\npub struct A;\nfn f(_: p::E) {}\n");
        assert_eq!(found(&[lib, folder, c, d, by_name]).len(), 1);
        let alone = ("p/d.rs", "pub struct D;\n");
        assert_eq!(found(&[lib, folder, c, alone, by_name]), [""; 0]);
        let c = ("p/c.rs", "pub struct C(super::E);\n");
        let other = ("a.rs", "use crate::p::C;\npub struct A(C);\n");
        assert_eq!(found(&[lib, folder, c, d, other]).len(), 1, "over three files");
    }

    #[test]
    fn finds_modules_that_use_each_other_over_different_files() {
        let lib = ("lib.rs", "mod a;\nmod b;\n");
        let (a, b) = (("a.rs", "mod x;\nmod y;\n"), ("b.rs", "mod x;\nmod y;\n"));
        let used = [("a/y.rs", "pub struct Y;\n"), ("b/y.rs", "pub struct Y;\n")];
        let there = ("a/x.rs", "use crate::b::y::Y;\npub struct X(Y);\n");
        let back = ("b/x.rs", "use crate::a::y::Y;\npub struct X(Y);\n");
        assert_eq!(found(&[lib, a, b, used[0], used[1], there, back]).len(), 1);
        let alone = ("b/x.rs", "pub struct X;\n");
        assert_eq!(found(&[lib, a, b, used[0], used[1], there, alone]), [""; 0]);
    }

    #[test]
    fn lets_a_module_and_what_is_inside_use_each_other() {
        assert_eq!(
            found(&[
                ("lib.rs", "mod a;\nuse a::A;\npub struct Root(A);\n"),
                ("a/mod.rs", "mod b;\nuse b::B;\npub struct A(B, crate::Root);\n"),
                ("a/b.rs", "use super::A;\npub struct B;\nfn f(_: A) {}\n"),
            ]),
            [""; 0]
        );
    }

    #[test]
    fn leaves_out_what_only_tests_use() {
        assert_eq!(
            found(&[
                ("lib.rs", "mod a;\nmod b;\n"),
                ("a.rs", "use crate::b::B;\npub struct A(B);\n"),
                ("b.rs", "pub struct B;\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}\n"),
            ]),
            [""; 0]
        );
    }
}
