//! The refusals of a task set, and its facts about resources.

use super::*;

fn two_cores() -> TaskSet {
    let tasks = vec![
        Task::implicit(10, 100, 3),
        Task::implicit(10, 100, 2),
        Task::implicit(10, 100, 1).on(1),
    ];
    let inner = Request::new(1, 2, 3);
    let requests = vec![
        vec![Request::new(0, 1, 8).with_nested(vec![inner])],
        vec![Request::new(1, 2, 5)],
        vec![Request::new(0, 1, 1)],
    ];
    TaskSet::new(tasks).unwrap().with_requests(requests).unwrap()
}

fn refused(requests: Vec<Request>) -> InvalidTaskSet {
    TaskSet::new(vec![Task::implicit(10, 100, 1)])
        .unwrap()
        .with_requests(vec![requests])
        .unwrap_err()
}

#[test]
fn cores_users_and_ceilings() {
    let set = two_cores();
    assert_eq!((set.cores(), set.resources()), (2, 2));
    assert_eq!(set.interfering(1).map(|(i, _)| i).collect::<Vec<_>>(), [0]);
    assert_eq!(set.interfering(2).count(), 0);
    assert_eq!(set.lower(0).map(|(i, _)| i).collect::<Vec<_>>(), [1]);
    assert_eq!(set.users(1).map(|(i, _)| i).collect::<Vec<_>>(), [0, 1]);
    assert!(set.is_global(0) && !set.is_global(1));
    assert_eq!([set.ceiling(0, 0), set.ceiling(0, 1), set.ceiling(1, 1)], [Some(3), Some(1), None]);
}

#[test]
fn nested_sections_multiply_their_counts() {
    let set = two_cores();
    let sections = set.sections(0);
    assert_eq!(
        sections.iter().map(|s| (s.request.resource, s.count, s.depth)).collect::<Vec<_>>(),
        [(0, 1, 0), (1, 2, 1)]
    );
    assert_eq!(sections[1].outermost.resource, 0);
}

#[test]
fn inconsistent_requests_are_named() {
    let deep = (0..40)
        .fold(Request::new(40, 1, 1), |inner, q| Request::new(q, 1, 1).with_nested(vec![inner]));
    assert_eq!(
        refused(vec![Request::new(0, 3, 4)]),
        InvalidTaskSet::SectionsExceedWcet { task: 0 }
    );
    assert_eq!(
        refused(vec![Request::new(0, u64::MAX, 4)]),
        InvalidTaskSet::SectionsExceedWcet { task: 0 }
    );
    let inner = |q, length| Request::new(0, 1, 4).with_nested(vec![Request::new(q, 1, length)]);
    assert_eq!(
        refused(vec![inner(1, 5)]),
        InvalidTaskSet::NestedExceedSection { task: 0, resource: 0 }
    );
    assert_eq!(refused(vec![inner(0, 1)]), InvalidTaskSet::Reentry { task: 0, resource: 0 });
    assert_eq!(refused(vec![deep]), InvalidTaskSet::NestedTooDeep { task: 0 });
    let far = Request::new(usize::MAX, 1, 1);
    assert_eq!(
        refused(vec![far]),
        InvalidTaskSet::ResourceNumber { task: 0, resource: usize::MAX }
    );
    let lists = TaskSet::new(vec![Task::implicit(1, 1, 1)]).unwrap().with_requests(vec![]);
    assert_eq!(lists, Err(InvalidTaskSet::RequestLists { lists: 0, tasks: 1 }));
}

#[test]
fn misplaced_tasks_are_named() {
    let set = two_cores();
    assert_eq!(
        set.clone().with_cores(1),
        Err(InvalidTaskSet::NoSuchCore { task: 2, core: 1, cores: 1 })
    );
    assert_eq!(set.clone().placed(2, &[0]), Err(InvalidTaskSet::Places { places: 1, tasks: 3 }));
    assert_eq!(set.placed(2, &[0, 1, 1]).unwrap().on_core(1).count(), 2);
    let far = TaskSet::new(vec![Task::implicit(1, 1, 1).on(usize::MAX)]);
    assert_eq!(far, Err(InvalidTaskSet::TooManyCores { cores: usize::MAX }));
    let many = TaskSet::new(vec![Task::implicit(1, 1, 1)]).unwrap().with_cores(4096).unwrap();
    let far = many.with_requests(vec![vec![Request::new(1024, 1, 1)]]);
    assert_eq!(far, Err(InvalidTaskSet::TablesTooLarge { cores: 4096, resources: 1025 }));
    let low = TaskSet::new(vec![Task::implicit(1, 1, 2).with_threshold(1)]);
    assert_eq!(low, Err(InvalidTaskSet::LowThreshold { task: 0 }));
}

#[test]
fn resources_that_are_held_together_get_one_lock() {
    let nested =
        |outer, inner| Request::new(outer, 2, 5).with_nested(vec![Request::new(inner, 1, 2)]);
    let tasks = vec![Task::implicit(20, 99, 1); 3];
    // 3 and 1 together, 1 and 4 together: one group; 0 and 2 stay alone.
    let lists = vec![
        vec![nested(3, 1)],
        vec![nested(1, 4), Request::new(0, 1, 3)],
        vec![Request::new(2, 1, 4)],
    ];
    let set = TaskSet::new(tasks).unwrap().with_requests(lists).unwrap().with_group_locks();
    assert_eq!(set.requests(0), [Request::new(1, 2, 5)]);
    assert_eq!(set.requests(1), [Request::new(1, 2, 5), Request::new(0, 1, 3)]);
    assert_eq!(set.requests(2), [Request::new(2, 1, 4)]);
    assert!(!set.nests());
    assert_eq!(set.clone().with_group_locks(), set);
}
