//! Values of a type that only their format knows: a face passes them on without naming the formats.

use std::any::Any;
use std::fmt::Debug;

/// A value that can be copied, compared and taken for what it is without its type being named on the way.
pub trait Held: Any + Debug + Send + Sync {
    /// A copy of it.
    fn copy(&self) -> Box<dyn Held>;
    /// Whether the other value has the same type and is equal.
    fn equals(&self, other: &dyn Held) -> bool;
}

impl<T: Any + Debug + Clone + PartialEq + Send + Sync> Held for T {
    fn copy(&self) -> Box<dyn Held> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn Held) -> bool {
        (other as &dyn Any).downcast_ref::<T>() == Some(self)
    }
}
