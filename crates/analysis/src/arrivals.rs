//! Arrival curves: how close together events can come.
//!
//! A curve is given by its distances: `distance(n)` is the least time from the first to the last
//! of n successive events. Everything else follows. Distances are kept as what they are at least
//! in each of several ways of looking, and the largest counts: the period with a jitter, a least
//! distance, a burst, a trace. So a curve that has passed through tasks stays small: a response
//! time that varies takes its variation off every way of looking, and adds one (two completions
//! of a task are at least its shortest execution apart).
//!
//! Windows are half-open: in a window of length w fit the n events with `distance(n) < w`, as in
//! the response-time analysis of periodic tasks, whose ceil((w + J) / T) is the same number.
//!
//! Source: Richter, "Compositional scheduling analysis using standard event models", 2005;
//! Le Boudec and Thiran, "Network Calculus", 2001 (superadditive closure).

mod pattern;
#[cfg(test)]
mod tests;

use std::fmt;

use pattern::Pattern;

/// The least distances of a stream of events, in ticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArrivalCurve {
    /// Lower bounds on every distance, never empty; those of one pattern are told apart by jitter.
    bounds: Vec<Bound>,
}

/// Distances are at least those of a pattern, less a jitter.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Bound {
    pattern: Pattern,
    jitter: u64,
}

/// The reason for which numbers describe no stream of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InvalidCurve {
    /// The period is 0.
    ZeroPeriod,
    /// A burst of no events.
    EmptyBurst,
    /// A burst and one more of its distances take longer than its period.
    LongBurst,
    /// Less than two events: no distance is known.
    ShortTrace,
    /// The times of a trace go back behind this event, from 0.
    Unsorted(usize),
    /// All events of a trace are at one time.
    OneInstant,
}

impl fmt::Display for InvalidCurve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ZeroPeriod => f.write_str("the period is 0; it must be at least 1"),
            Self::EmptyBurst => f.write_str("a burst has no events; it needs at least one"),
            Self::LongBurst => f.write_str(
                "a burst comes too near to the next one: count x distance is above the period",
            ),
            Self::ShortTrace => f.write_str("a trace needs at least two events"),
            Self::Unsorted(event) => {
                write!(f, "event {event} of the trace is before the one before it")
            }
            Self::OneInstant => f.write_str("all events of the trace are at one time"),
        }
    }
}

impl std::error::Error for InvalidCurve {}

impl ArrivalCurve {
    /// Events a period apart, each of them delayed by up to `jitter`; with jitter 0 also sporadic
    /// ones that come at least a period apart.
    ///
    /// # Errors
    /// The period is 0.
    pub fn periodic(period: u64, jitter: u64) -> Result<Self, InvalidCurve> {
        if period == 0 {
            return Err(InvalidCurve::ZeroPeriod);
        }
        Ok(Self { bounds: vec![Bound { pattern: Pattern::Even { distance: period }, jitter }] })
    }

    /// Bursts of up to `count` events, all events at least `distance` apart, and the beginnings of
    /// bursts at least `period`.
    ///
    /// # Errors
    /// The period or the count is 0, or count x distance is above the period.
    pub fn bursts(count: u64, distance: u64, period: u64) -> Result<Self, InvalidCurve> {
        match count.checked_mul(distance) {
            _ if count == 0 => Err(InvalidCurve::EmptyBurst),
            _ if period == 0 => Err(InvalidCurve::ZeroPeriod),
            Some(length) if length <= period => {
                let pattern = Pattern::Bursts { count, distance, period };
                Ok(Self { bounds: vec![Bound { pattern, jitter: 0 }] })
            }
            _ => Err(InvalidCurve::LongBurst),
        }
    }

    /// A trace's distances are listed up to this many events; more are parts put together.
    pub const LISTED: usize = 1_000;

