//! Which pixels a triangle covers, and what is at each of them.

use super::scene::MOST_SIDE;

/// Steps of the grid that vertices are put on, for each pixel.
const GRID: f64 = 256.0;
/// Vertices farther out than so many times the picture are clipped away, so that the grid's numbers stay small.
const GUARD: f64 = 4.0;

/// A vertex in clip space, as a combination of the corners of its triangle.
#[derive(Debug, Clone, Copy)]
struct Corner {
    clip: [f64; 4],
    /// How much of each corner of the triangle is in it.
    weights: [f64; 3],
}

/// A vertex in the window.
#[derive(Debug, Clone, Copy)]
struct Placed {
    /// Place on the grid.
    x: i64,
    y: i64,
    /// 0 to 1.
    depth: f64,
    /// 1 / w.
    inverse: f64,
    weights: [f64; 3],
}

/// A triangle in the window.
#[derive(Debug, Clone)]
pub(super) struct Triangle {
    corners: [Placed; 3],
    /// Twice its area in steps of the grid, more than 0.
    area: i64,
    /// Whether it is seen from the front: its corners go round against the clock.
    pub(super) front: bool,
    /// First and last column and row that it may cover.
    pub(super) columns: [u32; 2],
    /// See there.
    pub(super) rows: [u32; 2],
}

/// What is at the centre of a pixel, on the plane of a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct At {
    /// It belongs to the triangle.
    pub(super) covered: bool,
    /// 0 to 1.
    pub(super) depth: f64,
    /// 1 / w, as `gl_FragCoord.w`.
    pub(super) inverse: f64,
    /// How much of each corner of the triangle that was drawn is in a value that is interpolated with perspective.
    pub(super) weights: [f64; 3],
}

/// Clips a triangle and puts what is left of it into a window of that size, as triangles.
pub(super) fn triangles(clip: [[f32; 4]; 3], [width, height]: [u32; 2]) -> Vec<Triangle> {
    if clip.iter().flatten().any(|part| !part.is_finite()) {
        return Vec::new();
    }
    let mut polygon: Vec<Corner> = (0..3)
        .map(|n| Corner {
            clip: clip[n].map(f64::from),
            weights: std::array::from_fn(|other| if n == other { 1.0 } else { 0.0 }),
        })
        .collect();
    // Inside is where the distance is not negative: near, far, and far out to each side.
    let planes: [[f64; 4]; 6] = [
        [0.0, 0.0, 1.0, 1.0],
        [0.0, 0.0, -1.0, 1.0],
        [1.0, 0.0, 0.0, GUARD],
        [-1.0, 0.0, 0.0, GUARD],
        [0.0, 1.0, 0.0, GUARD],
        [0.0, -1.0, 0.0, GUARD],
    ];
    for plane in planes {
        polygon = clipped(&polygon, plane);
    }
    let side = [width, height].map(f64::from);
    let placed: Option<Vec<Placed>> = polygon.iter().map(|corner| place(corner, side)).collect();
    let Some([first, rest @ ..]) = placed.as_deref() else { return Vec::new() };
    let fan = rest.windows(2).filter_map(|pair| Triangle::new([*first, pair[0], pair[1]], [width, height]));
    fan.collect()
}

/// The part of a polygon that lies inside of a plane.
fn clipped(polygon: &[Corner], plane: [f64; 4]) -> Vec<Corner> {
    let distance =
        |corner: &Corner| -> f64 { corner.clip.iter().zip(plane).map(|(part, factor)| part * factor).sum() };
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (n, corner) in polygon.iter().enumerate() {
        let next = &polygon[(n + 1) % polygon.len()];
        let (here, there) = (distance(corner), distance(next));
        if here >= 0.0 {
            kept.push(*corner);
        }
        if (here >= 0.0) != (there >= 0.0) {
            // From the side that stays, so that neighbours meet in the same place.
            let (from, to, a, b) =
                if here >= 0.0 { (corner, next, here, there) } else { (next, corner, there, here) };
            let part = a / (a - b);
            let mix = |a: f64, b: f64| a + (b - a) * part;
            kept.push(Corner {
                clip: std::array::from_fn(|n| mix(from.clip[n], to.clip[n])),
                weights: std::array::from_fn(|n| mix(from.weights[n], to.weights[n])),
            });
        }
    }
    kept
}

