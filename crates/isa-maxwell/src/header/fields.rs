//! The fields of a header, each with its path.

use super::{Header, Interpolation, Layout};
use std::borrow::Cow;

/// What the bits of a field mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A number.
    Number,
    /// A set, the first member as the lowest bit.
    Set,
    /// Yes or no.
    Flag,
    /// A name for each number.
    Named(&'static [(u32, &'static str)]),
    /// A bit for each component, x as the lowest.
    Components,
    /// Two bits for each component: how it is interpolated.
    Interpolated,
    /// Nothing that is known.
    Reserved,
}

/// A field of a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name, `kills_pixels`, or its path, `imap.generic[3]`.
    pub path: Cow<'static, str>,
    /// Its lowest bit, counted from the lowest of the first word.
    pub at: u32,
    /// How many bits, 1-32.
    pub len: u32,
    /// What they mean.
    pub shape: Shape,
}

const LAYOUTS: Shape = Shape::Named(&[(1, "vertices"), (2, "pixels")]);
const STAGES: Shape =
    Shape::Named(&[(1, "vertex"), (2, "tess-control"), (3, "tess-eval"), (4, "geometry"), (5, "fragment")]);
const TOPOLOGIES: Shape = Shape::Named(&[(1, "points"), (6, "line strip"), (7, "triangle strip")]);

/// Names, bits and meanings of the five words that all headers have.
const COMMON: &[(&str, u32, Shape)] = &[
    ("sph_type", 5, LAYOUTS),
    ("version", 5, Shape::Number),
    ("shader_type", 4, STAGES),
    ("mrt_enable", 1, Shape::Flag),
    ("kills_pixels", 1, Shape::Flag),
    ("does_global_store", 1, Shape::Flag),
    ("sass_version", 4, Shape::Number),
    ("reserved_21", 3, Shape::Reserved),
    ("geometry_passthrough", 1, Shape::Flag),
    ("unknown_25", 1, Shape::Flag),
    ("does_load_or_store", 1, Shape::Flag),
    ("does_fp64", 1, Shape::Flag),
    ("stream_out_mask", 4, Shape::Set),
    ("local_memory_low_size", 24, Shape::Number),
    ("per_patch_attribute_count", 8, Shape::Number),
    ("local_memory_high_size", 24, Shape::Number),
    ("threads_per_input_primitive", 8, Shape::Number),
    ("local_memory_crs_size", 24, Shape::Number),
    ("output_topology", 4, TOPOLOGIES),
    ("reserved_124", 4, Shape::Reserved),
    ("max_output_vertex_count", 12, Shape::Number),
    ("store_req_start", 8, Shape::Number),
    ("reserved_148", 4, Shape::Reserved),
    ("store_req_end", 8, Shape::Number),
];

/// The first 32 words of the attribute space.
const SYSTEM_AB: &[(&str, u32, Shape)] = &[
    ("reserved_0", 4, Shape::Reserved),
    ("tess_lod_left", 1, Shape::Flag),
    ("tess_lod_right", 1, Shape::Flag),
    ("tess_lod_bottom", 1, Shape::Flag),
    ("tess_lod_top", 1, Shape::Flag),
    ("tess_interior_u", 1, Shape::Flag),
    ("tess_interior_v", 1, Shape::Flag),
    ("reserved_10", 14, Shape::Reserved),
    ("primitive_id", 1, Shape::Flag),
    ("layer", 1, Shape::Flag),
    ("viewport", 1, Shape::Flag),
    ("point_size", 1, Shape::Flag),
    ("position", 4, Shape::Components),
];

/// The colours of stages that work on vertices.
const COLOURS: &[(&str, u32, Shape)] = &[
    ("front_diffuse", 4, Shape::Components),
    ("front_specular", 4, Shape::Components),
    ("back_diffuse", 4, Shape::Components),
    ("back_specular", 4, Shape::Components),
];

/// The colours of pixels.
const PIXEL_COLOURS: &[(&str, u32, Shape)] =
    &[("front_diffuse", 8, Shape::Interpolated), ("front_specular", 8, Shape::Interpolated)];

/// The words of the attribute space from byte 0x2C0 on.
const SYSTEM_C: &[(&str, u32, Shape)] = &[
    ("clip_distance", 8, Shape::Set),
    ("point_coord", 2, Shape::Components),
    ("fog_coord", 1, Shape::Flag),
    ("reserved_187", 1, Shape::Reserved),
    ("tess_coord", 2, Shape::Components),
    ("instance_id", 1, Shape::Flag),
    ("vertex_id", 1, Shape::Flag),
];

