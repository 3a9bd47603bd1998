//! The defaults of a description: turns, the start, waiting releases.
//!
//! *How long a thread runs among its equals before the next one's turn.* A description says it, or
//! leaves it out. Tasks with jobs need none: each runs until its job is done, and any order among
//! equals keeps their bounds. A thread without a release may loop for ever, and on seL4 that
//! starves nobody of its own level: a scheduling context there lasts 10 ms unless CAmkES is told
//! otherwise, and then the next one runs. So where such a thread has an equal, the slice is as long
//! here.
//!
//! *How long components have for setting themselves up before the first release.* A thread that an
//! event releases, and that waits for it in a loop, sets itself up in a job of its own. That job
//! takes part in the separation of its jobs, so a start is long enough for it to be over when the
//! first event comes.

use crate::{ComponentId, Duration, InterfaceKind, Priority, System, Value};

/// The slice where a thread without a release has an equal: CAmkES's default budget.
pub const DEFAULT_TIME_SLICE: Duration = Duration(10_000_000);

/// The number of releases that may wait for a job of the same task on a machine, and in the
/// simulator: each takes eight bytes of the kernel's memory.
///
/// The next one is lost, so no bound may need more.
pub const BACKLOG: u16 = 16;

/// Time for setting up, where no event releases a task.
const DEFAULT_STARTUP: Duration = Duration(1_000_000);

/// The priority that CAmkES gives to the thread of an interface.
const DEFAULT_PRIORITY: Priority = 254;

impl System {
    /// Returns the longest run among equal priorities; `None`: a thread runs until it blocks.
    pub fn slice(&self) -> Option<Duration> {
        let given = self.settings.time_slice.map(|slice| slice.value);
        given.or_else(|| self.has_endless_equals().then_some(DEFAULT_TIME_SLICE))
    }

    /// Time from power-on to time 0, in which the components are set up.
    pub fn startup_time(&self) -> Duration {
        let by_event = self.tasks.iter().filter(|task| task.release_event().is_some());
        let separations =
            by_event.filter_map(|task| task.release.as_ref()).map(|release| release.period.value);
        let longest = separations.max().unwrap_or(Duration::ZERO);
        let enough = DEFAULT_STARTUP.checked_add(longest).unwrap_or(longest);
        let budgets = Duration(self.startup_budgets().ns().saturating_mul(8).div_ceil(7));
        let enough = enough.checked_add(budgets).unwrap_or(budgets);
        self.settings.startup.map_or(enough, |given| given.value)
    }

    /// Returns the time that those components may take together to set themselves up that say so.
    /// One has no more than seven eighths of the rest until time 0 when its turn comes, so all of
    /// them have what they ask for if the start is so much longer.
    pub fn startup_budgets(&self) -> Duration {
        let given = self.components.iter().filter_map(|component| component.startup);
        given.fold(Duration::ZERO, |sum, own| Duration(sum.0.saturating_add(own.value.0)))
    }

    /// Returns `true` if a task without a release shares its level with another task, or with a
    /// thread for callbacks.
    fn has_endless_equals(&self) -> bool {
        self.task_ids().filter(|(_, task)| task.release.is_none()).any(|(id, task)| {
            let level = task.priority.value;
            let mut others = self.task_ids().filter(|(other, _)| *other != id);
            others.any(|(_, other)| other.core == task.core && other.priority.value == level)
                || self.callback_levels().any(|(.., callback)| callback == level)
        })
    }

    /// Returns the priorities of threads that may run callbacks, with the component and the
    /// position of the event among its interfaces: whether they do, only the components' code
    /// knows.
    pub fn callback_levels(&self) -> impl Iterator<Item = (ComponentId, usize, Priority)> + '_ {
        let software = (0..self.components.len())
            .map(ComponentId::from)
            .filter(|id| !self.component(*id).hardware);
        let interfaces = software.flat_map(|id| {
            self.component(id).interfaces.iter().enumerate().map(move |(at, of)| (id, at, of))
        });
        let events =
            interfaces.filter(|(.., of)| matches!(of.kind, InterfaceKind::Consumes(Some(_))));
        events.map(|(id, at, of)| (id, at, self.callback_level(id, &of.name)))
    }

    /// Those of them that the description gives a priority of their own: these components have
    /// callbacks.
    pub fn described_callbacks(&self) -> impl Iterator<Item = (ComponentId, usize, Priority)> + '_ {
        self.callback_levels().filter(|&(id, event, _)| {
            let component = self.component(id);
            let event = &component.interfaces[event].name;
            component.attribute(&format!("{event}_priority")).is_some()
        })
    }

    fn callback_level(&self, component: ComponentId, event: &str) -> Priority {
        let given = |name: &str| match self.component(component).attribute(name) {
            Some(Value::Integer(priority)) => Priority::try_from(*priority).ok(),
            _ => None,
        };
        given(&format!("{event}_priority"))
            .or_else(|| given("priority"))
            .unwrap_or(DEFAULT_PRIORITY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;
    use crate::{Body, Origin, PrioritySource, Release, ReleaseKind, Sourced, Task};

    fn sourced<T>(value: T) -> Sourced<T> {
        Sourced { value, origin: Origin::NONE }
    }

    fn task(priority: Priority, period: Option<u64>) -> Task {
        let release = |period| Release {
            kind: ReleaseKind::Periodic,
            period: sourced(Duration(period)),
            offset: Duration::ZERO,
            jitter: sourced(Duration::ZERO),
        };
        Task {
            name: String::new(),
            component: ComponentId(0),
            release: period.map(release),
            deadline: None,
            priority: sourced(priority),
            priority_source: PrioritySource::Given,
            core: 0,
            budget: None,
            body: Body::default(),
            origin: Origin::NONE,
        }
    }

    fn slice(tasks: Vec<Task>) -> Option<u64> {
        System { tasks, ..System::default() }.slice().map(|slice| slice.0)
    }

    #[test]
    fn a_start_leaves_time_for_jobs_that_set_themselves_up() {
        let startup = |kind| {
            let mut task = task(5, Some(9_000_000));
            task.release.as_mut().unwrap().kind = kind;
            let system = System { tasks: vec![task], ..System::default() };
            let mut given = system.clone();
            given.settings.startup = Some(sourced(Duration(7)));
            (system.startup_time().0, given.startup_time().0)
        };
        assert_eq!(startup(ReleaseKind::Sporadic), (1_000_000, 7));
        assert_eq!(startup(ReleaseKind::Notification(crate::NotificationId(0))), (10_000_000, 7));
    }

    #[test]
    fn only_threads_without_releases_share_by_default() {
        assert_eq!(slice(vec![task(5, Some(9)), task(5, Some(9))]), None);
        assert_eq!(slice(vec![task(5, None), task(6, None), task(7, Some(9))]), None);
        assert_eq!(slice(vec![task(5, None), task(5, None)]), Some(10_000_000));
        assert_eq!(slice(vec![task(5, None), task(5, Some(9))]), Some(10_000_000));
        let given = Some(sourced(Duration(3)));
        let tasks = vec![task(5, None), task(5, None)];
        assert_eq!(
            System {
                tasks,
                settings: Settings { time_slice: given, ..Settings::default() },
                ..System::default()
            }
            .slice(),
            Some(Duration(3))
        );
    }
}
