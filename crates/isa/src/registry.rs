//! The machines: a row for each.

use unshade_stage::Isa;

/// Evaluates an expression in which a name stands for the [`Machine`](crate::Machine) of an instruction set; another one where
/// there is no such machine.
///
/// ```
/// use unshade_isa::{Machine, with_machine};
/// use unshade_stage::{Code, Isa};
/// let code = Code { words: [0x8800_0000].as_slice().into(), ..Code::default() };
/// assert_eq!(with_machine!(Isa::Pica200, M => M::instruction_count(&code), _ => 0), 1);
/// ```
#[macro_export]
macro_rules! with_machine {
    ($isa:expr, $machine:ident => $body:expr, _ => $other:expr) => {
        $crate::with_machine!(@rows $isa, $machine, $body, $other;
            Pica200 = $crate::pica200::Pica200,
            MaliGp = $crate::mali_gp::MaliGp,
            MaliPp = $crate::mali_pp::MaliPp,
            Latte = $crate::latte::Latte,
            Maxwell = $crate::maxwell::Maxwell,
        )
    };
    (@rows $isa:expr, $machine:ident, $body:expr, $other:expr; $($name:ident = $type:ty,)*) => {
        match $isa {
            $($crate::Isa::$name => {
                type $machine = $type;
                $body
            })*
            _ => $other,
        }
    };
}

/// The instruction sets that have a machine.
pub const ISAS: &[Isa] = &[Isa::Pica200, Isa::MaliGp, Isa::MaliPp, Isa::Latte, Isa::Maxwell];

#[cfg(test)]
mod tests {
    use super::ISAS;
    use crate::Machine;

    #[test]
    fn each_instruction_set_has_its_machine() {
        for isa in ISAS {
            assert_eq!(with_machine!(*isa, M => Some(M::ISA), _ => None), Some(*isa));
        }
    }
}
