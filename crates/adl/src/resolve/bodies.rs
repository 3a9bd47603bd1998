//! The bodies of jobs and invocations: `calls`, `wcet`, `bcet` to steps.
//!
//! The execution time of a body is its own. With times in `calls` it lies where they
//! stand. Without, it is divided evenly among the places before, between and after
//! the calls: where a lock is asked for within a job then neither counts as the
//! start nor as the end. Without `calls` every used procedure interface is taken to be
//! called once, in the order of declaration.

use super::codes;
use super::connect::Place;
use super::names::Methods;
use super::objects::Objects;
use super::read::{self, Attributes, Zero};
use super::report::Report;
use super::sections::{Piece, Sections};
use super::shape::Shape;
use super::value::Located;
use crate::tree::InterfaceKind as Kind;
use fusee_diagnostics::Diagnostic;
use fusee_model::{Body, Calls, Duration, GateId, LockCall, NotificationId, Origin};
use fusee_model::{Sourced, Step};
use std::cell::RefCell;

/// The component that a body runs in.
pub(super) struct Inside<'a, 't> {
    pub(super) instance: usize,
    pub(super) shape: &'a Shape<'t>,
    pub(super) attributes: Attributes<'a, 't>,
    pub(super) objects: &'a Objects,
    pub(super) sections: &'a RefCell<Sections>,
    /// The methods behind each gate.
    pub(super) methods: &'a dyn Fn(GateId) -> Option<&'a Methods<'t>>,
}

/// One entry of `calls`.
pub(super) enum Call {
    Step(Step),
    Time(Duration),
    Signal(Vec<NotificationId>),
    /// The begin or the end of a critical section.
    Edge(Piece),
}

/// The attributes of a body, with those that hold where they are silent.
pub(super) struct BodyNames {
    names: Vec<String>,
}

impl BodyNames {
    /// `wcet`, `bcet`, `calls` of the control thread.
    pub(super) fn of_task() -> Self {
        Self { names: vec![String::new()] }
    }

    /// `interface_method_wcet`, else `interface_wcet`.
    pub(super) fn of_method(interface: &str, method: &str) -> Self {
        Self { names: vec![format!("{interface}_{method}_"), format!("{interface}_")] }
    }

    fn find(&self, suffix: &str, attributes: &Attributes<'_, '_>) -> Option<String> {
        self.names
            .iter()
            .map(|prefix| format!("{prefix}{suffix}"))
            .find(|name| attributes.get(name).is_some())
    }
}

impl Inside<'_, '_> {
    /// Returns the body that the attributes of these names describe.
    pub(super) fn body(&self, names: &BodyNames, report: &mut Report) -> Body {
        let mut time = |suffix: &str| {
            let name = names.find(suffix, &self.attributes)?;
            self.attributes.duration(&name, Zero::Allowed, report).map(|value| (name, value))
        };
        let (wcet, bcet) = (time("wcet"), time("bcet"));
        let (calls, source) = match names.find("calls", &self.attributes) {
            Some(name) => self.given_calls(&name, report),
            None => self.assumed_calls(report),
        };
        let sum = self.sum(&calls, wcet.as_ref(), source, report);
        let worst = sum.or(wcet.as_ref().map(|(_, value)| *value));
        self.check_best(worst, bcet.as_ref(), report);
        let best = bcet.map(|(_, value)| value.value);
        let pieces = match (sum, worst) {
            (Some(sum), _) => placed(calls, sum.value, best),
            (None, Some(worst)) => spread(calls, worst.value, best),
            (None, None) => calls.into_iter().flat_map(Call::pieces).collect(),
        };
        let steps = self.sections.borrow_mut().steps(pieces, report);
        Body { steps, wcet_origin: worst.map(|worst| worst.origin), calls: source }
    }

