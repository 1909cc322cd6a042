//! Raw pairs and DKSH as a manifest and files: the fields in the manifest, the sections beside it.

use super::pair::{NvnPair, NvnShader};
use super::section::NvnCode;
use crate::formats::dksh::{Dksh, DkshProgram};
use crate::shared::Opaque;
use crate::shared::parts::{Parts, bad, check_name, parse};
use serde::{Deserialize, Serialize};
use unshade_bytes::Result;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PairForm {
    format: String,
    len: u32,
    stage: Vec<ShaderForm>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    other: Vec<OtherForm>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ShaderForm {
    control_at: u32,
    control: String,
    code_at: u32,
    code: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OtherForm {
    at: u32,
    file: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CodeForm {
    format: String,
    code: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DkshForm {
    format: String,
    header_size: u32,
    control_size: u32,
    code_size: u32,
    programs_at: u32,
    code: String,
    #[serde(default, skip_serializing_if = "Opaque::is_empty")]
    before: Opaque,
    #[serde(default, skip_serializing_if = "Opaque::is_empty")]
    behind: Opaque,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trailing: Option<String>,
    #[serde(default)]
    program: Vec<DkshProgram>,
}

fn toml(form: &impl Serialize) -> Result<String> {
    toml::to_string(form).map_err(|error| bad(Parts::MANIFEST, "a manifest", error.to_string()))
}

fn checked(names: Vec<String>) -> Result<Vec<String>> {
    names.iter().try_for_each(|name| check_name(name))?;
    Ok(names)
}

pub(crate) fn wanted_pair(text: &str) -> Result<Vec<String>> {
    let form: PairForm = parse(text, Parts::MANIFEST)?;
    let stages = form.stage.into_iter().flat_map(|stage| [stage.control, stage.code]);
    checked(stages.chain(form.other.into_iter().map(|other| other.file)).collect())
}

pub(crate) fn wanted_dksh(text: &str) -> Result<Vec<String>> {
    let form: DkshForm = parse(text, Parts::MANIFEST)?;
    checked([form.code].into_iter().chain(form.trailing).collect())
}

pub(crate) fn extract_pair(file: &NvnPair, parts: &mut Parts) -> Result<String> {
    let mut form = PairForm { format: "nvn".to_owned(), len: file.len, stage: Vec::new(), other: Vec::new() };
    for (letter, stage) in ["a", "b"].into_iter().zip(&file.stages) {
        let (control, code) = (format!("{letter}.control.bin"), format!("{letter}.code.bin"));
        parts.insert(control.clone(), stage.control.0.clone());
        parts.insert(code.clone(), stage.code.0.clone());
        form.stage.push(ShaderForm { control_at: stage.control_at, control, code_at: stage.code_at, code });
    }
    for (at, bytes) in &file.others {
        let name = format!("unknown-{at:#x}.bin");
        parts.insert(name.clone(), bytes.0.clone());
        form.other.push(OtherForm { at: *at, file: name });
    }
    toml(&form)
}

pub(crate) fn build_pair(text: &str, parts: &Parts) -> Result<NvnPair> {
    let form: PairForm = parse(text, Parts::MANIFEST)?;
    let bytes = |name: &str| parts.file(name).map(|bytes| Opaque(bytes.to_vec()));
    let stages: Vec<NvnShader> = form
        .stage
        .iter()
        .map(|stage| {
            Ok(NvnShader {
                control_at: stage.control_at,
                control: bytes(&stage.control)?,
                code_at: stage.code_at,
                code: bytes(&stage.code)?,
            })
        })
        .collect::<Result<_>>()?;
    let stages =
        stages.try_into().map_err(|stages: Vec<_>| bad("stage", "two stages", stages.len().to_string()))?;
    let others = form.other.iter().map(|other| Ok((other.at, bytes(&other.file)?))).collect::<Result<_>>()?;
    Ok(NvnPair { stages, others, len: form.len })
}

pub(crate) fn wanted_code(text: &str) -> Result<Vec<String>> {
    let form: CodeForm = parse(text, Parts::MANIFEST)?;
    checked(vec![form.code])
}

pub(crate) fn extract_code(file: &NvnCode, parts: &mut Parts) -> Result<String> {
    parts.insert("code.bin", file.bytes.0.clone());
    toml(&CodeForm { format: "nvn-code".to_owned(), code: "code.bin".to_owned() })
}

pub(crate) fn build_code(text: &str, parts: &Parts) -> Result<NvnCode> {
    let form: CodeForm = parse(text, Parts::MANIFEST)?;
    super::section::read(parts.file(&form.code)?)
}

pub(crate) fn extract_dksh(file: &Dksh, parts: &mut Parts) -> Result<String> {
    parts.insert("code.bin", file.code.0.clone());
    let trailing = (!file.trailing.is_empty()).then(|| "trailing.bin".to_owned());
    if let Some(name) = &trailing {
        parts.insert(name.clone(), file.trailing.0.clone());
    }
    toml(&DkshForm {
        format: "dksh".to_owned(),
        header_size: file.header_size,
        control_size: file.control_size,
        code_size: file.code_size,
        programs_at: file.programs_at,
        code: "code.bin".to_owned(),
        before: file.before.clone(),
        behind: file.behind.clone(),
        trailing,
        program: file.programs.clone(),
    })
}

pub(crate) fn build_dksh(text: &str, parts: &Parts) -> Result<Dksh> {
    let form: DkshForm = parse(text, Parts::MANIFEST)?;
    let trailing = match &form.trailing {
        Some(name) => Opaque(parts.file(name)?.to_vec()),
        None => Opaque::default(),
    };
    Ok(Dksh {
        header_size: form.header_size,
        control_size: form.control_size,
        code_size: form.code_size,
        programs_at: form.programs_at,
        programs: form.program,
        before: form.before,
        behind: form.behind,
        code: Opaque(parts.file(&form.code)?.to_vec()),
        trailing,
    })
}