/// A vertex in the window; none where w is not positive, or too far outside.
fn place(corner: &Corner, side: [f64; 2]) -> Option<Placed> {
    let [x, y, z, w] = corner.clip;
    let inverse = 1.0 / w;
    // Of numbers that are far apart clipping leaves what may lie anywhere.
    let near = |part: f64| (part * inverse).abs() <= 2.0 * GUARD;
    if !(w > 0.0 && inverse.is_finite() && near(x) && near(y)) {
        return None;
    }
    let grid = |part: f64, side: f64| ((part * inverse + 1.0) / 2.0 * side * GRID).round_ties_even() as i64;
    Some(Placed {
        x: grid(x, side[0]),
        y: grid(y, side[1]),
        depth: (z * inverse + 1.0) / 2.0,
        inverse,
        weights: corner.weights,
    })
}

/// Twice the area of the triangle from an edge to a place, more than 0 to its left.
fn edge(from: &Placed, to: &Placed, x: i64, y: i64) -> i64 {
    (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x)
}

impl Triangle {
    /// None without area, or outside of the window.
    fn new(mut corners: [Placed; 3], [width, height]: [u32; 2]) -> Option<Self> {
        let mut area = edge(&corners[0], &corners[1], corners[2].x, corners[2].y);
        let front = area > 0;
        if !front {
            corners.swap(1, 2);
            area = -area;
        }
        let span = |of: fn(&Placed) -> i64, side: u32| -> Option<[u32; 2]> {
            let all = corners.each_ref().map(of);
            let [low, high] = [all.iter().min()?, all.iter().max()?].map(|at| at.div_euclid(GRID as i64));
            let last = i64::from(side.min(MOST_SIDE)) - 1;
            let (low, high) = (low.max(0), high.min(last));
            (low <= high).then_some([low as u32, high as u32])
        };
        let columns = span(|corner| corner.x, width)?;
        let rows = span(|corner| corner.y, height)?;
        (area > 0).then_some(Self { corners, area, front, columns, rows })
    }

