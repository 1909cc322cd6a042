//! Questions to textures: by the function that the version has for each, the reference and the offset where
//! that function wants them.

use super::call::Argument;
use super::expression::Printed;
use super::sampler;
use super::{GlslVersion, Printer, types};
use crate::Error;
use unshade_ir::ast::{Binary, Expr, ExprKind, Fetch, Scalar, Type};
use unshade_ir::{Texture, TextureLevel, TextureQuery, TextureShape};
use unshade_stage::StageKind;

impl Printer<'_> {
    /// A question, all four components of the answer.
    pub(super) fn texture(&mut self, fetch: &Fetch, ty: Type) -> Printed {
        match fetch.texture.answer() {
            4 => self.answer(fetch),
            _ if fetch.texture.query == TextureQuery::Size => {
                self.out.push_str(types::name(ty));
                self.out.push('(');
                self.answer(fetch)?;
                if fetch.texture.answer() < 3 {
                    self.out.push_str(if fetch.texture.answer() == 2 { ", 0, " } else { ", 0, 0, " });
                } else {
                    self.out.push_str(", ");
                }
                self.levels(fetch)?;
                self.out.push(')');
                Ok(())
            }
            width => {
                self.out.push_str(types::name(ty));
                self.out.push('(');
                self.answer(fetch)?;
                // A comparison is the same in all components.
                if !fetch.texture.shadow || fetch.texture.query != TextureQuery::Sample {
                    let zero = if ty.scalar == Scalar::Float { ", 0.0" } else { ", 0" };
                    (width..4).for_each(|_| self.out.push_str(zero));
                }
                self.out.push(')');
                Ok(())
            }
        }
    }

    /// Some components of the answer; false: they have no shorter form than those of the whole answer.
    pub(super) fn texture_lanes(&mut self, fetch: &Fetch, lanes: &[u8]) -> Result<bool, Error> {
        let width = fetch.texture.answer();
        let texture = fetch.texture;
        if texture.query == TextureQuery::Size && lanes == [3] {
            self.levels(fetch)?;
            return Ok(true);
        }
        let comparison = texture.shadow && texture.query == TextureQuery::Sample;
        if comparison && lanes.len() == 1 {
            self.answer(fetch)?;
            return Ok(true);
        }
        if width == 4 || lanes.iter().any(|lane| *lane >= width) || width == 1 && lanes.len() > 1 {
            return Ok(false);
        }
        self.answer(fetch)?;
        if width > 1 && !lanes.iter().copied().eq(0..width) {
            self.lanes(lanes);
        }
        Ok(true)
    }

    /// The number of levels, as an int.
    fn levels(&mut self, fetch: &Fetch) -> Printed {
        let shape = fetch.texture.shape;
        if !has_levels(shape) {
            self.out.push('1');
            return Ok(());
        }
        if self.version != GlslVersion::Core450 {
            return refuse(self.version, "the number of levels of a texture");
        }
        self.out.push_str("textureQueryLevels");
        let sampler = self.names.globals[fetch.sampler.0 as usize].clone();
        self.arguments([Argument::Named(&sampler, fetch.element.as_ref())].into_iter())
    }

    /// The function and its arguments.
    fn answer(&mut self, fetch: &Fetch) -> Printed {
        let texture = fetch.texture;
        if texture.query == TextureQuery::Samples && !texture.shape.has_samples() {
            // Texels of all others have one. The texture is declared all the same.
            sampler::check(texture, self.version)?;
            sampler::extension(texture, self.version).into_iter().for_each(|name| self.uses.extension(name));
            self.out.push('1');
            return Ok(());
        }
        self.chosen_by_number(fetch)?;
        let projected = if self.options.strict { None } else { projected(fetch) };
        let form = self.form(fetch, projected.is_some())?;
        let of_type = sampler::extension(texture, self.version);
        for extension in of_type.iter().chain(form.extensions) {
            self.uses.extension(extension);
        }
        self.out.push_str(&form.name);
        let sampler = self.names.globals[fetch.sampler.0 as usize].clone();
        let sampler = Argument::Named(&sampler, fetch.element.as_ref());
        let coordinates = projected.or_else(|| fetch.coordinates.clone()).map(|at| moved(texture, at));
        let mut list: Vec<Expr> = Vec::new();
        match (coordinates, &fetch.reference) {
            (Some(at), Some(reference)) if form.packed => {
                list.push(packed(texture.shape, at, reference.clone()));
            }
            (at, reference) => list.extend(at.into_iter().chain(reference.iter().cloned())),
        }
        let offset = form.offset.then(|| offset(texture));
        let component = match texture.query {
            TextureQuery::Gather(component @ 1..) if !texture.shadow => Some(int(&[i32::from(component)])),
            _ => None,
        };
        match form.levels {
            Levels::None => list.extend(offset),
            // A bias stands at the end, everything else in front of the offset.
            Levels::Bias => list.extend(offset.into_iter().chain(fetch.levels.iter().cloned())),
            Levels::Operands => list.extend(fetch.levels.iter().cloned().chain(offset)),
            Levels::First => list.extend([int(&[0])].into_iter().chain(offset)),
            Levels::NoGradients => {
                let still = Expr::new(
                    Type { scalar: Scalar::Float, components: texture.shape.axes() as u8 },
                    ExprKind::Literal(vec![0; texture.shape.axes()]),
                );
                list.extend([still.clone(), still].into_iter().chain(offset));
            }
        }
        list.extend(component);
        self.arguments([sampler].into_iter().chain(list.iter().map(Argument::Whole)))
    }

    fn chosen_by_number(&self, fetch: &Fetch) -> Printed {
        let Some(element) = &fetch.element else { return Ok(()) };
        // Only 4.00 and ES 3.20 let an index be computed at run time.
        if !matches!(element.kind, ExprKind::Literal(_)) && !self.version.has_bindings() {
            return refuse(self.version, "a texture chosen by number");
        }
        Ok(())
    }

    fn form(&self, fetch: &Fetch, projected: bool) -> Result<Form, Error> {
        let texture = fetch.texture;
        sampler::check(texture, self.version)?;
        match texture.query {
            TextureQuery::Sample => self.sample(fetch, projected),
            TextureQuery::Texel => self.texel(texture),
            TextureQuery::Gather(_) => self.gather(texture),
            TextureQuery::Size => {
                let levels = match texture.level {
                    _ if !has_levels(texture.shape) => Levels::None,
                    TextureLevel::Given => Levels::Operands,
                    _ => Levels::First,
                };
                if self.version.is_old() {
                    return refuse(self.version, "the size of a texture");
                }
                Ok(Form { levels, ..Form::new("textureSize") })
            }
            TextureQuery::Level => {
                if self.options.kind != StageKind::Fragment {
                    return self.outside("the level of detail of a texture fetch");
                }
                if !has_levels(texture.shape) {
                    return Err(shapeless("the level of detail", texture));
                }
                match self.version {
                    GlslVersion::Core450 => Ok(Form::new("textureQueryLod")),
                    GlslVersion::Core330 => {
                        Ok(Form { extensions: &["GL_ARB_texture_query_lod"], ..Form::new("textureQueryLOD") })
                    }
                    version => refuse(version, "the level of detail of a texture fetch"),
                }
            }
            TextureQuery::Samples => {
                if !texture.shape.has_samples() {
                    return Err(shapeless("the number of samples", texture));
                }
                match self.version {
                    GlslVersion::Core450 => Ok(Form::new("textureSamples")),
                    version => refuse(version, "the number of samples of a texture"),
                }
            }
        }
    }

    fn sample(&self, fetch: &Fetch, projected: bool) -> Result<Form, Error> {
        use TextureShape::{Buffer, Cube, CubeArray, PlaneArray, PlaneSamples, PlaneSamplesArray, Rectangle};
        let texture = fetch.texture;
        let shape = texture.shape;
        if matches!(shape, Buffer | PlaneSamples | PlaneSamplesArray) {
            return Err(shapeless("a filtered fetch", texture));
        }
        let has_offset = texture.offset != [0; 3];
        if has_offset && matches!(shape, Cube | CubeArray) {
            return Err(shapeless("an offset in texels", texture));
        }
        // A rectangle has one level.
        let level = match texture.level {
            TextureLevel::Bias | TextureLevel::Given if shape == Rectangle => TextureLevel::Quad,
            level => level,
        };
        // Without quads the level is the first one.
        let first = level == TextureLevel::Given
            && texture.shadow
            && matches!(shape, Cube | CubeArray | PlaneArray)
            && self.options.kind != StageKind::Fragment
            && fetch.levels.iter().all(is_zero);
        let level = if first && !self.version.is_old() { TextureLevel::Quad } else { level };
        if level == TextureLevel::Bias && self.options.kind != StageKind::Fragment {
            return self.outside("a texture fetch with a bias");
        }
        if self.version.is_old() {
            return self.old_sample(texture, projected, has_offset);
        }
        let awkward = texture.shadow && matches!(shape, PlaneArray | CubeArray);
        let (mut function, mut levels) = match level {
            TextureLevel::Quad => ("", Levels::None),
            // GL_EXT_texture_shadow_lod has functions for it, which few compilers know.
            TextureLevel::Bias if awkward => return Err(shapeless("a bias", texture)),
            TextureLevel::Bias => ("", Levels::Bias),
            TextureLevel::Given => ("Lod", Levels::Operands),
            TextureLevel::Gradients => ("Grad", Levels::Operands),
        };
        if level == TextureLevel::Given && texture.shadow && matches!(shape, Cube | PlaneArray) {
            // Where nothing changes from pixel to pixel the level is the first one.
            if !fetch.levels.iter().all(is_zero) {
                return Err(shapeless("a level of its own", texture));
            }
            (function, levels) = ("Grad", Levels::NoGradients);
        }
        if texture.shadow && shape == CubeArray && level != TextureLevel::Quad {
            return Err(shapeless("a level of its own", texture));
        }
        let late = texture.shadow && shape == PlaneArray && function.is_empty();
        if has_offset && late && self.version != GlslVersion::Core450 {
            return refuse(self.version, "an offset in texels in an array of shadows");
        }
        let offset = if has_offset { "Offset" } else { "" };
        let projection = if projected { "Proj" } else { "" };
        Ok(Form {
            name: format!("texture{projection}{function}{offset}"),
            extensions: &[],
            packed: shape != CubeArray,
            levels,
            offset: has_offset,
        })
    }

    /// ES 1.00 has a function for each shape.
    fn old_sample(&self, texture: Texture, projected: bool, has_offset: bool) -> Result<Form, Error> {
        if has_offset {
            return refuse(self.version, "an offset in texels");
        }
        let shape = match texture.shape {
            TextureShape::Plane => "2D",
            TextureShape::Cube => "Cube",
            TextureShape::Volume => "3D",
            _ => return refuse(self.version, "a texture of this shape"),
        };
        let fragment = self.options.kind == StageKind::Fragment;
        let (function, levels) = match texture.level {
            TextureLevel::Quad => ("", Levels::None),
            TextureLevel::Bias => ("", Levels::Bias),
            TextureLevel::Given if fragment && shape != "3D" => ("LodEXT", Levels::Operands),
            TextureLevel::Given => ("Lod", Levels::Operands),
            TextureLevel::Gradients if fragment && shape != "3D" => ("GradEXT", Levels::Operands),
            TextureLevel::Gradients => return refuse(self.version, "a texture fetch with gradients"),
        };
        let projection = if projected { "Proj" } else { "" };
        let extensions: &[&str] =
            if function.ends_with("EXT") { &["GL_EXT_shader_texture_lod"] } else { &[] };
        if shape == "3D" && function == "Lod" && fragment {
            return refuse(self.version, "a level of its own of a volume");
        }
        Ok(Form { levels, extensions, ..Form::new(&format!("texture{shape}{projection}{function}")) })
    }

    fn texel(&self, texture: Texture) -> Result<Form, Error> {
        if texture.shape.is_cube() || texture.shadow {
            return Err(shapeless("a single texel", texture));
        }
        if self.version.is_old() {
            return refuse(self.version, "a single texel of a texture");
        }
        let has_offset = texture.offset != [0; 3] && !adds_offset(texture);
        let levels = match texture.level {
            _ if texture.has_sample_operand() => Levels::Operands,
            _ if !has_levels(texture.shape) => Levels::None,
            TextureLevel::Given => Levels::Operands,
            _ => Levels::First,
        };
        let name = if has_offset { "texelFetchOffset" } else { "texelFetch" };
        Ok(Form { levels, offset: has_offset, ..Form::new(name) })
    }

    fn gather(&self, texture: Texture) -> Result<Form, Error> {
        use TextureShape::{Cube, CubeArray, Plane, PlaneArray, Rectangle};
        let has_offset = texture.moved || texture.offset != [0; 3];
        match texture.shape {
            Plane | PlaneArray | Rectangle => {}
            Cube | CubeArray if !has_offset => {}
            _ => return Err(shapeless("a gather", texture)),
        }
        let plain = !texture.shadow && !has_offset && texture.query == TextureQuery::Gather(0);
        let extensions: &[&str] = match self.version {
            GlslVersion::Core450 | GlslVersion::Es320 => &[],
            GlslVersion::Core330 if plain && texture.shape != Rectangle => &["GL_ARB_texture_gather"],
            GlslVersion::Core330 => &["GL_ARB_gpu_shader5", "GL_ARB_texture_gather"],
            version => return refuse(version, "a gather"),
        };
        if texture.level != TextureLevel::Quad {
            return Err(shapeless("a gather from a level of its own", texture));
        }
        let name = if has_offset { "textureGatherOffset" } else { "textureGather" };
        // An offset that is an operand stands where a level would.
        let (levels, offset) = match texture.moved {
            true => (Levels::Operands, false),
            false => (Levels::None, has_offset),
        };
        Ok(Form { extensions, levels, offset, ..Form::new(name) })
    }

    fn outside<T>(&self, what: &str) -> Result<T, Error> {
        Err(Error::unsupported(format!("{what} in a {} program", self.options.kind)))
    }
}

