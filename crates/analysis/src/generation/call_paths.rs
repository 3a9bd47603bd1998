//! Tasks that call shared components: the systems of Sudvarg et al. (2024).
//!
//! Each task calls one component after another, each from inside the one before,
//! and a component takes the same time for every caller (section 6.2). Tasks are
//! handled by rising execution time: what is left of a task's time after the
//! components that are already known is split among the task's own code and the
//! components that are not, with UUniSort. A set in which the known components
//! alone exceed a task's time is discarded; the article does not say what it does.

use serde::{Deserialize, Serialize};

use super::fixed_sum::uunisort;
use super::invalid::{Discarded, InvalidRecipe, check};
use super::random::Random;
use crate::{Request, Task};

/// The components that tasks call, and those of them that are exclusive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallPaths {
    /// For each task, in order of rising execution time, the components from the outermost in.
    ///
    /// Tasks beyond the list call nothing.
    pub paths: Vec<Vec<usize>>,
    /// The components that admit one task at a time; the others run at the caller's priority.
    pub exclusive: Vec<usize>,
}

/// The most components.
const MOST_COMPONENTS: usize = 10_000;

impl CallPaths {
    pub(super) fn check(&self) -> Result<(), InvalidRecipe> {
        let small =
            self.paths.iter().flatten().chain(&self.exclusive).all(|&c| c < MOST_COMPONENTS);
        check("resources.paths", small, "components are numbered from 0 to 9999")?;
        let once =
            self.paths.iter().all(|p| p.iter().enumerate().all(|(i, c)| !p[..i].contains(c)));
        check("resources.paths", once, "no component can be called from inside itself")?;
        let shallow = self.paths.iter().all(|p| p.len() <= 32);
        check("resources.paths", shallow, "a path has at most 32 components")
    }

    /// Sorts the tasks by execution time, and draws the time of every component.
    pub(super) fn draw(
        &self,
        tasks: &mut [Task],
        random: &mut Random,
    ) -> Result<Vec<Vec<Request>>, Discarded> {
        tasks.sort_by_key(|t| t.wcet);
        let components = self.paths.iter().flatten().max().map_or(0, |c| c + 1);
        let mut times: Vec<Option<u64>> = vec![None; components];
        let none = Vec::new();
        let path_of = |i: usize| self.paths.get(i).unwrap_or(&none);
        for (i, task) in tasks.iter().enumerate() {
            determine(task.wcet, path_of(i), &mut times, random)?;
        }
        Ok((0..tasks.len()).map(|i| self.requests(path_of(i), &times)).collect())
    }

    /// The exclusive components of a path as nested requests.
    fn requests(&self, path: &[usize], times: &[Option<u64>]) -> Vec<Request> {
        let (mut length, mut inner) = (0_u64, Vec::new());
        for &component in path.iter().rev() {
            length = length.saturating_add(times[component].unwrap_or(0));
            if self.exclusive.contains(&component) {
                inner = vec![Request::new(component, 1, length).with_nested(inner)];
            }
        }
        inner
    }
}

/// Gives the components of a path that have no time yet theirs.
fn determine(
    wcet: u64,
    path: &[usize],
    times: &mut [Option<u64>],
    random: &mut Random,
) -> Result<(), Discarded> {
    let known = path.iter().fold(0_u64, |sum, &c| sum.saturating_add(times[c].unwrap_or(0)));
    let rest = wcet.checked_sub(known).ok_or(Discarded { attempts: 1 })?;
    let open: Vec<usize> = path.iter().copied().filter(|&c| times[c].is_none()).collect();
    let shares = uunisort(random, open.len() + 1, rest as f64);
    for (&component, share) in open.iter().zip(shares) {
        times[component] = Some(share as u64);
    }
    Ok(())
}
