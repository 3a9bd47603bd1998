//! Event loops: threads that serve several sources.
//!
//! A *source* has an arrival curve and a *callback* of at most C ticks. Callbacks of a loop never
//! preempt each other; the loop's thread is preempted by threads above it, as tasks are. A source
//! is *pending* from its signal until a callback for it starts. Where signals *merge*, one to a
//! pending source adds nothing. A *receive* is the instant at which the idle loop, or one that is
//! through with what it took, looks at what is pending. The response of a signal lasts to the end
//! of the first callback of its source that starts at the signal or later.
//!
//! # Busy windows
//!
//! Let U(w) be what the sources of other loops of the same priority or above let into a window, B
//! what lower threads can keep of it, and L the least w > 0 with w = B + U(w) + all own callbacks
//! in w. A signal of source i comes A after the start of a window, A < L. Its callback starts by
//! the least s >= A with s >= B + Own(A, s) + U(s + 1), and ends by the least f >= s + C with
//! f >= B + Own(A, s) + C + U(f). What goes before it, Own, follows from the order:
//!
//! * [`Order::Priority`]: sources before it as they come until the start, and one callback of those
//!   behind (George, Rivierre and Spuri 1996, fixed priorities without preemption inside of a
//!   group; above it preemption thresholds, Wang and Saksena 1999, Regehr 2002).
//! * [`Order::Fifo`]: all that came by then (Bedarkar, Vardishvili, Bozhko, Maida and Brandenburg,
//!   "From intuition to Coq", RTSS 2022, here below other levels).
//! * [`Order::Round`]: a receive takes each pending source once, by number; *live* sources go
//!   before all others and are looked at anew each time, as timers of ROS 2 (Blass, Casini, Bozhko
//!   and Brandenburg, "A ROS 2 response-time analysis exploiting starvation freedom and
//!   execution-time variance", RTSS 2021, theorem 3, with closed counts). Signals do not merge, so
//!   that the q-th waits for q receives.
//! * [`Order::Number`]: the same with signals that merge and without live sources, as in Microkit:
//!   one receive answers all signals.
//!
//! # Rounds
//!
//! Under [`Order::Number`] a second bound uses no curve of the loop's own sources: at the signal
//! the loop is in a callback, or in a round without the source, or in its callback; then one
//! receive. With D = max(B + longest other C, sum of other C, C + sum of C behind) + sum of C
//! before + C the response is the least w >= D with w >= D + U', where jobs of others can be under
//! way. The smaller of both counts. It holds for a source whose rate nobody knows, and beside one.

#[cfg(test)]
mod tests;

use crate::Priority;
use crate::arrivals::ArrivalCurve;
use crate::effort;
use crate::fixed_priority::window::least_window;

/// The order in which a loop serves what is pending.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// The first of its sources that is pending, looked at anew after each callback.
    Priority,
    /// The oldest signal.
    Fifo,
    /// All that is pending, by number, live sources in between; signals wait in queues.
    Round,
    /// All that is pending, by number; signals merge.
    Number,
}

/// A source of a loop; times in ticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The arrivals of signals; `None`: their number is not known.
    pub arrivals: Option<ArrivalCurve>,
    /// The longest time that a callback executes.
    pub wcet: u64,
    /// `true` if a [`Round`](Order::Round) looks at it anew before each callback.
    pub live: bool,
}

/// A thread that serves several sources on one core.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventLoop {
    /// A higher number is a higher priority; equal ones come in any order.
    pub priority: Priority,
    /// The order of what is pending.
    pub order: Order,
    /// The longest that lower threads can hold it up, once in a busy window.
    pub blocking: u64,
    /// The sources, the first first.
    pub sources: Vec<Source>,
}

