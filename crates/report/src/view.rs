//! The content of a page: plain data with all names in place.
//!
//! The page is drawn from a [`View`] and nothing else. Where the numbers come
//! from (model, bounds, simulation) is the business of the adapter; a later
//! platform that boots and measures fills in the same fields. Times are in
//! nanoseconds. Positions refer to the view's own vectors.

use fusee_model::{Duration, Protocol};

/// Everything on one page.
#[derive(Debug, Clone, Default)]
pub struct View {
    /// The system's name.
    pub system: String,
    /// Facts for the page's head: name and value.
    pub facts: Vec<(String, String)>,
    /// Components in the order of the description.
    pub components: Vec<Component>,
    /// Connections between components.
    pub edges: Vec<Edge>,
    /// Gates in the order of the description.
    pub gates: Vec<Gate>,
    /// Tasks, highest priority first.
    pub tasks: Vec<Task>,
    /// Chains from end to end.
    pub chains: Vec<crate::verdict::ChainVerdict>,
    /// The amounts by which execution times may grow; empty: they were not asked for.
    pub growth: Vec<Growth>,
    /// The verdict on the run in a line, and `true` if it is fine; `None`: nothing was observed.
    pub verdict: Option<(String, bool)>,
    /// The events around the worst response.
    pub timeline: Option<Timeline>,
    /// The diagnostics to show.
    pub messages: Vec<Message>,
    /// The assumptions behind the bounds, one sentence each.
    pub assumptions: Vec<String>,
    /// The way in which the observations were made; `None`: nothing was observed.
    pub run: Option<String>,
    /// The tools and files that the page is made by and from.
    pub provenance: Provenance,
}

/// The tools and files that a page is made by and from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The program and the command line, by name.
    pub made_by: Vec<(String, String)>,
    /// Files by path, with their SHA-256.
    pub files: Vec<(String, String)>,
    /// The origins of execution times.
    pub times: Vec<TimeOrigin>,
}

/// The origin of an execution time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeOrigin {
    /// The task or method.
    pub body: String,
    /// Its own execution time; `None`: there is none.
    pub time: Option<Duration>,
    /// In a word or two: `written`, `proved`.
    pub origin: String,
}

/// A component instance.
#[derive(Debug, Clone, Default)]
pub struct Component {
    /// Instance name with its path.
    pub name: String,
    /// The component's type.
    pub kind: String,
    /// `true` if it has a control thread.
    pub control: bool,
    /// `true` if it stands for a device.
    pub hardware: bool,
    /// The group that it shares an address space with, if any.
    pub group: Option<String>,
}

/// A line of the component graph, from the caller to the callee.
#[derive(Debug, Clone)]
pub struct Edge {
    /// Position of the component that uses, emits or maps.
    pub from: usize,
    /// Position of the component that provides or consumes.
    pub to: usize,
    /// The kind of edge.
    pub kind: EdgeKind,
    /// The connection's name and connector.
    pub label: String,
}

/// The kind of thing that goes along an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgeKind {
    /// Invocations of a gate, by its position.
    Procedure(usize),
    /// Events go along it.
    Event,
    /// Shared memory or registers.
    Memory,
}

/// A gate of a component.
#[derive(Debug, Clone)]
pub struct Gate {
    /// The name as `component.interface`.
    pub name: String,
    /// The interface alone.
    pub interface: String,
    /// Position of the providing component.
    pub component: usize,
    /// The gate's protocol.
    pub protocol: Protocol,
    /// `true` if it is a direct call.
    pub direct: bool,
    /// Its ceiling, if a task reaches it; of a gate between cores, one for each of them.
    pub ceiling: Option<String>,
    /// Stacks that the build reserves.
    pub stacks: u32,
    /// Threads that Sudvarg et al.'s library would need.
    pub rpc_threads: u32,
    /// Names of the tasks that reach it.
    pub tasks: Vec<String>,
    /// The observations of the gate.
    pub observed: Option<GateObserved>,
}

/// The results of a run for a gate.
#[derive(Debug, Clone, Copy)]
pub struct GateObserved {
    /// The number of invocations.
    pub invocations: u64,
    /// Invocations that had to wait.
    pub contended: u64,
    /// The longest wait.
    pub longest_wait: Duration,
}

/// A task of the system.
#[derive(Debug, Clone)]
pub struct Task {
    /// The name as it is shown.
    pub name: String,
    /// The base priority.
    pub priority: u8,
    /// The source of the priority, as half a sentence.
    pub priority_source: String,
    /// Period or minimum inter-arrival time.
    pub period: Option<Duration>,
    /// The kind of arrival: `periodic`, `sporadic`, ...
    pub arrival: String,
    /// The relative deadline.
    pub deadline: Option<Duration>,
    /// Execution time with everything it invokes.
    pub wcet: Option<Duration>,
    /// The promised bound.
    pub bound: Bound,
    /// The change under which it meets its deadline, if one was found.
    pub repair: Option<String>,
    /// The observations of the task.
    pub observed: Option<Observed>,
}

/// The amount by which an execution time may grow without the loss of a guarantee.
#[derive(Debug, Clone)]
pub struct Growth {
    /// The task or method.
    pub body: String,
    /// Its own execution time now.
    pub now: Duration,
    /// The most it may be; `None`: as much as one likes.
    pub most: Option<Duration>,
}

