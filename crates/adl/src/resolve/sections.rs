//! Critical sections: what `calls` has between `lock m` and `unlock m`.
//!
//! A mutex lets one thread hold it, and who holds it inherits from those that wait: it
//! does to its component's threads what an `inherited` gate does to callers. So a mutex
//! with sections becomes a gate of its own component, and each section one of its
//! methods. Whatever is known of gates (blocking, nesting, deadlocks) then holds for
//! mutexes without a rule of their own. A mutex that no list of calls mentions
//! stays unknown, and whoever analyses must treat it so.
//!
//! A lock of a component is asked for by calls, and its sections stay where they are: between a
//! call that takes it and one that gives it back.

use super::codes;
use super::report::Report;
use fusee_diagnostics::{Code, Diagnostic, Span};
use fusee_model::{Body, Calls, GateId, Method, Step};

/// A mutex of an instance: the instance, and the mutex's position among its locks.
pub(super) type Mutex = (usize, usize);

/// One piece of a list of calls.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    Step(Step),
    Lock(Mutex, Span),
    Unlock(Mutex, Span),
    /// A call for a lock of a component.
    Take(Step, Span),
    /// A call that gives it back.
    Release(Step, Span),
}

/// A thing that a task inside a section holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    Mutex(Mutex),
    /// A lock of the component behind this gate.
    Lock(GateId, Option<u8>),
}

impl Held {
    /// Returns the lock that a call is about.
    fn of(call: &Step) -> Option<Held> {
        match *call {
            Step::Invoke { gate, lock, .. } => Some(Held::Lock(gate, lock)),
            _ => None,
        }
    }
}

/// The sections of all mutexes, in the order in which the mutexes are first locked.
#[derive(Debug, Default)]
pub(super) struct Sections {
    /// The number of gates before those of the mutexes.
    gates: usize,
    mutexes: Vec<(Mutex, Vec<Method>)>,
}

/// A section that is not over yet.
struct Open {
    held: Held,
    span: Span,
    steps: Vec<Step>,
}

impl Sections {
    /// None so far; the mutexes' gates come behind so many others.
    pub(super) fn behind(gates: usize) -> Self {
        Self { gates, mutexes: Vec::new() }
    }

    /// A body's steps, each section put away as a method of its mutex.
    pub(super) fn steps(&mut self, pieces: Vec<Piece>, report: &mut Report) -> Vec<Step> {
        let mut outside = Vec::new();
        let mut open: Vec<Open> = Vec::new();
        for piece in pieces {
            let steps = match piece {
                Piece::Step(step) => vec![step],
                Piece::Lock(mutex, span) => {
                    open.push(Open { held: Held::Mutex(mutex), span, steps: Vec::new() });
                    continue;
                }
                Piece::Take(call, span) => {
                    let Some(held) = Held::of(&call) else { continue };
                    open.push(Open { held, span, steps: vec![call] });
                    continue;
                }
                Piece::Unlock(mutex, span) => {
                    match open.pop_if(|last| last.held == Held::Mutex(mutex)) {
                        Some(section) => vec![self.section(mutex, section, report)],
                        None => {
                            wrong_order(span, open.last(), report);
                            continue;
                        }
                    }
                }
                Piece::Release(call, span) => {
                    match open.pop_if(|last| Some(last.held) == Held::of(&call)) {
                        Some(section) => section.steps.into_iter().chain([call]).collect(),
                        None => {
                            wrong_order(span, open.last(), report);
                            continue;
                        }
                    }
                }
            };
            open.last_mut().map_or(&mut outside, |open| &mut open.steps).extend(steps);
        }
        for section in open {
            let message = "this section has no end in its list";
            let error = Diagnostic::error(codes::SECTION, message).at(section.span, "locked here");
            report.push(
                error.with_note(
                    "add `unlock` with the same lock behind what is done while it is held",
                ),
            );
        }
        outside
    }

