//! EDF: Gai 2001, Biondi and Brandenburg 2016, Baruah 2010, by intervals.

use fusee_analysis::TaskSet;

use crate::facts::Facts;
use crate::program::Maximum;
use crate::spin;

/// Longer intervals are not looked at: such sets are left out.
const LONGEST: u64 = 1_000;

/// Jobs with arrival and deadline in an interval.
fn due(facts: &Facts<'_>, x: usize, interval: u64) -> u64 {
    let task = facts.task(x);
    interval.checked_sub(task.deadline).map_or(0, |rest| rest / task.period + 1)
}

/// Returns success if demand(t) <= t for all t from the shortest deadline to the longest, and to
/// the end of the longest busy period, `busy` giving the demand in one.
fn all_fit(
    (shortest, longest): (u64, u64),
    busy: impl Fn(u64) -> u64,
    demand: impl Fn(u64) -> u64,
) -> Option<()> {
    let end = (1..LONGEST).find(|&w| busy(w) <= w)?;
    (shortest..=end.max(longest)).all(|t| demand(t) <= t).then_some(())
}

/// Returns success if each core fits.
fn cores_fit(
    set: &TaskSet,
    fits: impl Fn(usize, &[usize], (u64, u64)) -> Option<()>,
) -> Option<()> {
    (0..set.cores()).try_for_each(|core| {
        let tasks: Vec<usize> = set.on_core(core).map(|(i, _)| i).collect();
        let deadlines = || set.on_core(core).map(|(_, t)| t.deadline);
        let ends = deadlines().min().zip(deadlines().max());
        ends.map_or(Some(()), |ends| fits(core, &tasks, ends))
    })
}

/// A local resource that a task due in the interval uses too.
fn reaches(facts: &Facts<'_>, q: usize, interval: u64) -> bool {
    let due_users = (0..facts.set.tasks().len()).filter(|&x| facts.n(x, q) > 0);
    facts.set.is_global(q) || due_users.map(|x| facts.task(x).deadline).any(|d| d <= interval)
}

/// dbf of C + sum of N spin, plus the longest section with its spin of a task due later.
pub(crate) fn msrp_classic(set: &TaskSet) -> Option<()> {
    let facts = &Facts::new(set);
    let used = |x: usize| (0..set.resources()).filter(move |&q| facts.n(x, q) > 0);
    let need = |x: usize| {
        facts.task(x).wcet + used(x).map(|q| facts.n(x, q) * spin::once(facts, x, q)).sum::<u64>()
    };
    cores_fit(set, |_, tasks, deadlines| {
        let released = |w: u64| tasks.iter().map(|&x| facts.released(x, w) * need(x)).sum();
        let blocking = |t: u64| {
            let later = tasks.iter().copied().filter(|&x| facts.task(x).deadline > t);
            let sections = later.flat_map(|x| used(x).map(move |q| (x, q)));
            let reaching = sections.filter(|&(_, q)| reaches(facts, q, t));
            reaching.map(|(x, q)| facts.l(x, q) + spin::once(facts, x, q)).max().unwrap_or(0)
        };
        let dbf = |t: u64| tasks.iter().map(|&x| due(facts, x, t) * need(x)).sum::<u64>();
        all_fit(deadlines, released, |t| dbf(t) + blocking(t))
    })
}

/// dbf plus the optimum of the program for FIFO locks.
pub(crate) fn msrp_program(set: &TaskSet) -> Option<()> {
    let facts = &Facts::new(set);
    let delay =
        |core: usize, t: u64, count: &dyn Fn(usize) -> u64, later: &dyn Fn(usize) -> bool| {
            let mut maximum = Maximum::new();
            let (mut choices, mut sections) = (Vec::new(), Vec::new());
            for q in 0..set.resources() {
                let own = || set.on_core(core).map(|(x, _)| x).filter(|&x| facts.n(x, q) > 0);
                let spins = own().map(|x| count(x) * facts.n(x, q)).sum::<u64>();
                let blocks = maximum.choice();
                let mut of_q = Vec::new();
                for x in own().filter(|&x| later(x) && reaches(facts, q, t)) {
                    of_q.push(maximum.variable(facts.l(x, q), 1));
                }
                maximum.at_most([blocks], of_q.len() as u64);
                maximum.at_most_times(of_q.iter().copied(), 0, &[(blocks, 1)]);
                sections.extend(of_q);
                choices.push(blocks);
                for other in (0..set.cores()).filter(|&other| other != core) {
                    let (mut spinning, mut arriving) = (Vec::new(), Vec::new());
                    for (x, task) in set.on_core(other).filter(|&(x, _)| facts.n(x, q) > 0) {
                        let all = (t + task.deadline).div_ceil(task.period) * facts.n(x, q);
                        let [spin, arrival] =
                            [(); 2].map(|()| maximum.variable(facts.l(x, q), all));
                        maximum.at_most([spin, arrival], all);
                        spinning.push(spin);
                        arriving.push(arrival);
                    }
                    maximum.at_most(spinning, spins);
                    maximum.at_most_times(arriving, 0, &[(blocks, 1)]);
                }
            }
            maximum.at_most(sections, 1);
            maximum.at_most(choices, 1);
            maximum.solve()
        };
    cores_fit(set, |core, tasks, deadlines| {
        let busy = |w: u64| {
            let execution = tasks.iter().map(|&x| facts.released(x, w) * facts.task(x).wcet);
            execution.sum::<u64>() + delay(core, w, &|x| facts.released(x, w), &|_| false)
        };
        let demand = |t: u64| {
            let execution = tasks.iter().map(|&x| due(facts, x, t) * facts.task(x).wcet);
            let later = |x: usize| facts.task(x).deadline > t;
            execution.sum::<u64>() + delay(core, t, &|x| due(facts, x, t), &later)
        };
        all_fit(deadlines, busy, demand)
    })
}

/// FF-DBF at some speed in steps of a twentieth, from the largest density on.
pub(crate) fn forced_forward(set: &TaskSet) -> Option<()> {
    let tasks = set.tasks();
    let cores = set.cores() as f64;
    let densest = tasks.iter().map(|t| t.wcet as f64 / t.deadline as f64).fold(0.0, f64::max);
    let utilisation: f64 = tasks.iter().map(|t| t.wcet as f64 / t.period as f64).sum();
    let work: f64 = tasks.iter().map(|t| t.wcet as f64).sum();
    let holds = |speed: f64| {
        let rate = cores - (cores - 1.0) * speed;
        let end = work / (rate - utilisation);
        let fits = |t: u64| {
            let demand = tasks.iter().map(|task| {
                let left = task.deadline.saturating_sub(t % task.period) as f64;
                (t / task.period * task.wcet) as f64 + (task.wcet as f64 - left * speed).max(0.0)
            });
            // What is equal in whole numbers may differ here by rounding; then it is left out.
            demand.sum::<f64>() <= rate * t as f64 - 1e-9
        };
        rate > utilisation && end < LONGEST as f64 && (1..=end.ceil() as u64).all(fits)
    };
    let speeds = (0..=20).map(|step| densest + f64::from(step) / 20.0);
    speeds.take_while(|&speed| speed <= 1.0).any(holds).then_some(())
}
