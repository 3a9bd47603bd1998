//! Both writers draw the same chart, every time the same way.

use super::*;

fn line(label: &str, colour: usize, stroke: Stroke) -> Line {
    let point = |k: u32| {
        let x = f64::from(k) / 10.0;
        let y = 1.0 - x * x * 0.8;
        Point { x, y, low: y - 0.05, high: (y + 0.05).min(1.0) }
    };
    Line { label: label.to_owned(), colour, stroke, points: (1..=10).map(point).collect() }
}

fn chart() -> Chart {
    Chart {
        title: "A & B <tests>".to_owned(),
        x_label: "utilisation".to_owned(),
        y_label: "schedulable".to_owned(),
        y_range: (0.0, 1.0),
        lines: vec![line("first", 0, Stroke::Solid), line("second", 1, Stroke::Dotted)],
    }
}

#[test]
fn the_svg_is_well_formed_and_repeats() {
    let svg = chart().svg();
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(
        svg.contains("A &amp; B &lt;tests&gt;") && svg.contains("first") && svg.contains("second")
    );
    assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
    assert_eq!(svg, chart().svg());
}

#[test]
fn the_picture_has_all_colours_and_repeats() {
    let png = chart().png().expect("a picture");
    assert_eq!(png, chart().png().expect("a picture"));
    let picture = tiny_skia::Pixmap::decode_png(&png).expect("a PNG");
    let has = |red, green, blue| {
        picture.pixels().iter().any(|p| (p.red(), p.green(), p.blue()) == (red, green, blue))
    };
    assert!(
        has(0x00, 0x72, 0xb2)
            && has(0xd5, 0x5e, 0x00)
            && has(0x22, 0x22, 0x22)
            && has(255, 255, 255)
    );
}

#[test]
fn a_chart_of_nothing_is_still_a_chart() {
    let mut empty = chart();
    empty.lines.clear();
    assert!(empty.svg().contains("</svg>"));
    assert!(empty.png().is_ok());
    empty.lines = vec![Line { points: Vec::new(), ..line("nothing", 9, Stroke::Solid) }];
    assert!(empty.svg().contains("nothing") && empty.png().is_ok());
}
