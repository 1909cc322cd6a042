//! Models of the Switch's files. The first number of the version decides which layout records have; offsets are those
//! of the specification of the format as the public readers and writers agree on it.

use super::material::{AssignedOption, Material, Model, OptionValue, Parameter, RenderInfo, Shape};
use super::view::View;
use unshade_bytes::{Error, ErrorKind, Result, Under};

/// Which layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Layout {
    /// Versions 3 to 8.
    Old,
    /// Version 9.
    Nine,
    /// Version 10.
    Ten,
}

impl Layout {
    /// The one of three values that belongs to it.
    fn pick<T>(self, old: T, nine: T, ten: T) -> T {
        match self {
            Self::Old => old,
            Self::Nine => nine,
            Self::Ten => ten,
        }
    }
}

pub(super) fn models(view: &View<'_>, major: u16) -> Result<Vec<Model>> {
    let layout = match major {
        0..=8 => Layout::Old,
        9 => Layout::Nine,
        _ => Layout::Ten,
    };
    let count = u64::from(view.u16(super::embedded::layout(major).model_count, "model_count")?);
    let array = view.pointer(0x28, "models")?;
    let array = if array == 0 && count > 0 { u64::MAX } else { array };
    (0..count)
        .map(|index| {
            let at = array.saturating_add(index.saturating_mul(0x78));
            model(view, layout, at).under(|| format!("models[{index}]"))
        })
        .collect()
}

fn magic(view: &View<'_>, at: u64, wanted: &[u8; 4]) -> Result<()> {
    let found = view.take(at, 4, "magic")?;
    if found == wanted {
        return Ok(());
    }
    let expected = format!("\"{}\"", wanted.escape_ascii());
    Err(Error::new(ErrorKind::BadMagic, at, "magic", expected, format!("\"{}\"", found.escape_ascii()))
        .code("bfres.magic"))
}

fn model(view: &View<'_>, layout: Layout, at: u64) -> Result<Model> {
    magic(view, at, b"FMDL")?;
    let field = |old: u64, new: u64| at.saturating_add(if layout == Layout::Old { old } else { new });
    let name = view.named(field(0x10, 8), "name")?;
    let shapes = view.pointer(field(0x30, 0x28), "shapes")?;
    let materials = view.pointer(field(0x40, 0x38), "materials")?;
    let shape_count = u64::from(view.u16(at.saturating_add(0x6a), "shape_count")?);
    let material_count = u64::from(view.u16(at.saturating_add(0x6c), "material_count")?);
    let mut model = Model { name, ..Model::default() };
    let (shape_len, material_len) = (layout.pick(0x70, 0x60, 0x60), layout.pick(0xb8, 0xa8, 0xb0));
    for index in 0..shape_count {
        let at = shapes.saturating_add(index.saturating_mul(shape_len));
        model.shapes.push(shape(view, layout, at).under(|| format!("shapes[{index}]"))?);
    }
    for index in 0..material_count {
        let at = materials.saturating_add(index.saturating_mul(material_len));
        model.materials.push(material(view, layout, at).under(|| format!("materials[{index}]"))?);
    }
    Ok(model)
}

fn shape(view: &View<'_>, layout: Layout, at: u64) -> Result<Shape> {
    magic(view, at, b"FSHP")?;
    let field = |old: u64, new: u64| at.saturating_add(if layout == Layout::Old { old } else { new });
    Ok(Shape {
        name: view.named(field(0x10, 8), "name")?,
        material: view.u16(field(0x5e, 0x52), "material")?,
        skin: view.u8(field(0x66, 0x5a), "skin")?,
    })
}