    /// The sum of the times in `calls`, if there are any.
    fn sum(
        &self,
        calls: &[Call],
        wcet: Option<&(String, Sourced<Duration>)>,
        source: Calls,
        report: &mut Report,
    ) -> Option<Sourced<Duration>> {
        let mut times = calls
            .iter()
            .filter_map(|call| if let Call::Time(time) = call { Some(*time) } else { None });
        let first = times.next()?;
        let origin = if let Calls::Given(origin) = source { origin } else { Origin::NONE };
        let span = report.origins.span(origin);
        let Some(sum) = times.try_fold(first, Duration::checked_add) else {
            let mut error = Diagnostic::error(
                codes::OUT_OF_RANGE,
                "the times in these calls add up to over 584 years",
            );
            if let Some(span) = span {
                error = error.at(span, "");
            }
            report.push(error);
            return None;
        };
        if let Some((name, given)) = wcet.filter(|(_, given)| given.value != sum) {
            let message =
                format!("`{name}` is {}, but the times in the calls add up to {sum}", given.value);
            let mut error = Diagnostic::error(codes::CALLS_SUM, message);
            if let Some(given) = report.origins.span(given.origin) {
                error = error.at(given, "").with_fix(
                    "write the sum",
                    given,
                    format!("\"{}\"", sum.exact()),
                );
            }
            if let Some(span) = span {
                error = error.because(span, format!("{sum} in all"));
            }
            report.push(
                error.with_note("with times in the calls the execution time may be left out"),
            );
        }
        Some(Sourced { value: sum, origin })
    }

    fn check_best(
        &self,
        worst: Option<Sourced<Duration>>,
        best: Option<&(String, Sourced<Duration>)>,
        report: &mut Report,
    ) {
        let Some((name, best)) = best else { return };
        let message = match worst {
            None => format!("`{name}` is given, but no worst execution time"),
            Some(worst) if best.value > worst.value => {
                format!(
                    "`{name}` is {}, above the worst execution time {}",
                    best.value, worst.value
                )
            }
            Some(_) => return,
        };
        let mut error = Diagnostic::error(codes::BEST_ABOVE_WORST, message);
        if let Some(span) = report.origins.span(best.origin) {
            error = error.at(span, "");
        }
        if let Some(span) = worst.and_then(|worst| report.origins.span(worst.origin)) {
            error = error.because(span, "the worst execution time");
        }
        report.push(error);
    }

    fn assumed_calls(&self, report: &mut Report) -> (Vec<Call>, Calls) {
        let mut calls = Vec::new();
        for (port, declared) in self.shape.interfaces.iter().enumerate() {
            let place = Place { instance: self.instance, port };
            if let (Kind::Uses, Some(&gate)) = (declared.kind, self.objects.used.get(&place)) {
                let origin = report.origin(declared.span);
                calls.push(Call::Step(Step::Invoke { gate, method: None, lock: None, origin }));
            }
        }
        let source = if calls.is_empty() { Calls::None } else { Calls::Assumed };
        (calls, source)
    }

    fn given_calls(&self, name: &str, report: &mut Report) -> (Vec<Call>, Calls) {
        let Some((texts, given)) = self.attributes.texts(name, report) else {
            return (Vec::new(), Calls::None);
        };
        let calls = texts
            .into_iter()
            .filter_map(|(text, value)| self.call(text, value, name, report))
            .collect();
        (calls, Calls::Given(report.origin(given.value.span)))
    }

