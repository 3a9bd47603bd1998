//! Manifests: common lints, versions in one place, seeded bugs kept apart.

use crate::{Finding, Tree};

/// The only crate that may build the kernel with its seeded bugs.
const MAY_MUTATE: &str = "explorer";

/// Checks every crate's manifest.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, manifest) in tree.manifests() {
        let mut report = |message: String| findings.push(Finding::new(&manifest.path, 0, message));
        let table = match manifest.text.parse::<toml::Table>() {
            Ok(table) => table,
            Err(error) => {
                report(format!("this is not TOML: {}", error.message()));
                continue;
            }
        };
        if table.get("lints").and_then(|lints| lints.get("workspace"))
            != Some(&toml::Value::Boolean(true))
        {
            report("write `[lints] workspace = true`".to_owned());
        }
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let dependencies = table.get(section).and_then(toml::Value::as_table);
            for (dependency, value) in dependencies.into_iter().flatten() {
                if value.get("workspace").is_none() {
                    report(format!(
                        "take `{dependency}` from the workspace: `{dependency}.workspace = true`"
                    ));
                }
                if enables_mutations(value) && name != MAY_MUTATE {
                    report(format!("only `{MAY_MUTATE}` may enable `mutations` of `{dependency}`"));
                }
            }
        }
        if let Some(features) = table.get("features")
            && forwards_mutations(features)
        {
            report("`mutations` must be off unless it is asked for by name".to_owned());
        }
    }
    findings
}

fn enables_mutations(dependency: &toml::Value) -> bool {
    let features = dependency.get("features").and_then(toml::Value::as_array);
    features.is_some_and(|list| list.iter().any(|feature| feature.as_str() == Some("mutations")))
}

/// Returns `true` if another feature, for example `default`, switches the mutations on.
fn forwards_mutations(features: &toml::Value) -> bool {
    let features = features.as_table().into_iter().flatten();
    features.filter(|(name, _)| *name != "mutations").any(|(_, enabled)| {
        let mut names = enabled.as_array().into_iter().flatten().filter_map(toml::Value::as_str);
        names.any(|name| name == "mutations" || name.ends_with("/mutations"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::File;

    fn findings(name: &str, text: &str) -> Vec<String> {
        let text = format!("[lints]\nworkspace = true\n{text}");
        let files = vec![File { path: format!("crates/{name}/Cargo.toml"), text }];
        check(&Tree { files }).into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn wants_the_common_lints() {
        let files = vec![File { path: "crates/model/Cargo.toml".to_owned(), text: String::new() }];
        assert_eq!(check(&Tree { files }).len(), 1);
        assert!(findings("model", "").is_empty());
    }

    #[test]
    fn wants_versions_in_one_place() {
        assert!(findings("model", "[dependencies]\nserde.workspace = true").is_empty());
        assert_eq!(findings("model", "[dependencies]\nserde = \"1\"").len(), 1);
        assert_eq!(findings("model", "[dev-dependencies]\nserde = { version = \"1\" }").len(), 1);
    }

    #[test]
    fn keeps_seeded_bugs_in_the_explorer() {
        let enabled =
            "[dev-dependencies]\nfusee-kernel = { workspace = true, features = [\"mutations\"] }";
        assert!(findings("explorer", enabled).is_empty());
        assert_eq!(findings("sim", enabled).len(), 1);
        assert!(findings("kernel", "[features]\nmutations = []").is_empty());
        assert_eq!(
            findings("kernel", "[features]\ndefault = [\"mutations\"]\nmutations = []").len(),
            1
        );
        assert_eq!(findings("sim", "[features]\nx = [\"fusee-kernel/mutations\"]").len(), 1);
    }

    #[test]
    fn says_what_is_no_manifest() {
        assert_eq!(findings("model", "[[[").len(), 1);
    }
}
