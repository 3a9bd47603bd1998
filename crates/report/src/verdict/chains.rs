//! The results of a run for chains, beside the promises.

use fusee_bounds::{ChainBound, ChainPartKind};
use fusee_diagnostics::{Diagnostic, Rule, Severity};
use fusee_model::{Chain, ChainLink, Duration, System};
use fusee_sim::ChainOutcome;

use super::chain_rules::{CHAIN_EXCEEDED, CHAIN_LATE, CHAIN_NOT_PROMISED, CHAIN_SILENT};
use super::{Facts, Mood, Place};
use crate::text::count;

/// A chain: what is promised, what is allowed, what was seen. Every view of it is made from this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainVerdict {
    /// Its steps, as the description names them.
    pub name: String,
    /// The tasks on the way, each behind what leads to it.
    pub way: Vec<(String, String)>,
    /// The bound on the reaction time.
    pub bound: Option<Duration>,
    /// The longest reaction allowed.
    pub within: Option<Duration>,
    /// The bound on the data age.
    pub age_bound: Option<Duration>,
    /// The greatest age allowed.
    pub age_limit: Option<Duration>,
    /// The parts of the bound on the reaction: task, kind, length.
    pub parts: Vec<ChainPart>,
    /// The observations; `None`: nothing ran.
    pub seen: Option<ChainSeen>,
    /// In a few words.
    pub word: &'static str,
    /// The mood of the words: good, bad, or neither.
    pub mood: Mood,
}

/// A part of the bound on a reaction time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainPart {
    /// The name of the task.
    pub task: String,
    /// The kind of part.
    pub kind: ChainPartKind,
    /// The length of the part.
    pub time: Duration,
}

/// The results of a run for a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainSeen {
    /// Changes that reached the end.
    pub reactions: u64,
    /// The longest time that a change is known to have taken, whether it has reached the end or
    /// not.
    pub reaction: Option<Duration>,
    /// The greatest age.
    pub age: Option<Duration>,
    /// Reactions and ages beyond what is allowed.
    pub late: u64,
}

impl ChainVerdict {
    /// Returns the promise for a chain.
    pub fn promised(system: &System, chain: &Chain, bound: Option<&ChainBound>) -> ChainVerdict {
        let parts = bound.map(|bound| bound.parts.as_slice()).unwrap_or_default();
        let part = |part: &fusee_bounds::ChainPart| ChainPart {
            task: system.task(part.task).name.clone(),
            kind: part.kind,
            time: part.time,
        };
        let way = chain
            .stages
            .iter()
            .map(|stage| (through(system, stage.link), system.task(stage.task).name.clone()));
        let mut verdict = ChainVerdict {
            name: chain.name.clone(),
            way: way.collect(),
            bound: bound.and_then(|bound| bound.reaction.ok()),
            within: chain.within.map(|limit| limit.value),
            age_bound: bound.and_then(|bound| bound.age.ok()),
            age_limit: chain.age.map(|limit| limit.value),
            parts: parts.iter().map(part).collect(),
            seen: None,
            word: "holds",
            mood: Mood::Good,
        };
        (verdict.word, verdict.mood) = match (verdict.is_limited(), verdict.is_guaranteed()) {
            (true, true) => ("holds", Mood::Good),
            (true, false) if verdict.bound.is_none() => ("no bound", Mood::Bad),
            (true, false) => ("not guaranteed", Mood::Bad),
            (false, _) if verdict.bound.is_none() => ("no bound", Mood::Plain),
            (false, _) => ("bounded", Mood::Plain),
        };
        verdict
    }

    /// The same with what a run showed.
    fn observed(mut self, outcome: &ChainOutcome) -> ChainVerdict {
        if !outcome.observable {
            (self.word, self.mood) = ("not observed", Mood::Plain);
            return self;
        }
        let known = outcome.reactions > 0 || outcome.oldest > Duration::ZERO;
        self.seen = Some(ChainSeen {
            reactions: outcome.reactions,
            reaction: known.then(|| outcome.reaction_max.max(outcome.oldest)),
            age: (outcome.effects > 0).then_some(outcome.age_max),
            late: outcome.late + outcome.stale,
        });
        (self.word, self.mood) = match () {
            () if self.exceeded() => ("above its bound", Mood::Bad),
            () if outcome.late + outcome.stale > 0 => ("late", Mood::Bad),
            () if outcome.effects == 0 => ("nothing arrived", Mood::Bad),
            () if self.is_limited() && !self.is_guaranteed() => {
                ("in time, not guaranteed", Mood::Plain)
            }
            () if self.is_limited() => ("in time", Mood::Good),
            () => ("observed", Mood::Plain),
        };
        self
    }

