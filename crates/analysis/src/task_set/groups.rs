//! Group locks: one lock for all resources that are ever held together.
//!
//! Protocols without nesting take nested sections this way (Block, Leontyev,
//! Brandenburg and Anderson 2007): resources of which one is requested while
//! another is held are one group with one lock. A job takes it with its outermost
//! request and has all that is inside; so sections end up apart, no circle of
//! waiting can arise, and every test without nesting applies.

use super::{Request, TaskSet};

/// For each resource, the least one of its group.
struct Groups(Vec<usize>);

impl Groups {
    fn of(set: &TaskSet) -> Self {
        let mut groups = Self((0..set.resources()).collect());
        for task in 0..set.tasks().len() {
            for section in set.sections(task) {
                groups.join(section.outermost.resource, section.request.resource);
            }
        }
        groups
    }

    fn find(&self, mut resource: usize) -> usize {
        while self.0[resource] != resource {
            resource = self.0[resource];
        }
        resource
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
    }
}

impl TaskSet {
    /// The same with one lock for each group of resources that are held together somewhere, under
    /// the least of their numbers; nothing is nested then.
    #[must_use]
    pub fn with_group_locks(self) -> Self {
        if !self.nests() {
            return self;
        }
        let groups = Groups::of(&self);
        let outermost = |r: &Request| Request::new(groups.find(r.resource), r.count, r.length);
        let lists = (0..self.tasks().len()).map(|task| self.requests(task).iter().map(outermost));
        let requests = lists.collect();
        Self { requests, nests: false, ..self }
    }
}
