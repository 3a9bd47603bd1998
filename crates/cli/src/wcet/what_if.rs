//! Answers to questions about loops, in words.

use fusee_pipeline::program::Task;
use fusee_pipeline::program::obstacles::groups;
use fusee_pipeline::program::what_if::{Answer, Question};

/// Returns an answer in a line.
pub(crate) fn text(answer: &Answer<'_>, task: &Task) -> String {
    let Question { place, iterations } = answer.question;
    let unit = task.machine.unit();
    let start = format!("  if `{place}` iterated at most {iterations} times: ");
    let end = match answer.bound.time {
        _ if answer.impossible => "impossible, no path leaves it that early".to_owned(),
        None => format!("still no bound, {} in the way", groups(&answer.bound, task.code()).len()),
        Some(time) if answer.matters => format!("at most {time} {unit}"),
        Some(time) if answer.is_one_of_several => format!(
            "at most {time} {unit} as before; it is entered at several places, and a fact must say \
             a number for each"
        ),
        Some(time) => format!("at most {time} {unit}; it does not iterate that often anyway"),
    };
    format!("{start}{end}\n")
}
