//! A rectangle divided by weight, in parts as near to squares as they come (squarified treemap, after Bruls, Huizing and van
//! Wijk).

/// A rectangle.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Area {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Area {
    /// Smaller on every side, by `by`, and by `above` more at the top.
    pub(super) fn inside(self, by: f64, above: f64) -> Self {
        Self {
            x: self.x + by,
            y: self.y + by + above,
            width: (self.width - 2.0 * by).max(0.0),
            height: (self.height - 2.0 * by - above).max(0.0),
        }
    }
}

/// A part for each weight, in their order; the weights come from large to small.
pub(super) fn divide(area: Area, weights: &[f64]) -> Vec<Area> {
    let total: f64 = weights.iter().sum();
    if total <= 0.0 || area.width <= 0.0 || area.height <= 0.0 {
        return vec![Area::default(); weights.len()];
    }
    let scale = area.width * area.height / total;
    let mut parts = Vec::with_capacity(weights.len());
    let mut rest = area;
    let mut row: Vec<f64> = Vec::new();
    for weight in weights.iter().map(|weight| weight * scale) {
        let side = rest.width.min(rest.height);
        // A row takes one more as long as that makes its worst part no worse.
        if !row.is_empty() && worst(&row, Some(weight), side) > worst(&row, None, side) {
            lay(&mut rest, &row, &mut parts);
            row.clear();
        }
        row.push(weight);
    }
    lay(&mut rest, &row, &mut parts);
    parts
}

/// The worst ratio of sides in a row along a side.
fn worst(row: &[f64], more: Option<f64>, side: f64) -> f64 {
    let all = || row.iter().copied().chain(more);
    let sum: f64 = all().sum();
    let depth = sum / side.max(f64::MIN_POSITIVE);
    all()
        .map(|area| {
            let length = area / depth.max(f64::MIN_POSITIVE);
            (length / depth).max(depth / length.max(f64::MIN_POSITIVE))
        })
        .fold(0.0, f64::max)
}

/// Puts a row along the shorter side of what is left.
fn lay(rest: &mut Area, row: &[f64], parts: &mut Vec<Area>) {
    let sum: f64 = row.iter().sum();
    let across = rest.width < rest.height;
    let side = if across { rest.width } else { rest.height };
    if side <= 0.0 {
        parts.extend(row.iter().map(|_| Area { width: 0.0, height: 0.0, ..*rest }));
        return;
    }
    let depth = sum / side;
    let mut at = 0.0;
    for area in row {
        let length = if depth > 0.0 { area / depth } else { 0.0 };
        parts.push(match across {
            true => Area { x: rest.x + at, y: rest.y, width: length, height: depth },
            false => Area { x: rest.x, y: rest.y + at, width: depth, height: length },
        });
        at += length;
    }
    if across {
        rest.y += depth;
        rest.height = (rest.height - depth).max(0.0);
    } else {
        rest.x += depth;
        rest.width = (rest.width - depth).max(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_fill_the_area_by_weight() {
        let area = Area { x: 10.0, y: 20.0, width: 600.0, height: 400.0 };
        for weights in
            [vec![6.0, 6.0, 4.0, 3.0, 2.0, 2.0, 1.0], vec![1.0], vec![1e9, 1.0, 1e-9], vec![5.0; 200]]
        {
            let total: f64 = weights.iter().sum();
            let parts = divide(area, &weights);
            assert_eq!(parts.len(), weights.len());
            for (part, weight) in parts.iter().zip(&weights) {
                let share = part.width * part.height / (area.width * area.height);
                assert!((share - weight / total).abs() < 1e-9, "{part:?} {weight}");
                assert!(part.x >= 10.0 - 1e-6 && part.x + part.width <= 610.0 + 1e-6, "{part:?}");
                assert!(part.y >= 20.0 - 1e-6 && part.y + part.height <= 420.0 + 1e-6, "{part:?}");
            }
            // None lies on another.
            for (at, one) in parts.iter().enumerate().take(30) {
                for other in parts.iter().skip(at + 1).take(30) {
                    let over = |a: f64, b: f64, c: f64, d: f64| a.max(c) < b.min(d) - 1e-6;
                    assert!(
                        !(over(one.x, one.x + one.width, other.x, other.x + other.width)
                            && over(one.y, one.y + one.height, other.y, other.y + other.height))
                    );
                }
            }
        }
        // Seven parts of a paper's example are no strips.
        let parts = divide(area, &[6.0, 6.0, 4.0, 3.0, 2.0, 2.0, 1.0]);
        assert!(parts.iter().all(|part| part.width / part.height < 3.0 && part.height / part.width < 3.0));
    }

    #[test]
    fn nothing_is_divided_by_zero() {
        assert_eq!(divide(Area::default(), &[1.0, 2.0]).len(), 2);
        assert_eq!(divide(Area { width: 5.0, height: 5.0, ..Area::default() }, &[0.0, 0.0]).len(), 2);
        assert!(divide(Area { width: 5.0, height: 5.0, ..Area::default() }, &[]).is_empty());
    }
}