    fn call(
        &self,
        text: &str,
        value: &Located,
        attribute: &str,
        report: &mut Report,
    ) -> Option<Call> {
        if text.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.') {
            let parsed = read::parse_duration(text, self.attributes.tick);
            return parsed
                .map(Call::Time)
                .map_err(|error| {
                    report.push(read::refused(
                        &format!("an entry of {attribute}"),
                        text,
                        &error,
                        value,
                    ))
                })
                .ok();
        }
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or(("", text));
        match (word, rest.trim()) {
            ("emit", event) => self.signal(event, value, report),
            ("wait", event) => self.wait(event, value, report),
            ("lock", lock) if lock.contains('.') => {
                self.lock_call(LockCall::Take, lock, value, report)
            }
            ("unlock", lock) if lock.contains('.') => {
                self.lock_call(LockCall::Release, lock, value, report)
            }
            ("lock" | "unlock", name) => self.edge(word, name, value, report),
            ("", call) => self.invocation(call, value, report),
            _ => {
                let message = format!("`{text}` is no call");
                let error = Diagnostic::error(codes::UNKNOWN_CALL, message).at(value.span, "");
                let note = "an entry is an interface, interface.method, `emit EVENT`, `wait \
                            EVENT`, `lock MUTEX` or `lock INTERFACE.NUMBER`, `unlock` likewise, or \
                            a time";
                report.push(error.with_note(note));
                None
            }
        }
    }

    fn invocation(&self, call: &str, value: &Located, report: &mut Report) -> Option<Call> {
        let (interface, method) = call.split_once('.').map_or((call, None), |(i, m)| (i, Some(m)));
        let place = self.find(interface, Kind::Uses, call, value, report)?;
        let Some(&gate) = self.objects.used.get(&place) else {
            self.report_unconnected(place, value, report);
            return None;
        };
        let method = match method {
            None => None,
            Some(method) => {
                let methods = (self.methods)(gate)?;
                let found = methods.position(method);
                if found.is_none() {
                    let message = format!("the interface `{interface}` has no method `{method}`");
                    let error = Diagnostic::error(codes::UNKNOWN_CALL, message).at(value.span, "");
                    let fixes = methods
                        .list
                        .iter()
                        .map(|known| format!("\"{interface}.{}\"", known.name.text))
                        .collect::<Vec<_>>();
                    report.unknown(
                        error,
                        (&format!("\"{call}\""), value.span),
                        fixes.iter().map(String::as_str),
                    );
                    return None;
                }
                found
            }
        };
        let origin = report.origin(value.span);
        Some(Call::Step(Step::Invoke { gate, method, lock: None, origin }))
    }

    fn signal(&self, event: &str, value: &Located, report: &mut Report) -> Option<Call> {
        let place = self.find(event, Kind::Emits, &format!("emit {event}"), value, report)?;
        match self.objects.emitted.get(&place) {
            Some(signalled) => Some(Call::Signal(signalled.clone())),
            None => {
                self.report_unconnected(place, value, report);
                None
            }
        }
    }

    fn wait(&self, event: &str, value: &Located, report: &mut Report) -> Option<Call> {
        let place = self.find(event, Kind::Consumes, &format!("wait {event}"), value, report)?;
        match self.objects.consumed.get(&place) {
            Some(&notification) => Some(Call::Step(Step::Wait(notification))),
            None => {
                self.report_unconnected(place, value, report);
                None
            }
        }
    }

    /// Returns the interface of that kind and name; an unknown one is reported.
    pub(super) fn find(
        &self,
        name: &str,
        kind: Kind,
        whole: &str,
        value: &Located,
        report: &mut Report,
    ) -> Option<Place> {
        let port = self.shape.port(name);
        if let Some(port) = port.filter(|&port| self.shape.interfaces[port].kind == kind) {
            return Some(Place { instance: self.instance, port });
        }
        let keyword = kind.keyword();
        let message = match port {
            Some(port) => {
                format!(
                    "`{name}` is `{}`, a call needs `{keyword}`",
                    self.shape.interfaces[port].kind.keyword()
                )
            }
            None => format!("the component has no `{keyword}` interface `{name}`"),
        };
        let mut error = Diagnostic::error(codes::UNKNOWN_CALL, message).at(value.span, "");
        if let Some(port) = port {
            error = error.because(self.shape.interfaces[port].span, "declared here");
        }
        let entry = |other: &str| format!("\"{}\"", whole.replacen(name, other, 1));
        let others = self
            .shape
            .interfaces
            .iter()
            .enumerate()
            .filter(|(port, p)| p.kind == kind && self.leads(*port));
        let fixes: Vec<String> = others.map(|(_, p)| entry(&p.name.text)).collect();
        report.unknown(error, (&entry(name), value.span), fixes.iter().map(String::as_str));
        None
    }

    /// Returns `true` if a call over an interface leads anywhere.
    fn leads(&self, port: usize) -> bool {
        let (place, objects) = (Place { instance: self.instance, port }, self.objects);
        objects.used.contains_key(&place)
            || objects.emitted.contains_key(&place)
            || objects.consumed.contains_key(&place)
    }

    pub(super) fn report_unconnected(&self, place: Place, value: &Located, report: &mut Report) {
        let declared = &self.shape.interfaces[place.port];
        let message = format!("`{}` is called, but leads nowhere", declared.name.text);
        let error = Diagnostic::error(codes::UNCONNECTED_CALL, message).at(value.span, "");
        let error = error.because(declared.span, "not connected, or only to a device");
        report.push(error.with_note("connect the interface, or take it out of the calls"));
    }
}

