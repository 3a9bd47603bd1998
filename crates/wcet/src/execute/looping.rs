//! Going round loops until no path is left in them.

use super::engine::{Engine, Frame, Path, Stop};
use crate::flow::Loop;
use crate::machine::Machine;

/// Rounds in which a widened state must settle; each one loses at least one bound.
const SETTLE: u64 = 200;

impl<M: Machine> Engine<'_, M> {
    /// Executes a loop for the paths that wait at its headers.
    ///
    /// A path that arrives at a header while the body is executed belongs to the
    /// next round. Progress is watched as Brent watches cycles: the state at
    /// rounds 1, 2, 4, 8, ... is remembered, and a later round that brings
    /// nothing which is not in it could go on for ever.
    pub(super) fn looping(&mut self, frame: &mut Frame<M::Timing>, looping: &Loop) -> Result<(), Stop> {
        let mut remembered: Vec<(usize, Path<M::Timing>)> = Vec::new();
        let mut rounds = 0u64;
        while looping.headers.iter().any(|&h| !frame.waiting[h].is_empty()) {
            if self.at_bound(frame, looping, rounds) {
                break;
            }
            if !remembered.is_empty() && self.repeats(frame, looping, &remembered) {
                return self.give_up(frame, looping);
            }
            if rounds.is_power_of_two() {
                remembered = Self::waiting(frame, looping);
            }
            self.nodes(frame, &looping.body)?;
            rounds += 1;
        }
        Ok(())
    }

    fn waiting(frame: &Frame<M::Timing>, looping: &Loop) -> Vec<(usize, Path<M::Timing>)> {
        let at = |&header: &usize| frame.waiting[header].iter().map(move |path| (header, path.clone()));
        looping.headers.iter().flat_map(at).collect()
    }

    /// Ends the loop where a fact says that it has ended.
    fn at_bound(&mut self, frame: &mut Frame<M::Timing>, looping: &Loop, rounds: u64) -> bool {
        let address = |&header: &usize| frame.function.blocks[header].address();
        let bound = looping.headers.iter().map(address).find_map(|a| Some((a, *self.facts.loop_bounds.get(&a)?)));
        let Some((address, _)) = bound.filter(|&(_, bound)| rounds > bound) else { return false };
        self.facts_used.insert(address);
        for &header in &looping.headers {
            frame.waiting[header].clear();
        }
        true
    }

    /// Whether every waiting path was already there when states were remembered.
    fn repeats(&self, frame: &Frame<M::Timing>, looping: &Loop, remembered: &[(usize, Path<M::Timing>)]) -> bool {
        looping.headers.iter().all(|&header| {
            frame.waiting[header].iter().all(|path| {
                remembered.iter().any(|(at, old)| {
                    *at == header
                        && self.machine.includes(&old.timing, &path.timing)
                        && old.state.includes(&path.state, self.program)
                })
            })
        })
    }

    /// Names the obstacle, then leaves the loop by a state that covers all rounds.
    fn give_up(&mut self, frame: &mut Frame<M::Timing>, looping: &Loop) -> Result<(), Stop> {
        let header = frame.function.blocks[looping.headers[0]].address();
        self.obstacle(header, "no bound was found for this loop", "loop <= N");
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
                self.machine.join(&mut old.timing, &path.timing);
                !covered
            }
        }
    }
}
