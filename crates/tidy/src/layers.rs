//! Layers point one way: which crate may depend on which.
//!
//! The list is in the order of the layers, and a crate may only name crates above
//! it, so that no list can be made that has a cycle. It is written out crate by
//! crate, because what a layer may *not* see is the point: the kernel sees
//! nothing, the model knows no text, the analysis knows no kernel. What only
//! tests use is free.

use crate::{File, Finding, Tree};

/// The file of the list.
const FILE: &str = "crates/tidy/src/layers.rs";

/// A crate, what it is, and the crates of the project that it may use.
struct Layer {
    name: &'static str,
    what: &'static str,
    uses: &'static [&'static str],
}

const fn layer(name: &'static str, what: &'static str, uses: &'static [&'static str]) -> Layer {
    Layer { name, what, uses }
}

const LAYERS: &[Layer] = &[
    layer("diagnostics", "one message value and its renderings", &[]),
    layer("model", "tasks, components, gates, connections: the shared vocabulary", &[]),
    layer("kernel", "the kernel's decisions: no dependency, no `std`, no `unsafe`", &[]),
    layer("platform", "one descriptor for each machine", &[]),
    layer(
        "image-format",
        "the bytes that the build writes and the kernel reads",
        &["kernel", "platform"],
    ),
    layer("kept", "results of compilers, kept by the hash of what went into them", &[]),
    layer("kernel-build", "builds the kernel for a machine", &["platform", "kept"]),
    layer("trace", "what the kernel recorded, for Perfetto", &["kernel"]),
    layer("adl", "text to syntax tree to model", &["diagnostics", "model"]),
    layer("check", "rules on a resolved system", &["diagnostics", "model", "platform"]),
    layer("analysis", "the mathematics of task sets", &[]),
    layer("schedules", "legal schedules of task sets", &["analysis"]),
    layer("plot", "charts as SVG and PNG", &[]),
    layer("sweep", "experiments on random task sets", &["diagnostics", "analysis", "plot"]),
    layer(
        "bounds",
        "response-time bounds of a system, with their causes",
        &["diagnostics", "model", "analysis"],
    ),
    layer("generate", "random systems by seed", &["model"]),
    layer("tables", "model to the kernel's tables", &["model", "kernel", "image-format"]),
    layer(
        "glue",
        "components in C and Rust to linked programs",
        &[
            "diagnostics",
            "model",
            "platform",
            "kernel",
            "image-format",
            "kept",
            "kernel-build",
            "tables",
        ],
    ),
    layer(
        "sim",
        "the kernel under virtual time",
        &["diagnostics", "model", "kernel", "tables", "generate"],
    ),
    layer(
        "trap-flow",
        "the order from a trap to the way out, on any machine",
        &["kernel", "image-format"],
    ),
    layer(
        "explorer",
        "the kernel in every state of small systems",
        &["kernel", "image-format", "trap-flow"],
    ),
    layer("isa", "instructions of all processors in one vocabulary, and their conventions", &[]),
    layer(
        "wcet",
        "bounds on execution times from binaries, on described machines",
        &["diagnostics", "isa"],
    ),
    layer(
        "wcet-kernel",
        "bounds on every path through a kernel, from the tables of its system",
        &["diagnostics", "isa", "wcet"],
    ),
    layer(
        "image",
        "programs and tables to a bootable image, and its verifier",
        &["diagnostics", "model", "platform", "kernel", "image-format", "tables", "isa", "wcet"],
    ),
    layer("rtl", "programs on the Verilog of real cores", &[]),
    layer(
        "report",
        "one page about a system",
        &["diagnostics", "model", "kernel", "bounds", "sim"],
    ),
    layer(
        "run",
        "boots images and reads what they recorded",
        &["diagnostics", "model", "platform", "kernel", "image-format", "trace", "tables", "rtl"],
    ),
    layer("measure", "what the kernel's paths cost", &["model", "kernel", "generate", "plot"]),
    layer(
        "pipeline",
        "what the commands do, as a library",
        &[
            "adl",
            "analysis",
            "bounds",
            "check",
            "diagnostics",
            "glue",
            "image",
            "image-format",
            "kernel",
            "kernel-build",
            "measure",
            "model",
            "platform",
            "plot",
            "report",
            "rtl",
            "run",
            "sim",
            "sweep",
            "tables",
            "trace",
            "isa",
            "wcet",
            "wcet-kernel",
        ],
    ),
    layer(
        "soundness",
        "random systems whose simulated times are held against their bounds",
        &["diagnostics", "model", "bounds", "generate", "kernel", "sim", "pipeline"],
    ),
    layer(
        "lsp",
        "the language server of editors",
        &["adl", "bounds", "diagnostics", "model", "pipeline"],
    ),
    layer(
        "cli",
        "the only crate that prints",
        &[
            "bounds",
            "diagnostics",
            "image",
            "lsp",
            "measure",
            "model",
            "pipeline",
            "platform",
            "report",
            "rtl",
            "sim",
            "wcet",
        ],
    ),
    layer(
        "testing",
        "what the tests of several crates share",
        &[
            "adl",
            "image",
            "image-format",
            "kernel",
            "kernel-build",
            "model",
            "platform",
            "tables",
            "isa",
            "wcet",
        ],
    ),
    layer(
        "system",
        "a booted system around the kernel, without a machine",
        &["kernel", "image-format", "trap-flow"],
    ),
    layer(
        "arch-riscv",
        "the kernel on RISC-V processors",
        &["kernel", "image-format", "system", "trap-flow"],
    ),
    layer("kernel-image", "the kernel's binary", &["arch-riscv"]),
    layer(
        "python",
        "the mathematics, and what the commands say, for Python",
        &["diagnostics", "analysis", "schedules", "sweep", "model", "pipeline", "platform", "sim"],
    ),
    layer("tidy", "checks on the source tree", &[]),
];

