//! Nested FIFO requests, a job on each core: every order, start and pause.
//!
//! A job is a list of steps: enter, work a tick, leave. Between its outermost requests it may
//! pause for any time. Each instant those who come to a resource do so in any order; each tick
//! every job that neither waits nor pauses works. All that can happen so is tried, state by
//! state. Nothing here is shared with the analysis or with the schedules that are drawn elsewhere.

use std::collections::HashMap;

use fusee_analysis::{Request, Task, TaskSet, registry};
use fusee_testing::Draw;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    /// The resource, and whether nothing is held.
    Enter(usize, bool),
    Work,
    Leave(usize),
}

fn steps_of(request: &Request, outermost: bool, into: &mut Vec<Step>) {
    into.push(Step::Enter(request.resource, outermost));
    let inside: u64 = request.nested.iter().map(|r| r.count * r.length).sum();
    (inside..request.length).for_each(|_| into.push(Step::Work));
    request.nested.iter().for_each(|inner| steps_of(inner, false, into));
    into.push(Step::Leave(request.resource));
}

/// A job in each order of its outermost requests.
fn programs(requests: &[Request]) -> Vec<Vec<Step>> {
    let mut orders: Vec<Vec<usize>> = vec![vec![]];
    for place in 0..requests.len() {
        let longer = |order: &Vec<usize>| {
            let with = |at: usize| [&order[..at], &[place], &order[at..]].concat();
            (0..=order.len()).map(with).collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    let steps = |order: &Vec<usize>| {
        let mut steps = Vec::new();
        order.iter().for_each(|&place| steps_of(&requests[place], true, &mut steps));
        steps
    };
    orders.iter().map(steps).collect()
}

/// The place of each job in its steps, and who is at each resource, its holder first.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct State {
    at: Vec<usize>,
    queues: Vec<Vec<usize>>,
}

/// All that can happen to these jobs.
struct Search<'a> {
    jobs: Vec<&'a [Step]>,
    known: HashMap<State, u64>,
}

impl Search<'_> {
    fn step(&self, state: &State, job: usize) -> Option<Step> {
        self.jobs[job].get(state.at[job]).copied()
    }

    /// Lets everybody leave and be granted what is free.
    fn settle(&self, state: &mut State) {
        let mut changed = true;
        while changed {
            changed = false;
            for job in 0..self.jobs.len() {
                let goes_on = match self.step(state, job) {
                    Some(Step::Leave(q)) => state.queues[q].remove(0) == job,
                    Some(Step::Enter(q, _)) => state.queues[q].first() == Some(&job),
                    _ => false,
                };
                state.at[job] += usize::from(goes_on);
                changed |= goes_on;
            }
        }
    }

    /// The longest that the first job can wait from here on.
    fn longest(&mut self, state: &State) -> u64 {
        if self.step(state, 0).is_none() {
            return 0;
        }
        if let Some(&known) = self.known.get(state) {
            return known;
        }
        let most = self.arrive(state.clone(), &mut vec![false; self.jobs.len()]);
        self.known.insert(state.clone(), most);
        most
    }

    /// The same at an instant at which some jobs have chosen to pause.
    fn arrive(&mut self, state: State, pauses: &mut Vec<bool>) -> u64 {
        let mut most = None;
        for job in 0..self.jobs.len() {
            let Some(Step::Enter(q, outermost)) = self.step(&state, job) else { continue };
            if pauses[job] || state.queues[q].contains(&job) {
                continue;
            }
            let mut entered = state.clone();
            entered.queues[q].push(job);
            self.settle(&mut entered);
            most = most.max(Some(self.arrive(entered, pauses)));
            if outermost {
                pauses[job] = true;
                most = most.max(Some(self.arrive(state.clone(), pauses)));
                pauses[job] = false;
            }
        }
        most.unwrap_or_else(|| self.tick(state, pauses))
    }

    fn tick(&mut self, mut state: State, pauses: &[bool]) -> u64 {
        let works = |job: &usize| self.step(&state, *job) == Some(Step::Work);
        let working: Vec<usize> = (0..self.jobs.len()).filter(works).collect();
        if working.is_empty() {
            return 0;
        }
        let waits = matches!(self.step(&state, 0), Some(Step::Enter(..))) && !pauses[0];
        working.iter().for_each(|&job| state.at[job] += 1);
        self.settle(&mut state);
        u64::from(waits) + self.longest(&state)
    }
}

