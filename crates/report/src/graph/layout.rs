//! The places of components in the graph.
//!
//! The classical layered method (Sugiyama, Tagawa and Toda 1981) from left to
//! right: who asks stands left of who answers. Edges that span several columns
//! get a bend in each, the order within the columns is improved by barycenters
//! as long as that reduces crossings, and heights follow from the neighbors'
//! heights by isotonic regression, which is the exact least-squares answer for a
//! fixed order. No randomness and no iteration to convergence: equal systems get
//! equal pictures.

use super::order::{self, Vertex};

/// A node to be placed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Box {
    /// Width of its text and frame.
    pub(super) width: f64,
    /// Height of its frame.
    pub(super) height: f64,
}

/// A line between two nodes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    /// The caller's vertex.
    pub(super) from: usize,
    /// The callee's vertex.
    pub(super) to: usize,
    /// `true` if `to` must stand right of `from`.
    pub(super) ranks: bool,
}

/// A placed picture.
#[derive(Debug, Clone, Default)]
pub(super) struct Layout {
    /// Left upper corner of each node.
    pub(super) corners: Vec<(f64, f64)>,
    /// For each edge the heights at which it passes the columns between its ends, with the columns'
    /// edges.
    pub(super) bends: Vec<Vec<Bend>>,
    /// Column of each node.
    pub(super) column: Vec<usize>,
    /// Size of the whole.
    pub(super) size: (f64, f64),
}

/// An edge's way through a column.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bend {
    /// Left edge of the column.
    pub(super) left: f64,
    /// Right edge of the column.
    pub(super) right: f64,
    /// The vertical place.
    pub(super) y: f64,
}

/// Space between columns, for the curves.
const GUTTER: f64 = 84.0;
/// Space between nodes of a column.
const GAP: f64 = 12.0;
/// Height that a passing edge takes.
const LANE: f64 = 8.0;
/// Space around the whole.
const MARGIN: f64 = 16.0;

/// Places `boxes` joined by `edges`, which may contain cycles.
pub(super) fn place(boxes: &[Box], edges: &[Link]) -> Layout {
    let column = columns(boxes.len(), edges);
    let mut vertices: Vec<Vertex> =
        boxes.iter().zip(&column).map(|(b, &layer)| Vertex { layer, height: b.height }).collect();
    let (chains, segments) = split(edges, &mut vertices);
    let layers = order::order(&vertices, &segments);
    let centers = heights(&vertices, &layers, &segments);
    let mut lefts = Vec::new();
    let mut rights = Vec::new();
    let mut x = MARGIN;
    for layer in 0..layers.len() {
        let width = boxes
            .iter()
            .zip(&column)
            .filter(|&(_, &c)| c == layer)
            .map(|(b, _)| b.width)
            .fold(0.0, f64::max);
        lefts.push(x);
        rights.push(x + width);
        x += width + GUTTER;
    }
    let width = rights.last().copied().unwrap_or(0.0) + MARGIN;
    let height =
        vertices.iter().zip(&centers).map(|(v, c)| c + v.height / 2.0).fold(0.0, f64::max) + MARGIN;
    let corners =
        (0..boxes.len()).map(|i| (lefts[column[i]], centers[i] - boxes[i].height / 2.0)).collect();
    let bend = |v: &usize| {
        let layer = vertices[*v].layer;
        Bend { left: lefts[layer], right: rights[layer], y: centers[*v] }
    };
    let bends = chains.iter().map(|chain| chain.iter().map(bend).collect()).collect();
    Layout { corners, bends, column, size: (width, height) }
}

