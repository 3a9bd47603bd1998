//! OMLP with priority donation on clusters of several cores (C-OMLP).
//!
//! Cores 0 .. c are the first cluster, the next c the second, and so on; the last
//! one may be smaller. Jobs run on any core of the cluster that their task is placed
//! in. Only the c highest pending jobs of a cluster may request; a new job that
//! pushes one with an open request out of them suspends and lends it its priority
//! until the request is complete, which happens once for each job, at its release
//! (Brandenburg and Anderson 2011). So at most c requests of each cluster are open,
//! and a request waits for c of every other cluster and c - 1 of its own, each of
//! another task.
//!
//! Waiting is charged as execution; then each cluster must pass a test for global
//! scheduling. On clusters of one core [`OmlpDonation`](super::OmlpDonation) charges less: one
//! donation in a window, not one for each job in it.

use crate::earliest_deadline::Qpa;
use crate::fixed_priority::ResponseTimeAnalysis;
use crate::global::{self, Guan};
use crate::partitioned::EDF_ASSUMPTIONS;
use crate::partitioned::layout::Layout;
use crate::partitioned::response::{Asked, ByResponses, Responses, all_or_none};
use crate::windows::times;
use crate::{Exactness, Family, Metadata, SchedulabilityTest, Task, TaskSet, Verdict, effort};

/// OMLP on clusters of `cores` cores (0 counts as 1), fixed priorities within each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClusteredOmlp {
    /// Cores of each cluster; at least as many as there are: one cluster.
    pub cores: usize,
}

/// OMLP on clusters of `cores` cores (0 counts as 1), EDF within each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClusteredOmlpEdf {
    /// Cores of each cluster; at least as many as there are: one cluster.
    pub cores: usize,
}

/// A set in clusters.
struct Clusters<'a> {
    layout: Layout<'a>,
    /// Cores of each cluster but the last.
    size: usize,
}

impl<'a> Clusters<'a> {
    fn new(set: &'a TaskSet, cores: usize) -> Self {
        Self { layout: Layout::new(set), size: cores.clamp(1, set.cores().max(1)) }
    }

    fn of(&self, task: usize) -> usize {
        self.layout.tasks[task].core / self.size
    }

    fn count(&self) -> usize {
        self.layout.cores.div_ceil(self.size)
    }

    fn cores(&self, cluster: usize) -> usize {
        self.size.min(self.layout.cores - cluster * self.size)
    }

    /// The longest wait of a request of a task: c of every other cluster, c - 1 of its own.
    fn wait(&self, task: usize, resource: usize) -> u64 {
        if !effort::step() {
            return u64::MAX;
        }
        let of_cluster = |cluster: usize| {
            let longest = |x: usize| {
                let sections = self.layout.accesses(x).iter().filter(|a| a.resource == resource);
                sections.map(|a| a.length).max().unwrap_or(0)
            };
            let others =
                (0..self.layout.tasks.len()).filter(|&x| x != task && self.of(x) == cluster);
            let mut lengths: Vec<u64> = others.map(longest).collect();
            lengths.sort_unstable_by(|a, b| b.cmp(a));
            let open = self.cores(cluster) - usize::from(cluster == self.of(task));
            lengths.into_iter().take(open).fold(0, u64::saturating_add)
        };
        (0..self.count()).map(of_cluster).fold(0, u64::saturating_add)
    }

    /// Execution and waiting of each job, donation included; `below(i, j)`: whether i may donate to
    /// j.
    fn needs(&self, below: impl Fn(&Task, &Task) -> bool) -> Vec<u64> {
        let waits =
            |i: usize| self.layout.accesses(i).iter().map(move |a| (a, self.wait(i, a.resource)));
        let tasks = self.layout.tasks;
        let spans: Vec<u64> = (0..tasks.len())
            .map(|i| waits(i).map(|(a, wait)| wait.saturating_add(a.length)).max().unwrap_or(0))
            .collect();
        let need = |i: usize| {
            let waiting =
                waits(i).fold(0_u64, |sum, (a, wait)| sum.saturating_add(times(a.count, wait)));
            let mates = (0..tasks.len()).filter(|&j| j != i && self.of(j) == self.of(i));
            let donation =
                mates.filter(|&j| below(&tasks[i], &tasks[j])).map(|j| spans[j]).max().unwrap_or(0);
            tasks[i].wcet.saturating_add(waiting).saturating_add(donation)
        };
        (0..tasks.len()).map(need).collect()
    }

