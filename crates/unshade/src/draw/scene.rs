//! A pair of programs on a mesh: vertices first, then pixel by pixel.

use super::inputs::Files;
use super::pair::Pair;
use super::pixels::{Pixels, Quad, pixels};
use super::raster::{At, Triangle, triangles};
use super::vertices::{Link, Passed, Vertex, own_name, vertices};
use super::{mesh, stand_in, textures};
use crate::verify::Registers;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use unshade_emit::BindingKind;
use unshade_isa::texture::Bank;

/// Largest width and height of a picture.
pub(super) const MOST_SIDE: u32 = 1024;
/// Instructions that a vertex or a quad may take.
pub(super) const FUEL: u64 = 1 << 15;
/// Instructions of all vertices.
pub(super) const VERTEX_STEPS: u64 = 1 << 25;
/// Instructions of a whole picture.
const PICTURE_STEPS: u64 = 1 << 33;
/// Textures of one array.
const MOST_UNITS: u32 = 32;
/// What a quad costs beside its instructions.
const QUAD_STEPS: u64 = 64;
/// What a pixel shows that did not come to its end.
const UNFINISHED: [u8; 4] = [255, 0, 255, 255];

/// A uniform with its numbers, column by column, element by element.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Given {
    /// Its name in the source. What stands in front of a dot, the name of a block, does not count.
    pub name: String,
    /// As many as it has; integers and truth values too.
    pub values: Vec<f32>,
}

/// What is drawn, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// One of [`super::MESHES`].
    pub mesh: String,
    /// Pixels across, at most 1024.
    pub width: u32,
    /// Pixels up, at most 1024.
    pub height: u32,
    /// Grey behind the mesh, 0 to 1.
    pub ground: f32,
    /// Uniforms; those that are not here have what the file says, or 0.
    pub uniforms: Vec<Given>,
}

/// Why a scene is not drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SceneError {
    /// No mesh of that name.
    Mesh(String),
    /// No picture has such a size.
    Size([u32; 2]),
    /// The interpreter cannot run the program.
    Machine(String),
    /// A vertex did not come to its end.
    Vertex(usize),
    /// All vertices together take too long.
    Vertices,
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mesh(name) => write!(f, "expected one of {}, found {name:?}", super::MESHES.join(", ")),
            Self::Size([width, height]) => {
                write!(f, "expected a picture of 1 to {MOST_SIDE} pixels a side, found {width}x{height}")
            }
            Self::Machine(why) => f.write_str(why),
            Self::Vertex(number) => {
                write!(
                    f,
                    "the vertex program did not come to its end at vertex {number} within {FUEL} instructions"
                )
            }
            Self::Vertices => write!(f, "the vertices take more than {VERTEX_STEPS} instructions"),
        }
    }
}

impl std::error::Error for SceneError {}

/// A picture: rows from the top, red, green, blue and alpha of each pixel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Four bytes for each pixel; alpha is 255.
    pub bytes: Vec<u8>,
}

/// How far a drawing is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Progress {
    /// The part of the triangles that is done, 0 to 1.
    pub done: f32,
    /// Nothing is left to do.
    pub finished: bool,
    /// Instructions done, by vertices and quads.
    pub steps: u64,
    /// Pixels that did not come to their end; they are magenta.
    pub unfinished: u32,
}

/// What shades a quad.
enum Shading {
    Code {
        pixels: Box<dyn Pixels>,
        colour: [u32; 3],
        depth: Option<u32>,
    },
    /// The stand-in, from the values themselves.
    StandIn,
}

/// A picture on its way.
pub struct Drawing {
    picture: Picture,
    /// Of each pixel, rows from the bottom.
    depth: Vec<f64>,
    vertices: Vec<Vertex>,
    indices: Vec<u16>,
    links: Vec<Link>,
    shading: Shading,
    /// The triangle of the mesh that is next, and those that are left of the one before.
    next: usize,
    waiting: Vec<(Triangle, [u16; 3])>,
    /// Row of quads that is next in the last of these.
    row: u32,
    steps: u64,
    unfinished: u32,
    why: Option<String>,
}

impl fmt::Debug for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Drawing")
            .field("next", &self.next)
            .field("steps", &self.steps)
            .finish_non_exhaustive()
    }
}

