//! The bound if a loop iterated more or less often.

use fusee_diagnostics::{Diagnostic, SourceMap};
use fusee_wcet::execute::{Bound, Failure, Used};
use fusee_wcet::facts::FactsFile;
use fusee_wcet::facts::loop_line;
use serde_json::{Value, json};

use super::Task;

/// A question of the command line.
#[derive(Debug, Clone)]
pub struct Question {
    /// The loop, as it was named.
    pub place: String,
    /// The largest number of its iterations.
    pub iterations: u64,
}

/// Reads `PLACE=ITERATIONS`.
pub fn question(text: &str) -> Result<Question, String> {
    let (place, iterations) =
        text.rsplit_once('=').ok_or("it must have the form PLACE=ITERATIONS")?;
    let iterations =
        iterations.trim().parse().map_err(|_| "behind `=` there must be a whole number")?;
    Ok(Question { place: place.trim().to_owned(), iterations })
}

/// A question with its answer.
pub struct Answer<'a> {
    /// The question that is asked.
    pub question: &'a Question,
    /// The bound if it were so.
    pub bound: Bound,
    /// `true` if the bound rests on the number that was asked about.
    pub matters: bool,
    /// `true` if no path leaves the loop that early.
    pub impossible: bool,
    /// `true` if the loop is entered at other places as well, of which nothing was asked: then the
    /// number decides nothing.
    pub is_one_of_several: bool,
}

impl Answer<'_> {
    /// It for programs.
    pub fn json(&self) -> Value {
        json!({
            "loop": self.question.place,
            "iterations": self.question.iterations,
            "bound": self.bound.time,
            "matters": self.matters,
            "possible": !self.impossible,
        })
    }
}

/// Returns a question as facts, instead of what is known of the loop otherwise.
pub fn facts(
    task: &Task,
    question: &Question,
    sources: &mut SourceMap,
) -> Result<(FactsFile, Used), Vec<Diagnostic>> {
    let file =
        sources.add("--what-if", loop_line(&question.place, &question.iterations.to_string()));
    let asked = FactsFile::read(sources, file, &task.program, &task.lines)?;
    let mut all = task.facts.clone();
    let mut fact = asked.given.first().map_or(Used::Loop(0), |given| given.fact);
    for (&header, &iterations) in &asked.facts.loop_bounds {
        all.facts.loop_bounds.insert(header, iterations);
    }
    for line in asked.facts.line_bounds {
        fact = Used::LineBound(all.facts.line_bounds.len());
        all.facts.line_bounds.push(line);
    }
    Ok((all, fact))
}

/// Answers all questions about an entry.
///
/// # Errors
/// The host's failure.
pub fn answers<'a>(
    task: &Task,
    entry: u64,
    questions: &'a [(Question, FactsFile, Used)],
) -> Result<Vec<Answer<'a>>, Failure> {
    let answer = |(question, file, fact): &'a (Question, FactsFile, Used)| {
        let bound = task.bound(entry, &file.facts)?;
        let matters = bound.grounds.facts_used.contains(fact);
        let impossible = bound.grounds.contradictions.contains_key(fact)
            || bound.time.is_none() && !bound.grounds.contradictions.is_empty();
        let most = |header: &u64| bound.coverage.loops.get(header).copied();
        let iterates_more = match fact {
            Used::Loop(header) => most(header).is_some_and(|most| most > question.iterations),
            _ => false,
        };
        let is_one_of_several = iterates_more && !matters && !impossible;
        Ok(Answer { question, bound, matters, impossible, is_one_of_several })
    };
    questions.iter().map(answer).collect()
}