/// A function with the order of its arguments.
struct Form {
    name: String,
    extensions: &'static [&'static str],
    /// The reference is the last component of the coordinates.
    packed: bool,
    levels: Levels,
    offset: bool,
}

impl Form {
    fn new(name: &str) -> Self {
        Self { name: name.to_owned(), extensions: &[], packed: false, levels: Levels::None, offset: false }
    }
}

/// What stands for the level.
#[derive(Clone, Copy)]
enum Levels {
    None,
    Bias,
    Operands,
    /// The first level.
    First,
    /// Gradients of 0.
    NoGradients,
}

fn refuse<T>(version: GlslVersion, what: &str) -> Result<T, Error> {
    Err(Error::unsupported(format!("{what} in GLSL {}", version.name())))
}

fn shapeless(what: &str, texture: Texture) -> Error {
    Error::unsupported(format!("{what} of {} in GLSL", sampler::description(texture)))
}

/// Whether a shape has levels.
fn has_levels(shape: TextureShape) -> bool {
    !shape.has_samples() && !matches!(shape, TextureShape::Rectangle | TextureShape::Buffer)
}

fn is_zero(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Literal(bits) if bits.iter().all(|bits| bits & 0x7FFF_FFFF == 0))
}

fn int(values: &[i32]) -> Expr {
    let ty = Type { scalar: Scalar::Int, components: values.len() as u8 };
    Expr::new(ty, ExprKind::Literal(values.iter().map(|value| value.cast_unsigned().into()).collect()))
}

