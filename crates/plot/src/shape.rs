//! The few shapes that a chart is made of.

/// A color by its parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Colour {
    pub(crate) red: u8,
    pub(crate) green: u8,
    pub(crate) blue: u8,
}

impl Colour {
    pub(crate) const fn rgb(rgb: u32) -> Self {
        Self { red: (rgb >> 16) as u8, green: (rgb >> 8) as u8, blue: rgb as u8 }
    }
}

/// A place: x to the right, y downwards.
pub(crate) type Place = (f64, f64);

/// The end of a text that is at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// The direction in which a text runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Right,
    Up,
}

/// A piece of the drawing.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Shape {
    /// A line through places.
    Line { places: Vec<Place>, colour: Colour, width: f64, dotted: bool },
    /// A filled outline; `opacity` in percent.
    Area { places: Vec<Place>, colour: Colour, opacity: u8 },
    /// Letters; the place is on their base line.
    Text { place: Place, text: String, anchor: Anchor, direction: Direction, size: Size },
}

/// Sizes of letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Size {
    Small,
    Large,
}

impl Size {
    /// Height of a line in units.
    pub(crate) fn units(self) -> f64 {
        match self {
            Size::Small => 11.0,
            Size::Large => 13.0,
        }
    }
}

/// A drawing of shapes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Drawing {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// For those who can't see it.
    pub(crate) title: String,
    pub(crate) shapes: Vec<Shape>,
}
