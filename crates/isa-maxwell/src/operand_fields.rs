//! Which registers and constants an instruction names, without regard to what it does with them.
//!
//! Source: what NVIDIA's disassembler prints when single bits of words change. Widths are those of the operands
//! that are stated in the word; of texture coordinates only the first register is known here.

use super::form::Form;
use super::word::{Register, Word};

/// The register field at bit 0: where results go, or what is stored.
const FIRST: u8 = 1;
/// At bit 8.
const A: u8 = 2;
/// At bit 20.
const B: u8 = 4;
/// At bit 28: the second half of the results of short texture fetches.
const SECOND: u8 = 8;
/// At bit 39.
const C: u8 = 16;

/// Registers that an instruction names side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The first of them; never `RZ`.
    pub first: Register,
    /// How many.
    pub count: u8,
    /// Whether they are written.
    pub written: bool,
}

impl Place {
    /// The number of the last register, plus 1.
    pub fn end(self) -> u32 {
        u32::from(self.first.0) + u32::from(self.count)
    }
}

/// Where constants are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Constant {
    /// Number of the bank.
    pub bank: u8,
    /// Offset in bytes; of an indexed one what the index is added to.
    pub offset: i32,
    /// How many bytes.
    pub size: u32,
    /// A register is added to the offset, or to the bank.
    pub indexed: bool,
}

fn fields(form: Form) -> u8 {
    use Form::*;
    match form {
        B2r | Cs2r | Cset | F2fC | F2fI | F2iC | F2iI | FloC | FloI | Getcrsptr | Getlmembase | I2fC
        | I2fI | I2iC | I2iI | Lepc | MovC | MovI | Mov32i | PopcC | PopcI | Pset | RroC | RroI | S2r
        | Vote => FIRST,
        Al2p | BfeC | BfeI | DaddC | DaddI | DmnmxC | DmnmxI | DmulC | DmulI | DsetC | DsetI | FaddC
        | FaddI | Fadd32i | Ffma32i | FmnmxC | FmnmxI | FmulC | FmulI | Fmul32i | FsetC | FsetI | Hadd2C
        | Hadd2I | Hadd232i | Hfma232i | Hmul2C | Hmul2I | Hmul232i | Hset2C | Hset2I | IaddC | IaddI
        | Iadd32i | Imad32i | ImnmxC | ImnmxI | ImulC | ImulI | Imul32i | Isberd | IscaddC | IscaddI
        | Iscadd32i | IsetC | IsetI | Ld | Ldc | Ldg | LdgP | Ldl | Lds | LeaC | LeaI | LopC | LopI
        | Lop32i | Mufu | OutC | OutI | P2rC | P2rI | Pixld | Red | SelC | SelI | ShlC | ShlI | ShrC
        | ShrI | St | Stg | Stl | Sts | Suld | SuldD | Sured | SuredPI | Sust | SustD | Tmml | Txa | Txq
        | TxqB => FIRST | A,
        Atom | AtomCas | Atoms | AtomsCas | BfeR | DaddR | DmnmxR | DmulR | DsetR | FaddR | FmnmxR
        | FmulR | FsetR | Fswzadd | Hadd2R | Hmul2R | Hset2R | IaddR | ImnmxR | ImulR | IscaddR | IsetR
        | LeaR | LopR | OutR | P2rR | SelR | ShlR | ShrR | Suatom | SuatomCas | SuatomCasPI | SuatomPI
        | Tex | TexB | Tld | TldB | Tld4 | Tld4B | TmmlB | Txd | TxdB | AtomPred | AtomCasPred => {
            FIRST | A | B
        }
        Texs | TexsF16 | Tld4s | Tld4sF16 | Tlds | TldsF16 => FIRST | A | B | SECOND,
        BfiR | DfmaR | FcmpR | FfmaR | Hfma2R | Iadd3R | IcmpR | ImadR | ImadspR | Ipa | LeaHiR | Lop3R
        | PrmtR | ShfLR | ShfRR | Shfl | SuatomB | SuatomB2 | SuatomCasB | SuatomCasP | SuatomP
        | Vabsdiff | Vabsdiff4 | Vadd | Vmad | Vmnmx | Vset | Vshl | Vshr | XmadR => FIRST | A | B | C,
        Ald | Ast | BfiC | BfiI | BfiRc | DfmaC | DfmaI | DfmaRc | FcmpC | FcmpI | FcmpRc | FfmaC | FfmaI
        | FfmaRc | Hfma2C | Hfma2I | Hfma2Rc | Iadd3C | Iadd3I | IcmpC | IcmpI | IcmpRc | ImadC | ImadI
        | ImadRc | ImadspC | ImadspI | ImadspRc | LeaHiC | Lop3C | Lop3I | PrmtC | PrmtI | PrmtRc | ShfLI
        | ShfRI | SuldB | SuldDB | SuredB | SuredPR | SustB | SustDB | XmadC | XmadI | XmadRc => {
            FIRST | A | C
        }
        F2fR | F2iR | FloR | I2fR | I2iR | MovR | PopcR | RroR => FIRST | B,
        Brx | Cctl | Cctll | DsetpC | DsetpI | FchkC | FchkI | FsetpC | FsetpI | Hsetp2C | Hsetp2I
        | IsetpC | IsetpI | Jmx | R2pC | R2pI | Setcrsptr | Setlmembase => A,
        Bar | DsetpR | FchkR | FsetpR | Hsetp2R | IsetpR | R2pR | Vsetp => A | B,
        R2b => B,
        CctltReg => C,
        _ => 0,
    }
}

