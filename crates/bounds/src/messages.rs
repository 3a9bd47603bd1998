//! Bounds and their absence as diagnostics.

use fusee_diagnostics::{Diagnostic, Fix, Rule, Span};
use fusee_model::costs::Provenance;
use fusee_model::{
    ComponentId, Duration, InterfaceKind, LockKind, NotificationId, Origin, Policy, System, TaskId,
};

use crate::bound::{Analysis, TaskBound, Theorem};
use crate::causes::causes;
use crate::chain_messages;
use crate::demand::BodyRef;
use crate::obstacle::Obstacle;
use crate::repair::Repair;
use crate::rules;

/// Looks up the place of an origin.
pub(crate) type Places<'a> = &'a dyn Fn(Origin) -> Option<Span>;

/// A message with places that are still to be looked up.
pub(crate) struct Message {
    diagnostic: Diagnostic,
}

impl Message {
    pub(crate) fn new(rule: &Rule, text: String) -> Self {
        Self { diagnostic: Diagnostic::new(rule.code, rule.severity, text) }
    }

    /// Points at a place; a place that cannot be looked up becomes a note.
    pub(crate) fn place(mut self, places: Places<'_>, origin: Origin, text: String) -> Self {
        let first = self.diagnostic.labels.is_empty();
        self.diagnostic = match places(origin) {
            Some(span) if first => self.diagnostic.at(span, text),
            Some(span) => self.diagnostic.because(span, text),
            None => self.diagnostic.with_note(text),
        };
        self
    }

    pub(crate) fn note(mut self, text: impl Into<String>) -> Self {
        self.diagnostic = self.diagnostic.with_note(text);
        self
    }
}

/// What a user should know about an analysis: one message for each reason why a guarantee is
/// missing, then notes.
///
/// `span` leads from an origin to its place in the description.
pub fn diagnostics(
    system: &System,
    analysis: &Analysis,
    span: &dyn Fn(Origin) -> Option<Span>,
) -> Vec<Diagnostic> {
    let mut messages: Vec<Message> = failures(analysis)
        .iter()
        .map(|tasks| others(system, tasks, failure(system, tasks[0], span)))
        .collect();
    messages.extend(analysis.tasks.iter().filter_map(|task| lower_level(system, task, span)));
    messages.extend(counted_once(system, analysis, span));
    messages.extend(chain_messages::all(system, analysis, span));
    if analysis.has_kernel_costs {
        messages.extend(costs(analysis));
    }
    messages.into_iter().map(|m| m.diagnostic).collect()
}

/// Adds the repairs found to the messages of [`diagnostics`] about the same tasks.
///
/// A repair becomes a fix where the description gives the value that it changes, and a note
/// besides.
pub fn advise(
    system: &System,
    analysis: &Analysis,
    repairs: &[Repair],
    span: &dyn Fn(Origin) -> Option<Span>,
    messages: &mut [Diagnostic],
) {
    for (tasks, message) in failures(analysis).iter().zip(messages) {
        let Some(repair) = repairs.iter().find(|r| tasks.iter().any(|t| t.task == r.task)) else {
            continue;
        };
        let text = repair.change.text(system);
        let rest = if repair.complete {
            "and then every deadline holds"
        } else {
            "and no guarantee is lost"
        };
        let whose = match tasks.len() {
            1 => String::new(),
            _ => format!(" of `{}`", system.task(repair.task).name),
        };
        let note = format!(
            "a repair: `{text};` bounds the response{whose} by {}, {rest}",
            repair.response
        );
        message.notes.push(note);
        if let Some((origin, value)) = repair.change.replacement(system)
            && let Some(span) = span(origin)
        {
            let title = format!("write `{text};`");
            message.fixes.push(Fix { title, span, replacement: value });
        }
    }
}

/// Tasks without guarantee; those without bound for the same reason together.
fn failures(analysis: &Analysis) -> Vec<Vec<&TaskBound>> {
    let mut groups: Vec<Vec<&TaskBound>> = Vec::new();
    for task in analysis.tasks.iter().filter(|t| !t.is_schedulable()) {
        let same =
            |group: &&mut Vec<&TaskBound>| group[0].bound.is_err() && group[0].bound == task.bound;
        match groups.iter_mut().find(same) {
            Some(group) => group.push(task),
            None => groups.push(vec![task]),
        }
    }
    groups
}

