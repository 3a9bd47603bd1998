//! Loops by hand, and a machine that steps single ticks.

use super::*;
use crate::generation::{Part, Random};
use fusee_testing::given_or;

fn source(period: u64, jitter: u64, wcet: u64) -> Source {
    let arrivals = Some(ArrivalCurve::periodic(period, jitter).expect("a period"));
    Source { arrivals, wcet, live: false }
}

fn one(order: Order, sources: Vec<Source>) -> EventLoop {
    EventLoop { priority: 1, order, blocking: 0, sources }
}

/// 3, 2 and 4 ticks, each once in a long while: the order decides who waits for whom.
#[test]
fn orders_by_hand() {
    let sources = || vec![source(100, 0, 3), source(100, 0, 2), source(100, 0, 4)];
    let bounds = |order| response_times(&[one(order, sources())])[0].clone();
    assert_eq!(bounds(Order::Fifo), [9, 9, 9].map(Some));
    assert_eq!(bounds(Order::Priority), [7, 9, 9].map(Some));
    assert_eq!(bounds(Order::Number), [9, 9, 9].map(Some));
}

/// Beside a source that never stops there is a bound by rounds, and none below the loop.
#[test]
fn a_source_of_unknown_rate() {
    let unknown = Source { arrivals: None, ..source(1, 0, 2) };
    let all = [
        one(Order::Number, vec![unknown, source(50, 0, 3)]),
        EventLoop { priority: 0, ..one(Order::Fifo, vec![source(90, 0, 1)]) },
    ];
    // In its own callback with the other behind, and again; in its own, and then a round with both.
    assert_eq!(response_times(&all), [vec![Some(2 + 3 + 2), Some(3 + 2 + 3)], vec![None]]);
}

#[test]
fn a_callback_of_no_length_is_none() {
    assert_eq!(response_times(&[one(Order::Fifo, vec![source(5, 0, 0)])]), [vec![None]]);
    assert_eq!(response_times(&[one(Order::Fifo, vec![source(5, 0, 6)])]), [vec![None]]);
}

/// A loop as it runs.
#[derive(Clone)]
struct State {
    /// By source the signals that wait, the oldest first.
    pending: Vec<Vec<u64>>,
    /// Signals that the callback which runs answers, its source, and what is left of it.
    running: Option<(Vec<u64>, usize, u64)>,
    /// The sources that the round has still to serve.
    round: Vec<usize>,
}

impl State {
    /// Takes what comes next, where nothing runs.
    fn receive(&mut self, of: &EventLoop, random: &mut Random, shorter: bool) {
        let is_pending = |source: &usize| !self.pending[*source].is_empty();
        let all: Vec<usize> = (0..of.sources.len()).filter(is_pending).collect();
        let next = match of.order {
            Order::Priority => all.first().copied(),
            Order::Fifo => all.iter().copied().min_by_key(|&s| (self.pending[s][0], random.bits())),
            Order::Round | Order::Number => {
                let live = |s: &&usize| of.order == Order::Round && of.sources[**s].live;
                match all.iter().find(live) {
                    Some(&live) => Some(live),
                    None => {
                        if self.round.is_empty() {
                            self.round.clone_from(&all);
                        }
                        if self.round.is_empty() { None } else { Some(self.round.remove(0)) }
                    }
                }
            }
        };
        let Some(next) = next else { return };
        let taken = match of.order {
            Order::Number => std::mem::take(&mut self.pending[next]),
            _ => vec![self.pending[next].remove(0)],
        };
        let wcet = of.sources[next].wcet;
        let time = if shorter { random.whole(1, wcet) } else { wcet };
        self.running = Some((taken, next, time));
    }
}

/// Times of signals: dense after a start, later ones with gaps now and then.
fn signals(random: &mut Random, (period, jitter): (u64, u64), ticks: u64) -> Vec<u64> {
    let start = if random.chance(0.5) { 0 } else { random.whole(0, period) };
    let gaps = random.chance(0.4);
    let (mut nominal, mut all, mut first) = (start, Vec::new(), true);
    while nominal < ticks {
        let late = if first || random.chance(0.3) { jitter } else { random.whole(0, jitter) };
        let dense = if first { jitter } else { late.min(jitter) };
        all.push(
            nominal
                + if gaps {
                    dense
                } else if first {
                    jitter
                } else {
                    0
                },
        );
        first = false;
        nominal += period + if gaps { random.whole(0, period / 3) } else { 0 };
    }
    all.sort_unstable();
    all
}

