//! Pages are whole, closed in themselves, and say what is wrong.

mod demo;

use demo::demo;
use fusee_report::view::View;

/// Returns the tags of a page in order; panics where `<` is not followed by one.
fn tags(page: &str) -> Vec<&str> {
    page.split('<').skip(1).map(|rest| &rest[..rest.find('>').expect("a tag ends")]).collect()
}

#[test]
fn every_element_is_closed() {
    let page = fusee_report::render(&demo());
    let mut open = Vec::new();
    for tag in tags(&page).into_iter().filter(|tag| !tag.starts_with('!') && !tag.ends_with('/')) {
        match tag.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None => open.push(tag.split(' ').next().unwrap_or_default()),
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn nothing_comes_from_elsewhere_and_nothing_is_a_script() {
    let page = fusee_report::render(&demo());
    for tag in tags(&page) {
        let name = tag.split(' ').next().unwrap_or_default();
        assert!(
            !["script", "link", "img", "iframe", "object", "embed", "base", "form"].contains(&name),
            "{tag}"
        );
        assert!(!tag.contains(" src="), "{tag}");
        assert!(!tag.split(' ').any(|word| word.starts_with("on") && word.contains('=')), "{tag}");
        if let Some(target) = tag.split("href=\"").nth(1) {
            assert!(target.starts_with('#'), "{tag}");
        }
    }
    assert!(!page.contains("http:") && !page.contains("https:") && !page.contains("@import"));
}

#[test]
fn links_lead_to_sections() {
    let page = fusee_report::render(&demo());
    for target in page.split("href=\"#").skip(1).map(|rest| &rest[..rest.find('"').unwrap()]) {
        assert!(page.contains(&format!("id=\"{target}\"")), "{target}");
    }
}

#[test]
fn the_verdict_says_what_is_wrong() {
    let page = fusee_report::render(&demo());
    assert!(page.contains("No response bound for bc_dist."));
    let main = &page[page.find("<header>").expect("a head")..];
    let first = main.find("fifo: 1 call refused, 1 deadline missed").expect("the verdict");
    assert!(first < main.find("<h1>").expect("a name"), "the verdict is the first line");
    let mut good = demo();
    good.tasks.retain(|task| task.name != "bc_dist");
    // A promise is no comfort where the run went wrong, and must not sound like one.
    let page = fusee_report::render(&good);
    assert!(!page.contains("All 4 deadlines are guaranteed"));
    let against = "guarantees all 4 deadlines, but what went wrong in the run stands against it.";
    assert!(page.contains(against));
    good.verdict = Some(("fifo: no deadline missed, every bound held in 10 s".into(), true));
    assert!(fusee_report::render(&good).contains("All 4 deadlines are guaranteed."));
    good.tasks.truncate(1);
    assert!(fusee_report::render(&good).contains("The deadline of the only task is guaranteed."));
    good.verdict = Some(("fifo: 1 fault in 10 s".into(), false));
    assert!(!fusee_report::render(&good).contains("task is guaranteed"));
}

#[test]
fn an_empty_system_has_a_page() {
    let page = fusee_report::render(&View::default());
    assert!(page.contains("nothing is promised"));
}