    /// Returns `true` if anything is asked of it.
    pub fn is_limited(&self) -> bool {
        self.within.is_some() || self.age_limit.is_some()
    }

    /// Returns `true` if all that is asked of it is promised.
    pub fn is_guaranteed(&self) -> bool {
        let kept = |limit: Option<Duration>, bound: Option<Duration>| {
            limit.is_none_or(|limit| bound.is_some_and(|bound| bound <= limit))
        };
        kept(self.within, self.bound) && kept(self.age_limit, self.age_bound)
    }

    /// Returns `true` if more was seen than is promised.
    pub fn exceeded(&self) -> bool {
        let above = |seen: Option<Duration>, bound: Option<Duration>| {
            seen.zip(bound).is_some_and(|(seen, bound)| seen > bound)
        };
        self.seen
            .is_some_and(|seen| above(seen.reaction, self.bound) || above(seen.age, self.age_bound))
    }
}

/// Returns the link that leads to a task.
fn through(system: &System, link: ChainLink) -> String {
    match link {
        ChainLink::Start => String::new(),
        ChainLink::Event(id) => system.notifications[id.index()].name.clone(),
        ChainLink::Memory(id) => system.dataports[id.index()].name.clone(),
        ChainLink::Component(id) => system.component(id).name.clone(),
    }
}

/// Returns all chains of a system beside a run of it.
pub(super) fn judge(facts: &Facts<'_>) -> Vec<ChainVerdict> {
    let bounds = |at: usize| facts.analysis.and_then(|analysis| analysis.chains.get(at));
    let chains = facts.system.chains.iter().zip(&facts.outcome.chains).enumerate();
    chains
        .map(|(at, (chain, seen))| {
            ChainVerdict::promised(facts.system, chain, bounds(at)).observed(seen)
        })
        .collect()
}

/// Returns the messages about them.
pub(super) fn findings(facts: &Facts<'_>, verdicts: &[ChainVerdict]) -> Vec<Diagnostic> {
    let chains = facts.system.chains.iter().zip(verdicts);
    chains.flat_map(|(chain, verdict)| of_chain(facts, chain, verdict)).collect()
}

fn of_chain(facts: &Facts<'_>, chain: &Chain, verdict: &ChainVerdict) -> Vec<Diagnostic> {
    let message = |rule: &Rule, text: String| {
        let message = Diagnostic::new(rule.code, rule.severity, text);
        match (facts.span)(chain.origin) {
            Some(place) => message.at(place, "this chain"),
            None => message,
        }
    };
    let Some(seen) = verdict.seen else { return Vec::new() };
    let name = &verdict.name;
    let mut found = Vec::new();
    if verdict.exceeded() {
        let shown = |what: &str, seen: Option<Duration>, bound: Option<Duration>| {
            seen.zip(bound)
                .filter(|(seen, bound)| seen > bound)
                .map(|(seen, bound)| format!("{what} {seen} of {bound}"))
        };
        let both = [
            shown("reaction", seen.reaction, verdict.bound),
            shown("age", seen.age, verdict.age_bound),
        ];
        let both: Vec<String> = both.into_iter().flatten().collect();
        let text = format!("chain `{name}` took longer than its bound: {}", both.join(", "));
        let error = message(&CHAIN_EXCEEDED, text);
        found.push(match facts.place {
            Place::Simulator => {
                error.with_note("this is a defect of Fusee, please report it with the description")
            }
            Place::Machine(_) | Place::InTurns(_) => error,
        });
    }
    if seen.late > 0 {
        let text = format!("chain `{name}` was late {}", count(seen.late, "time"));
        let late = message(&CHAIN_LATE, text);
        let notes = [
            seen.reaction
                .zip(verdict.within)
                .map(|(seen, limit)| format!("a reaction took {seen}, {limit} allowed")),
            seen.age
                .zip(verdict.age_limit)
                .map(|(seen, limit)| format!("data was {seen} old, {limit} allowed")),
        ];
        found.push(notes.into_iter().flatten().fold(late, Diagnostic::with_note));
    } else if seen.age.is_none() {
        let text = format!("nothing came through the chain `{name}`");
        found.push(message(&CHAIN_SILENT, text).with_note("run for a longer time (`--for`)"));
    }
    if verdict.is_limited() && !verdict.is_guaranteed() {
        let text = format!("what chain `{name}` is allowed is not guaranteed");
        found.push(message(&CHAIN_NOT_PROMISED, text).with_note("`fusee analyze` says why"));
    }
    debug_assert!(found.iter().all(|finding| finding.severity != Severity::Note));
    found
}
