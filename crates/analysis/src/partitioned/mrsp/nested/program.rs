//! Waiting along chains as a linear program.
//!
//! While a core waits, some job of another core executes a section for it: the end of a chain from
//! the request that the core waits for (*its own*) to whoever holds what that wants, and so on.
//! Call a section that is on such a chain *met*. What is known of sections that are met (with the
//! held resources of Biondi, Brandenburg and Wieder 2016):
//!
//! 1. each executes for its length without what is nested in it, and once;
//! 2. it is met because it holds what somebody on the chain before it waits for (*directly*), or
//!    it is nested in one that is met;
//! 3. a request is served in its turn, and a core has one job in a group of resources at a time: so
//!    a request meets at most one section of every other core directly;
//! 4. whoever is before it in the queue is there when it is issued, with all resources held around
//!    it: of sections inside the same resource, whatever their cores, it meets one at most;
//! 5. what the waiting job holds, and what the own request's job holds, nobody else holds: no
//!    section inside those is met through it.
//!
//! The own job's held resources are called the *context* of a chain. A section that is met in
//! several contexts counts once, but what it waits for in turn is counted in each.

use super::{Node, Tables};
use crate::linear::Program;

/// Programs with more cells in their table are not solved: the sums have to do.
const MOST_CELLS: usize = 1 << 18;

/// Requests of one kind that wait: for a resource, with those held, in a context.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Class<'a> {
    resource: usize,
    /// The resources that the job that waits holds; sorted.
    held: &'a [usize],
    /// The resources that the own job holds at the start of the chain; sorted.
    context: &'a [usize],
    core: usize,
}

/// The requests of a class, and the sections that they meet directly.
struct Requests<'a> {
    class: Class<'a>,
    /// The number of own ones.
    own: u64,
    /// Further ones for each section met: its variable, and the number that it issues.
    issued: Vec<(usize, u64)>,
    /// The sections of other cores that are met, each with its variable.
    direct: Vec<(usize, usize)>,
}

/// A section that is met in one context.
struct Met<'a> {
    node: usize,
    context: &'a [usize],
    variable: usize,
    /// The ways in which it is met: a variable, and the most meetings for each of it.
    through: Vec<(usize, i64)>,
}

/// All meetings of a section of another core, whatever their context.
struct Meetings {
    node: usize,
    /// The variable of their sum.
    all: usize,
    /// That variable less those of each context.
    terms: Vec<(usize, i64)>,
}

/// A program in the making.
struct Draft<'a> {
    tables: &'a Tables<'a>,
    core: usize,
    /// For each section of another core, how many of them are pending.
    pending: &'a [u64],
    program: Program,
    classes: Vec<Requests<'a>>,
    met: Vec<Met<'a>>,
}

/// Returns `true` if two sorted lists have something in common.
fn common(one: &[usize], other: &[usize]) -> bool {
    one.iter().any(|q| other.binary_search(q).is_ok())
}

/// A coefficient that fits; too large a number limits nothing anyway.
fn factor(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX).min(1 << 30)
}