impl Drawing {
    /// A drawing in front of its first pixel: all vertices are done.
    ///
    /// # Errors
    ///
    /// What [`SceneError`] says.
    pub fn new(pair: &Pair, scene: &Scene) -> Result<Self, SceneError> {
        let size = [scene.width, scene.height];
        if size.iter().any(|side| !(1..=MOST_SIDE).contains(side)) {
            return Err(SceneError::Size(size));
        }
        let mesh = mesh(&scene.mesh).ok_or_else(|| SceneError::Mesh(scene.mesh.clone()))?;
        let values: BTreeMap<&str, &[f32]> =
            scene.uniforms.iter().map(|given| (own_name(&given.name), &given.values[..])).collect();
        let passed = Passed::new(pair);
        let mut steps = 0;
        let vertices = vertices(pair, &mesh, &values, &passed, &mut steps)?;
        let shading = shading(pair, &values, &passed)?;
        let pixels = scene.width as usize * scene.height as usize;
        let ground = byte(scene.ground);
        let picture = Picture {
            width: scene.width,
            height: scene.height,
            bytes: [ground, ground, ground, 255].repeat(pixels),
        };
        let links = passed.links;
        let depth = vec![1.0; pixels];
        let (next, row, unfinished, why) = (0, 0, 0, None);
        let (indices, waiting) = (mesh.indices, Vec::new());
        Ok(Self {
            picture,
            depth,
            vertices,
            indices,
            links,
            shading,
            next,
            waiting,
            row,
            steps,
            unfinished,
            why,
        })
    }

    /// Goes on for about so many instructions.
    pub fn go(&mut self, budget: u64) -> Progress {
        let until = self.steps.saturating_add(budget).min(PICTURE_STEPS);
        while self.steps < until && self.one_row() {}
        self.progress()
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        let finished =
            self.waiting.is_empty() && self.next >= self.indices.len() || self.steps >= PICTURE_STEPS;
        let done = if finished { 1.0 } else { self.next as f32 / self.indices.len().max(1) as f32 };
        Progress { done, finished, steps: self.steps, unfinished: self.unfinished }
    }

    /// The picture as far as it is.
    pub fn picture(&self) -> &Picture {
        &self.picture
    }

    /// Why the first pixel that did not come to its end did not.
    pub fn why(&self) -> Option<&str> {
        self.why.as_deref()
    }

    /// A row of quads of a triangle; answers whether there was one.
    fn one_row(&mut self) -> bool {
        let Some((triangle, corners)) = self.waiting.last().cloned() else {
            let Some(&[a, b, c]) = self.indices.get(self.next..self.next + 3) else { return false };
            self.next += 3;
            self.steps += QUAD_STEPS;
            let clip =
                [a, b, c].map(|at| self.vertices.get(usize::from(at)).map_or([0.0; 4], |vertex| vertex.clip));
            let made = triangles(clip, [self.picture.width, self.picture.height]);
            self.waiting = made.into_iter().map(|triangle| (triangle, [a, b, c])).collect();
            self.start_row();
            return true;
        };
        let row = self.row;
        for column in (triangle.columns[0] & !1..=triangle.columns[1]).step_by(2) {
            self.quad(&triangle, corners, column, row);
        }
        self.steps += QUAD_STEPS;
        self.row += 2;
        if self.row > triangle.rows[1] {
            self.waiting.pop();
            self.start_row();
        }
        true
    }

    fn start_row(&mut self) {
        self.row = self.waiting.last().map_or(0, |(triangle, _)| triangle.rows[0] & !1);
    }

    /// Where a pixel is in the picture and in the depths; none outside.
    fn place(&self, column: u32, row: u32) -> Option<(usize, usize)> {
        let Picture { width, height, .. } = self.picture;
        let down = height.checked_sub(1)?.checked_sub(row)?;
        let inside = column < width;
        inside.then_some((
            4 * (down as usize * width as usize + column as usize),
            row as usize * width as usize + column as usize,
        ))
    }