fn material(view: &View<'_>, layout: Layout, at: u64) -> Result<Material> {
    magic(view, at, b"FMAT")?;
    let place = |old: u64, nine: u64, ten: u64| at.saturating_add(layout.pick(old, nine, ten));
    let mut material = Material { name: view.named(place(0x10, 8, 8), "name")?, ..Material::default() };
    textures(view, layout, at, &mut material).under(|| "textures")?;
    let assign = view.pointer(place(0x28, 0x20, 0x10), "shader_assign")?;
    if assign == 0 {
        return Ok(material);
    }
    if layout == Layout::Ten {
        reflected(view, at, assign, &mut material).under(|| "shader_assign")?;
        return Ok(material);
    }
    assigned(view, assign, &mut material).under(|| "shader_assign")?;
    let infos = view.pointer(place(0x18, 0x10, 0), "render_infos")?;
    let count = u64::from(view.u16(place(0xa6, 0x9a, 0), "render_info_count")?);
    for index in 0..count {
        let at = infos.saturating_add(index.saturating_mul(0x18));
        let info = || -> Result<RenderInfo> {
            let name = view.named(at, "name")?;
            let data = view.pointer(at.saturating_add(8), "data")?;
            let count = view.u16(at.saturating_add(0x10), "count")?;
            let kind = view.u8(at.saturating_add(0x12), "type")?;
            Ok(RenderInfo { name, values: values(view, data, count.into(), kind)? })
        };
        material.render_info.push(info().under(|| format!("render_infos[{index}]"))?);
    }
    let parameters = view.pointer(place(0x58, 0x50, 0), "parameters")?;
    let count = u64::from(view.u16(place(0xaa, 0x9e, 0), "parameter_count")?);
    if parameters == 0 {
        return Ok(material);
    }
    for index in 0..count {
        let at = parameters.saturating_add(index.saturating_mul(0x20));
        let parameter = || -> Result<Parameter> {
            Ok(Parameter {
                name: view.named(at.saturating_add(8), "name")?,
                kind: view.u8(at.saturating_add(0x10), "type")?,
                offset: view.u16(at.saturating_add(0x12), "offset")?.into(),
            })
        };
        material.parameters.push(parameter().under(|| format!("parameters[{index}]"))?);
    }
    Ok(material)
}

/// The samplers of a material with the textures of the same index. Which of the two counts stands first is not sure;
/// the shorter list counts, and a sampler without a texture is bound to nothing.
fn textures(view: &View<'_>, layout: Layout, at: u64, material: &mut Material) -> Result<()> {
    let place = |old: u64, nine: u64, ten: u64| at.saturating_add(layout.pick(old, nine, ten));
    let names = view.pointer(place(0x38, 0x30, 0x20), "texture_names")?;
    let samplers = view.pointer(place(0x50, 0x48, 0x38), "sampler_names")?;
    let samplers = view.dictionary(samplers, "sampler_names")?;
    let first = view.u8(place(0xa8, 0x9c, 0xa2), "sampler_count")?;
    let second = view.u8(place(0xa9, 0x9d, 0xa3), "texture_count")?;
    let names = view.names(names, first.min(second).into(), "texture_names")?;
    let mut names = names.into_iter();
    for (index, sampler) in samplers.into_iter().enumerate() {
        let sampler = sampler.key.unwrap_or_else(|| format!("#{index}"));
        material.textures.push((sampler, names.next().unwrap_or_default()));
    }
    Ok(())
}

fn values(view: &View<'_>, data: u64, count: u64, kind: u8) -> Result<Vec<String>> {
    if data == 0 {
        return Ok(Vec::new());
    }
    let word = |index: u64| view.u32(data.saturating_add(index.saturating_mul(4)), "value");
    match kind {
        0 => (0..count).map(|index| Ok(word(index)?.cast_signed().to_string())).collect(),
        1 => (0..count).map(|index| Ok(f32::from_bits(word(index)?).to_string())).collect(),
        _ => view.names(data, count, "value"),
    }
}

/// What a material of versions 3 to 9 says about its shaders: names and values in parallel tables.
fn assigned(view: &View<'_>, at: u64, material: &mut Material) -> Result<()> {
    let field = |offset: u64| at.saturating_add(offset);
    material.archive = view.named(at, "archive")?;
    material.shading_model = view.named(field(8), "shading_model")?;
    let pairs = |offset: u64, what: &'static str| -> Result<Vec<(String, String)>> {
        let keys = view.dictionary(view.pointer(field(offset.saturating_add(8)), what)?, what)?;
        let values = view.names(view.pointer(field(offset), what)?, keys.len() as u64, what)?;
        Ok(keys.into_iter().map(|entry| entry.key.unwrap_or_default()).zip(values).collect())
    };
    material.attributes = pairs(0x10, "attributes")?;
    material.samplers = pairs(0x20, "samplers")?;
    let options = pairs(0x30, "options")?.into_iter().enumerate();
    material.options = options
        .map(|(position, (name, value))| AssignedOption {
            name: Some(name),
            position,
            value: OptionValue::Text(value),
        })
        .collect();
    Ok(())
}

