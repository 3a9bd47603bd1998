//! Shapes as an SVG document.

use std::fmt::Write;

use crate::shape::{Anchor, Colour, Direction, Drawing, Place, Shape, Size};

/// Returns the document; the white ground keeps it readable on dark pages.
pub(crate) fn write(drawing: &Drawing) -> String {
    let (width, height) = (drawing.width, drawing.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\" \
         font-family=\"sans-serif\">\n<title>{}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n",
        escaped(&drawing.title)
    );
    for shape in &drawing.shapes {
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "{}", element(shape));
    }
    out + "</svg>\n"
}

fn element(shape: &Shape) -> String {
    match shape {
        Shape::Line { places, colour, width, dotted } => {
            let dots =
                if *dotted { " stroke-linecap=\"round\" stroke-dasharray=\"0.1 4\"" } else { "" };
            format!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" \
                 stroke-width=\"{width}\"{dots}/>",
                points(places),
                hex(*colour)
            )
        }
        Shape::Area { places, colour, opacity } => format!(
            "<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"{:.2}\"/>",
            points(places),
            hex(*colour),
            f64::from(*opacity) / 100.0
        ),
        Shape::Text { place: (x, y), text, anchor, direction, size } => {
            let turn = match direction {
                Direction::Right => String::new(),
                Direction::Up => format!(" transform=\"rotate(-90 {x:.1} {y:.1})\""),
            };
            let weight = if *size == Size::Large { " font-weight=\"600\"" } else { "" };
            format!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{}\" font-size=\"{}\" \
                 fill=\"#222222\"{weight}{turn}>{}</text>",
                anchor_name(*anchor),
                size.units(),
                escaped(text)
            )
        }
    }
}

fn anchor_name(anchor: Anchor) -> &'static str {
    match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    }
}

fn points(places: &[Place]) -> String {
    places.iter().map(|(x, y)| format!("{x:.2},{y:.2}")).collect::<Vec<_>>().join(" ")
}

fn hex(colour: Colour) -> String {
    format!("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue)
}

/// Text in which no character means anything to XML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