/// Puts fields behind one another.
struct Rows {
    fields: Vec<Field>,
    at: u32,
}

impl Rows {
    fn push(&mut self, path: impl Into<Cow<'static, str>>, len: u32, shape: Shape) {
        self.fields.push(Field { path: path.into(), at: self.at, len, shape });
        self.at += len;
    }

    fn all(&mut self, map: &str, rows: &[(&'static str, u32, Shape)]) {
        for (name, len, shape) in rows {
            self.push(format!("{map}.{name}"), *len, *shape);
        }
    }

    fn vectors(&mut self, name: &str, count: u32, (len, shape): (u32, Shape)) {
        for index in 0..count {
            self.push(format!("{name}[{index}]"), len, shape);
        }
    }

    /// One of the two maps of a stage that works on vertices.
    fn vertices(&mut self, map: &str) {
        let components = (4, Shape::Components);
        self.all(map, SYSTEM_AB);
        self.vectors(&format!("{map}.generic"), 32, components);
        self.all(map, COLOURS);
        self.all(map, SYSTEM_C);
        self.vectors(&format!("{map}.tex_coord"), 10, components);
        self.all(map, &[("viewport_mask", 1, Shape::Flag), ("reserved_233", 7, Shape::Reserved)]);
    }

    fn pixels(&mut self) {
        let interpolated = (8, Shape::Interpolated);
        self.all("imap", SYSTEM_AB);
        self.vectors("imap.generic", 32, interpolated);
        self.all("imap", PIXEL_COLOURS);
        self.all("imap", SYSTEM_C);
        self.vectors("imap.tex_coord", 10, interpolated);
        self.push("imap.reserved", 16, Shape::Reserved);
        self.vectors("omap.target", 8, (4, Shape::Components));
        self.push("omap.sample_mask", 1, Shape::Flag);
        self.push("omap.depth", 1, Shape::Flag);
        self.push("omap.reserved", 30, Shape::Reserved);
    }
}

impl Header {
    /// Its fields in the order of their bits. They go over all of its bits.
    pub fn fields(&self) -> Vec<Field> {
        let mut rows = Rows { fields: Vec::with_capacity(200), at: 0 };
        for (name, len, shape) in COMMON {
            rows.push(*name, *len, *shape);
        }
        match self.layout() {
            Layout::Vertices => {
                rows.vertices("imap");
                rows.vertices("omap");
            }
            Layout::Pixels => rows.pixels(),
            Layout::Other => {
                (5..super::WORDS).for_each(|word| rows.push(format!("word[{word}]"), 32, Shape::Reserved))
            }
        }
        rows.fields
    }

    /// The field of that path.
    pub fn field(&self, path: &str) -> Option<Field> {
        self.fields().into_iter().find(|field| field.path == path)
    }
}

impl Field {
    /// Words for a value of the field: `true`, `xyz`, `xy perspective, w constant`, `line strip`.
    pub fn text(&self, value: u32) -> String {
        match self.shape {
            Shape::Number => value.to_string(),
            Shape::Set | Shape::Reserved => format!("{value:#x}"),
            Shape::Flag => (value != 0).to_string(),
            Shape::Named(names) => match names.iter().find(|(number, _)| *number == value) {
                Some((_, name)) => (*name).to_owned(),
                None => value.to_string(),
            },
            Shape::Components => match value {
                0 => "none".to_owned(),
                set => {
                    LETTERS.into_iter().filter(|(place, _)| set >> place & 1 == 1).map(|(_, x)| x).collect()
                }
            },
            Shape::Interpolated => interpolated(value),
        }
    }
}

const LETTERS: [(u32, char); 4] = [(0, 'x'), (1, 'y'), (2, 'z'), (3, 'w')];

fn interpolated(value: u32) -> String {
    let mut parts = Vec::new();
    for kind in [Interpolation::Perspective, Interpolation::Constant, Interpolation::ScreenLinear] {
        let is = |place: u32| Interpolation::of(value >> (2 * place)) == kind;
        let letters: String = LETTERS.into_iter().filter(|(place, _)| is(*place)).map(|(_, x)| x).collect();
        if !letters.is_empty() {
            parts.push(format!("{letters} {}", kind.name()));
        }
    }
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}
