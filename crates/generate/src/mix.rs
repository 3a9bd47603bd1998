//! The parts that random systems are made of.

use fusee_model::Protocol;

/// Ranges and chances from which a system is drawn; chances are percentages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mix {
    /// Fewest and most tasks.
    pub tasks: (u64, u64),
    /// Fewest and most gates.
    pub gates: (u64, u64),
    /// Deepest nesting of gates.
    pub depth: u32,
    /// The frequencies of protocols of gates, relative to each other.
    pub protocols: &'static [(Protocol, u32)],
    /// Propagated gates that are direct calls.
    pub direct: u32,
    /// Fixed gates whose ceiling is the top priority.
    pub non_preemptive: u32,
    /// Gates with two methods instead of one.
    pub two_methods: u32,
    /// Systems whose priorities are drawn from few levels, so that equal ones abound.
    pub equal_priorities: u32,
    /// Systems whose priorities are drawn without regard to deadlines.
    pub any_priorities: u32,
    /// Tasks with a deadline below the period.
    pub short_deadline: u32,
    /// Tasks with a deadline above the period.
    pub long_deadline: u32,
    /// Tasks released with jitter.
    pub jitter: u32,
    /// Tasks with an offset.
    pub offset: u32,
    /// The frequency of sporadic tasks.
    pub sporadic: u32,
    /// Tasks released by an event of the system, where there is one.
    pub signalled: u32,
    /// Tasks with a budget.
    pub budget: u32,
    /// Bodies that signal an event.
    pub emit: u32,
    /// Bodies whose last step is a signal or a call, with nothing behind it.
    pub last: u32,
    /// Bodies without execution of their own.
    pub empty: u32,
    /// Tasks whose period is a multiple of an earlier one's.
    pub multiple: u32,
    /// Budgets that are used up just as their job ends, or a step of it.
    pub exact: u32,
    /// Gates in front of a mutex, which everybody who comes takes.
    pub mutex: u32,
    /// Systems with a task that waits for an event inside its job.
    pub wait: u32,
    /// Systems with time slices among equal priorities.
    pub time_slice: u32,
    /// Systems whose kernel paths cost something.
    pub costs: u32,
    /// Smallest and largest total utilization, in percent.
    pub utilisation: (u64, u64),
    /// Systems that are made so that instants coincide ([`Mix::coincident`]).
    pub coincident: u32,
    /// Systems in which deadlines decide who runs. Their gates are drawn as all others, then have
    /// what goes with deadlines instead of ceilings.
    pub by_deadline: u32,
    /// Systems in which mutexes may be words.
    pub optimistic: u32,
}

impl Mix {
    /// Short periods that are multiples of each other, bodies that end with a signal, signals that
    /// release, budgets that are just enough, and much that takes no time.
    #[must_use]
    pub fn coincident(&self) -> Mix {
        // What was not asked for at all does not come.
        let often = |chance: u32, least: u32| if chance == 0 { 0 } else { chance.max(least) };
        Mix {
            tasks: (self.tasks.0.min(self.tasks.1).max(3), self.tasks.1.max(3)),
            jitter: self.jitter / 3,
            offset: self.offset / 3,
            signalled: often(self.signalled, 60),
            emit: often(self.emit, 60),
            last: often(self.last, 70),
            empty: often(self.empty, 30),
            multiple: often(self.multiple, 70),
            exact: often(self.exact, 50),
            costs: self.costs / 2,
            ..self.clone()
        }
    }
}

impl Mix {
    /// Everything that the campaigns on the simulated kernel draw, under both policies, and with
    /// mutexes of both kinds.
    #[must_use]
    pub fn both_policies() -> Mix {
        Mix { by_deadline: 40, optimistic: 50, ..Mix::default() }
    }
}

/// Everything at once, in systems small enough to meet every coincidence.
impl Default for Mix {
    fn default() -> Self {
        Self {
            tasks: (1, 6),
            gates: (0, 6),
            depth: 4,
            protocols: &[
                (Protocol::Propagated, 3),
                (Protocol::Fixed, 3),
                (Protocol::Inherited, 4),
                (Protocol::Fifo, 1),
            ],
            direct: 15,
            non_preemptive: 25,
            two_methods: 25,
            equal_priorities: 25,
            any_priorities: 15,
            short_deadline: 20,
            long_deadline: 20,
            jitter: 25,
            offset: 20,
            sporadic: 20,
            signalled: 8,
            budget: 15,
            emit: 15,
            last: 15,
            empty: 5,
            multiple: 15,
            exact: 10,
            mutex: 10,
            wait: 3,
            time_slice: 15,
            costs: 30,
            utilisation: (10, 100),
            coincident: 40,
            by_deadline: 0,
            optimistic: 0,
        }
    }
}