/// Names up to five further tasks that a message is about.
fn others(system: &System, tasks: &[&TaskBound], message: Message) -> Message {
    let names: Vec<String> =
        tasks[1..].iter().map(|t| format!("`{}`", system.task(t.task).name)).collect();
    match names.len() {
        0 => message,
        1..=5 => {
            message.note(format!("for the same reason there is no bound for {}", names.join(", ")))
        }
        more => message.note(format!(
            "for the same reason there is no bound for {} and {} more",
            names[..5].join(", "),
            more - 5
        )),
    }
}

fn failure(system: &System, task: &TaskBound, places: Places<'_>) -> Message {
    match &task.bound {
        Err(obstacle) => no_bound(system, task, obstacle, places),
        Ok(bound) => {
            let described = system.task(task.task);
            let deadline = task.deadline.unwrap_or_default();
            let text = format!(
                "the deadline of `{}` is not guaranteed: its response time may be {}, {} allowed",
                described.name, bound.response, deadline
            );
            let place = described.deadline.map_or(described.origin, |d| d.origin);
            let message = Message::new(&rules::DEADLINE, text).place(
                places,
                place,
                "this deadline".to_owned(),
            );
            let parts = causes(system, task, 3);
            let message = parts
                .into_iter()
                .fold(message, |m, cause| m.place(places, cause.origin, cause.text));
            message.note(format!("the bound rests on {}", bound.theorem.name()))
        }
    }
}

/// A component's lock that several threads may ask for; `user` is the most urgent of them.
fn shared_lock(
    system: &System,
    (component, lock): (ComponentId, usize),
    (user, unlisted): (&str, Option<BodyRef>),
    start: &str,
    places: Places<'_>,
) -> Message {
    let component = system.component(component);
    let lock = &component.code.locks[lock];
    let text =
        format!("{start}: how long `{}` is held in `{}` is unknown", lock.name, component.name);
    let message = Message::new(&rules::LOCK, text);
    let message = message.place(places, lock.origin, "several threads may ask for it".to_owned());
    let message = message.note(format!("`{user}` is the most urgent of them"));
    let message = match unlisted.filter(|_| lock.kind == LockKind::Mutex) {
        Some(body) => message.place(
            places,
            body.origin(system),
            format!("`{}` does not list its `calls`", body.name(system)),
        ),
        None => message,
    };
    let message = match component
        .interfaces
        .iter()
        .any(|i| matches!(i.kind, InterfaceKind::Consumes(Some(_))))
    {
        true => message.note(
            "an event counts as a thread: the component's code may register a callback for it",
        ),
        false => message,
    };
    match lock.kind {
        LockKind::Mutex => message.note(format!(
            "`\"lock {0}\", \"20 us\", \"unlock {0}\"` in a list of calls says that it is held for \
             20 us",
            lock.name
        )),
        LockKind::Semaphore | LockKind::BinarySemaphore => message.note(
            "nobody holds a semaphore, so nothing bounds the wait; a mutex in `calls` \
                          has a bound",
        ),
    }
}

/// The event, as the task's own component calls it, whose wait could be the beginning of the task's
/// jobs.
fn own_event(
    system: &System,
    task: TaskId,
    body: BodyRef,
    notification: NotificationId,
) -> Option<&str> {
    let interfaces = &system.components.get(system.task(task).component.index())?.interfaces;
    let consumed =
        interfaces.iter().find(|of| of.kind == InterfaceKind::Consumes(Some(notification)));
    consumed.filter(|_| body == BodyRef::Task(task)).map(|of| of.name.as_str())
}