/// Whether the field at bit 0 is read and not written.
fn stores(form: Form) -> bool {
    use Form::*;
    matches!(
        form,
        Ast | St | Stg | Stl | Sts | Red | Sust | SustB | SustD | SustDB | Sured | SuredB | SuredPI | SuredPR
    )
}

/// Whether the instruction works on doubles.
pub(super) fn is_double(form: Form) -> bool {
    // All operations whose names start so, but the barrier.
    form.name().starts_with('D') && form != Form::Depbar
}

/// Registers of an access of the size field of loads and stores: bytes, halves, words, pairs, fours.
fn memory(size: u64) -> u8 {
    match size {
        5 => 2,
        6 | 7 => 4,
        _ => 1,
    }
}

/// Registers of the size field of atomic operations.
fn atomic(size: u64) -> u8 {
    if matches!(size, 2 | 5) { 2 } else { 1 }
}

/// Components that the mask of a short fetch enables: in the first and in the second register field.
fn short(word: Word) -> (u8, u8) {
    let mask = word.bits(50, 3);
    if word.register(28).is_zero() {
        (if mask < 4 { 1 } else { 2 }, 0)
    } else {
        (2, if mask == 4 { 2 } else { 1 })
    }
}

/// Registers in each of the fields, in the order of their bits.
fn widths(form: Form, word: Word) -> [u8; 5] {
    use Form::*;
    let pair = |is: bool| if is { 2 } else { 1 };
    let address = |at: u32| pair(word.bit(at));
    match form {
        DsetC | DsetI | DsetR => [1, 2, 2, 0, 2],
        _ if is_double(form) => [2, 2, 2, 0, 2],
        F2fC | F2fI | F2fR | F2iC | F2iI | F2iR | I2fC | I2fI | I2fR => {
            [pair(word.bits(8, 2) == 3), 1, pair(word.bits(10, 2) == 3), 0, 1]
        }
        Lepc => [2, 1, 1, 0, 1],
        Ld | St => [memory(word.bits(53, 3)), address(52), 1, 0, 1],
        Ldg | Stg | LdgP => [memory(word.bits(48, 3)), address(45), 1, 0, 1],
        Ldl | Stl | Lds | Sts | Ldc => [memory(word.bits(48, 3)), 1, 1, 0, 1],
        Ald | Ast | Al2p => [1 + word.bits(47, 2) as u8, 1, 1, 0, 1],
        Atom => [atomic(word.bits(49, 3)), address(48), atomic(word.bits(49, 3)), 0, 1],
        // The value to put stands behind the value to compare with.
        AtomCas => [address(49), address(48), 2 * address(49), 0, 1],
        Atoms => [atomic(word.bits(28, 2)), 1, atomic(word.bits(28, 2)), 0, 1],
        AtomsCas => [address(52), 1, 2 * address(52), 0, 1],
        AtomPred => [atomic(word.bits(49, 3)), address(48), atomic(word.bits(49, 3)), 0, 1],
        AtomCasPred => [atomic(word.bits(49, 3)), address(48), 2 * atomic(word.bits(49, 3)), 0, 1],
        Red => [atomic(word.bits(20, 3)), address(48), 1, 0, 1],
        Tex | TexB | Tld | TldB | Tld4 | Tld4B | Txd | TxdB | Tmml | TmmlB | Txa | Txq | TxqB => {
            [word.bits(31, 4).count_ones() as u8, 1, 1, 0, 1]
        }
        Texs | Tlds => {
            let (first, second) = short(word);
            [first, 1, 1, second, 1]
        }
        TexsF16 | TldsF16 => [1, 1, 1, 1, 1],
        Tld4s => [2, 1, 1, 2, 1],
        Tld4sF16 => [1, 1, 1, 1, 1],
        Suld | SuldB | Sust | SustB => [word.bits(20, 4).count_ones() as u8, 1, 1, 0, 1],
        SuldD | SuldDB | SustD | SustDB => [memory(word.bits(20, 3)), 1, 1, 0, 1],
        _ => [1, 1, 1, 1, 1],
    }
}

/// Register fields that hold a number in this word.
fn numbers(form: Form, word: Word) -> u8 {
    use Form::*;
    match form {
        Shfl => (B * u8::from(word.bit(28))) | (C * u8::from(word.bit(29))),
        Vabsdiff | Vadd | Vmad | Vmnmx | Vset | Vsetp | Vshl | Vshr => B * u8::from(!word.bit(50)),
        Vabsdiff4 => B * u8::from(word.bits(28, 4) == 15),
        Ipa => A * u8::from(!word.bit(38)),
        Bar => (A * u8::from(word.bit(44))) | (B * u8::from(word.bit(43))),
        _ => 0,
    }
}

