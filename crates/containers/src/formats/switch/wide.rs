//! Numbers of 64 bits in JSON and manifests: as numbers where every reader has room for them, else as
//! hexadecimal text.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Form {
    Number(i64),
    Text(String),
}

fn form(value: u64) -> Form {
    i64::try_from(value).map_or_else(|_| Form::Text(format!("{value:#x}")), Form::Number)
}

fn value(form: Form) -> Option<u64> {
    match form {
        Form::Number(number) => u64::try_from(number).ok(),
        Form::Text(text) => u64::from_str_radix(text.strip_prefix("0x")?, 16).ok(),
    }
}

/// Writes a number.
///
/// # Errors
/// What the serialiser says.
pub fn serialize<S: Serializer>(number: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    form(*number).serialize(serializer)
}

/// Reads a number.
///
/// # Errors
/// Where there is none.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let form = Form::deserialize(deserializer)?;
    value(form).ok_or_else(|| D::Error::custom("expected a number of 64 bits, or its digits behind 0x"))
}

/// Lists of such numbers.
pub mod list {
    use super::{Form, form, value};
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes numbers.
    ///
    /// # Errors
    /// What the serialiser says.
    pub fn serialize<S: Serializer, const N: usize>(
        list: &[u64; N],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        list.iter().map(|number| form(*number)).collect::<Vec<_>>().serialize(serializer)
    }

    /// Reads numbers.
    ///
    /// # Errors
    /// Where there are others than so many.
    pub fn deserialize<'de, D: Deserializer<'de>, const N: usize>(
        deserializer: D,
    ) -> Result<[u64; N], D::Error> {
        let list = Vec::<Form>::deserialize(deserializer)?;
        let numbers: Option<Vec<u64>> = list.into_iter().map(value).collect();
        let numbers = numbers.and_then(|numbers| <[u64; N]>::try_from(numbers).ok());
        numbers.ok_or_else(|| D::Error::custom(format!("expected {N} numbers of 64 bits")))
    }
}