    fn quad(&mut self, triangle: &Triangle, corners: [u16; 3], column: u32, row: u32) {
        let places: [(u32, u32); 4] = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| (column + x, row + y));
        let at: [At; 4] = places.map(|(column, row)| triangle.at(column, row));
        let writes_depth = matches!(self.shading, Shading::Code { depth: Some(_), .. });
        let covered: [bool; 4] = std::array::from_fn(|n| {
            let (column, row) = places[n];
            let place = self.place(column, row).and_then(|(_, place)| self.depth.get(place));
            at[n].covered && place.is_some_and(|known| writes_depth || at[n].depth < *known)
        });
        if covered == [false; 4] {
            return;
        }
        let vertices = corners.map(|corner| self.vertices.get(usize::from(corner)));
        let [Some(a), Some(b), Some(c)] = vertices else { return };
        let values: [Vec<u32>; 4] = at.map(|at| {
            let one = |(n, link): (usize, &Link)| {
                let of = [a, b, c].map(|vertex| vertex.values.get(n).copied().unwrap_or(0));
                if link.flat {
                    return of[2];
                }
                let parts = of.map(|bits| f64::from(f32::from_bits(bits)));
                let mixed: f64 = parts.iter().zip(at.weights).map(|(part, weight)| part * weight).sum();
                (mixed as f32).to_bits()
            };
            self.links.iter().enumerate().map(one).collect()
        });
        self.steps += QUAD_STEPS;
        let (colour, depth) = match &mut self.shading {
            Shading::StandIn => {
                let shown = |values: &Vec<u32>| {
                    let floats: Vec<f32> = values.iter().copied().map(f32::from_bits).collect();
                    Some(stand_in::run_fragment(&floats))
                };
                (values.each_ref().map(shown), None)
            }
            Shading::Code { pixels, colour, depth } => {
                let quad = Quad {
                    values: values.each_ref().map(|values| &values[..]),
                    coordinates: std::array::from_fn(|n| {
                        let (column, row) = places[n];
                        [column as f32 + 0.5, row as f32 + 0.5, at[n].depth as f32, at[n].inverse as f32]
                    }),
                    front: triangle.front,
                    covered,
                };
                let shaded = pixels.quad(&quad, FUEL);
                self.steps += 4 * shaded.steps;
                if let Some(why) = shaded.stopped {
                    self.why.get_or_insert(why);
                    for (column, row) in (0..4).filter(|n| covered[*n]).map(|n| places[n]) {
                        self.unfinished += 1;
                        self.put(column, row, 0.0, UNFINISHED);
                    }
                    return;
                }
                let word =
                    |words: &[u32], at: u32| f32::from_bits(words.get(at as usize).copied().unwrap_or(0));
                let colours = shaded
                    .words
                    .each_ref()
                    .map(|words| words.as_ref().map(|words| colour.map(|at| word(words, at))));
                let depths = depth.map(|at| {
                    shaded.words.each_ref().map(|words| words.as_ref().map_or(1.0, |words| word(words, at)))
                });
                (colours, depths)
            }
        };
        for n in (0..4).filter(|n| covered[*n]) {
            let Some([red, green, blue]) = colour[n] else { continue };
            let (column, row) = places[n];
            let depth = depth.map_or(at[n].depth, |depths: [f32; 4]| f64::from(depths[n].clamp(0.0, 1.0)));
            self.put(column, row, depth, [byte(red), byte(green), byte(blue), 255]);
        }
    }

    /// Puts a colour where nothing is nearer.
    fn put(&mut self, column: u32, row: u32, depth: f64, colour: [u8; 4]) {
        let Some((at, place)) = self.place(column, row) else { return };
        if let (Some(known), Some(pixel)) =
            (self.depth.get_mut(place), self.picture.bytes.get_mut(at..at + 4))
            && depth < *known
        {
            *known = depth;
            pixel.copy_from_slice(&colour);
        }
    }
}

/// A colour's part as a byte; what is no number is 0.
fn byte(part: f32) -> u8 {
    (part.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// What shades the quads.
fn shading(pair: &Pair, values: &BTreeMap<&str, &[f32]>, passed: &Passed) -> Result<Shading, SceneError> {
    let Some(coded) = &pair.fragment else { return Ok(Shading::StandIn) };
    let mut files = Files::of(&coded.stage);
    files.uniforms(&coded.interface, |name| values.get(own_name(name)).copied());
    let mut bank = Bank::default();
    for binding in &coded.interface {
        if let BindingKind::Sampler { .. } = binding.kind
            && let Some(known) = pair.samplers.iter().find(|known| known.name == binding.name)
        {
            let first = binding.machine.first;
            let units = (0..binding.elements.clamp(1, MOST_UNITS)).map(|n| first.saturating_add(n));
            textures::bind(&mut bank, units, known.number, &pair.fragment_text, &binding.name);
        }
    }
    let constants: Vec<Registers> = files.0;
    let pixels = pixels(&coded.stage, &constants, passed.to.clone(), bank).map_err(SceneError::Machine)?;
    let colour = pair.colour().unwrap_or_default();
    Ok(Shading::Code { pixels, colour, depth: pair.depth() })
}