/// What a material of version 10 says about its shaders: values of its own, and names that it shares with others.
fn reflected(view: &View<'_>, at: u64, data: u64, material: &mut Material) -> Result<()> {
    let own = |offset: u64| data.saturating_add(offset);
    let reflection = view.pointer(data, "reflection")?;
    let shared = |offset: u64| reflection.saturating_add(offset);
    if reflection == 0 {
        return Ok(());
    }
    material.archive = view.named(reflection, "archive")?;
    material.shading_model = view.named(shared(8), "shading_model")?;
    // For attributes and samplers: the names that are set, and which entry of the shared dictionary each belongs to.
    let pairs = |count: u64, offset: u64, keys: u64, what: &'static str| -> Result<Vec<(String, String)>> {
        let keys = view.dictionary(view.pointer(shared(keys), what)?, what)?;
        let values = view.names(view.pointer(own(offset), what)?, count, what)?;
        let indices = view.pointer(own(offset.saturating_add(8)), what)?;
        let mut pairs = Vec::new();
        for (number, value) in (0_u64..).zip(values) {
            let position = match indices {
                0 => usize::try_from(number).ok(),
                at => Some(view.u8(at.saturating_add(number), what)?.into()),
            };
            if let Some(entry) = position.and_then(|position| keys.get(position)) {
                pairs.push((entry.key.clone().unwrap_or_default(), value));
            }
        }
        Ok(pairs)
    };
    let count = |offset: u64, what| view.u8(own(offset), what).map(u64::from);
    material.attributes = pairs(count(0x44, "attribute_count")?, 8, 0x30, "attributes")?;
    material.samplers = pairs(count(0x45, "sampler_count")?, 0x18, 0x38, "samplers")?;
    let keys = view.dictionary(view.pointer(shared(0x40), "options")?, "options")?;
    material.option_count = Some(keys.len());
    let bits = view.pointer(own(0x28), "booleans")?;
    let texts = view.pointer(own(0x30), "options")?;
    let indices = view.pointer(own(0x38), "option_indices")?;
    let booleans = u64::from(view.u16(own(0x46), "boolean_count")?);
    let used = u64::from(view.u16(own(0x48), "option_count")?);
    for number in 0..used {
        let position = match indices {
            0 => number,
            at => view.u16(at.saturating_add(number.saturating_mul(2)), "option_indices")?.into(),
        };
        let value = match number.checked_sub(booleans) {
            None => {
                let byte = view.u8(bits.saturating_add(number >> 3), "booleans")?;
                OptionValue::Bool(byte >> (number & 7) & 1 == 1)
            }
            Some(text) => {
                OptionValue::Text(view.named(texts.saturating_add(text.saturating_mul(8)), "options")?)
            }
        };
        let position = usize::try_from(position).unwrap_or(usize::MAX);
        if let Some(entry) = keys.get(position) {
            material.options.push(AssignedOption { name: entry.key.clone(), position, value });
        }
    }
    render_info(view, at, reflection, material).under(|| "render_infos")?;
    let parameters = view.pointer(shared(0x20), "parameters")?;
    let names = view.dictionary(view.pointer(shared(0x28), "parameters")?, "parameters")?;
    if parameters == 0 {
        return Ok(());
    }
    for index in 0..u64::from(view.u16(shared(0x4a), "parameter_count")?) {
        let at = parameters.saturating_add(index.saturating_mul(0x18));
        let known = usize::try_from(index).ok().and_then(|index| names.get(index)?.key.clone());
        let name = match known {
            Some(name) => name,
            None => view.named(at.saturating_add(8), "name").unwrap_or_default(),
        };
        let offset = view.u16(at.saturating_add(0x10), "offset")?.into();
        let kind = view.u16(at.saturating_add(0x12), "type")? as u8;
        material.parameters.push(Parameter { name, kind, offset });
    }
    Ok(())
}

/// Settings of version 10: what there is stands in what materials share, the values in the material.
fn render_info(view: &View<'_>, at: u64, reflection: u64, material: &mut Material) -> Result<()> {
    let shared = |offset: u64| reflection.saturating_add(offset);
    let own = |offset: u64| at.saturating_add(offset);
    let descriptors = view.pointer(shared(0x10), "descriptors")?;
    let names = view.dictionary(view.pointer(shared(0x18), "names")?, "names")?;
    let count = u64::from(view.u16(shared(0x48), "count")?);
    let data = view.pointer(own(0x40), "values")?;
    let counts = view.pointer(own(0x48), "counts")?;
    let offsets = view.pointer(own(0x50), "offsets")?;
    if descriptors == 0 || counts == 0 || offsets == 0 {
        return Ok(());
    }
    for index in 0..count {
        let at = descriptors.saturating_add(index.saturating_mul(0x10));
        let pair = index.saturating_mul(2);
        let known = usize::try_from(index).ok().and_then(|index| names.get(index)?.key.clone());
        let name = match known {
            Some(name) => name,
            None => view.named(at, "name").unwrap_or_default(),
        };
        let kind = view.u8(at.saturating_add(8), "type")?;
        let count = view.u16(counts.saturating_add(pair), "counts")?;
        let offset = view.u16(offsets.saturating_add(pair), "offsets")?;
        let values = values(view, data.saturating_add(offset.into()), count.into(), kind)?;
        material.render_info.push(RenderInfo { name, values });
    }
    Ok(())
}
