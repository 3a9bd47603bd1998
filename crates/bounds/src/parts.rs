//! The parts of a window that has been found.

use fusee_analysis::fixed_priority::window::Response;
use fusee_model::{Duration, TaskId};

use crate::blocking::Section;
use crate::bound::{BlockingPart, Bound, EventPart, Interference, Theorem, WaitingPart};
use crate::context::Context;
use crate::level::Level;

/// A window that has been found.
pub(crate) struct Found<'j> {
    pub(crate) response: Response,
    /// The number of jobs of each member in it.
    pub(crate) jobs: &'j [u64],
    /// The number of times that lower tasks take their part of a window.
    pub(crate) phases: u64,
    /// The waits of the job in question while it is suspended.
    pub(crate) suspension: Vec<WaitingPart>,
    /// The waits of that job for events.
    pub(crate) events: Vec<EventPart>,
    pub(crate) theorem: Theorem,
}

impl<'j> Found<'j> {
    /// One in which the core is always busy.
    pub(crate) fn window(response: Response, jobs: &'j [u64], theorem: Theorem) -> Self {
        let (suspension, events) = (Vec::new(), Vec::new());
        Found { response, jobs, phases: 1, suspension, events, theorem }
    }
}

/// Splits a window into its parts; `None`: they do not fit.
pub(crate) fn parts(
    context: &Context<'_>,
    level: &Level,
    own: TaskId,
    found: Found<'_>,
) -> Option<Bound> {
    let Found { response, jobs, phases, mut suspension, mut events, theorem } = found;
    let Response { time, job, window } = response;
    let reach = level.reach(window)?;
    // A job that is suspended knows its phases. For all others the level counts them: slots, and
    // waits that count as execution.
    let phases = match phases {
        1 => level.phases(jobs, reach)?,
        several => several.checked_mul(level.supply.touched(reach))?,
    };
    // What no other part takes of the window is time in which others had the core by their slots.
    let withheld = match level.supply.is_full() {
        true => 0,
        false => window.checked_sub(level.load(level.position(own), jobs, reach)?)?,
    };
    let mut kernel =
        level.in_progress.checked_mul(phases)?.checked_add(level.interruption(reach)?)?;
    let mut own_time = 0;
    let mut interference = Vec::new();
    for (member, &count) in level.members.iter().zip(jobs) {
        kernel = kernel.checked_add(count.checked_mul(member.kernel)?)?;
        // What the budgets of others let through is counted, but the task itself is taken at its
        // word.
        let beyond = if member.task == own { 0 } else { member.beyond };
        let time = count.checked_mul(member.execution.checked_add(beyond)?)?;
        if member.task == own {
            own_time = time;
        } else if time > 0 {
            interference.push(Interference {
                task: member.task,
                jobs: count,
                time: Duration(time),
            });
        }
    }
    interference.sort_by_key(|i| (std::cmp::Reverse(i.time), i.task));
    let sections = level.blocking.selection(jobs).into_iter().map(|section| (section, phases));
    let lent = level.loans.iter().map(|loan| (loan.section, loan.times(jobs, phases)));
    let section = |(s, times): (Section, u64)| {
        let (time, waiting) = (s.length.checked_mul(times)?, s.waiting.checked_mul(times)?);
        let (time, waiting) = (Duration(time), Duration(waiting));
        let Section { task, gate, origin, .. } = s;
        Some(BlockingPart { task, gate, times, time, waiting, origin })
    };
    // Loans and blocking are both sections of less urgent threads, and no thread is in both lists.
    let taken = sections.chain(lent).filter(|(section, times)| section.length > 0 && *times > 0);
    let mut blocking: Vec<BlockingPart> = taken.map(section).collect::<Option<_>>()?;
    blocking.sort_by_key(|b| (std::cmp::Reverse(b.time), b.task, b.gate));
    in_order(&mut suspension);
    events.retain(|wait| wait.time > Duration::ZERO);
    let arrivals = context.arrivals(own);
    Some(Bound {
        response: Duration(time),
        theorem,
        job,
        window: Duration(window),
        own: Duration(own_time),
        interference,
        blocking,
        waiting: waiting(context, level, jobs)?,
        suspension,
        events,
        kernel: Duration(kernel),
        withheld: Duration(withheld),
        jitter: Duration(arrivals.jitter),
    })
}

/// Returns the waits of a window's jobs for other cores, by gate and by the task whose section is
/// ahead.
fn waiting(context: &Context<'_>, level: &Level, jobs: &[u64]) -> Option<Vec<WaitingPart>> {
    let mut parts: Vec<WaitingPart> = Vec::new();
    for (member, &count) in level.members.iter().zip(jobs) {
        for (&gate, &each) in &context.reach.counts[member.task.index()] {
            let requests = count.checked_mul(each)?;
            for ahead in context.demands.waits.at(gate).ok()?.ahead {
                let time = Duration(requests.checked_mul(ahead.length)?);
                // Requests of different members wait for the same longest section, and are shown as
                // one part.
                let same = |part: &&mut WaitingPart| part.task == ahead.task && part.gate == gate;
                match parts.iter_mut().find(same) {
                    Some(part) => {
                        part.requests = part.requests.checked_add(requests)?;
                        part.time = part.time.checked_add(time)?;
                    }
                    None => parts.push(WaitingPart { task: ahead.task, gate, requests, time }),
                }
            }
        }
    }
    in_order(&mut parts);
    Some(parts)
}

/// Longest first, without those that take nothing.
fn in_order(parts: &mut Vec<WaitingPart>) {
    parts.retain(|part| part.time > Duration::ZERO);
    parts.sort_by_key(|part| (std::cmp::Reverse(part.time), part.task, part.gate));
}
