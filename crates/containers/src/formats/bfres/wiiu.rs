//! Models of the Wii U's files (versions 3 and 4): big endian, pointers from where they stand, dictionaries whose
//! entries lead to the records.

use super::material::{
    AssignedOption, Material, Model, OptionValue, Parameter, RenderInfo, RenderState, Shape,
};
use super::view::View;
use unshade_bytes::{Error, ErrorKind, Result, Under};

pub(super) fn models(view: &View<'_>) -> Result<Vec<Model>> {
    let models = view.dictionary(view.pointer(0x20, "models")?, "models")?;
    let model = |(index, entry): (usize, &super::view::Entry)| {
        model(view, entry.value).under(|| format!("models[{index}]"))
    };
    models.iter().enumerate().map(model).collect()
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

fn model(view: &View<'_>, at: u64) -> Result<Model> {
    magic(view, at, b"FMDL")?;
    let mut model = Model { name: view.named(at.saturating_add(4), "name")?, ..Model::default() };
    let shapes = view.dictionary(view.pointer(at.saturating_add(0x14), "shapes")?, "shapes")?;
    for (index, entry) in shapes.iter().enumerate() {
        model.shapes.push(shape(view, entry.value).under(|| format!("shapes[{index}]"))?);
    }
    let materials = view.dictionary(view.pointer(at.saturating_add(0x18), "materials")?, "materials")?;
    // Shapes count materials by the index that stands in each, which is that of the dictionary in all known files.
    let mut found = Vec::new();
    for (index, entry) in materials.iter().enumerate() {
        found.push(material(view, entry.value).under(|| format!("materials[{index}]"))?);
    }
    found.sort_by_key(|(index, _)| *index);
    model.materials = found.into_iter().map(|(_, material)| material).collect();
    Ok(model)
}

fn shape(view: &View<'_>, at: u64) -> Result<Shape> {
    magic(view, at, b"FSHP")?;
    Ok(Shape {
        name: view.named(at.saturating_add(4), "name")?,
        material: view.u16(at.saturating_add(0xe), "material")?,
        skin: view.u8(at.saturating_add(0x16), "skin")?,
    })
}

fn material(view: &View<'_>, at: u64) -> Result<(u16, Material)> {
    magic(view, at, b"FMAT")?;
    let field = |offset: u64| at.saturating_add(offset);
    let mut material = Material { name: view.named(field(4), "name")?, ..Material::default() };
    let index = view.u16(field(0xc), "index")?;
    let infos = view.dictionary(view.pointer(field(0x1c), "render_infos")?, "render_infos")?;
    for (index, entry) in infos.iter().enumerate() {
        let info = render_info(view, entry.value).under(|| format!("render_infos[{index}]"))?;
        material.render_info.push(info);
    }
    let state = view.pointer(field(0x20), "render_state")?;
    if state != 0 {
        material.render_state = Some(RenderState {
            flags: view.u32(state, "render_state")?,
            // Behind the registers for polygons and for depth.
            alpha_control: view.u32(state.saturating_add(0xc), "render_state")?,
        });
    }
    let textures = view.pointer(field(0x28), "textures")?;
    let texture_count = u64::from(view.u8(field(0x11), "texture_count")?);
    let samplers = view.dictionary(view.pointer(field(0x30), "sampler_names")?, "sampler_names")?;
    for (number, entry) in (0_u64..).zip(samplers) {
        let texture = match textures {
            0 => String::new(),
            _ if number >= texture_count => String::new(),
            at => view.named(at.saturating_add(number.saturating_mul(8)), "textures")?,
        };
        material.textures.push((entry.key.unwrap_or_default(), texture));
    }
    let parameters = view.pointer(field(0x34), "parameters")?;
    let names = view.dictionary(view.pointer(field(0x38), "parameters")?, "parameters")?;
    for (number, entry) in (0_u64..).zip(names) {
        // A record of 0x14 bytes: type, size, offset, and what is filled in at run time.
        let at = if entry.value != 0 {
            entry.value
        } else {
            parameters.saturating_add(number.saturating_mul(0x14))
        };
        material.parameters.push(Parameter {
            name: entry.key.unwrap_or_default(),
            kind: view.u8(at, "parameters")?,
            offset: view.u16(at.saturating_add(2), "parameters")?.into(),
        });
    }
    let assign = view.pointer(field(0x24), "shader_assign")?;
    if assign != 0 {
        assigned(view, assign, &mut material).under(|| "shader_assign")?;
    }
    Ok((index, material))
}

fn render_info(view: &View<'_>, at: u64) -> Result<RenderInfo> {
    let count = u64::from(view.u16(at, "count")?);
    let kind = view.u8(at.saturating_add(2), "type")?;
    let name = view.named(at.saturating_add(4), "name")?;
    let place = |index: u64| at.saturating_add(8).saturating_add(index.saturating_mul(4));
    let values = (0..count).map(|index| match kind {
        0 => Ok(view.u32(place(index), "value")?.cast_signed().to_string()),
        1 => Ok(f32::from_bits(view.u32(place(index), "value")?).to_string()),
        2 => view.named(place(index), "value"),
        _ => {
            let found = kind.to_string();
            Err(Error::new(ErrorKind::BadValue, at.saturating_add(2), "type", "0, 1 or 2", found)
                .code("bfres.render-info"))
        }
    });
    Ok(RenderInfo { name, values: values.collect::<Result<_>>()? })
}

fn assigned(view: &View<'_>, at: u64, material: &mut Material) -> Result<()> {
    let field = |offset: u64| at.saturating_add(offset);
    material.archive = view.named(at, "archive")?;
    material.shading_model = view.named(field(4), "shading_model")?;
    let pairs = |offset: u64, what: &'static str| -> Result<Vec<(String, String)>> {
        let entries = view.dictionary(view.pointer(field(offset), what)?, what)?;
        // The value of an entry is the string itself.
        entries
            .into_iter()
            .map(|entry| Ok((entry.key.unwrap_or_default(), view.text(entry.value, what)?)))
            .collect()
    };
    material.attributes = pairs(0x10, "attributes")?;
    material.samplers = pairs(0x14, "samplers")?;
    let options = pairs(0x18, "options")?.into_iter().enumerate();
    material.options = options
        .map(|(position, (name, value))| AssignedOption {
            name: Some(name),
            position,
            value: OptionValue::Text(value),
        })
        .collect();
    Ok(())
}