impl Call {
    fn pieces(self) -> Vec<Piece> {
        match self {
            Call::Step(step) => vec![Piece::Step(step)],
            Call::Time(time) => compute(time, time).into_iter().collect(),
            Call::Signal(signalled) => {
                signalled.into_iter().map(Step::Emit).map(Piece::Step).collect()
            }
            Call::Edge(edge) => vec![edge],
        }
    }
}

fn compute(best: Duration, worst: Duration) -> Option<Piece> {
    (worst > Duration::ZERO).then_some(Piece::Step(Step::Compute { best, worst }))
}

/// Own execution where `calls` has it; the best case is shared out in proportion.
fn placed(calls: Vec<Call>, sum: Duration, best: Option<Duration>) -> Vec<Piece> {
    let (mut passed, mut shared) = (0u128, 0u128);
    let total = u128::from(sum.0.max(1));
    let mut steps = Vec::new();
    for call in calls {
        match (call, best) {
            (Call::Time(worst), Some(best)) => {
                passed += u128::from(worst.0);
                let until = u128::from(best.0.min(sum.0)) * passed / total;
                let share = u64::try_from(until - shared).unwrap_or(u64::MAX);
                shared = until;
                steps.extend(compute(Duration(share.min(worst.0)), worst));
            }
            (call, _) => steps.extend(call.pieces()),
        }
    }
    steps
}

/// Own execution in equal pieces before, between and after the calls; the first ones take the rest.
fn spread(calls: Vec<Call>, worst: Duration, best: Option<Duration>) -> Vec<Piece> {
    let pieces = calls.len() as u64 + 1;
    let best = best.unwrap_or(worst).min(worst);
    let piece = |index: u64| {
        let share = |whole: u64| Duration(whole / pieces + u64::from(index < whole % pieces));
        compute(share(best.0), share(worst.0))
    };
    let mut steps = Vec::new();
    for (index, call) in calls.into_iter().enumerate() {
        steps.extend(piece(index as u64));
        steps.extend(call.pieces());
    }
    steps.extend(piece(pieces - 1));
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn invoke(gate: u32) -> Call {
        Call::Step(Step::Invoke {
            gate: GateId(gate),
            method: None,
            lock: None,
            origin: Origin::NONE,
        })
    }

    fn computed(steps: &[Piece]) -> Vec<(u64, u64)> {
        let time = |piece: &Piece| match piece {
            Piece::Step(Step::Compute { best, worst }) => Some((best.0, worst.0)),
            _ => None,
        };
        steps.iter().filter_map(time).collect()
    }

    #[test]
    fn time_is_spread_evenly_and_none_is_lost() {
        let steps = spread(vec![invoke(0), invoke(1)], Duration(10), Some(Duration(4)));
        assert_eq!(computed(&steps), [(2, 4), (1, 3), (1, 3)]);
        assert_eq!(steps.len(), 5);
        assert_eq!(computed(&spread(vec![invoke(0), invoke(1)], Duration(1), None)), [(1, 1)]);
    }

    #[test]
    fn best_times_are_shared_in_proportion() {
        let calls = vec![Call::Time(Duration(30)), invoke(0), Call::Time(Duration(10))];
        assert_eq!(computed(&placed(calls, Duration(40), Some(Duration(10)))), [(7, 30), (3, 10)]);
        let calls = vec![Call::Time(Duration(30)), invoke(0), Call::Time(Duration(10))];
        assert_eq!(computed(&placed(calls, Duration(40), None)), [(30, 30), (10, 10)]);
    }
}
