//! The obstacles to a task's bound, as diagnostics.

use fusee_model::{ComponentId, InterfaceKind, LockKind, Policy, System, TaskId};

use crate::body::BodyRef;
use crate::bound::TaskBound;
use crate::budget_messages::{suspended, too_short};
use crate::lock_messages;
use crate::message::{Message, Places};
use crate::obstacle::Obstacle;
use crate::rules;
use crate::scheduler_messages;
use crate::wait_messages::{waits_in_its_job, waits_too_long};

/// The largest number of threads that the kernel can be measured with.
const MOST_MEASURED: u32 = 100;

/// A component's lock that several threads may ask for.
struct SharedLock<'a> {
    component: ComponentId,
    /// Its position in the component.
    lock: usize,
    /// The most urgent of the tasks that ask.
    user: &'a str,
    /// A body whose calls are not listed.
    unlisted: Option<BodyRef>,
}

fn shared_lock(
    system: &System,
    shared: &SharedLock<'_>,
    start: &str,
    places: Places<'_>,
) -> Message {
    let SharedLock { component, lock, user, unlisted } = *shared;
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
            "nobody holds a semaphore, so nothing bounds the wait; a mutex in `calls` has a \
             bound",
        ),
    }
}

pub(crate) fn no_bound(
    system: &System,
    task: &TaskBound,
    obstacle: &Obstacle,
    places: Places<'_>,
) -> Message {
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
            let place = |why: &str| message.place(places, gate.protocol.origin, why.to_owned());
            let message = if gate.is_global() {
                place("the table of costs lacks what it takes between cores")
                    .note(format!(
                        "that is `invoke.{word}`, `return.{word}`, and `lock`, `look`, `lose`, \
                         `gain` and `pass` of `[cores]`"
                    ))
                    .note("without costs (`--platform sim`) the protocol alone has a bound")
            } else {
                place("the table of costs leaves it out")
            };
            if via == task.task {
                message
            } else {
                message.note(format!("`{}` gets there", name(via)))
            }
        }
        Obstacle::OtherPolicy { known } => {
            let mut cores = 0..system.cores();
            let core = cores.find(|&core| system.policy_on(core) != known).unwrap_or(0);
            let (own_policy, known) = (system.policy_on(core).name(), known.name());
            let text = format!(
                "{start}: kernel costs are known for `{known}`, and this is `{own_policy}`"
            );
            let place = system.policy_given(core).map_or(own.origin, |policy| policy.origin);
            Message::new(&rules::PASSAGE, text).place(
                places,
                place,
                "a kernel with other paths".to_owned(),
            )
        }
        Obstacle::NoWords => {
            let text = format!(
                "{start}: kernel costs are known where each lock is a call, and here is an \
                 `optimistic` mutex"
            );
            let mutex = system.mutex_words().next();
            let place = mutex.map_or(own.origin, |(_, lock)| lock.locking.origin);
            let why = "a kernel with other paths".to_owned();
            Message::new(&rules::PASSAGE, text).place(places, place, why)
        }
        Obstacle::Words { held, most } => {
            let text = format!(
                "{start}: a thread may hold {held} mutexes at once, and some are \
                 `optimistic`: what those cost is known for {most}"
            );
            let mutex = system.mutex_words().next();
            let place = mutex.map_or(own.origin, |(_, lock)| lock.locking.origin);
            let why = "an unlock looks at all that are held and waited for".to_owned();
            Message::new(&rules::PASSAGE, text).place(places, place, why)
        }
        Obstacle::Sleep { component } => {
            let component = system.component(component);
            let text = format!(
                "{start}: `{}` lets threads sleep on each other's account, for as long as its \
                 code likes",
                component.name
            );
            let why = "it has `dependencies`".to_owned();
            Message::new(&rules::SLEEP, text).place(places, component.origin, why)
        }
        Obstacle::LockUse { component, why } => {
            lock_messages::misfit(system, &start, (component, why), places)
        }
        Obstacle::Callback { component, interface } => {
            let component = system.component(component);
            let event = &component.interfaces[interface].name;
            let text = format!(
                "{start}: nothing says how long a callback of `{}.{event}` runs, which is as \
                 urgent or more",
                component.name
            );
            Message::new(&rules::UNKNOWN_TIME, text)
                .place(places, component.origin, "it has a callback".to_owned())
                .note(format!(
                    "let it run below all tasks: `{}.{event}_priority = 1`",
                    component.name
                ))
                .note(format!(
                    "or let a task of its own take the event: `arrival = \"event {event}\"`"
                ))
        }
        Obstacle::NoServices { component } => {
            lock_messages::unmeasured(system, &start, component, places)
        }
        Obstacle::WordsOf { component, has, most } => {
            let component = system.component(component);
            let text = format!(
                "{start}: `{}` has {has} mutexes, and some of the system are `optimistic`: what a \
                 fault costs there is known for {most}",
                component.name
            );
            let why = "a fault looks at all of them".to_owned();
            Message::new(&rules::PASSAGE, text).place(places, component.origin, why)
        }
        Obstacle::Signals { task: via, event } => {
            let event = &system.notifications[event.index()];
            let text = format!(
                "{start}: its core looks for signals of `{}`, and nothing bounds by a period when \
                 `{}` sends them",
                event.name,
                name(via)
            );
            Message::new(&rules::SIGNALS, text)
                .place(places, event.origin, "signalled from another core".to_owned())
                .place(places, system.task(via).origin, "by this task".to_owned())
        }
        Obstacle::Look { event } => {
            let event = &system.notifications[event.index()];
            let text =
                format!("{start}: what looking for signals of `{}` costs is unknown", event.name);
            Message::new(&rules::PASSAGE, text)
                .place(places, event.origin, "signalled from another core".to_owned())
                .note("the table of costs lacks `look` of `[cores]`".to_owned())
        }
        Obstacle::Posts { component, lock } => {
            let component = system.component(component);
            let lock = &component.code.locks[lock];
            let text = format!(
                "{start}: its core looks each time that another one posts `{}` of `{}`, and nobody \
                 says how often",
                lock.name, component.name
            );
            let place = lock.core.map_or(lock.origin, |core| core.origin);
            Message::new(&rules::LOCK, text)
                .place(places, place, "for tasks of this core".to_owned())
                .note("without costs (`--platform sim`) looking takes no time".to_owned())
                .note("an event that `calls` list (`emit`) says how often it comes".to_owned())
        }
        Obstacle::CallbackSignals { component, event } => {
            let event = &system.notifications[event.index()];
            let component = system.component(component);
            let text = format!(
                "{start}: its core looks for signals of `{}`, and nothing says how often callbacks \
                 of `{}` send them",
                event.name, component.name
            );
            Message::new(&rules::SIGNALS, text)
                .place(places, event.origin, "signalled from another core".to_owned())
                .place(places, component.origin, "by callbacks of this component".to_owned())
                .note(
                    "a task that the event releases (`arrival`) says how often it signals"
                        .to_owned(),
                )
        }
        Obstacle::Late { task: via, gate } => {
            let gate = system.gate(gate);
            let who = if via == task.task { "it".to_owned() } else { format!("`{}`", name(via)) };
            let text = format!(
                "{start}: {who} waits suspended at `{}`, and may not be done before its next \
                 release",
                gate.name
            );
            Message::new(&rules::LATE, text).place(
                places,
                gate.protocol.origin,
                "who waits here is suspended".to_owned(),
            )
        }
        Obstacle::NoTheorem { gate } => {
            let gate = system.gate(gate);
            let policy = system.policy_on(system.task(task.task).core).name();
            let word = gate.protocol.value.name();
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
        Obstacle::Scheduler { task } => {
            scheduler_messages::decides(system, &start, own, (task, places))
        }
        Obstacle::SchedulerCosts { task } => {
            scheduler_messages::costs(system, &start, task, places)
        }
        Obstacle::Unnoticed { task } => scheduler_messages::supplied(
            (system, task, places),
            format!("{start}: nobody knows when the scheduler of `{}` sees it", name(task)),
            "no clock alone releases this",
        ),
        Obstacle::Disorder { task } => scheduler_messages::supplied(
            (system, task, places),
            format!("{start}: `{}` may not be done before its next release", name(task)),
            "its scheduler orders by the deadline after the last release",
        ),
        Obstacle::OwnTime { task } => scheduler_messages::used_up(system, &start, task, places),
        Obstacle::NoSupply { task } => scheduler_messages::supplied(
            (system, task, places),
            format!("{start}: `{}` has no time for certain", name(task)),
            "no slot of this thread is left of those above it",
        ),
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
            waits_in_its_job(system, &start, (via, body, notification), places)
        }
        Obstacle::LongWait { task: via, event } => {
            waits_too_long(system, (task.task, &start), (via, event), places)
        }
        Obstacle::Lock { component, lock, user, unlisted } => {
            let shared = SharedLock { component, lock, user: name(user), unlisted };
            shared_lock(system, &shared, &start, places)
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
            let message =
                Message::new(&rules::SIZE, text).place(places, own.origin, "this task".to_owned());
            // What more of them cost is measured by priorities on one core.
            let plain = system.schedulers.is_empty()
                && system.cores() == 1
                && system.policy_on(0) == Policy::FixedPriority;
            match plain && threads <= MOST_MEASURED {
                true => message.note(format!(
                    "`fusee measure --threads {threads} --output FILE.toml` finds out what the \
                     kernel costs with so many on a platform, for `--costs FILE.toml`"
                )),
                false => message,
            }
        }
        Obstacle::Schedulers { schedulers, most } => {
            let text = format!(
                "{start}: there are {schedulers} schedulers, and what they take is known for {most}"
            );
            Message::new(&rules::SIZE, text).place(places, own.origin, "this task".to_owned())
        }
        Obstacle::Nesting { nesting, most } => {
            let text = format!(
                "{start}: gates are nested {nesting} deep, and kernel costs are known for {most}"
            );
            Message::new(&rules::SIZE, text).place(places, own.origin, "this task".to_owned())
        }
        Obstacle::Cores { cores, most } => {
            let text = format!(
                "{start}: {cores} cores execute at the same time, and kernel costs are known for \
                 {most}"
            );
            Message::new(&rules::SIZE, text)
                .place(places, own.origin, "this task".to_owned())
                .note("cores that share a memory wait for each other there".to_owned())
                .note(format!(
                    "`fusee measure --cores {cores} -o FILE.toml` measures the kernels of as many, \
                     for `--costs FILE.toml`"
                ))
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
