//! Going round loops until no path is left in them.
//!
//! Progress is watched as Brent watches cycles: the states at rounds 1, 2, 4, 8,
//! ... are remembered. A later round that allows all that they did will go on as
//! they did, for ever, whatever its timing. One that allows less may be on its way
//! to the end, as a number that is halved until it is 0; it gets a part of the
//! effort to show it.

use super::engine::{Engine, Frame, Path, Settled, Stop};
use crate::flow::Loop;
use crate::machine::Machine;

/// A loop whose states only shrink may use this part of the effort.
const SHRINKING: u64 = 16;

/// Rounds in which a widened state must settle; each one loses at least one bound.
const SETTLE: u64 = 200;

impl<M: Machine> Engine<'_, M> {
    /// Executes a loop for the paths that wait at its headers.
    ///
    /// A path that arrives at a header while the body is executed belongs to the
    /// next round. A loop with a fact needs no watching: the fact ends it.
    pub(super) fn looping(&mut self, frame: &mut Frame<M::Timing>, looping: &Loop) -> Result<(), Stop> {
        let mut remembered: Vec<(usize, Path<M::Timing>)> = Vec::new();
        let (mut rounds, before) = (0u64, self.blocks());
        let bound = self.given_bound(frame, looping);
        let address = frame.function.blocks[looping.headers[0]].address();
        while looping.headers.iter().any(|&h| !frame.waiting[h].is_empty()) {
            if let Some((address, _)) = bound.filter(|&(_, bound)| rounds > bound) {
                self.end(frame, looping, address);
                break;
            }
            if bound.is_none() {
                let lost = self.endless.get(&address).cloned();
                let spent = self.blocks() - before > self.effort.blocks / SHRINKING;
                if let Some(what) = lost.or_else(|| self.repeats(frame, looping, &remembered, spent)) {
                    return self.give_up(frame, looping, what);
                }
            }
            if rounds.is_power_of_two() {
                remembered = Self::waiting(frame, looping);
            }
            let most = self.turned.entry(address).or_default();
            *most = rounds.max(*most);
            rounds += 1;
            self.loops.push((address, rounds));
            self.nodes(frame, &looping.body)?;
            self.loops.pop();
        }
        Ok(())
    }

    fn waiting(frame: &Frame<M::Timing>, looping: &Loop) -> Vec<(usize, Path<M::Timing>)> {
        let at = |&header: &usize| frame.waiting[header].iter().map(move |path| (header, path.clone()));
        looping.headers.iter().flat_map(at).collect()
    }

    /// The fact about this loop with its address; of several the smallest bound.
    fn given_bound(&self, frame: &Frame<M::Timing>, looping: &Loop) -> Option<(u64, u64)> {
        let address = |&header: &usize| frame.function.blocks[header].address();
        let given = looping.headers.iter().map(address).filter_map(|a| Some((a, *self.facts.loop_bounds.get(&a)?)));
        given.min_by_key(|&(_, bound)| bound)
    }

    /// Ends the loop where the fact at `address` says that it has ended.
    fn end(&mut self, frame: &mut Frame<M::Timing>, looping: &Loop, address: u64) {
        self.facts_used.insert(address);
        for &header in &looping.headers {
            frame.waiting[header].clear();
        }
    }

    /// Whether the loop goes on for ever, as far as its states tell; then in words.
    ///
    /// Every waiting path must have been there when states were remembered, and unless the effort for loops that
    /// only shrink is spent, every remembered one must be there still.
    fn repeats(
        &self,
        frame: &Frame<M::Timing>,
        looping: &Loop,
        remembered: &[(usize, Path<M::Timing>)],
        spent: bool,
    ) -> Option<String> {
        let covers = |a: &Path<M::Timing>, b: &Path<M::Timing>| a.state.includes(&b.state, self.program);
        // A path whose time began anew meanwhile is watched where it began.
        let later = |old: &Path<M::Timing>, path: &Path<M::Timing>| !path.resumed || old.time < path.time;
        let nothing_new = looping.headers.iter().all(|&header| {
            let before = |path: &Path<M::Timing>| {
                remembered.iter().any(|(at, old)| *at == header && later(old, path) && covers(old, path))
            };
            frame.waiting[header].iter().all(before)
        });
        let all_old = || remembered.iter().all(|(at, old)| frame.waiting[*at].iter().any(|path| covers(path, old)));
        (nothing_new && (spent || all_old())).then(|| "no bound was found for this loop".to_owned())
    }

    /// Names the obstacle, then leaves the loop by a state that covers all rounds.
    fn give_up(&mut self, frame: &mut Frame<M::Timing>, looping: &Loop, what: String) -> Result<(), Stop> {
        if self.stands_still(frame, looping) {
            looping.headers.iter().for_each(|&header| frame.waiting[header].clear());
            return Ok(());
        }
        let header = frame.function.blocks[looping.headers[0]].address();
        self.obstacle(header, what, Settled::Bounded);
        let mut widened: Vec<(usize, Path<M::Timing>)> = Vec::new();
        for _ in 0..SETTLE {
            let mut grown = false;
            for (header, path) in Self::waiting(frame, looping) {
                frame.waiting[header].clear();
                grown |= self.widen(&mut widened, header, path);
            }
            if !grown {
                return Ok(());
            }
            for (header, path) in &widened {
                frame.waiting[*header] = vec![path.clone()];
            }
            self.nodes(frame, &looping.body)?;
        }
        for &header in &looping.headers {
            frame.waiting[header].clear();
        }
        Ok(())
    }

    /// Adds a path to the widened ones; says whether that changed anything.
    fn widen(&self, widened: &mut Vec<(usize, Path<M::Timing>)>, header: usize, path: Path<M::Timing>) -> bool {
        match widened.iter_mut().find(|(at, _)| *at == header) {
            None => {
                widened.push((header, path));
                true
            }
            Some((_, old)) => {
                let covered =
                    old.state.includes(&path.state, self.program) && self.machine.includes(&old.timing, &path.timing);
                old.state.widen(&path.state, self.program);
                self.machine.join(&mut old.timing, &path.timing, 0);
                !covered
            }
        }
    }
}
