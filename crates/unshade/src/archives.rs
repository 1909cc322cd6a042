//! Shader archives in a file, looked at in their bytes: a file of a hundred megabytes opens at once.

use crate::{OpenError, WithinError, open::UnknownName};
use unshade_bytes::{Error, ErrorKind};
use unshade_containers::{
    Format, Name, detect,
    sharcfb::{Archive, archive::Program},
    wrap::nest::{Found, walk},
};

/// Calls `visit` with every shader archive that `names` choose in a file, and with what stands behind `FILE:` for it.
///
/// # Errors
/// Where an archive or a wrapper cannot be read, where there is no archive, and what `visit` says.
pub(crate) fn each_archive(
    bytes: &[u8],
    names: &[String],
    mut visit: impl FnMut(Option<String>, &Archive<'_>) -> Result<(), OpenError>,
) -> Result<(), OpenError> {
    let (mut archives, mut others) = (0, std::collections::BTreeSet::new());
    for found in walk(bytes, names) {
        match found {
            Found::Wrapper { .. } => {}
            Found::File { chain, piece, names } => {
                let inside = piece.bytes(bytes);
                let format = detect(inside);
                if format != Some(Format::Sharcfb) || !names.is_empty() {
                    others.insert(format.map_or("other files", Format::name));
                    continue;
                }
                let archive =
                    Archive::open(inside).map_err(|error| WithinError::new(chain.clone(), error))?;
                archives += 1;
                visit(chain.name(), &archive)?;
            }
            Found::Failed { chain, error } => return Err(WithinError::new(chain, error).into()),
            Found::Unknown { wanted, known, .. } => {
                let known = known.into_iter().map(|name| format!(":{name}")).collect();
                return Err(UnknownName { wanted: format!(":{wanted}"), known }.into());
            }
        }
    }
    if archives == 0 {
        let expected = "a shader archive with macros (sharcfb)";
        let found = match others.is_empty() {
            true => "none".to_owned(),
            false => others.into_iter().collect::<Vec<_>>().join(", "),
        };
        let error = Error::new(ErrorKind::Unsupported, 0, "", expected, found).code("options.no-archive");
        return Err(WithinError::new(Default::default(), error).into());
    }
    Ok(())
}

/// The programs of an archive, each with the name that items have: the second of a name is `NAME~1`.
///
/// # Errors
/// That of a damaged program.
pub(crate) fn programs<'a>(archive: &Archive<'a>) -> unshade_bytes::Result<Vec<(String, Program<'a>)>> {
    let mut taken = std::collections::BTreeSet::new();
    let mut programs = Vec::new();
    for program in archive.programs() {
        let program = program?;
        let text = Name(program.name().to_vec()).text();
        let (mut name, mut number) = (text.clone(), 0_u64);
        while !taken.insert(name.clone()) {
            number += 1;
            name = format!("{text}~{number}");
        }
        programs.push((name, program));
    }
    Ok(programs)
}