fn offset(texture: Texture) -> Expr {
    let values: Vec<i32> =
        texture.offset.iter().take(texture.shape.axes()).map(|step| (*step).into()).collect();
    int(&values)
}

/// Whether no function takes the offset of a texel, so that it is added to its place.
fn adds_offset(texture: Texture) -> bool {
    texture.query == TextureQuery::Texel
        && (texture.shape.has_samples() || texture.shape == TextureShape::Buffer)
}

/// The place of a texel with the offset that no function takes.
fn moved(texture: Texture, at: Expr) -> Expr {
    if !adds_offset(texture) || texture.offset == [0; 3] {
        return at;
    }
    let mut steps = offset(texture);
    if let ExprKind::Literal(bits) = &mut steps.kind {
        bits.resize(at.ty.components.into(), 0);
    }
    steps.ty = at.ty;
    Expr::new(at.ty, ExprKind::Binary(Binary::Add, Box::new(at), Box::new(steps)))
}

/// Coordinates and what they are compared with, in one vector.
fn packed(shape: TextureShape, coordinates: Expr, reference: Expr) -> Expr {
    let mut parts = match coordinates.kind {
        ExprKind::Construct(parts) if parts.len() > 1 => parts,
        kind => vec![Expr::new(coordinates.ty, kind).linked(coordinates.link)],
    };
    let mut components = coordinates.ty.components + 1;
    // The second of three counts for nothing there.
    if shape == TextureShape::Line {
        let ty = Type { scalar: Scalar::Float, components: 1 };
        parts.push(Expr::new(ty, ExprKind::Literal(vec![0])));
        components += 1;
    }
    // `v.xy` and `v.z` are `v.xyz`.
    if let ([Expr { kind: ExprKind::Swizzle(base, lanes), .. }], ExprKind::Swizzle(same, last)) =
        (&parts[..], &reference.kind)
        && base == same
    {
        let (lanes, base) = ([&lanes[..], last].concat(), base.clone());
        if lanes.iter().copied().eq(0..base.ty.components) {
            return *base;
        }
        let ty = Type { scalar: Scalar::Float, components };
        return Expr::new(ty, ExprKind::Swizzle(base, lanes));
    }
    parts.push(reference);
    Expr::new(Type { scalar: Scalar::Float, components }, ExprKind::Construct(parts))
}

