//! Numbers of 64 bits of which every value occurs.

use std::fmt;

/// A number of 64 bits. In JSON and manifests: a text of 16 hexadecimal digits, since not all readers of these have numbers of
/// that size.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Wide(pub u64);

impl fmt::Display for Wide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for Wide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Wide({:#x})", self.0)
    }
}

#[cfg(feature = "serde")]
mod json {
    use super::Wide;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    impl Serialize for Wide {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_str(self)
        }
    }

    impl<'de> Deserialize<'de> for Wide {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let text = String::deserialize(deserializer)?;
            u64::from_str_radix(&text, 16).map(Self).map_err(|_| {
                D::Error::custom(format!("expected up to 16 hexadecimal digits, found `{text}`"))
            })
        }
    }
}
