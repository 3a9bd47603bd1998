//! A conversation with an editor.

use fusee_pipeline::status::Status;

use crate::output::Output;

/// Speaks with an editor until it says goodbye.
pub(crate) fn run(output: &mut Output) -> Status {
    match fusee_lsp::serve_on_standard_streams() {
        Ok(()) => Status::Fine,
        Err(error) => output.failed(format!("the conversation broke off: {error}")),
    }
}
