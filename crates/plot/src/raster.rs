//! Shapes as a PNG picture.
//!
//! Lines and areas are drawn by `tiny-skia` without vector instructions, so that
//! every machine computes the same bytes. Letters come ready-made from a bitmap
//! font and are laid over the picture pixel by pixel.

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster, get_raster_width};
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, StrokeDash, Transform,
};

use crate::Failed;
use crate::shape::{Anchor, Colour, Direction, Drawing, Place, Shape, Size};

/// Pixels for each unit.
const SCALE: f32 = 2.0;

/// Draws and encodes the picture.
pub(crate) fn write(drawing: &Drawing) -> Result<Vec<u8>, Failed> {
    let pixels = |units: f64| (units as f32 * SCALE).ceil() as u32;
    let picture = Pixmap::new(pixels(drawing.width), pixels(drawing.height));
    let mut picture = picture.ok_or_else(|| Failed("it is too large".to_owned()))?;
    picture.fill(Color::WHITE);
    for shape in &drawing.shapes {
        draw(&mut picture, shape);
    }
    picture.encode_png().map_err(|error| Failed(error.to_string()))
}

fn draw(picture: &mut Pixmap, shape: &Shape) {
    let scale = Transform::from_scale(SCALE, SCALE);
    match shape {
        Shape::Line { places, colour, width, dotted } => {
            let Some(path) = path(places) else { return };
            let mut stroke = tiny_skia::Stroke {
                width: *width as f32,
                line_join: LineJoin::Round,
                ..Default::default()
            };
            if *dotted {
                stroke.line_cap = LineCap::Round;
                stroke.dash = StrokeDash::new(vec![0.1, 4.0], 0.0);
            }
            picture.stroke_path(&path, &paint(*colour, 100), &stroke, scale, None);
        }
        Shape::Area { places, colour, opacity } => {
            let Some(path) = path(places) else { return };
            picture.fill_path(&path, &paint(*colour, *opacity), FillRule::Winding, scale, None);
        }
        Shape::Text { place, text, anchor, direction, size } => {
            let line = Line { text, anchor: *anchor, direction: *direction };
            Letters::new(*size).write(picture, *place, line);
        }
    }
}

fn path(places: &[Place]) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for (position, &(x, y)) in places.iter().enumerate() {
        if position == 0 {
            builder.move_to(x as f32, y as f32);
        } else {
            builder.line_to(x as f32, y as f32);
        }
    }
    builder.finish()
}

fn paint(colour: Colour, opacity: u8) -> Paint<'static> {
    let mut paint = Paint::default();
    let alpha = (u32::from(opacity) * 255 / 100).min(255) as u8;
    paint.set_color_rgba8(colour.red, colour.green, colour.blue, alpha);
    paint
}

/// A line of text, and how it lies at its place.
#[derive(Clone, Copy)]
struct Line<'a> {
    text: &'a str,
    anchor: Anchor,
    direction: Direction,
}

/// Letters of one size.
struct Letters {
    weight: FontWeight,
    height: RasterHeight,
}

impl Letters {
    fn new(size: Size) -> Self {
        match size {
            Size::Small => Self { weight: FontWeight::Regular, height: RasterHeight::Size24 },
            Size::Large => Self { weight: FontWeight::Bold, height: RasterHeight::Size24 },
        }
    }

    fn write(&self, picture: &mut Pixmap, (x, y): Place, line: Line<'_>) {
        let Line { text, anchor, direction } = line;
        let advance = get_raster_width(self.weight, self.height) as i64;
        let length = advance * text.chars().count() as i64;
        let back = match anchor {
            Anchor::Start => 0,
            Anchor::Middle => length / 2,
            Anchor::End => length,
        };
        let (x, y) = ((x as f32 * SCALE).round() as i64, (y as f32 * SCALE).round() as i64);
        // The base line is about four fifths down a letter's box.
        let rise = self.height.val() as i64 * 4 / 5;
        for (position, letter) in text.chars().enumerate() {
            let along = advance * position as i64 - back;
            let raster = get_raster(letter, self.weight, self.height)
                .or_else(|| get_raster('?', self.weight, self.height));
            for (row, line) in raster.iter().flat_map(|raster| raster.rows().enumerate()) {
                for (column, &ink) in line.iter().enumerate() {
                    let (right, down) = (along + column as i64, row as i64 - rise);
                    let (px, py) = if direction == Direction::Right {
                        (x + right, y + down)
                    } else {
                        (x + down, y - right)
                    };
                    darken(picture, px, py, ink);
                }
            }
        }
    }
}

/// Lays ink over a pixel.
fn darken(picture: &mut Pixmap, x: i64, y: i64, ink: u8) {
    let (width, height) = (i64::from(picture.width()), i64::from(picture.height()));
    if ink == 0 || !(0..width).contains(&x) || !(0..height).contains(&y) {
        return;
    }
    let at = ((y * width + x) * 4) as usize;
    for channel in &mut picture.data_mut()[at..at + 3] {
        let (paper, ink) = (u32::from(*channel), u32::from(ink));
        *channel = ((paper * (255 - ink) + 0x22 * ink) / 255) as u8;
    }
}