    /// What is at a pixel, counted from the lower left.
    pub(super) fn at(&self, column: u32, row: u32) -> At {
        let centre = |n: u32| (i64::from(n) * 2 + 1) * GRID as i64 / 2;
        let (x, y) = (centre(column), centre(row));
        let mut covered = true;
        let mut straight = [0.0; 3];
        for (n, part) in straight.iter_mut().enumerate() {
            let (from, to) = (&self.corners[(n + 1) % 3], &self.corners[(n + 2) % 3]);
            let side = edge(from, to, x, y);
            // Of two triangles with an edge in common one has what lies on it: an edge that goes down, or to the left.
            let owned = to.y < from.y || to.y == from.y && to.x < from.x;
            covered &= side > 0 || side == 0 && owned;
            *part = side as f64 / self.area as f64;
        }
        let mix = |of: &dyn Fn(&Placed) -> f64| -> f64 {
            self.corners.iter().zip(straight).map(|(corner, part)| of(corner) * part).sum()
        };
        let inverse = mix(&|corner| corner.inverse);
        let weight = |n: usize| mix(&|corner| corner.weights[n] * corner.inverse) / inverse;
        At {
            covered,
            depth: mix(&|corner| corner.depth),
            inverse,
            weights: [weight(0), weight(1), weight(2)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SIDE: u32 = 32;

    fn covered(clip: [[f32; 4]; 3]) -> Vec<u8> {
        let mut pixels = vec![0; (SIDE * SIDE) as usize];
        for triangle in triangles(clip, [SIDE; 2]) {
            for row in 0..SIDE {
                for column in 0..SIDE {
                    let at = triangle.at(column, row);
                    let inside = (triangle.columns[0]..=triangle.columns[1]).contains(&column)
                        && (triangle.rows[0]..=triangle.rows[1]).contains(&row);
                    assert!(inside || !at.covered, "a pixel outside of the bounds");
                    pixels[(row * SIDE + column) as usize] += u8::from(at.covered);
                }
            }
        }
        pixels
    }

    #[test]
    fn a_square_covers_its_pixels_once() {
        // From pixel 8 to pixel 24 along each axis: 256 pixels, with a diagonal through centres.
        let [a, b, c, d] =
            [[-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5], [0.5, 0.5]].map(|[x, y]: [f32; 2]| [x, y, 0.0, 1.0]);
        let both: Vec<u8> =
            covered([a, b, c]).into_iter().zip(covered([b, d, c])).map(|(one, two)| one + two).collect();
        for (n, count) in both.iter().enumerate() {
            let inside = [n as u32 % SIDE, n as u32 / SIDE].iter().all(|at| (8..24).contains(at));
            assert_eq!(*count, u8::from(inside), "pixel {n}");
        }
    }

    fn corner() -> impl Strategy<Value = [f32; 4]> {
        // On the grid of half pixels, so that edges often go through centres, and anywhere.
        let on_grid = (-40_i32..=40, -40_i32..=40).prop_map(|(x, y)| [x as f32 / 32.0, y as f32 / 32.0]);
        let anywhere = (-1.5_f32..1.5, -1.5_f32..1.5).prop_map(|(x, y)| [x, y]);
        (prop_oneof![on_grid, anywhere], -0.9_f32..0.9, 0.25_f32..4.0)
            .prop_map(|([x, y], z, w)| [x * w, y * w, z * w, w])
    }

    /// Places round the middle, in order, less than half a turn apart.
    fn around() -> impl Strategy<Value = Vec<(f32, f32, f32)>> {
        (3..7_usize).prop_flat_map(|count| {
            proptest::collection::vec((0.0_f32..0.4, 0.05_f32..1.5, 0.25_f32..4.0), count).prop_map(|all| {
                let count = all.len() as f32;
                let turn = |n: usize, part: f32| (n as f32 + part) / count * std::f32::consts::TAU;
                all.iter().enumerate().map(|(n, (part, far, w))| (turn(n, *part), *far, *w)).collect()
            })
        })
    }

    proptest! {
        #[test]
        fn triangles_around_a_point_meet_without_gap_or_overlap(middle in corner(), around in around()) {
            let flat = |at: &[f32; 4]| [at[0] / at[3], at[1] / at[3]];
            let [mx, my] = flat(&middle);
            let around: Vec<[f32; 4]> = around
                .into_iter()
                .map(|(turn, far, w)| [(mx + far * turn.cos()) * w, (my + far * turn.sin()) * w, 0.0, w])
                .collect();
            let mut count = vec![0_u8; (SIDE * SIDE) as usize];
            for n in 0..around.len() {
                let next = around[(n + 1) % around.len()];
                for (place, one) in count.iter_mut().zip(covered([middle, around[n], next])) {
                    *place += one;
                }
            }
            prop_assert!(count.iter().all(|times| *times <= 1), "a pixel twice");
            // All that is nearer to the middle than every outer edge is covered.
            let window = |at: [f32; 2]| at.map(|part| (part + 1.0) / 2.0 * SIDE as f32);
            let [x, y] = window([mx, my]);
            let reach = (0..around.len()).map(|n| {
                let ([ax, ay], [bx, by]) = (window(flat(&around[n])), window(flat(&around[(n + 1) % around.len()])));
                let length = ((bx - ax).powi(2) + (by - ay).powi(2)).sqrt();
                ((bx - ax) * (y - ay) - (by - ay) * (x - ax)).abs() / length
            });
            let reach = reach.fold(f32::INFINITY, f32::min) - 0.1;
            for (n, times) in count.iter().enumerate() {
                let at = [n as u32 % SIDE, n as u32 / SIDE].map(|part| part as f32 + 0.5);
                if ((at[0] - x).powi(2) + (at[1] - y).powi(2)).sqrt() < reach {
                    prop_assert!(*times == 1, "a gap at pixel {}", n);
                }
            }
        }

        #[test]
        fn values_are_what_the_plane_has(
            a in corner(), b in corner(), c in corner(), value in proptest::array::uniform3(-4.0_f64..4.0)
        ) {
            // A value over a triangle with perspective: value / w and 1 / w are linear in the window.
            let clip = [a, b, c];
            for triangle in triangles(clip, [SIDE; 2]) {
                for row in triangle.rows[0]..=triangle.rows[1] {
                    for column in triangle.columns[0]..=triangle.columns[1] {
                        let at = triangle.at(column, row);
                        if !at.covered {
                            continue;
                        }
                        let mixed: f64 = at.weights.iter().zip(value).map(|(part, value)| part * value).sum();
                        // The direct formula: the three edge functions in clip space at this place of the window.
                        let [x, y] = [column, row].map(|n| (f64::from(n) + 0.5) / f64::from(SIDE) * 2.0 - 1.0);
                        let homogeneous = clip.map(|at| [at[0], at[1], at[3]].map(f64::from));
                        let part = |n: usize| {
                            let (p, q) = (homogeneous[(n + 1) % 3], homogeneous[(n + 2) % 3]);
                            x * (p[1] * q[2] - p[2] * q[1]) + y * (p[2] * q[0] - p[0] * q[2])
                                + (p[0] * q[1] - p[1] * q[0])
                        };
                        let parts = [part(0), part(1), part(2)];
                        let sum: f64 = parts.iter().sum();
                        let direct: f64 = parts.iter().zip(value).map(|(part, value)| part / sum * value).sum();
                        // The grid moves corners by up to 1/512 pixel, which thin triangles show.
                        let area = triangle.area as f64 / GRID / GRID;
                        prop_assert!((mixed - direct).abs() < 0.02 + 8.0 / area, "{mixed} {direct} {area}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_lies_behind_the_eye_is_clipped() {
        let behind =
            triangles([[0.0, 0.0, -2.0, -1.0], [1.0, 0.0, -2.0, -1.0], [0.0, 1.0, -2.0, -1.0]], [SIDE; 2]);
        assert!(behind.is_empty());
        let half =
            triangles([[0.0, -1.0, 0.0, 1.0], [1.0, 1.0, 0.0, 1.0], [-1.0, 1.0, -9.0, -1.0]], [SIDE; 2]);
        assert!(!half.is_empty());
        for at in half.iter().map(|triangle| triangle.at(triangle.columns[0], triangle.rows[0])) {
            assert!(at.inverse.is_finite());
        }
        assert!(triangles([[f32::NAN; 4]; 3], [SIDE; 2]).is_empty());
        assert!(triangles([[0.0; 4]; 3], [SIDE; 2]).is_empty());
        for size in [1e9_f32, 1e20, 1e30, f32::MAX] {
            let _ = covered([[-size, -size, 0.0, 1.0], [size, -size, 0.0, 1.0], [0.0, size, 0.0, 1e-30]]);
            let _ =
                covered([[-size, -size, size, size], [size, -1.0, -size, 1e-40], [0.0, size, 0.0, -size]]);
        }
        let huge = [[-1e5, -1e5, 0.0, 1.0], [1e5, -1e5, 0.0, 1.0], [0.0, 1e5, 0.0, 1.0]];
        assert_eq!(covered(huge).iter().map(|count| u32::from(*count)).sum::<u32>(), SIDE * SIDE);
    }
}
