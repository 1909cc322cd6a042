//! The one table of the machine: operations by number, with their names, sources and units.

mod alu;
mod fetch;
mod flow;
pub(super) mod form;
mod format;
pub(super) mod suffix;

pub(super) use alu::facts;
pub use alu::{AluInfo, AluOp, Domain, Effect, Units};
pub use fetch::FetchOp;
pub use flow::CfOp;
pub use format::DataFormat;

/// An enumeration whose variants have a number in the words and a name in listings.
macro_rules! numbered {
    ($(#[$doc:meta])* $name:ident, $bits:ty { $($(#[$op_doc:meta])* $variant:ident = $number:literal $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$op_doc])* $variant,)*
        }

        impl $name {
            /// All of them, in order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The one with that number.
            #[inline]
            pub fn of(number: $bits) -> Option<Self> {
                match number {
                    $($number => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// Its number.
            #[inline]
            pub fn number(self) -> $bits {
                match self {
                    $(Self::$variant => $number,)*
                }
            }

            /// Its name in listings.
            #[inline]
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }

            /// The one with that name, in capital letters.
            pub fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|op| op.name() == name)
            }
        }
    };
}
use numbered;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_lead_back() {
        for &op in AluOp::ALL {
            assert_eq!(AluOp::of(op.number()), Some(op));
            assert_eq!(AluOp::named(op.name()), Some(op));
        }
        for &op in CfOp::ALL {
            assert_eq!((CfOp::of(op.number()), CfOp::named(op.name())), (Some(op), Some(op)));
        }
        for &op in FetchOp::ALL {
            assert_eq!((FetchOp::of(op.number()), FetchOp::named(op.name())), (Some(op), Some(op)));
        }
        assert_eq!(AluOp::of(0x54), None);
        assert_eq!(AluOp::of(0x11B), None);
        assert_eq!(AluOp::of(0x1FF), None);
    }
}