fn no_bound(system: &System, task: &TaskBound, obstacle: &Obstacle, places: Places<'_>) -> Message {
    let own = system.task(task.task);
    let name = |id: TaskId| system.task(id).name.as_str();
    let start = format!("`{}` has no bound", own.name);
    match *obstacle {
        Obstacle::UnknownTime { task: via, body } => {
            let text = format!("{start}: the execution time of `{}` is unknown", body.name(system));
            let message = Message::new(&rules::UNKNOWN_TIME, text);
            let message =
                message.place(places, body.origin(system), "how long does this take?".to_owned());
            if via == task.task {
                message
            } else {
                message.note(format!("`{}` gets there", name(via)))
            }
        }
        Obstacle::Message { task: via, body } => {
            let text =
                format!("{start}: what the messages of `{}` cost is unknown", body.name(system));
            let message = Message::new(&rules::MESSAGE, text);
            let message = message.place(
                places,
                body.origin(system),
                "not only scalars in registers".to_owned(),
            );
            if via == task.task {
                message
            } else {
                message.note(format!("`{}` gets there", name(via)))
            }
        }
        Obstacle::Passage { task: via, gate } => {
            let gate = system.gate(gate);
            let word = gate.protocol.value.name();
            let text =
                format!("{start}: what passing the `{word}` gate `{}` costs is unknown", gate.name);
            let message = Message::new(&rules::PASSAGE, text);
            let message = message.place(
                places,
                gate.protocol.origin,
                "the table of costs leaves it out".to_owned(),
            );
            if via == task.task {
                message
            } else {
                message.note(format!("`{}` gets there", name(via)))
            }
        }
        Obstacle::OtherPolicy { known } => {
            let (own_policy, known) = (system.policy().name(), known.name());
            let text = format!(
                "{start}: kernel costs are known for `{known}`, and this is `{own_policy}`"
            );
            let place = system.given_policy.map_or(own.origin, |policy| policy.origin);
            Message::new(&rules::PASSAGE, text).place(
                places,
                place,
                "a kernel with other paths".to_owned(),
            )
        }
        Obstacle::NoTheorem { gate } => {
            let gate = system.gate(gate);
            let (word, policy) = (gate.protocol.value.name(), system.policy().name());
            let text = format!(
                "{start}: none is known for the `{word}` gate `{}` here, under `{policy}`",
                gate.name
            );
            Message::new(&rules::NO_THEOREM, text).place(
                places,
                gate.protocol.origin,
                "this gate".to_owned(),
            )
        }
        Obstacle::Cycle { task: via, gate } => {
            let text = format!(
                "{start}: `{}` can get into a cycle over `{}`",
                name(via),
                system.gate(gate).name
            );
            Message::new(&rules::CYCLE, text).place(
                places,
                system.gate(gate).origin,
                "a gate of the cycle".to_owned(),
            )
        }
        Obstacle::Waits { task: via, body, notification } => {
            let event =
                system.notifications.get(notification.index()).map_or("?", |n| n.name.as_str());
            let text =
                format!("{start}: `{}` waits for `{event}` in the middle of its job", name(via));
            let place = format!("`{}` waits here", body.name(system));
            let message =
                Message::new(&rules::WAITS, text).place(places, body.calls_origin(system), place);
            match own_event(system, via, body, notification) {
                Some(event) => message.note(format!(
                    "`{}.arrival = \"event {event}\";` makes each of these events the beginning of \
                     a job",
                    name(via)
                )),
                None => message,
            }
        }
        Obstacle::Lock { component, lock, user, unlisted } => {
            shared_lock(system, (component, lock), (name(user), unlisted), &start, places)
        }
        Obstacle::Threads { threads, most } => {
            let events = threads.saturating_sub(system.tasks.len() as u32);
            let counted = if events > 0 {
                format!(", {events} of them for callbacks of events")
            } else {
                String::new()
            };
            let text = format!(
                "{start}: there may be {threads} threads{counted}, and kernel costs are known for \
                 {most}"
            );
            Message::new(&rules::SIZE, text).place(places, own.origin, "this task".to_owned())
        }
        Obstacle::Nesting { nesting, most } => {
            let text = format!(
                "{start}: gates are nested {nesting} deep, and kernel costs are known for {most}"
            );
            Message::new(&rules::SIZE, text).place(places, own.origin, "this task".to_owned())
        }
        Obstacle::Chain { chain, most } => {
            let text = format!(
                "{start}: threads may wait for each other along {chain} gates, and kernel costs \
                 are known for {most}"
            );
            Message::new(&rules::SIZE, text).place(places, own.origin, "this task".to_owned())
        }
        Obstacle::Backlog { waiting, most } => {
            let text = format!(
                "{start}: {waiting} of its releases can wait for the job before them, and the \
                 kernel keeps {most}"
            );
            let message = Message::new(&rules::NO_END, text).place(
                places,
                own.origin,
                "this task".to_owned(),
            );
            message.note(
                "the next release would be lost: a longer period or shorter jobs end it".to_owned(),
            )
        }
        Obstacle::Inversion { gate, victim, middle, holder } => inversion(
            system,
            [gate.index(), victim.index(), middle.index(), holder.index()],
            &start,
            places,
        ),
        Obstacle::Suspended { task: via, gate } => {
            let message = suspended(system, via, gate.map(|g| g.index()), &start, places);
            let job = task.wcet.zip(task.job_kernel).and_then(|(w, k)| w.checked_add(k));
            match (job.filter(|_| via == task.task), &own.budget) {
                (Some(job), Some(budget)) => message.note(too_short(job, budget.amount.value)),
                _ => message,
            }
        }
        Obstacle::SeveralCores { gate } => {
            let gate = system.gate(gate);
            let text = format!("{start}: `{}` is used from several cores", gate.name);
            Message::new(&rules::SEVERAL_CORES, text).place(
                places,
                gate.origin,
                "this gate".to_owned(),
            )
        }
        Obstacle::Overload => {
            let text = format!("{start}: it and those it yields to need more than the whole core");
            Message::new(&rules::OVERLOAD, text).place(places, own.origin, "this task".to_owned())
        }
        Obstacle::NoEnd => {
            let text = format!("{start}: its busy window does not end in sight");
            let message = Message::new(&rules::NO_END, text).place(
                places,
                own.origin,
                "this task".to_owned(),
            );
            message.note(
                "it and those above it need almost the whole core: longer periods or shorter jobs \
                 end it"
                    .to_owned(),
            )
        }
    }
}

