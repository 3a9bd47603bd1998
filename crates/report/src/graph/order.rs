//! The order of vertices within their columns.

/// The number of sweeps over the columns.
const SWEEPS: usize = 12;

/// A node, or an edge's bend, in the layered graph.
pub(super) struct Vertex {
    pub(super) layer: usize,
    pub(super) height: f64,
}

/// For each vertex the vertices that a segment joins it with.
pub(super) fn neighbours(count: usize, segments: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new(); count];
    for &(a, b) in segments {
        all[a].push(b);
        all[b].push(a);
    }
    all
}

/// Returns the vertices of each column from top to bottom, with few crossings.
pub(super) fn order(vertices: &[Vertex], segments: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let columns = vertices.iter().map(|v| v.layer + 1).max().unwrap_or(0);
    let mut layers = vec![Vec::new(); columns];
    for (index, vertex) in vertices.iter().enumerate() {
        layers[vertex.layer].push(index);
    }
    let near = neighbours(vertices.len(), segments);
    let mut best = layers.clone();
    let mut fewest = crossings(vertices, &layers, segments);
    for sweep in 0..SWEEPS {
        let side =
            |layer: usize| if sweep % 2 == 0 { layer.checked_sub(1) } else { Some(layer + 1) };
        for step in 0..columns {
            let layer = if sweep % 2 == 0 { step } else { columns - 1 - step };
            let Some(fixed) = side(layer) else { continue };
            sort_by_barycentre(vertices, &mut layers, layer, fixed, &near);
        }
        let now = crossings(vertices, &layers, segments);
        if now < fewest {
            (fewest, best) = (now, layers.clone());
        }
    }
    best
}

fn positions(count: usize, layers: &[Vec<usize>]) -> Vec<usize> {
    let mut positions = vec![0; count];
    for layer in layers {
        for (position, &vertex) in layer.iter().enumerate() {
            positions[vertex] = position;
        }
    }
    positions
}

/// Sorts a column by the mean position of each vertex's neighbors in the column `fixed`.
fn sort_by_barycentre(
    vertices: &[Vertex],
    layers: &mut [Vec<usize>],
    layer: usize,
    fixed: usize,
    near: &[Vec<usize>],
) {
    let positions = positions(vertices.len(), layers);
    let mut keyed: Vec<(f64, usize)> = (layers[layer].iter().enumerate())
        .map(|(position, &vertex)| {
            let there = || near[vertex].iter().filter(|&&n| vertices[n].layer == fixed);
            let count = there().count();
            let sum: usize = there().map(|&n| positions[n]).sum();
            (if count == 0 { position as f64 } else { sum as f64 / count as f64 }, vertex)
        })
        .collect();
    keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
    layers[layer] = keyed.into_iter().map(|(_, vertex)| vertex).collect();
}

/// Returns the number of pairs of segments that cross.
fn crossings(vertices: &[Vertex], layers: &[Vec<usize>], segments: &[(usize, usize)]) -> usize {
    let positions = positions(vertices.len(), layers);
    let mut by_layer = vec![Vec::new(); layers.len()];
    for &(a, b) in segments {
        by_layer[vertices[a].layer].push((positions[a], positions[b]));
    }
    let crossed = |list: &Vec<(usize, usize)>| {
        let pairs =
            list.iter().enumerate().flat_map(|(i, a)| list[..i].iter().map(move |b| (a, b)));
        pairs.filter(|(a, b)| (a.0 < b.0 && a.1 > b.1) || (a.0 > b.0 && a.1 < b.1)).count()
    };
    by_layer.iter().map(crossed).sum()
}

#[cfg(test)]
mod tests {
    use super::super::layout::{Box, Link, place};

    #[test]
    fn a_crossing_that_need_not_be_is_removed() {
        let boxes = [Box { width: 10.0, height: 10.0 }; 4];
        let layout =
            place(&boxes, &[(0, 3), (1, 2)].map(|(from, to)| Link { from, to, ranks: true }));
        assert!(
            (layout.corners[0].1 < layout.corners[1].1)
                == (layout.corners[3].1 < layout.corners[2].1)
        );
    }
}