/// The registers that an instruction names, in the order of its bits. Names of `RZ` are left out.
pub fn registers(form: Form, word: Word) -> impl Iterator<Item = Place> {
    let fields = fields(form) & !numbers(form, word);
    let written = (FIRST * u8::from(!stores(form))) | SECOND;
    let places = [(FIRST, 0), (A, 8), (B, 20), (SECOND, 28), (C, 39)];
    places.into_iter().zip(widths(form, word)).filter_map(move |((field, at), count)| {
        let first = word.register(at);
        let named = fields & field != 0 && !first.is_zero() && count > 0;
        named.then_some(Place { first, count, written: written & field != 0 })
    })
}

/// Whether one of its sources is a constant.
fn has_constant(form: Form) -> bool {
    use Form::*;
    matches!(
        form,
        BfeC | BfiC
            | BfiRc
            | DaddC
            | DfmaC
            | DfmaRc
            | DmnmxC
            | DmulC
            | DsetC
            | DsetpC
            | F2fC
            | F2iC
            | FaddC
            | FchkC
            | FcmpC
            | FcmpRc
            | FfmaC
            | FfmaRc
            | FloC
            | FmnmxC
            | FmulC
            | FsetC
            | FsetpC
            | Hadd2C
            | Hfma2C
            | Hfma2Rc
            | Hmul2C
            | Hset2C
            | Hsetp2C
            | I2fC
            | I2iC
            | IaddC
            | Iadd3C
            | IcmpC
            | IcmpRc
            | ImadC
            | ImadRc
            | ImadspC
            | ImadspRc
            | ImnmxC
            | ImulC
            | IscaddC
            | IsetC
            | IsetpC
            | LeaC
            | LeaHiC
            | LopC
            | Lop3C
            | MovC
            | OutC
            | P2rC
            | PopcC
            | PrmtC
            | PrmtRc
            | R2pC
            | RroC
            | SelC
            | ShlC
            | ShrC
            | XmadC
            | XmadRc
    )
}

/// The constant that an instruction reads, if it names one.
pub fn constant(form: Form, word: Word) -> Option<Constant> {
    if form == Form::Ldc {
        let size = match word.bits(48, 3) {
            0 | 1 => 1,
            2 | 3 => 2,
            5 => 8,
            6 | 7 => 16,
            _ => 4,
        };
        let offset = word.signed(20, 16) as i32;
        let indexed = !word.register(8).is_zero();
        return Some(Constant { bank: word.bits(36, 5) as u8, offset, size, indexed });
    }
    let size = if is_double(form) { 8 } else { 4 };
    has_constant(form).then(|| Constant {
        bank: word.bits(34, 5) as u8,
        offset: (word.bits(20, 14) * 4) as i32,
        size,
        indexed: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(word: u64) -> Vec<(u8, u8, bool)> {
        let form = Form::of(word).unwrap();
        registers(form, Word(word)).map(|place| (place.first.0, place.count, place.written)).collect()
    }

    #[test]
    fn registers_of_words() {
        // ALD.64 R4, a[0x80], R3
        assert_eq!(named(0xefd8_8180_0807_ff04), [(4, 2, true), (3, 1, false)]);
        // AST.128 a[0x70], R4, R3
        assert_eq!(named(0xeff1_8180_0707_ff04), [(4, 4, false), (3, 1, false)]);
        // TEXS.LZ R0, R2, R0, R1, 0x28, 2D, RGBA
        assert_eq!(named(0xd850_0280_0017_0002), [(2, 2, true), (0, 1, false), (1, 1, false), (0, 2, true)]);
        // ATOM.E.CAS R0, [R8+0x8], R10, R11
        assert_eq!(named(0xeef1_0000_80a7_0800), [(0, 1, true), (8, 2, false), (10, 2, false)]);
        // DADD R4, R4, R8
        assert_eq!(named(0x5c70_0000_0087_0404), [(4, 2, true), (4, 2, false), (8, 2, false)]);
        // MOV R0, RZ
        assert_eq!(named(0x5c98_0780_0ff7_0000), [(0, 1, true)]);
        // STG.E [R0], R2
        assert_eq!(named(0xeedc_2000_0007_0002), [(2, 1, false), (0, 2, false)]);
    }

    #[test]
    fn constants_of_words() {
        let of = |word| constant(Form::of(word).unwrap(), Word(word));
        // XMAD R0, R1, c[0x2] [0x40], R0
        let found = Constant { bank: 2, offset: 0x40, size: 4, indexed: false };
        assert_eq!(of(0x4e00_0008_0107_0100), Some(found));
        // LDC R0, c[0x2][R0]
        assert_eq!(of(0xef94_0020_0007_0000), Some(Constant { offset: 0, indexed: true, ..found }));
        assert_eq!(of(0x5c70_0000_0087_0404), None);
    }
}
