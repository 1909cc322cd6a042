//! Questions about options and macros: what there is, and which programs serve which.

use crate::{
    Answer, Failure, Session,
    answer::{compact, document},
    ask::{At, Pick, PickMaterial, arguments},
};
use unshade::report::{self, Document, PickError};

pub(crate) fn options(session: &Session, json: &str) -> Answer {
    let at: At = arguments(json)?;
    let file = session.file(at.file)?;
    let place = file.place(&at.item);
    let report = report::options(file.source(), &place.inner, place.item.as_deref())?;
    document(&Document::new("options", [(file.name.clone() + &at.item, report)]))
}

pub(crate) fn pick(session: &Session, json: &str) -> Answer {
    let asked: Pick = arguments(json)?;
    let file = session.file(asked.at.file)?;
    let place = file.place(&asked.at.item);
    let given: Vec<_> = asked.set.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let answer = report::pick_any(file.source(), &place.inner, place.item.as_deref(), &given);
    let answer = answer.map_err(|error| match error {
        PickError::Open(error) => Failure::from(error),
        other => Failure::new(other.to_string()),
    })?;
    document(&Document::new("pick", [(file.name.clone() + &asked.at.item, answer)]))
}

/// Materials that are listed of a file.
const MATERIALS: usize = 1 << 12;

pub(crate) fn materials(session: &Session, json: &str) -> Answer {
    let at: At = arguments(json)?;
    let file = session.file(at.file)?;
    compact(&report::materials(file.source(), &[], MATERIALS))
}

pub(crate) fn pick_material(session: &Session, json: &str) -> Answer {
    let asked: PickMaterial = arguments(json)?;
    let file = session.file(asked.at.file)?;
    let place = file.place(&asked.at.item);
    let given: Vec<_> = asked.set.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let models = (session.file(asked.models)?.source(), asked.names.as_slice());
    let found = report::pick_material(file.source(), &place.inner, place.item.as_deref(), models, &given);
    let found = found.map_err(|error| match error {
        PickError::Open(error) => Failure::from(error),
        other => Failure::new(other.to_string()),
    })?;
    document(&Document::new(
        "pick",
        [(file.name.clone() + &asked.at.item, report::Answer::Material(Box::new(found)))],
    ))
}