    /// Each cluster as a set of its own, without resources, and which tasks are in it. What waits
    /// only is charged a tick, in which it is dispatched after all that.
    fn sets(&self, needs: &[u64]) -> Option<Vec<(Vec<usize>, TaskSet)>> {
        let of_cluster = |cluster: usize| {
            let members: Vec<usize> = (0..needs.len()).filter(|&i| self.of(i) == cluster).collect();
            let tasks = members
                .iter()
                .map(|&i| {
                    let task = self.layout.tasks[i];
                    let dispatch = if needs[i] > 0 { task.beyond() } else { 0 };
                    Task { wcet: needs[i].saturating_add(dispatch), core: 0, ..task }
                })
                .collect();
            let set = TaskSet::new(tasks).and_then(|set| set.with_cores(self.cores(cluster)));
            Some((members, set.ok()?))
        };
        (0..self.count()).map(of_cluster).collect()
    }
}

impl ClusteredOmlp {
    fn responses(self, set: &TaskSet) -> Responses {
        let clusters = Clusters::new(set, self.cores);
        let needs = clusters.needs(|own, other| other.priority < own.priority);
        let mut responses = vec![None; needs.len()];
        for (members, cluster) in clusters.sets(&needs).unwrap_or_default() {
            let test: &dyn SchedulabilityTest =
                if cluster.cores() == 1 { &ResponseTimeAnalysis } else { &Guan };
            let found = test.response_times(&cluster).unwrap_or_default();
            members.into_iter().zip(found).for_each(|(i, bound)| responses[i] = bound);
        }
        all_or_none(responses)
    }
}

/// Returns the metadata of a test; the name depends on the size of the clusters.
const fn about(name: &'static str, title: &'static str, family: Family) -> Metadata {
    Metadata {
        name,
        title,
        source: "Brandenburg and Anderson 2011 (C-OMLP); Guan et al. 2009 or the global tests for \
                 EDF within clusters",
        family,
        assumptions: EDF_ASSUMPTIONS,
        exactness: Exactness::Sufficient,
    }
}

impl ByResponses for ClusteredOmlp {
    fn metadata(&self) -> &'static Metadata {
        const FIXED: Family = Family::ClusteredFixedPriority;
        match self.cores {
            2 => {
                &const {
                    about(
                        "omlp-clusters-of-2",
                        "OMLP with priority donation, clusters of two cores",
                        FIXED,
                    )
                }
            }
            4 => {
                &const {
                    about(
                        "omlp-clusters-of-4",
                        "OMLP with priority donation, clusters of four cores",
                        FIXED,
                    )
                }
            }
            usize::MAX => {
                &const {
                    about(
                        "omlp-one-cluster",
                        "OMLP with priority donation, all cores one cluster",
                        FIXED,
                    )
                }
            }
            _ => &const { about("omlp-clusters", "OMLP with priority donation, clusters", FIXED) },
        }
    }

    fn response_bounds(&self, set: &TaskSet, _: Asked) -> Responses {
        self.responses(set)
    }
}

impl SchedulabilityTest for ClusteredOmlpEdf {
    fn metadata(&self) -> &'static Metadata {
        const EDF: Family = Family::ClusteredEarliestDeadline;
        match self.cores {
            2 => {
                &const {
                    about(
                        "omlp-clusters-of-2-edf",
                        "OMLP with priority donation, clusters of two cores, EDF",
                        EDF,
                    )
                }
            }
            4 => {
                &const {
                    about(
                        "omlp-clusters-of-4-edf",
                        "OMLP with priority donation, clusters of four cores, EDF",
                        EDF,
                    )
                }
            }
            usize::MAX => {
                &const {
                    about(
                        "omlp-one-cluster-edf",
                        "OMLP with priority donation, all cores one cluster, EDF",
                        EDF,
                    )
                }
            }
            _ => {
                const TITLE: &str = "OMLP with priority donation, clusters, EDF";
                &const { about("omlp-clusters-edf", TITLE, EDF) }
            }
        }
    }

    fn decide(&self, set: &TaskSet) -> Verdict {
        let clusters = Clusters::new(set, self.cores);
        let needs = clusters.needs(|_, _| true);
        let fits = |cluster: &TaskSet| match cluster.cores() {
            1 => Qpa.decide(cluster).is_schedulable(),
            _ => {
                let edf = |test: &&&dyn SchedulabilityTest| {
                    test.metadata().family == Family::GlobalEarliestDeadline
                };
                global::TESTS.iter().filter(edf).any(|test| test.decide(cluster).is_schedulable())
            }
        };
        Verdict::from_condition(
            clusters.sets(&needs).is_some_and(|sets| sets.iter().all(|(_, set)| fits(set))),
        )
    }
}