/// The page of the book that shows the layers.
const PAGE: &str = "book/src/contributing.md";

/// Compares every manifest with the list, and the book's table with it.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = order(LAYERS);
    for (name, manifest) in tree.manifests() {
        match LAYERS.iter().find(|layer| layer.name == name) {
            Some(layer) => findings.extend(edges(tree, layer, manifest)),
            None => {
                let message = "this crate has no layer; give it one in crates/tidy";
                findings.push(Finding::new(&manifest.path, 0, message));
            }
        }
    }
    findings.extend(tree.files.iter().filter(|file| file.path == PAGE).filter_map(table_differs));
    findings
}

/// Dependencies that a crate may not have, and those that it may or does have and nothing uses.
///
/// An edge that nothing needs is how a layer starts to leak: the next import compiles.
fn edges(tree: &Tree, layer: &Layer, manifest: &File) -> Vec<Finding> {
    let name = layer.name;
    let used = dependencies(&manifest.text);
    let forbidden = used.iter().filter(|used| !layer.uses.contains(&used.as_str()));
    let forbidden = forbidden.map(|used| {
        let message = format!("`{name}` may not depend on `{used}`; the layers are in crates/tidy");
        Finding::new(&manifest.path, 0, message)
    });
    let allowed = layer.uses.iter().filter(|allowed| !used.iter().any(|used| used == *allowed));
    let allowed = allowed.map(|allowed| {
        let message =
            format!("layer `{name}` may use `{allowed}` and does not; take the edge away");
        Finding::new(FILE, 0, message)
    });
    let idle = used.iter().filter(|used| !named(tree, manifest, used)).map(|used| {
        let message = format!("`{name}` depends on `{used}` and never names it; take it out");
        Finding::new(&manifest.path, 0, message)
    });
    forbidden.chain(allowed).chain(idle).collect()
}

/// Returns `true` if the crate of this manifest names another one in its own sources.
fn named(tree: &Tree, manifest: &File, used: &str) -> bool {
    let folder = manifest.path.trim_end_matches("Cargo.toml");
    let sources = format!("{folder}src/");
    let name = format!("fusee_{}", used.replace('-', "_"));
    tree.files.iter().any(|file| file.path.starts_with(&sources) && file.text.contains(&name))
}

