//! Every question to every kind of texture, one program each.

use super::*;
use unshade_ir::ast::{Fetch, Program};
use unshade_ir::{Texel, Texture, TextureLevel, TextureQuery, TextureShape};

pub const SHAPES: [TextureShape; 11] = [
    TextureShape::Line,
    TextureShape::Plane,
    TextureShape::Volume,
    TextureShape::Cube,
    TextureShape::LineArray,
    TextureShape::PlaneArray,
    TextureShape::CubeArray,
    TextureShape::Rectangle,
    TextureShape::Buffer,
    TextureShape::PlaneSamples,
    TextureShape::PlaneSamplesArray,
];

const LEVELS: [TextureLevel; 4] =
    [TextureLevel::Quad, TextureLevel::Bias, TextureLevel::Given, TextureLevel::Gradients];

/// A question as words.
pub fn name(texture: Texture, texel: Texel) -> String {
    let Texture { shape, query, shadow, level, offset, .. } = texture;
    format!("{query:?} {shape:?} {texel:?} {level:?}{}{offset:?}", if shadow { " shadow " } else { " " })
}

/// All of them, also those that no language has.
pub fn all() -> Vec<(Texture, Texel)> {
    let queries = [
        TextureQuery::Sample,
        TextureQuery::Texel,
        TextureQuery::Gather(0),
        TextureQuery::Gather(2),
        TextureQuery::Size,
        TextureQuery::Level,
        TextureQuery::Samples,
    ];
    let mut list = Vec::new();
    for shape in SHAPES {
        for query in queries {
            for level in LEVELS {
                let sampled = query == TextureQuery::Sample;
                let fits = match query {
                    TextureQuery::Sample => true,
                    TextureQuery::Texel | TextureQuery::Size => {
                        matches!(level, TextureLevel::Quad | TextureLevel::Given)
                    }
                    _ => level == TextureLevel::Quad,
                };
                if !fits {
                    continue;
                }
                let plain = Texture { query, ..Texture::sample(3, shape, level) };
                list.push((plain, Texel::Float));
                if sampled || query == TextureQuery::Texel || query == TextureQuery::Gather(2) {
                    list.push((plain, Texel::Int));
                    list.push((plain, Texel::Uint));
                }
                let compares = sampled || query == TextureQuery::Gather(0);
                let shadow = Texture { shadow: true, ..plain };
                let moved = [1, -2, 3];
                if compares {
                    list.push((shadow, Texel::Float));
                    list.push((Texture { offset: moved, ..shadow }, Texel::Float));
                }
                if compares || query == TextureQuery::Texel {
                    list.push((Texture { offset: moved, ..plain }, Texel::Float));
                }
            }
        }
    }
    list
}

/// A program whose only output is the answer; all of it, or only the first component.
pub fn program(texture: Texture, texel: Texel, whole: bool) -> Program {
    let shape =
        Shape::Sampler { shape: texture.shape, elements: 0, external: false, shadow: texture.shadow, texel };
    let sampler = GlobalVar {
        global: Global { location: 3, ..Global::new("u_texture", Space::Texture, 0, 3, shape) },
        matrix_rows: None,
    };
    let scalar = if texture.is_integer() { Scalar::Int } else { Scalar::Float };
    let vector = |components: usize, from: usize| {
        let parts = (0..components).map(|at| {
            let lane = swizzle(read(0, VEC4), ["x", "y", "z", "w"][(from + at) % 4]);
            if scalar == Scalar::Int { convert(Scalar::Int, lane) } else { lane }
        });
        let parts: Vec<Expr> = parts.collect();
        if components == 1 { parts[0].clone() } else { construct(components as u8, parts) }
    };
    let levels = match texture.level {
        TextureLevel::Gradients => vec![vector(texture.shape.axes(), 0), vector(texture.shape.axes(), 1)],
        _ => (0..texture.level_operands()).map(|_| vector(1, 3)).collect(),
    };
    let coordinates = (texture.coordinates() > 0).then(|| vector(texture.coordinates(), 0));
    let reference = texture.shadow.then(|| swizzle(read(0, VEC4), "w"));
    let answer = match (texture.query, texel) {
        (TextureQuery::Size | TextureQuery::Samples, _) => Scalar::Int,
        (TextureQuery::Level, _) => Scalar::Float,
        (_, Texel::Float) => Scalar::Float,
        (_, Texel::Int) => Scalar::Int,
        (_, Texel::Uint) => Scalar::Uint,
    };
    let fetch = Fetch { sampler: GlobalRef(2), element: None, texture, coordinates, reference, levels };
    let fetch = Expr::new(ty(answer, 4), ExprKind::Texture(Box::new(fetch)));
    let float = |value: Expr| if answer == Scalar::Float { value } else { convert(Scalar::Float, value) };
    let value = if whole { float(fetch) } else { construct(4, vec![float(swizzle(fetch, "x"))]) };
    let mut colour = vector_output("o_color");
    colour.global.semantic = Some("color".to_owned());
    Program {
        globals: vec![super::vector("v_place", Space::Input, 0, 4), colour, sampler],
        functions: vec![function("main", 0, &[], &[], vec![assign_global(1, value)])],
        ..Program::default()
    }
}

fn vector_output(name: &str) -> GlobalVar {
    vector(name, Space::Output, 0, 4)
}