/// The longest response to each source; a lower thread takes sections in between.
fn run(
    loops: &[EventLoop],
    streams: &[Vec<(u64, u64)>],
    random: &mut Random,
    ticks: u64,
) -> Vec<Vec<u64>> {
    let mut seen: Vec<Vec<u64>> = loops.iter().map(|one| vec![0; one.sources.len()]).collect();
    let arrivals: Vec<Vec<Vec<u64>>> = streams
        .iter()
        .map(|of| of.iter().map(|&stream| signals(random, stream, ticks)).collect())
        .collect();
    let empty = |one: &EventLoop| State {
        pending: vec![Vec::new(); one.sources.len()],
        running: None,
        round: Vec::new(),
    };
    let mut states: Vec<State> = loops.iter().map(empty).collect();
    let shorter = random.chance(0.3);
    let mut last = None;
    for now in 0..ticks {
        for (state, of) in states.iter_mut().zip(&arrivals) {
            for (pending, signals) in state.pending.iter_mut().zip(of) {
                pending.extend(signals.iter().filter(|&&signal| signal == now));
            }
        }
        let busy = |state: &State| {
            state.running.is_some() || state.pending.iter().any(|pending| !pending.is_empty())
        };
        let rank = |at: &usize| {
            let kept = last == Some(*at);
            (loops[*at].priority, kept, random.clone().whole(0, 7 + *at as u64))
        };
        let ready = (0..loops.len()).filter(|&at| busy(&states[at]));
        let Some(at) = ready.max_by_key(rank) else { continue };
        last = Some(at);
        let state = &mut states[at];
        if state.running.is_none() {
            state.receive(&loops[at], random, shorter);
        }
        let Some((taken, source, left)) = &mut state.running else { continue };
        *left -= 1;
        if *left == 0 {
            for signal in taken.iter() {
                seen[at][*source] = seen[at][*source].max(now + 1 - signal);
            }
            state.running = None;
        }
    }
    seen
}

#[test]
fn no_response_is_above_its_bound() {
    let (mut bounded, mut reached, mut sum) = (0, 0, 0.0);
    let systems = given_or("LOOP_SYSTEMS", 400);
    for index in 0..systems {
        let random = &mut Random::new(66, index, Part::Other);
        let count = random.whole(1, 3);
        let mut streams = Vec::new();
        let loops: Vec<EventLoop> = (0..count)
            .map(|at| {
                let sources = random.whole(1, 4);
                let of: Vec<(u64, u64)> = (0..sources)
                    .map(|_| {
                        let jitter = if random.chance(0.3) { random.whole(0, 30) } else { 0 };
                        (random.whole(5, 60), jitter)
                    })
                    .collect();
                let order = [Order::Priority, Order::Fifo, Order::Round, Order::Number];
                let order = order[random.whole(0, 3) as usize];
                let sources = of
                    .iter()
                    .map(|&(period, jitter)| {
                        let most = (period / (count * sources)).max(1);
                        let live = random.chance(0.3);
                        Source { live, ..source(period, jitter, random.whole(1, 2 * most)) }
                    })
                    .collect();
                streams.push(of);
                let priority = if random.chance(0.2) { 1 } else { at as Priority };
                EventLoop { priority, order, blocking: 0, sources }
            })
            .collect();
        let found = response_times(&loops);
        let mut longest: Vec<Vec<u64>> = found.iter().map(|of| vec![0; of.len()]).collect();
        for _ in 0..8 {
            let seen = run(&loops, &streams, random, 400);
            for (most, seen) in longest.iter_mut().flatten().zip(seen.into_iter().flatten()) {
                *most = seen.max(*most);
            }
        }
        for (at, (&seen, &bound)) in
            longest.iter().flatten().zip(found.iter().flatten()).enumerate()
        {
            let Some(bound) = bound else { continue };
            assert!(seen <= bound, "system {index}, source {at}: {seen} of {bound}: {loops:#?}");
            bounded += 1;
            reached += u64::from(seen == bound);
            sum += seen as f64 / bound as f64;
        }
    }
    println!(
        "{systems} systems: {bounded} bounds, {reached} reached, {:.2} seen",
        sum / bounded as f64
    );
    assert!(bounded > systems && reached * 10 > bounded);
}