impl<'a> Draft<'a> {
    fn node(&self, node: usize) -> &'a Node {
        &self.tables.nodes[node]
    }

    /// The place of a class, new or not.
    fn class(&mut self, class: Class<'a>) -> usize {
        if let Some(at) = self.classes.iter().position(|known| known.class == class) {
            return at;
        }
        self.classes.push(Requests { class, own: 0, issued: Vec::new(), direct: Vec::new() });
        self.classes.len() - 1
    }

    /// The place of a section met in a context, new or not.
    fn meet(&mut self, node: usize, context: &'a [usize]) -> usize {
        let known = self.met.iter().position(|met| met.node == node && met.context == context);
        known.unwrap_or_else(|| {
            let variable = self.program.variable(0, self.pending[node]);
            self.met.push(Met { node, context, variable, through: Vec::new() });
            self.met.len() - 1
        })
    }

    /// Finds who is met directly by requests of a class.
    fn direct(&mut self, at: usize) {
        let class = self.classes[at].class.clone();
        for &node in &self.tables.by_resource[class.resource] {
            let of = self.node(node);
            let apart = !common(&of.held, class.held) && !common(&of.held, class.context);
            if of.core == self.core || of.core == class.core || !apart || self.pending[node] == 0 {
                continue;
            }
            let variable = self.program.variable(0, self.pending[node]);
            self.classes[at].direct.push((node, variable));
            let met = self.meet(node, class.context);
            self.met[met].through.push((variable, 1));
        }
    }

    /// Finds what is nested in a section that is met, and what waits for that.
    fn inside(&mut self, at: usize) {
        let Met { node, context, variable, .. } = self.met[at];
        for &inner in &self.node(node).inner {
            let of = self.node(inner);
            // Held by the own job: it waits for that and not the other way round.
            if context.binary_search(&of.resource).is_ok() {
                continue;
            }
            let met = self.meet(inner, context);
            self.met[met].through.push((variable, factor(of.each)));
            let class = Class { resource: of.resource, held: &of.held, context, core: of.core };
            let class = self.class(class);
            self.classes[class].issued.push((variable, of.each));
        }
    }

    /// Finds all that can be met from the own requests.
    fn spread(&mut self) {
        let (mut classes, mut met) = (0, 0);
        while classes < self.classes.len() || met < self.met.len() {
            if classes < self.classes.len() {
                self.direct(classes);
                classes += 1;
            } else {
                self.inside(met);
                met += 1;
            }
            if self.program.variables.len().pow(2) > MOST_CELLS {
                return;
            }
        }
    }

    /// Points 1 and 2.
    fn limit_sections(&mut self) {
        let mut once: Vec<Meetings> = Vec::new();
        for at in 0..self.met.len() {
            let Met { node, variable, .. } = self.met[at];
            let mut terms: Vec<(usize, i64)> = vec![(variable, 1)];
            for &(through, count) in &self.met[at].through {
                match terms.iter_mut().find(|(v, _)| *v == through) {
                    Some((_, sum)) => *sum = sum.saturating_sub(count),
                    None => terms.push((through, -count)),
                }
            }
            self.program.at_most(terms, 0);
            self.program.at_most(vec![(variable, 1)], self.pending[node]);
            match once.iter_mut().find(|known| known.node == node) {
                Some(known) => known.terms.push((variable, -1)),
                None => {
                    let all = self.program.variable(self.node(node).alone, self.pending[node]);
                    once.push(Meetings { node, all, terms: vec![(all, 1), (variable, -1)] });
                }
            }
        }
        for Meetings { node, all, terms } in once {
            self.program.at_most(terms, 0);
            self.program.at_most(vec![(all, 1)], self.pending[node]);
        }
    }

    /// Points 3 and 4.
    fn limit_requests(&mut self) {
        for Requests { own, issued, direct, .. } in std::mem::take(&mut self.classes) {
            let mut groups: Vec<Vec<usize>> = vec![Vec::new(); self.tables.layout.cores];
            let mut inside: Vec<(usize, Vec<usize>)> = Vec::new();
            for (node, variable) in direct {
                groups[self.node(node).core].push(variable);
                for &held in &self.node(node).held {
                    match inside.iter_mut().find(|(q, _)| *q == held) {
                        Some((_, variables)) => variables.push(variable),
                        None => inside.push((held, vec![variable])),
                    }
                }
            }
            groups.extend(inside.into_iter().map(|(_, variables)| variables));
            for group in groups.into_iter().filter(|group| !group.is_empty()) {
                let mut terms: Vec<(usize, i64)> = group.into_iter().map(|v| (v, 1)).collect();
                let issued = issued.iter();
                terms.extend(issued.map(|&(variable, count)| (variable, -factor(count))));
                self.program.at_most(terms, own);
            }
        }
    }
}

/// The program for a core's own requests, by their section; `pending`: for each section of another
/// core, how many are pending. `None`: it is too large.
pub(super) fn program(
    tables: &Tables<'_>,
    core: usize,
    own: &[(usize, u64)],
    pending: &[u64],
) -> Option<Program> {
    let (program, classes, met) = (Program::default(), Vec::new(), Vec::new());
    let mut draft = Draft { tables, core, pending, program, classes, met };
    for &(node, count) in own.iter().filter(|(_, count)| *count > 0) {
        let Node { resource, held, .. } = &tables.nodes[node];
        let class = draft.class(Class { resource: *resource, held, context: held, core });
        let requests = &mut draft.classes[class];
        requests.own = requests.own.saturating_add(count);
    }
    draft.spread();
    draft.limit_sections();
    draft.limit_requests();
    let cells = draft.program.variables.len().saturating_mul(draft.program.rows.len());
    (cells <= MOST_CELLS).then_some(draft.program)
}
