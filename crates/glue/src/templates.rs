//! The templates that generated code comes from.
//!
//! Those that come with Fusee are part of the binary. A file of the same name in a
//! project's own folder replaces one; the names are the interface.

use crate::failure::Failure;
use crate::rules;
use crate::view::rust_name;
use fusee_diagnostics::Diagnostic;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value};
use serde::Serialize;
use std::path::Path;

/// All templates by name.
const TEMPLATES: [(&str, &str); 8] = [
    ("camkes.h", include_str!("../templates/camkes.h.j2")),
    ("glue.c", include_str!("../templates/glue.c.j2")),
    ("glue.S", include_str!("../templates/glue.S.j2")),
    ("words.S", include_str!("../templates/words.S.j2")),
    ("synthetic.S", include_str!("../templates/synthetic.S.j2")),
    ("sizes.c", include_str!("../templates/sizes.c.j2")),
    ("camkes.rs", include_str!("../templates/camkes.rs.j2")),
    ("domain.ld", include_str!("../templates/domain.ld.j2")),
];

/// Ready to write.
pub(crate) struct Templates(Environment<'static>);

impl Templates {
    /// Fusee's own, or those in `folder` where there are any.
    pub(crate) fn new(folder: Option<&Path>) -> Result<Self, Failure> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        environment.add_filter("rust", |name: String| rust_name(&name));
        let syntax = SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .keep_trailing_newline(true)
            .build();
        environment.set_syntax(syntax.map_err(|error| broken("syntax", &error))?);
        for (name, own) in TEMPLATES {
            let theirs = folder
                .and_then(|folder| std::fs::read_to_string(folder.join(format!("{name}.j2"))).ok());
            let text = theirs.unwrap_or_else(|| own.to_owned());
            environment.add_template_owned(name, text).map_err(|error| broken(name, &error))?;
        }
        Ok(Self(environment))
    }

    /// Writes one for a component, which the template knows as `c`.
    pub(crate) fn component(
        &self,
        name: &str,
        component: &impl Serialize,
    ) -> Result<String, Failure> {
        self.write(name, minijinja::context! { c => Value::from(Serde(component)) })
    }

    /// Writes one file from a template.
    pub(crate) fn write(&self, name: &str, values: Value) -> Result<String, Failure> {
        let template = self.0.get_template(name).map_err(|error| broken(name, &error))?;
        template.render(values).map_err(|error| broken(name, &error))
    }
}

fn broken(name: &str, error: &minijinja::Error) -> Failure {
    let message = format!("the template `{name}.j2` does not work: {error:#}");
    vec![Diagnostic::error(rules::TEMPLATE, message)]
}