/// The table of the layers as the book shows it.
fn table() -> String {
    let rows = LAYERS.iter().map(|layer| {
        let uses: Vec<String> = layer.uses.iter().map(|used| format!("`{used}`")).collect();
        format!("| `{}` | {} | {} |\n", layer.name, layer.what, uses.join(", "))
    });
    "| layer | what it is | may use |\n| --- | --- | --- |\n".to_owned() + &rows.collect::<String>()
}

/// Returns a finding if the book's table differs, with the table that belongs there.
fn table_differs(page: &File) -> Option<Finding> {
    let table = table();
    (!page.text.contains(&table)).then(|| {
        Finding::new(
            PAGE,
            0,
            format!("the table of layers is not the list's; it must be:\n{table}"),
        )
    })
}

/// A layer that names one which does not stand before it.
fn order(layers: &[Layer]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (position, layer) in layers.iter().enumerate() {
        let above = &layers[..position];
        let upward = |used: &&&str| !above.iter().any(|layer| layer.name == **used);
        for used in layer.uses.iter().filter(upward) {
            let name = layer.name;
            let message = format!("layer `{name}` names `{used}`, which does not stand before it");
            findings.push(Finding::new(FILE, 0, message));
        }
    }
    findings
}

/// The project's crates that a manifest depends on, tests apart.
fn dependencies(manifest: &str) -> Vec<String> {
    let Ok(table) = manifest.parse::<toml::Table>() else {
        return Vec::new();
    };
    let mut names = Vec::new();
    let targets = table.get("target").and_then(toml::Value::as_table);
    let tables = std::iter::once(&table)
        .chain(targets.into_iter().flat_map(|t| t.values()).filter_map(|v| v.as_table()));
    for section in
        tables.flat_map(|t| [t.get("dependencies"), t.get("build-dependencies")]).flatten()
    {
        let keys = section.as_table().into_iter().flat_map(|t| t.keys());
        names.extend(keys.filter_map(|key| key.strip_prefix("fusee-")).map(str::to_owned));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        File { path: path.to_owned(), text: text.to_owned() }
    }

    /// A crate with a manifest and one source file.
    fn with_crate(name: &str, manifest: &str, source: &str) -> Tree {
        let manifest = file(&format!("crates/{name}/Cargo.toml"), manifest);
        Tree { files: vec![manifest, file(&format!("crates/{name}/src/lib.rs"), source)] }
    }

    const ADL: &str =
        "[dependencies]\nfusee-model.workspace = true\nfusee-diagnostics.workspace = true\n";

    #[test]
    fn stands_in_order() {
        assert_eq!(order(LAYERS), []);
        let upward = [layer("kernel", "", &["sim"]), layer("sim", "", &["kernel"])];
        assert_eq!(order(&upward).len(), 1);
    }

    #[test]
    fn refuses_an_upward_dependency() {
        let downward = with_crate("adl", ADL, "use fusee_model::X; use fusee_diagnostics::Y;");
        assert_eq!(check(&downward), []);
        for section in ["dependencies", "build-dependencies", "target.'cfg(unix)'.dependencies"] {
            let manifest = format!("[{section}]\nfusee-adl.workspace = true\n");
            let upward = with_crate("model", &manifest, "use fusee_adl::X;");
            assert_eq!(check(&upward).len(), 1, "{section}");
        }
    }

    #[test]
    fn refuses_an_edge_that_nothing_uses() {
        let never_named = with_crate("adl", ADL, "use fusee_model::X;");
        assert_eq!(check(&never_named).len(), 1);
        let never_taken = with_crate("trace", "[dependencies]\n", "");
        assert_eq!(check(&never_taken).len(), 1);
    }

    #[test]
    fn lets_tests_look_anywhere() {
        let manifest = "[dev-dependencies]\nfusee-adl.workspace = true\n";
        assert_eq!(check(&with_crate("model", manifest, "")), []);
    }

    #[test]
    fn refuses_a_crate_without_a_layer() {
        assert_eq!(check(&with_crate("stray", "", "")).len(), 1);
    }

    #[test]
    fn holds_the_book_against_the_list() {
        let page = |text: String| Tree { files: vec![file(PAGE, &text)] };
        assert_eq!(check(&page(format!("Layers:\n\n{}\nEnd.", table()))), []);
        assert_eq!(check(&page(table().replace("`kernel`", "`colonel`"))).len(), 1);
    }
}