    /// The least distances of a trace of events. They bound what was seen, and are a promise about
    /// other runs only as far as the trace is known to show the worst.
    ///
    /// More events than the trace has, or than [`LISTED`](Self::LISTED), are taken to be as close
    /// as parts put together.
    ///
    /// # Errors
    /// There are less than two events, they are unsorted, or all at one time.
    pub fn from_trace(times: &[u64]) -> Result<Self, InvalidCurve> {
        if times.len() < 2 {
            return Err(InvalidCurve::ShortTrace);
        }
        if let Some(place) = times.windows(2).position(|pair| pair[1] < pair[0]) {
            return Err(InvalidCurve::Unsorted(place + 1));
        }
        let least = |gaps: usize| times.windows(gaps + 1).map(|w| w[gaps] - w[0]).min();
        let distances: Vec<u64> = (1..times.len().min(Self::LISTED)).map_while(least).collect();
        match distances.last() {
            Some(&last) if last > 0 => {
                let pattern = Pattern::Listed { distances: distances.into() };
                Ok(Self { bounds: vec![Bound { pattern, jitter: 0 }] })
            }
            _ => Err(InvalidCurve::OneInstant),
        }
    }

    /// The same stream, of which it is also known that two events are at least this far apart.
    #[must_use]
    pub fn at_least_apart(mut self, distance: u64) -> Self {
        if distance == 0 {
            return self;
        }
        // Two even patterns without jitter: the wider one says all that the other does.
        let even = |bound: &Bound| match bound {
            Bound { pattern: Pattern::Even { distance }, jitter: 0 } => Some(*distance),
            _ => None,
        };
        if self.bounds.iter().filter_map(even).all(|known| known < distance) {
            self.bounds.retain(|bound| even(bound).is_none());
            self.bounds.push(Bound { pattern: Pattern::Even { distance }, jitter: 0 });
        }
        self
    }

    /// The stream after a delay of each event that varies by up to `variation`.
    #[must_use]
    pub fn delayed(mut self, variation: u64) -> Self {
        for bound in &mut self.bounds {
            bound.jitter = bound.jitter.saturating_add(variation);
        }
        self
    }

    /// Returns the stream of completions, where those of the first q jobs of a busy window come at
    /// most `windows[q - 1]` after its start, for as many jobs as a window can have, each at least
    /// `best` and at most `response` after its release.
    ///
    /// Of n successive completions the first is that of the q-th job of some window, for some q.
    /// The last one's release is at least the distance of q + n - 1 events behind the window's
    /// start (Schliecker, Rox, Ivers and Ernst 2008). No distance counts a job's delay twice so:
    /// neither the jitter that it came with, nor what was left of it at the start of its window.
    #[must_use]
    pub fn completed(mut self, windows: &[u64], best: u64, response: u64) -> Self {
        for bound in &mut self.bounds {
            let late =
                |(jobs, window): (u64, &u64)| window.saturating_sub(bound.pattern.distance(jobs));
            let latest = (1..).zip(windows).map(late).max().unwrap_or(0);
            let variation = latest.min(response).saturating_sub(best);
            bound.jitter = bound.jitter.saturating_add(variation);
        }
        self.at_least_apart(best)
    }

    /// The least time from the first to the last of `events` successive events. Never falls.
    pub fn distance(&self, events: u64) -> u64 {
        let least = |bound: &Bound| bound.pattern.distance(events).saturating_sub(bound.jitter);
        self.bounds.iter().map(least).max().unwrap_or(0)
    }

    /// The most events in a half-open window; `None`: more than a `u64` holds.
    pub fn within(&self, window: u64) -> Option<u64> {
        if window == 0 {
            return Some(0);
        }
        let most = |bound: &Bound| bound.pattern.within(window.checked_add(bound.jitter)?);
        self.bounds.iter().filter_map(most).min()
    }

    /// So many events in so much time in the long run: the least of all ways of looking.
    pub fn rate(&self) -> (u64, u64) {
        let slower = |a: &(u64, u64), b: &(u64, u64)| {
            (u128::from(a.0) * u128::from(b.1)).cmp(&(u128::from(b.0) * u128::from(a.1)))
        };
        let rates = self.bounds.iter().map(|bound| bound.pattern.rate());
        rates.min_by(slower).unwrap_or((0, 1))
    }
}
