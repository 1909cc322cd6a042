//! What surrounds a program beside what its file says, given by hand: texture dimensions, registers, names. A JSON
//! object with the fields of [`Latte`], all optional; each that is there takes the place of what the file says.

use serde_json::{Map, Value};
use std::fmt;
use unshade_stage::latte;
use unshade_stage::maxwell::Driver;
use unshade_stage::{Isa, Latte, Stage};

/// What is wrong with a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateError {
    /// The field, as in `samplers[2].dimension`; empty for the whole.
    pub field: String,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.field.as_str() {
            "" => f.write_str(&self.message),
            field => write!(f, "{field}: {}", self.message),
        }
    }
}

impl std::error::Error for StateError {}

/// Puts a state, as JSON text, over what a stage says.
///
/// # Errors
/// Where the text is no JSON object, a field is none of [`Latte`], or a value has another type; and for stages of
/// other machines.
pub fn apply_state(stage: &mut Stage<'_>, text: &str) -> Result<(), StateError> {
    let whole = |message: String| StateError { field: String::new(), message };
    if stage.isa != Isa::Latte {
        return Err(whole(format!("{} programs take no state", stage.isa)));
    }
    let given: Value = serde_json::from_str(text).map_err(|error| whole(error.to_string()))?;
    let Value::Object(given) = given else { return Err(whole("an object is expected".to_owned())) };
    let latte = stage.interface.latte.as_deref().cloned().unwrap_or_default();
    stage.interface.latte = Some(Box::new(merged(&latte, given)?));
    Ok(())
}

/// Who sets up what a program finds: numbers its resources, fills its constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// Of the Wii U.
    Latte(latte::Profile),
    /// Of the Switch.
    Maxwell(Driver),
}

/// Chooses who sets a program up; a profile of another machine changes nothing.
pub fn apply_profile(stage: &mut Stage<'_>, profile: Profile) {
    match profile {
        Profile::Latte(profile) if stage.isa == Isa::Latte => {
            stage.interface.latte.get_or_insert_default().profile = profile;
        }
        Profile::Maxwell(driver) if stage.isa == Isa::Maxwell => {
            stage.interface.maxwell.get_or_insert_default().driver = driver;
        }
        _ => {}
    }
}

/// The profile of that name.
pub fn profile_named(name: &str) -> Option<Profile> {
    match name {
        "gx2" => Some(Profile::Latte(latte::Profile::Gx2)),
        "mesa" => Some(Profile::Latte(latte::Profile::Mesa)),
        "cemu" => Some(Profile::Latte(latte::Profile::Cemu)),
        "nvn" => Some(Profile::Maxwell(Driver::Nvn)),
        "uam" => Some(Profile::Maxwell(Driver::Deko3d)),
        _ => None,
    }
}

fn merged(latte: &Latte, given: Map<String, Value>) -> Result<Latte, StateError> {
    let wrong = |field: &str, message: String| StateError { field: field.to_owned(), message };
    let known = serde_json::to_value(latte).map_err(|error| wrong("", error.to_string()))?;
    let Value::Object(mut whole) = known else { return Err(wrong("", "no object".to_owned())) };
    for (field, value) in given {
        if !whole.contains_key(&field) {
            let fields: Vec<&str> = whole.keys().map(String::as_str).collect();
            return Err(wrong(&field, format!("unknown; there are {}", fields.join(", "))));
        }
        // Each alone, so that the message names it; of lists, each entry.
        let alone = |value: Value| {
            let object = Map::from_iter([(field.clone(), value)]);
            serde_json::from_value::<Latte>(Value::Object(object)).map(|_| ())
        };
        let is_list = alone(Value::Array(Vec::new())).is_ok();
        if let Value::Array(entries) = &value
            && is_list
        {
            for (n, entry) in entries.iter().enumerate() {
                alone(Value::Array(vec![entry.clone()]))
                    .map_err(|error| wrong(&format!("{field}[{n}]"), error.to_string()))?;
            }
        }
        alone(value.clone()).map_err(|error| wrong(&field, error.to_string()))?;
        whole.insert(field, value);
    }
    serde_json::from_value(Value::Object(whole)).map_err(|error| wrong("", error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raw_stage;
    use unshade_stage::latte::Dimension;

    #[test]
    fn fields_take_the_place_of_what_is_there() {
        let mut stage = raw_stage(Isa::Latte, vec![0; 4], Vec::new());
        let state = r#"{"profile": "mesa", "samplers": [
            {"name": "sky", "dimension": "cube", "shadow": false, "location": 3}]}"#;
        apply_state(&mut stage, state).unwrap();
        apply_state(&mut stage, r#"{"frag_coord": 2}"#).unwrap();
        let latte = stage.interface.latte.as_deref().unwrap();
        assert_eq!((latte.profile, latte.frag_coord), (latte::Profile::Mesa, Some(2)));
        assert_eq!(latte.samplers[0].dimension, Some(Dimension::Cube));
    }

    #[test]
    fn profiles_are_of_their_machines() {
        let mut stage = raw_stage(Isa::Maxwell, vec![0; 8], Vec::new());
        apply_profile(&mut stage, profile_named("mesa").unwrap());
        assert_eq!(stage.interface.maxwell, None);
        apply_profile(&mut stage, profile_named("uam").unwrap());
        assert_eq!(stage.interface.maxwell.as_deref().unwrap().driver, Driver::Deko3d);
        apply_profile(&mut stage, profile_named("nvn").unwrap());
        assert_eq!(stage.interface.maxwell.as_deref().unwrap().driver, Driver::Nvn);
        assert_eq!((stage.interface.latte, profile_named("")), (None, None));
    }

    #[test]
    fn mistakes_are_named() {
        let mut stage = raw_stage(Isa::Latte, vec![0; 4], Vec::new());
        let mut said = |text: &str| apply_state(&mut stage, text).unwrap_err();
        assert_eq!(said("[]").field, "");
        assert_eq!(said(r#"{"colour": 1}"#).field, "colour");
        assert_eq!(said(r#"{"frag_coord": "x"}"#).field, "frag_coord");
        let sampler =
            r#"{"samplers": [{"name": "a", "dimension": "round", "shadow": false, "location": 0}]}"#;
        assert_eq!(said(sampler).field, "samplers[0]");
    }
}