/// Bounds on the responses to each source of each loop; none: there is none, or a callback takes no
/// time.
pub fn response_times(loops: &[EventLoop]) -> Vec<Vec<Option<u64>>> {
    let mut found: Vec<Vec<Option<u64>>> = vec![Vec::new(); loops.len()];
    let mut order: Vec<usize> = (0..loops.len()).collect();
    order.sort_by_key(|&at| std::cmp::Reverse(loops[at].priority));
    for at in order {
        let above = |other: usize| other != at && loops[other].priority >= loops[at].priority;
        let others: Vec<usize> = (0..loops.len()).filter(|&other| above(other)).collect();
        let all = others.iter().flat_map(|&other| &loops[other].sources);
        let curves: Option<Vec<Other<'_>>> = all
            .map(|source| Some(Other { arrivals: source.arrivals.as_ref()?, wcet: source.wcet }))
            .collect();
        let own = &loops[at];
        let is_timed = loops.iter().flat_map(|one| &one.sources).all(|source| source.wcet > 0);
        let Some(others_above) = curves.filter(|_| is_timed) else {
            found[at] = vec![None; own.sources.len()];
            continue;
        };
        let busy = Busy { own, others: &others_above };
        // Sources strictly above have been bounded; of equals nothing is known yet.
        let under_way: Option<Vec<u64>> = others
            .iter()
            .flat_map(|&other| {
                let bounds = &found[other];
                (0..loops[other].sources.len()).map(move |k| bounds.get(k).copied().flatten())
            })
            .collect();
        found[at] = (0..own.sources.len())
            .map(|source| {
                let round = under_way.as_ref().and_then(|late| busy.by_rounds(source, late));
                [busy.response(source), round].into_iter().flatten().min()
            })
            .collect();
    }
    found
}

/// A source of another loop at or above the level.
struct Other<'a> {
    arrivals: &'a ArrivalCurve,
    wcet: u64,
}

/// The windows of a loop.
struct Busy<'a> {
    own: &'a EventLoop,
    others: &'a [Other<'a>],
}

/// Signals of a busy window that are looked at, at most.
const MOST_SIGNALS: usize = 100_000;