/// The vector whose first two components are divided by its third or fourth.
fn projected(fetch: &Fetch) -> Option<Expr> {
    let texture = fetch.texture;
    let plain = texture.query == TextureQuery::Sample && !texture.shadow && texture.offset == [0; 3];
    if texture.shape != TextureShape::Plane || !plain {
        return None;
    }
    let ExprKind::Binary(Binary::Div, dividend, divisor) = &fetch.coordinates.as_ref()?.kind else {
        return None;
    };
    let component = |expr: &Expr| match &expr.kind {
        ExprKind::Swizzle(base, lanes) if lanes.iter().all(|lane| *lane == lanes[0]) => {
            Some(((**base).clone(), lanes[0]))
        }
        _ => None,
    };
    let divisor = match &divisor.kind {
        ExprKind::Construct(parts) if parts.len() == 1 => &parts[0],
        _ => divisor,
    };
    let ((base, last), ExprKind::Swizzle(inner, lanes)) = (component(divisor)?, &dividend.kind) else {
        return None;
    };
    if **inner != base || lanes[..] != [0, 1] {
        return None;
    }
    match (base.ty.components, last) {
        (4, 3) | (3, 2) => Some(base),
        (4, 2) => Some(Expr::new(
            Type { components: 3, ..base.ty },
            ExprKind::Swizzle(Box::new(base), vec![0, 1, 2]),
        )),
        _ => None,
    }
}