/// The longest wait of the first of these tasks.
fn longest(requests: &[Vec<Request>], resources: usize) -> u64 {
    let programs: Vec<Vec<Vec<Step>>> = requests.iter().map(|r| programs(r)).collect();
    let mut choice = vec![0; requests.len()];
    let mut most = 0;
    loop {
        let jobs = programs.iter().zip(&choice).map(|(p, &c)| p[c].as_slice()).collect();
        let start = State { at: vec![0; requests.len()], queues: vec![Vec::new(); resources] };
        most = Search { jobs, known: HashMap::new() }.longest(&start).max(most);
        let Some(next) = (0..choice.len()).find(|&k| choice[k] + 1 < programs[k].len()) else {
            return most;
        };
        choice[next] += 1;
        choice[..next].fill(0);
    }
}

/// The bound on the wait of the first task.
fn bound(requests: &[Vec<Request>]) -> u64 {
    let task = |(core, _): (usize, &Vec<Request>)| Task::implicit(60, 10_000, 1).on(core);
    let tasks = requests.iter().enumerate().map(task).collect();
    let set = TaskSet::new(tasks).unwrap().with_requests(requests.to_vec()).unwrap();
    let test = registry::by_name("mrsp-nested").unwrap();
    test.response_times(&set).unwrap()[0].unwrap() - 60
}

/// Requests in rising order, up to three deep.
fn request(draw: &mut Draw, resources: usize, least: usize) -> Request {
    let resource = least + draw.below((resources - least) as u64) as usize;
    let mut request = Request::new(resource, 1, 1 + draw.below(3));
    if resource + 1 < resources && draw.below(3) > 0 {
        let inner = self::request(draw, resources, resource + 1);
        request.length += inner.length;
        request.nested.push(inner);
    }
    request
}

#[test]
fn the_case_of_two_tasks_is_met_exactly() {
    let deep = |q: usize, length: u64, inner: Option<Request>| {
        let inside = inner.as_ref().map_or(0, |r| r.length);
        Request::new(q, 1, length + inside).with_nested(inner.into_iter().collect())
    };
    let one = vec![deep(0, 1, Some(deep(2, 1, None))), deep(2, 1, None)];
    let two = vec![
        deep(0, 3, Some(deep(1, 3, Some(deep(2, 3, None))))),
        deep(0, 5, Some(deep(2, 5, None))),
        deep(2, 7, None),
    ];
    let both = [one, two];
    assert_eq!((longest(&both, 3), bound(&both)), (21, 21));
}

#[test]
fn no_order_and_no_start_makes_a_job_wait_longer() {
    let cases = super::sets_wanted();
    let (mut reached, mut nested) = (0, 0);
    for index in 0..cases {
        let mut draw = Draw::of(index, 77);
        let resources = 2 + draw.below(2) as usize;
        let tasks = 2 + draw.below(2) as usize;
        let list =
            |draw: &mut Draw| (0..1 + draw.below(2)).map(|_| request(draw, resources, 0)).collect();
        let requests: Vec<Vec<Request>> = (0..tasks).map(|_| list(&mut draw)).collect();
        let (seen, most) = (longest(&requests, resources), bound(&requests));
        assert!(seen <= most, "case {index}: {seen} > {most}: {requests:#?}");
        reached += u64::from(seen == most);
        nested += u64::from(requests.iter().flatten().any(|r| !r.nested.is_empty()));
    }
    eprintln!("{reached} of {cases} bounds are reached, {nested} with nesting");
    assert!(2 * reached > cases && 2 * nested > cases, "{reached} and {nested} of {cases}");
}