impl Busy<'_> {
    /// Returns what others take of a window.
    fn above(&self, window: u64) -> Option<u64> {
        self.others.iter().try_fold(0_u64, |sum, other| {
            sum.checked_add(other.wcet.checked_mul(other.arrivals.within(window)?)?)
        })
    }

    /// Returns how often an own source comes in a window.
    fn comes(&self, source: usize, window: u64) -> Option<u64> {
        self.own.sources[source].arrivals.as_ref()?.within(window)
    }

    fn others_of(&self, source: usize) -> impl Iterator<Item = (usize, &Source)> {
        self.own.sources.iter().enumerate().filter(move |&(other, _)| other != source)
    }

    /// Returns what can be in the way of a source before its window, and what is ahead by nature.
    fn blocking(&self, source: usize) -> u64 {
        let live = self.own.sources[source].live && self.own.order == Order::Round;
        let waits = |other: usize, one: &Source| match self.own.order {
            Order::Priority => other > source,
            // A live source goes before all that are not, and before live ones behind it.
            Order::Round if live => !one.live || other > source,
            _ => false,
        };
        let behind = self.others_of(source).filter(|&(other, one)| waits(other, one));
        behind.map(|(_, one)| one.wcet).max().unwrap_or(0).max(self.own.blocking)
    }

    /// Returns the time of own callbacks that go before that of a signal at `arrival`, if it starts
    /// at `start`, and so many signals of its source can wait for a receive.
    fn ahead(&self, source: usize, (arrival, start): (u64, u64), queued: u64) -> Option<u64> {
        let earlier = self.comes(source, arrival.checked_add(1)?)?.saturating_sub(1);
        let earlier = match self.own.order {
            Order::Number => earlier.min(self.comes(source, arrival)?),
            _ => earlier,
        };
        let is_live = self.own.sources[source].live && self.own.order == Order::Round;
        let mut sum = self.own.sources[source].wcet.checked_mul(earlier)?;
        for (other, one) in self.others_of(source) {
            let until_start = || self.comes(other, start.checked_add(1)?);
            let closed = || self.comes(other, arrival.checked_add(1)?);
            let open = || self.comes(other, arrival);
            let count = match self.own.order {
                Order::Priority if other < source => until_start()?,
                Order::Priority => 0,
                Order::Fifo => closed()?,
                Order::Round if is_live && one.live && other < source => until_start()?,
                Order::Round if is_live => 0,
                Order::Round if one.live => until_start()?,
                Order::Round | Order::Number if other < source => {
                    let rounds = closed()?.checked_add(queued)?;
                    until_start()?.min(rounds).min(open()?.checked_add(queued)?.checked_add(1)?)
                }
                Order::Round | Order::Number => {
                    let rounds = closed()?.checked_add(queued - 1)?;
                    until_start()?.min(rounds).min(open()?.checked_add(queued)?)
                }
            };
            sum = sum.checked_add(one.wcet.checked_mul(count)?)?;
        }
        Some(sum)
    }

    /// Returns the longest response to a source by busy windows.
    fn response(&self, source: usize) -> Option<u64> {
        let mut queued = 1;
        for _ in 0..MOST_SIGNALS {
            let found = self.response_with(source, queued)?;
            let next = match self.own.order {
                Order::Round => self.comes(source, found)?.max(1),
                _ => 1,
            };
            if next <= queued || !effort::step() {
                return Some(found);
            }
            queued = next;
        }
        None
    }

    fn response_with(&self, source: usize, queued: u64) -> Option<u64> {
        let (wcet, blocking) = (self.own.sources[source].wcet, self.blocking(source));
        let end = least_window(1, u64::MAX, |window| {
            let own = (0..self.own.sources.len()).try_fold(0_u64, |sum, other| {
                let all = self.own.sources[other].wcet.checked_mul(self.comes(other, window)?)?;
                sum.checked_add(all)
            })?;
            own.checked_add(blocking)?.checked_add(self.above(window)?)
        })?;
        let mut longest = 0;
        for arrival in self.arrivals(source, end)? {
            let start = least_window(arrival, u64::MAX, |start| {
                let own = self.ahead(source, (arrival, start), queued)?;
                own.checked_add(blocking)?.checked_add(self.above(start.checked_add(1)?)?)
            })?;
            let own = self.ahead(source, (arrival, start), queued)?.checked_add(wcet)?;
            let done = least_window(start.checked_add(wcet)?, u64::MAX, |done| {
                own.checked_add(blocking)?.checked_add(self.above(done)?)
            })?;
            longest = longest.max(done - arrival);
        }
        Some(longest)
    }

    /// Returns the times in a window at which signals are looked at: where some count changes, and
    /// where a callback that starts then just reaches what others do.
    fn arrivals(&self, source: usize, end: u64) -> Option<Vec<u64>> {
        let wcet = self.own.sources[source].wcet;
        let own = self.own.sources.iter().map(|one| one.arrivals.as_ref());
        let curves: Vec<&ArrivalCurve> = own
            .chain(self.others.iter().map(|other| Some(other.arrivals)))
            .collect::<Option<_>>()?;
        let mut found = vec![0];
        for curve in curves {
            for events in 2.. {
                let step = curve.distance(events);
                if step > end.saturating_add(wcet) {
                    break;
                }
                let before = step.saturating_sub(wcet);
                let near = [step.saturating_sub(1), step, step + 1, before, before + 1];
                found.extend(near.into_iter().filter(|&arrival| arrival < end));
                if found.len() > MOST_SIGNALS || !effort::step() {
                    return None;
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        Some(found)
    }

    /// Returns the response to a source by rounds, where signals of others can be under way for so
    /// long.
    fn by_rounds(&self, source: usize, late: &[u64]) -> Option<u64> {
        if self.own.order != Order::Number {
            return None;
        }
        let sum = |of: &dyn Fn(usize) -> bool| {
            let mut times = self.others_of(source).filter(|(other, _)| of(*other));
            times.try_fold(0_u64, |sum, (_, one)| sum.checked_add(one.wcet))
        };
        let own = self.own.sources[source].wcet;
        let longest = self.others_of(source).map(|(_, one)| one.wcet).max().unwrap_or(0);
        let in_callback = self.own.blocking.checked_add(longest)?;
        let in_own = own.checked_add(sum(&|other| other > source)?)?;
        let first = in_callback.max(sum(&|_| true)?).max(in_own);
        let all = first.checked_add(sum(&|other| other < source)?)?.checked_add(own)?;
        least_window(all, u64::MAX, |window| {
            self.others.iter().zip(late).try_fold(all, |sum, (other, &late)| {
                let reach = window.checked_add(late)?.saturating_sub(1);
                sum.checked_add(other.wcet.checked_mul(other.arrivals.within(reach)?)?)
            })
        })
    }
}