    fn section(&mut self, mutex: Mutex, section: Open, report: &mut Report) -> Step {
        let takes_time = |step: &Step| matches!(step, Step::Compute { .. } | Step::Invoke { .. });
        if !section.steps.iter().any(takes_time) {
            refuse(codes::SECTION_TIME, "how long is this mutex held?", section.span, report);
        }
        let origin = report.origin(section.span);
        let position = self.position(mutex);
        let methods = &mut self.mutexes[position].1;
        let body =
            Body { steps: section.steps, wcet_origin: Some(origin), calls: Calls::Given(origin) };
        methods.push(Method { name: format!("section{}", methods.len() + 1), body, origin });
        Step::Invoke {
            gate: GateId::from(self.gates + position),
            method: Some(methods.len() - 1),
            lock: None,
            origin,
        }
    }

    fn position(&mut self, mutex: Mutex) -> usize {
        let known = self.mutexes.iter().position(|(other, _)| *other == mutex);
        known.unwrap_or_else(|| {
            self.mutexes.push((mutex, Vec::new()));
            self.mutexes.len() - 1
        })
    }

    /// Returns the mutexes, each with its sections.
    pub(super) fn mutexes(self) -> impl Iterator<Item = (Mutex, Vec<Method>)> {
        self.mutexes.into_iter()
    }
}

fn wrong_order(span: Span, last: Option<&Open>, report: &mut Report) {
    let error = Diagnostic::error(codes::SECTION, "this is not what was locked last");
    let error = error.at(span, "unlocked here");
    report.push(match last {
        Some(open) => error.because(open.span, "locked last, and not unlocked yet"),
        None => error.with_note("nothing is locked at this point of the list"),
    });
}

fn refuse(code: Code, message: &str, span: Span, report: &mut Report) {
    let error = Diagnostic::error(code, message).at(span, "");
    report.push(error.with_note(
        "write the time between `lock` and `unlock`, as in `\"lock m\", \"20 us\", \"unlock m\"`",
    ));
}

#[cfg(test)]
mod tests {
    use super::*;
    use fusee_diagnostics::FileId;
    use fusee_model::Duration;

    fn compute(time: u64) -> Piece {
        Piece::Step(Step::Compute { best: Duration(time), worst: Duration(time) })
    }

    fn span() -> Span {
        Span { file: FileId(0), start: 0, end: 0 }
    }

    #[test]
    fn a_section_becomes_a_method_of_its_mutex() {
        let (mut sections, mut report) = (Sections::behind(3), Report::default());
        let (outer, inner) = ((0, 0), (0, 1));
        let pieces = vec![
            compute(1),
            Piece::Lock(outer, span()),
            compute(2),
            Piece::Lock(inner, span()),
            compute(3),
            Piece::Unlock(inner, span()),
            Piece::Unlock(outer, span()),
            compute(4),
        ];
        let steps = sections.steps(pieces, &mut report);
        assert!(!report.has_errors());
        assert!(
            matches!(steps[1], Step::Invoke { gate: GateId(4), method: Some(0), .. }),
            "{steps:?}"
        );
        assert_eq!(steps.len(), 3);
        let again = sections.steps(
            vec![Piece::Lock(inner, span()), compute(5), Piece::Unlock(inner, span())],
            &mut report,
        );
        assert!(
            matches!(again[0], Step::Invoke { gate: GateId(3), method: Some(1), .. }),
            "{again:?}"
        );
        let mutexes: Vec<(Mutex, Vec<Method>)> = sections.mutexes().collect();
        assert_eq!(mutexes.iter().map(|(mutex, _)| *mutex).collect::<Vec<_>>(), [inner, outer]);
        assert_eq!(mutexes[1].1[0].body.steps.len(), 2);
    }

    #[test]
    fn what_overlaps_or_stays_open_is_refused() {
        let wrong = [
            vec![Piece::Lock((0, 0), span()), compute(1)],
            vec![compute(1), Piece::Unlock((0, 0), span())],
            vec![Piece::Lock((0, 0), span()), Piece::Unlock((0, 0), span())],
            vec![
                Piece::Lock((0, 0), span()),
                Piece::Lock((0, 1), span()),
                compute(1),
                Piece::Unlock((0, 0), span()),
                Piece::Unlock((0, 1), span()),
            ],
        ];
        for pieces in wrong {
            let mut report = Report::default();
            Sections::behind(0).steps(pieces, &mut report);
            assert!(report.has_errors());
        }
    }
}