/// Returns the column of each node: one right of the rightmost node that asks it.
fn columns(count: usize, edges: &[Link]) -> Vec<usize> {
    let mut column = vec![0; count];
    // A longest path without cycles has fewer edges than there are nodes; in a
    // cycle the columns would grow for ever, so growth ends there.
    for _ in 0..count {
        let mut changed = false;
        for &Link { from, to, ranks } in edges {
            if ranks && from != to && column[to] <= column[from] && column[from] + 1 < count.min(24)
            {
                column[to] = column[from] + 1;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    column
}

/// Cuts edges into segments between neighboring columns; gives each edge's bends, left to right.
fn split(edges: &[Link], vertices: &mut Vec<Vertex>) -> (Vec<Vec<usize>>, Vec<(usize, usize)>) {
    let mut segments = Vec::new();
    let chains = edges.iter().map(|&Link { from, to, .. }| {
        let (a, b) =
            if vertices[from].layer <= vertices[to].layer { (from, to) } else { (to, from) };
        let (first, last) = (vertices[a].layer, vertices[b].layer);
        if first == last {
            return Vec::new();
        }
        let mut chain = Vec::new();
        let mut previous = a;
        for layer in first + 1..last {
            vertices.push(Vertex { layer, height: LANE });
            segments.push((previous, vertices.len() - 1));
            previous = vertices.len() - 1;
            chain.push(previous);
        }
        segments.push((previous, b));
        chain
    });
    let chains = chains.collect();
    (chains, segments)
}

/// Returns the vertical center of each vertex.
fn heights(vertices: &[Vertex], layers: &[Vec<usize>], segments: &[(usize, usize)]) -> Vec<f64> {
    let mut centers = vec![0.0; vertices.len()];
    for layer in layers {
        let mut y = MARGIN;
        for &v in layer {
            centers[v] = y + vertices[v].height / 2.0;
            y += vertices[v].height + GAP;
        }
    }
    let neighbours = order::neighbours(vertices.len(), segments);
    for pass in 0..16 {
        let forward: Vec<usize> = (0..layers.len()).collect();
        let sweep: Vec<usize> =
            if pass % 2 == 0 { forward } else { forward.into_iter().rev().collect() };
        for layer in sweep {
            settle(&layers[layer], vertices, &neighbours, &mut centers);
        }
    }
    let top = vertices
        .iter()
        .zip(&centers)
        .map(|(v, c)| c - v.height / 2.0)
        .fold(f64::INFINITY, f64::min);
    centers.iter().map(|c| ((c - top + MARGIN) * 2.0).round() / 2.0).collect()
}

/// Moves a column's vertices as near to their neighbors' mean heights as their order and sizes
/// allow.
fn settle(layer: &[usize], vertices: &[Vertex], neighbours: &[Vec<usize>], centers: &mut [f64]) {
    let mut offset = 0.0;
    let mut offsets = Vec::new();
    let mut wishes = Vec::new();
    for (position, &v) in layer.iter().enumerate() {
        if position > 0 {
            offset += (vertices[layer[position - 1]].height + vertices[v].height) / 2.0 + GAP;
        }
        let near = &neighbours[v];
        let mean = near.iter().map(|&n| centers[n]).sum::<f64>() / near.len().max(1) as f64;
        wishes.push(if near.is_empty() { centers[v] } else { mean } - offset);
        offsets.push(offset);
    }
    for ((&v, place), offset) in layer.iter().zip(isotonic(&wishes)).zip(offsets) {
        centers[v] = place + offset;
    }
}

/// Returns the non-decreasing sequence with the least squared distance (pool adjacent violators).
fn isotonic(wishes: &[f64]) -> Vec<f64> {
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for &wish in wishes {
        pools.push((wish, 1));
        while let [.., (a, m), (b, n)] = pools[..]
            && a > b
        {
            pools.truncate(pools.len() - 2);
            pools.push(((a * m as f64 + b * n as f64) / (m + n) as f64, m + n));
        }
    }
    pools.iter().flat_map(|&(value, count)| std::iter::repeat_n(value, count)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn isotonic_regression_pools_what_is_out_of_order() {
        assert_eq!(isotonic(&[1.0, 4.0, 2.0, 5.0]), [1.0, 3.0, 3.0, 5.0]);
        assert_eq!(isotonic(&[3.0, 2.0, 1.0]), [2.0, 2.0, 2.0]);
    }

    #[test]
    fn nothing_overlaps_and_askers_stand_left() {
        let boxes: Vec<Box> =
            (0..40).map(|i| Box { width: 60.0, height: 20.0 + f64::from(i % 3) * 10.0 }).collect();
        let ends = (0..60).map(|i| (i * 7 % 40, i * 11 % 40)).filter(|(a, b)| a < b);
        let edges: Vec<Link> = ends.map(|(from, to)| Link { from, to, ranks: true }).collect();
        let layout = place(&boxes, &edges);
        for &Link { from, to, .. } in &edges {
            assert!(layout.column[from] < layout.column[to]);
        }
        for a in 0..40 {
            for b in 0..a {
                let apart = layout.column[a] != layout.column[b]
                    || layout.corners[a].1 + boxes[a].height <= layout.corners[b].1
                    || layout.corners[b].1 + boxes[b].height <= layout.corners[a].1;
                assert!(apart, "{a} and {b}");
            }
        }
        assert!(layout.corners.iter().all(|&(x, y)| x >= 0.0 && y >= 0.0));
    }

    #[test]
    fn cycles_and_loops_end() {
        let boxes = [Box { width: 10.0, height: 10.0 }; 3];
        let ends = [(0, 1), (1, 2), (2, 0), (1, 1)];
        let layout = place(&boxes, &ends.map(|(from, to)| Link { from, to, ranks: true }));
        assert_eq!(layout.corners.len(), 3);
    }
}
