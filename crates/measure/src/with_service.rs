//! The measuring systems on a kernel with the two services for locks.

use crate::added::added;

/// The same description with a component that may let threads sleep, and does not. A system runs on
/// that kernel if it has such a component.
pub(crate) fn with_service(text: &str) -> String {
    let settings = "\n        server0.dependencies = true;\n        server0.stub = true;";
    added(text, ["component Server0 {}\n", "\n        component Server0 server0;", settings])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_is_added() {
        let text = "assembly {\n    composition {\n    }\n    configuration {\n    }\n}\n";
        let with = with_service(text);
        assert!(with.contains("component Server0 {}\n\nassembly"), "{with}");
        assert!(with.contains("server0.dependencies = true;"), "{with}");
    }
}
