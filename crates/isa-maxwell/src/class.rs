//! Operations by what they are for, and which of them take how long they take.

use super::form::Form;

/// What an operation is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Floats of 32 bits.
    Float,
    /// Pairs of floats of 16 bits.
    Half,
    /// Floats of 64 bits.
    Double,
    /// Integers and bits.
    Integer,
    /// From one kind of number to another.
    Conversion,
    /// Moves and choices.
    Move,
    /// Predicates and condition codes.
    Predicate,
    /// Between the lanes of a warp.
    Warp,
    /// Loads from constant banks.
    Constant,
    /// Local, shared and global memory.
    Memory,
    /// The attribute space.
    Attribute,
    /// Textures.
    Texture,
    /// Images.
    Image,
    /// Where control goes.
    Flow,
    /// Barriers.
    Barrier,
    /// The state of the machine.
    System,
    /// Nothing.
    Nop,
}

impl Class {
    /// Every class.
    pub const ALL: [Self; 17] = [
        Self::Float,
        Self::Half,
        Self::Double,
        Self::Integer,
        Self::Conversion,
        Self::Move,
        Self::Predicate,
        Self::Warp,
        Self::Constant,
        Self::Memory,
        Self::Attribute,
        Self::Texture,
        Self::Image,
        Self::Flow,
        Self::Barrier,
        Self::System,
        Self::Nop,
    ];

    /// Its name: `conversion`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Float => "float",
            Self::Half => "half",
            Self::Double => "double",
            Self::Integer => "integer",
            Self::Conversion => "conversion",
            Self::Move => "move",
            Self::Predicate => "predicate",
            Self::Warp => "warp",
            Self::Constant => "constant",
            Self::Memory => "memory",
            Self::Attribute => "attribute",
            Self::Texture => "texture",
            Self::Image => "image",
            Self::Flow => "flow",
            Self::Barrier => "barrier",
            Self::System => "system",
            Self::Nop => "nop",
        }
    }

    /// The class of a form.
    pub fn of(form: Form) -> Self {
        match form.name() {
            "FADD" | "FADD32I" | "FCHK" | "FCMP" | "FFMA" | "FFMA32I" | "FMNMX" | "FMUL" | "FMUL32I"
            | "FSET" | "FSETP" | "FSWZADD" | "MUFU" | "RRO" => Self::Float,
            "HADD2" | "HADD2_32I" | "HFMA2" | "HFMA2_32I" | "HMUL2" | "HMUL2_32I" | "HSET2" | "HSETP2" => {
                Self::Half
            }
            "DADD" | "DFMA" | "DMNMX" | "DMUL" | "DSET" | "DSETP" => Self::Double,
            "F2F" | "F2I" | "I2F" | "I2I" => Self::Conversion,
            "MOV" | "MOV32I" | "PRMT" | "SEL" | "S2R" | "CS2R" | "LEPC" => Self::Move,
            "PSET" | "PSETP" | "CSET" | "CSETP" | "P2R" | "R2P" => Self::Predicate,
            "SHFL" | "VOTE" | "VOTE.VTG" => Self::Warp,
            "LDC" => Self::Constant,
            "LD" | "LDG" | "LDL" | "LDS" | "ST" | "STG" | "STL" | "STS" | "ATOM" | "ATOMS" | "RED"
            | "CCTL" | "CCTLL" => Self::Memory,
            "ALD" | "AST" | "AL2P" | "IPA" | "ISBERD" | "OUT" | "PIXLD" => Self::Attribute,
            "TEX" | "TEXS" | "TLD" | "TLD4" | "TLD4S" | "TLDS" | "TMML" | "TXA" | "TXD" | "TXQ" | "CCTLT"
            | "STP" => Self::Texture,
            "SULD" | "SUST" | "SUATOM" | "SURED" => Self::Image,
            "BRA" | "BRK" | "BRX" | "CAL" | "CONT" | "EXIT" | "JCAL" | "JMP" | "JMX" | "KIL" | "LONGJMP"
            | "PBK" | "PCNT" | "PEXIT" | "PLONGJMP" | "PRET" | "RET" | "SSY" | "SYNC" => Self::Flow,
            "BAR" | "DEPBAR" | "MEMBAR" | "B2R" | "R2B" => Self::Barrier,
            "BPT" | "GETCRSPTR" | "GETLMEMBASE" | "IDE" | "RAM" | "RTT" | "SAM" | "SETCRSPTR"
            | "SETLMEMBASE" => Self::System,
            "NOP" => Self::Nop,
            _ => Self::Integer,
        }
    }

    /// Whether it computes.
    pub fn is_arithmetic(self) -> bool {
        matches!(
            self,
            Self::Float | Self::Half | Self::Double | Self::Integer | Self::Conversion | Self::Predicate
        )
    }
}

/// Whether an instruction always takes the same time, so that its control slot may set no barrier for what waits
/// for it: NVIDIA's disassembler refuses such words. Found by asking it about every form.
pub fn has_fixed_latency(form: Form) -> bool {
    match Class::of(form) {
        Class::Float => form != Form::Mufu,
        Class::Integer => {
            !matches!(form.name(), "FLO" | "IMAD" | "IMAD32I" | "IMADSP" | "IMUL" | "IMUL32I" | "POPC")
        }
        Class::Move => form != Form::S2r,
        Class::Predicate | Class::Nop => true,
        Class::Flow => true,
        Class::Warp => form != Form::Shfl,
        Class::Barrier => form == Form::Depbar,
        Class::System => !matches!(
            form,
            Form::Getcrsptr | Form::Getlmembase | Form::Setcrsptr | Form::Setlmembase | Form::Ide
        ),
        Class::Texture => form == Form::Stp,
        Class::Half
        | Class::Double
        | Class::Conversion
        | Class::Constant
        | Class::Memory
        | Class::Attribute
        | Class::Image => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The operations that the disassembler takes with a barrier for their result, of those that a class does not
    /// settle.
    #[test]
    fn latencies() {
        let fixed = |name: &str| {
            let mut forms = Form::ALL.iter().filter(|form| form.name() == name);
            let first = has_fixed_latency(*forms.next().unwrap());
            assert!(forms.all(|form| has_fixed_latency(*form) == first), "{name}");
            first
        };
        let variable = [
            "ALD", "ATOMS", "B2R", "BAR", "CCTLT", "DADD", "F2F", "FLO", "HADD2", "IDE", "IMAD", "IMUL32I",
            "IPA", "LDC", "MEMBAR", "MUFU", "OUT", "PIXLD", "POPC", "R2B", "S2R", "SHFL", "SULD", "TEXS",
        ];
        assert!(variable.into_iter().all(|name| !fixed(name)));
        let always = [
            "BFE", "BPT", "BRA", "CS2R", "CSET", "DEPBAR", "EXIT", "FSWZADD", "KIL", "LEPC", "NOP", "PRMT",
            "RAM", "RRO", "SSY", "STP", "VMAD", "VOTE", "XMAD",
        ];
        assert!(always.into_iter().all(fixed));
    }
}
