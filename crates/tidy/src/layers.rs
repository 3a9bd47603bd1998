//! Layers point one way: which crate may depend on which.
//!
//! The list is in the order of the layers, and a crate may only name crates above
//! it, so that no list can be made that has a cycle. It is written out crate by
//! crate, because what a layer may *not* see is the point: the kernel sees
//! nothing, the model knows no text, the analysis knows no kernel. What only
//! tests use is free.

use crate::{Finding, Tree};

/// A crate and the crates of the project that it may use.
const LAYERS: &[(&str, &[&str])] = &[
    ("diagnostics", &[]),
    ("model", &[]),
    ("kernel", &[]),
    ("image-format", &["kernel"]),
    ("kernel-build", &["image-format"]),
    ("trace", &["kernel"]),
    ("adl", &["diagnostics", "model"]),
    ("check", &["diagnostics", "model"]),
    ("analysis", &[]),
    ("plot", &[]),
    ("sweep", &["diagnostics", "analysis", "plot"]),
    ("bounds", &["diagnostics", "model", "analysis"]),
    ("generate", &["model"]),
    ("tables", &["model", "kernel", "image-format"]),
    ("glue", &["diagnostics", "model", "kernel", "image-format", "kernel-build", "tables"]),
    ("sim", &["diagnostics", "model", "kernel", "tables", "trace", "generate"]),
    ("soundness", &["model", "bounds", "generate", "sim"]),
    ("explorer", &["kernel"]),
    ("wcet", &["diagnostics"]),
    ("image", &["diagnostics", "model", "kernel", "image-format", "tables", "wcet"]),
    ("rtl", &[]),
    ("report", &["diagnostics", "model", "kernel", "trace", "bounds", "sim"]),
    ("run", &["diagnostics", "model", "kernel", "image-format", "trace", "sim"]),
    ("measure", &["model", "kernel", "generate", "plot"]),
    (
        "cli",
        &[
            "diagnostics",
            "glue",
            "model",
            "kernel",
            "trace",
            "adl",
            "check",
            "analysis",
            "sweep",
            "bounds",
            "generate",
            "sim",
            "wcet",
            "tables",
            "image-format",
            "image",
            "kernel-build",
            "rtl",
            "report",
            "run",
            "measure",
        ],
    ),
    ("system", &["kernel", "image-format"]),
    ("arch-riscv", &["kernel", "image-format", "system"]),
    ("kernel-image", &["arch-riscv"]),
    ("python", &["diagnostics", "analysis", "sweep"]),
    ("tidy", &[]),
];

/// Compares every manifest with the list.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = order(LAYERS);
    for (name, manifest) in tree.manifests() {
        let Some((_, allowed)) = LAYERS.iter().find(|(layer, _)| *layer == name) else {
            findings.push(Finding::new(&manifest.path, 0, "this crate has no layer; give it one in crates/tidy"));
            continue;
        };
        for used in dependencies(&manifest.text) {
            if !allowed.contains(&used.as_str()) {
                let message = format!("`{name}` may not depend on `{used}`; the layers are in crates/tidy");
                findings.push(Finding::new(&manifest.path, 0, message));
            }
        }
    }
    findings
}

/// A layer that names one which does not stand before it.
fn order(layers: &[(&str, &[&str])]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (position, (name, allowed)) in layers.iter().enumerate() {
        let above = &layers[..position];
        for used in allowed.iter().filter(|used| !above.iter().any(|(layer, _)| layer == *used)) {
            let message = format!("layer `{name}` names `{used}`, which does not stand before it");
            findings.push(Finding::new("crates/tidy/src/layers.rs", 0, message));
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
    let tables =
        std::iter::once(&table).chain(targets.into_iter().flat_map(|t| t.values()).filter_map(|v| v.as_table()));
    for section in tables.flat_map(|t| [t.get("dependencies"), t.get("build-dependencies")]).flatten() {
        let keys = section.as_table().into_iter().flat_map(|t| t.keys());
        names.extend(keys.filter_map(|key| key.strip_prefix("fusee-")).map(str::to_owned));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::File;

    fn with_manifest(name: &str, text: &str) -> Tree {
        let file = File { path: format!("crates/{name}/Cargo.toml"), text: text.to_owned() };
        Tree { files: vec![file] }
    }

    #[test]
    fn stands_in_order() {
        assert_eq!(order(LAYERS), []);
        assert_eq!(order(&[("kernel", &["sim"]), ("sim", &["kernel"])]).len(), 1);
    }

    #[test]
    fn refuses_an_upward_dependency() {
        let downward = with_manifest("adl", "[dependencies]\nfusee-model.workspace = true\n");
        assert_eq!(check(&downward), []);
        for section in ["dependencies", "build-dependencies", "target.'cfg(unix)'.dependencies"] {
            let upward = with_manifest("model", &format!("[{section}]\nfusee-adl.workspace = true\n"));
            assert_eq!(check(&upward).len(), 1, "{section}");
        }
    }

    #[test]
    fn lets_tests_look_anywhere() {
        let tests = with_manifest("model", "[dev-dependencies]\nfusee-adl.workspace = true\n");
        assert_eq!(check(&tests), []);
    }

    #[test]
    fn refuses_a_crate_without_a_layer() {
        assert_eq!(check(&with_manifest("stray", "")).len(), 1);
    }
}