/// What a budget lacks that is not certain to last for a job.
fn too_short(job: Duration, budget: Duration) -> String {
    if job >= budget {
        return format!(
            "one job takes {job}; the budget must be more than that, by the kernel's interrupts in \
             between at least"
        );
    }
    format!(
        "one job takes {job}, but with interrupts may take the whole budget, or it may not be over \
         before the next release and take from the budget of the next job"
    )
}

fn inversion(system: &System, ids: [usize; 4], start: &str, places: Places<'_>) -> Message {
    let gate = &system.gates[ids[0]];
    let [victim, middle, holder] = [ids[1], ids[2], ids[3]].map(|id| &system.tasks[id]);
    let text = format!(
        "{start}: `{}` can wait for `{}` at `{}` while `{}` runs (priority inversion)",
        victim.name, holder.name, gate.name, middle.name
    );
    let level = |task: &fusee_model::Task| task.priority.value;
    Message::new(&rules::INVERSION, text)
        .place(
            places,
            gate.protocol.origin,
            format!("`{}` does not raise who is inside", gate.name),
        )
        .place(
            places,
            victim.origin,
            format!("`{}`, priority {}, waits", victim.name, level(victim)),
        )
        .place(
            places,
            middle.origin,
            format!("`{}`, priority {}, runs", middle.name, level(middle)),
        )
        .place(
            places,
            holder.origin,
            format!("`{}`, priority {}, is inside", holder.name, level(holder)),
        )
}

fn suspended(
    system: &System,
    via: TaskId,
    gate: Option<usize>,
    start: &str,
    places: Places<'_>,
) -> Message {
    let task = system.task(via);
    let text = format!("{start}: the budget of `{}` can end in the middle of a job", task.name);
    let place = task.budget.as_ref().map_or(task.origin, |b| b.amount.origin);
    let message =
        Message::new(&rules::SUSPENDED, text).place(places, place, "this budget".to_owned());
    match gate.and_then(|g| system.gates.get(g)) {
        Some(gate) => {
            message.place(places, gate.origin, format!("it can hold `{}` then", gate.name))
        }
        None => message,
    }
}

fn lower_level(system: &System, task: &TaskBound, places: Places<'_>) -> Option<Message> {
    let bound = task.bound.as_ref().ok().filter(|b| b.theorem == Theorem::LowerLevel)?;
    task.deadline?;
    let own = system.task(task.task);
    let text = format!(
        "the bound of `{}` ({}) is that of a lower priority level",
        own.name, bound.response
    );
    let message =
        Message::new(&rules::LOWER_LEVEL, text).place(places, own.origin, "this task".to_owned());
    Some(message.note("it holds, but may be longer than need be".to_owned()))
}

fn counted_once<'a>(
    system: &'a System,
    analysis: &'a Analysis,
    places: Places<'a>,
) -> impl Iterator<Item = Message> + 'a {
    let bounded: Vec<_> = (analysis.tasks.iter())
        .filter(|t| t.deadline.is_some() && t.bound.is_ok())
        .map(|t| system.task(t.task))
        .collect();
    // Where deadlines decide, a task without one is in nobody's way.
    let by_priority = system.policy() == Policy::FixedPriority;
    let untimed = system.tasks.iter().filter(move |t| t.release.is_none() && by_priority);
    untimed.filter_map(move |task| {
        let matters =
            bounded.iter().any(|b| b.core == task.core && b.priority.value <= task.priority.value);
        let text = format!("`{}` has no period and is counted with one job", task.name);
        matters.then(|| {
            Message::new(&rules::ONCE, text).place(places, task.origin, "this task".to_owned())
        })
    })
}

fn costs(analysis: &Analysis) -> Option<Message> {
    if analysis.provenance == Provenance::Proved {
        return None;
    }
    let word = analysis.provenance.name();
    let text = format!(
        "the kernel costs of `{}` are {word}, not proved, and so are the bounds",
        analysis.platform
    );
    Some(Message::new(&rules::COSTS, text))
}
