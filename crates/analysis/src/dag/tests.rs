//! Small graphs by hand, and a machine that steps single ticks.

use super::*;
use crate::generation::{Part, Random};
use fusee_testing::given_or;

/// One node, then three beside each other, then one.
fn fork() -> Graph {
    let edges = [(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 4)];
    Graph::new(vec![1, 4, 4, 4, 1], &edges).expect("a graph")
}

#[test]
fn volume_length_and_makespan() {
    let graph = fork();
    assert_eq!((graph.volume(), graph.length()), (14, 6));
    assert_eq!(
        [0, 1, 2, 3, 100].map(|m| graph.makespan(m)),
        [None, Some(14), Some(10), Some(8), Some(6)]
    );
    // Three paths are all there is: 6, 4, 4.
    assert_eq!([1, 2, 3].map(|m| graph.makespan_by_paths(m)), [Some(14), Some(10), Some(6)]);
}

#[test]
fn what_is_no_graph_says_why() {
    assert_eq!(Graph::new(vec![], &[]), Err(InvalidGraph::Empty));
    assert_eq!(Graph::new(vec![1], &[(0, 1)]), Err(InvalidGraph::NoSuchNode { edge: 0, node: 1 }));
    assert_eq!(
        Graph::new(vec![1; 3], &[(0, 1), (1, 2), (2, 1)]),
        Err(InvalidGraph::Circle { node: 1 })
    );
    assert_eq!(Graph::new(vec![u64::MAX, 1], &[]), Err(InvalidGraph::Overflow));
}

fn task(graph: Graph, period: u64, priority: Priority) -> GraphTask {
    GraphTask { graph, period, deadline: period, priority }
}

#[test]
fn global_and_federated_by_hand() {
    let single = Graph::new(vec![2], &[]).expect("a graph");
    let tasks = [task(single, 10, 2), task(fork(), 20, 1)];
    // 6 + (8 + work) / 2, with 4 of two jobs of the other in windows from 9 to 18.
    assert_eq!(global_response_times(&tasks, 2), [Some(2), Some(12)]);
    assert_eq!(global_response_times(&tasks, 0), [None, None]);
    let heavy = GraphTask { deadline: 8, ..task(fork(), 20, 1) };
    let all = [tasks[0].clone(), heavy];
    let own = Federation::Own { cores: 4 };
    assert_eq!(federated(&all, 5), Some(vec![Federation::Shared { core: 0 }, own]));
    assert_eq!(federated(&all, 4), None);
}

struct Job {
    task: usize,
    arrival: u64,
    left: Vec<u64>,
}

fn draw(random: &mut Random, most: u64) -> Graph {
    let nodes = random.whole(1, 7) as usize;
    let wcet = (0..nodes).map(|_| random.whole(1, most)).collect();
    let chance = random.between(0.1, 0.7);
    let mut edges = Vec::new();
    for to in 1..nodes {
        edges.extend((0..to).filter(|_| random.chance(chance)).map(|from| (from, to)));
    }
    Graph::new(wcet, &edges).expect("a graph")
}

/// The longest response of each task under global fixed priorities.
fn run(tasks: &[GraphTask], cores: u64, random: &mut Random, ticks: u64) -> Vec<u64> {
    let mut seen = vec![0; tasks.len()];
    let together = random.chance(0.4);
    let mut next: Vec<u64> =
        tasks.iter().map(|task| if together { 0 } else { random.whole(0, task.period) }).collect();
    let (shorter, gaps) = (random.chance(0.4), random.chance(0.5));
    let mut jobs: Vec<Job> = Vec::new();
    for now in 0..ticks {
        for (place, task) in tasks.iter().enumerate() {
            if next[place] != now {
                continue;
            }
            let gap = if gaps { random.whole(0, task.period / 4) } else { 0 };
            next[place] = now + task.period + gap;
            let time = |&wcet: &u64| if shorter { random.whole(1, wcet) } else { wcet };
            jobs.push(Job {
                task: place,
                arrival: now,
                left: task.graph.wcet.iter().map(time).collect(),
            });
        }
        let mut ready: Vec<(Priority, u64, usize, usize)> = Vec::new();
        for (at, job) in jobs.iter().enumerate() {
            let task = &tasks[job.task];
            for node in 0..job.left.len() {
                let free = task.graph.before[node].iter().all(|&before| job.left[before] == 0);
                if job.left[node] > 0 && free {
                    ready.push((Priority::MAX - task.priority, random.bits(), at, node));
                }
            }
        }
        ready.sort_unstable();
        for &(_, _, at, node) in ready.iter().take(cores as usize) {
            jobs[at].left[node] -= 1;
        }
        jobs.retain(|job| {
            let done = job.left.iter().all(|&left| left == 0);
            if done {
                seen[job.task] = (now + 1 - job.arrival).max(seen[job.task]);
            }
            !done
        });
    }
    seen
}

/// One job alone: no order and no execution times exceed the bounds, and more paths help.
#[test]
fn no_job_takes_longer_than_its_makespan() {
    let (mut reached, mut better) = (0, 0);
    let systems = given_or("DAG_SYSTEMS", 600);
    for index in 0..systems {
        let random = &mut Random::new(64, index, Part::Other);
        let (graph, cores) = (draw(random, 9), random.whole(1, 4));
        let (all, paths) = (graph.makespan(cores), graph.makespan_by_paths(cores));
        assert!(paths <= all);
        better += u64::from(paths < all);
        let alone = [task(graph, 1_000, 1)];
        let longest = (0..8).map(|_| run(&alone, cores, random, 80)[0]).max();
        assert!(longest <= paths, "system {index}: {longest:?} of {paths:?}: {alone:?} on {cores}");
        reached += u64::from(longest == paths);
    }
    println!("{systems} graphs: {reached} bounds reached, {better} better by paths");
    assert!(reached * 2 > systems && better * 20 > systems);
}

/// Random systems under global fixed priorities.
#[test]
fn no_response_is_above_its_bound() {
    let (mut bounded, mut reached) = (0, 0);
    let systems = given_or("DAG_SYSTEMS", 400);
    for index in 0..systems {
        let random = &mut Random::new(65, index, Part::Other);
        let cores = random.whole(1, 4);
        let count = random.whole(1, 4);
        let one = |at: u64| {
            let graph = draw(random, 6);
            let period = random.whole(graph.length(), 3 * graph.volume() + 20);
            let deadline =
                if random.chance(0.5) { period } else { random.whole(graph.length(), period) };
            let priority = if random.chance(0.1) { 1 } else { at as Priority };
            GraphTask { graph, period, deadline, priority }
        };
        let tasks: Vec<GraphTask> = (0..count).map(one).collect();
        let found = global_response_times(&tasks, cores);
        let mut longest = vec![0; tasks.len()];
        for _ in 0..4 {
            for (most, seen) in longest.iter_mut().zip(run(&tasks, cores, random, 400)) {
                *most = seen.max(*most);
            }
        }
        for (task, (&seen, bound)) in longest.iter().zip(found).enumerate() {
            let Some(bound) = bound else { continue };
            assert!(
                seen <= bound,
                "system {index}, {task}: {seen} of {bound}: {tasks:?} on {cores}"
            );
            bounded += 1;
            reached += u64::from(seen == bound);
        }
    }
    println!("{systems} systems: {bounded} bounds, {reached} reached");
    assert!(bounded > systems && reached * 5 > bounded);
}