/// The result of the analysis for a task.
#[derive(Debug, Clone)]
pub enum Bound {
    /// It has no timing and is not analyzed.
    NotAnalysed,
    /// No bound can be given.
    None {
        /// The reasons, one sentence each.
        reasons: Vec<String>,
    },
    /// No response takes longer.
    Proven(Proof),
}

/// A bound with its parts.
#[derive(Debug, Clone, Default)]
pub struct Proof {
    /// The bound on the response.
    pub response: Duration,
    /// Its parts; they add up to the response (less release jitter, which is a part of its own).
    pub parts: Vec<Part>,
    /// The theorem that it rests on.
    pub theorem: String,
    /// Further facts: how far execution times may grow, ...
    pub notes: Vec<String>,
}

/// A part of a bound.
#[derive(Debug, Clone)]
pub struct Part {
    /// The kind of part.
    pub kind: PartKind,
    /// The source of the part; empty when the kind says it all.
    pub source: String,
    /// The length of the part.
    pub time: Duration,
    /// `file:line:column` of what says so in the description.
    pub place: Option<String>,
}

/// The kinds of parts of a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PartKind {
    /// The task's own jobs with all they invoke.
    Own,
    /// Execution of tasks of higher or equal priority.
    Interference,
    /// Waiting for tasks of lower priority.
    Blocking,
    /// Waiting for tasks of other cores.
    OtherCores,
    /// Waiting for events in the middle of the job.
    Events,
    /// The kernel's paths.
    Kernel,
    /// Others have the core by a scheduler's table.
    Withheld,
    /// The release jitter.
    Jitter,
}

/// The results of a run for a task.
#[derive(Debug, Clone, Default)]
pub struct Observed {
    /// The number of jobs completed.
    pub jobs: u64,
    /// The number of deadlines missed.
    pub misses: u64,
    /// Jobs that were released and not complete at the end.
    pub unfinished: u64,
    /// Jobs that ended otherwise than by completing.
    pub crashed: u64,
    /// Calls that were answered with an error.
    pub refused: u64,
    /// In two words, and whether they are bad.
    pub word: (String, bool),
    /// The longest response.
    pub max: Duration,
    /// The mean response.
    pub mean: Option<Duration>,
    /// Longest time that lower-priority threads executed during a job.
    pub blocking: Duration,
    /// Times that a job lost the core.
    pub preemptions: u64,
    /// Response times: lowest, highest, how many; ascending.
    pub histogram: Vec<(u64, u64, u64)>,
}

/// The events in a window of time.
#[derive(Debug, Clone, Default)]
pub struct Timeline {
    /// One sentence that says what is shown.
    pub caption: String,
    /// First instant shown.
    pub start: u64,
    /// Last instant shown.
    pub end: u64,
    /// Job of interest: position of its lane, arrival and completion.
    pub focus: Option<(usize, u64, u64)>,
    /// One row for each task, core by core, highest priority first.
    pub lanes: Vec<Lane>,
    /// The names of all tasks, in the description's order.
    pub names: Vec<String>,
}

/// A row of the timeline.
#[derive(Debug, Clone, Default)]
pub struct Lane {
    /// The task's name.
    pub task: String,
    /// Its core, where there are several.
    pub core: Option<u32>,
    /// Position of the component in which it starts.
    pub home: usize,
    /// Stretches of time, ascending.
    pub spans: Vec<Span>,
    /// The instants, ascending.
    pub marks: Vec<Mark>,
}

/// A stretch of time in which a thread was in one state.
#[derive(Debug, Clone, Copy)]
pub struct Span {
    /// The first instant.
    pub start: u64,
    /// Instant after the last.
    pub end: u64,
    /// The state of the thread.
    pub state: State,
}

/// The state of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It executes in a component, by its position.
    Running(usize),
    /// It could run, but another does; it is in a component, by its position.
    Ready(usize),
    /// It waits for a gate, by its position.
    Waiting(usize),
    /// It waits for an event.
    Event,
    /// Its budget is used up.
    Suspended,
    /// In its time its core executes another task's section, in a component by its position.
    Helping {
        /// The component in which it is.
        component: usize,
        /// The owner, by the position of its name in the timeline.
        owner: usize,
    },
    /// Its section goes on on another core, in a component by its position.
    Elsewhere {
        /// The component in which it is.
        component: usize,
        /// The thread in whose time it runs, by the position of its name in the timeline.
        payer: usize,
    },
}

/// An instant worth a sign.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    /// The instant of the mark.
    pub time: u64,
    /// The kind of mark.
    pub kind: MarkKind,
}

/// The kinds of signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkKind {
    /// A job arrives.
    Release,
    /// A job should be complete.
    Deadline,
    /// A job is complete.
    Completion,
    /// A job was not complete at its deadline.
    Miss,
    /// The thread is made as urgent as this.
    Boost(Urgency),
}

/// The urgency that a thread inherits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Urgency {
    /// A priority that is inherited.
    Priority(u8),
    /// An absolute deadline, in nanoseconds.
    Deadline(u64),
    /// No thread preempts it.
    Top,
}

/// A diagnostic with its places as text.
#[derive(Debug, Clone)]
pub struct Message {
    /// The code of the rule.
    pub code: String,
    /// The severity of the message.
    pub severity: fusee_diagnostics::Severity,
    /// The sentence of the message.
    pub text: String,
    /// `file:line:column`, and what the place contributes.
    pub places: Vec<(String, String)>,
    /// Further facts and repairs.
    pub notes: Vec<String>,
}
