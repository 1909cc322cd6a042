//! One instruction of a listing: mnemonic, operands, and the fields behind `@`.

use super::read::{Open, bounds, place_or_number, wrong};
use super::resolve::{DescriptorUse, FlowUse, Resolver};
use crate::asm::operand;
use crate::asm::operand::{Class, Names, Operand};
use crate::table::TABLE;
use crate::view::Shape;
use crate::{Compare, Condition, Dest, Format, Index, Inst, Opcode, Operands, Reg, Swizzle, encode};
use unshade_isa_common::assembly::lexer::{Arguments, Piece};
use unshade_isa_common::assembly::number::unsigned;
use unshade_isa_common::assembly::{Problem, Result};

/// What stands behind the first `@`.
#[derive(Debug, Clone, Copy, Default)]
struct Suffixes {
    descriptor: Option<u32>,
    unused: Option<u32>,
    num: Option<u32>,
    dst: Option<u32>,
    cond: Option<u32>,
}

/// The operation a mnemonic names; both forms of an operation as the name says, see
/// [`InstructionReader::read`].
fn opcode(head: Piece<'_>) -> Result<Opcode> {
    let key = packed(head.text.as_bytes());
    let known = MNEMONICS.binary_search_by_key(&key, |entry| entry.0).ok().filter(|_| head.text.len() <= 8);
    match known.and_then(|at| MNEMONICS.get(at)) {
        Some(&(_, opcode)) => Ok(opcode),
        None => {
            let message = format!("`{}` is no instruction", head.text);
            Err(Problem::new("pica200.listing.unknown-instruction", head.span(), message))
        }
    }
}

/// The first eight bytes of a name as a number, letters in lower case.
const fn packed(name: &[u8]) -> u64 {
    let mut key = 0;
    let mut at = 0;
    while at < 8 {
        let byte = if at < name.len() { name[at].to_ascii_lowercase() } else { 0 };
        key = key << 8 | byte as u64;
        at += 1;
    }
    key
}

/// The mnemonics of the language, sorted by their packed names. LOOP is written `for`.
const MNEMONICS: [(u64, Opcode); TABLE.len()] = {
    let mut sorted = [(0, Opcode::Nop); TABLE.len()];
    let mut count = 0;
    while count < TABLE.len() {
        let row = &TABLE[count];
        let name = if matches!(row.opcode, Opcode::Loop) { "for" } else { row.name };
        let entry = (packed(name.as_bytes()), row.opcode);
        let mut at = count;
        while at > 0 && sorted[at - 1].0 > entry.0 {
            sorted[at] = sorted[at - 1];
            at -= 1;
        }
        sorted[at] = entry;
        count += 1;
    }
    sorted
};

fn suffixes(rest: Piece<'_>) -> Result<Suffixes> {
    let mut out = Suffixes::default();
    let mut rest = Arguments { rest };
    while let Some(suffix) = rest.blank() {
        let slot = match suffix.split(b'=') {
            Some((name, value)) => {
                let slot = match () {
                    () if name.is("@unused") => &mut out.unused,
                    () if name.is("@num") => &mut out.num,
                    () if name.is("@dst") => &mut out.dst,
                    () if name.is("@cond") => &mut out.cond,
                    () => return Err(wrong(suffix, format!("there is no field `{}`", name.text))),
                };
                (slot, unsigned(value)?)
            }
            None if suffix.first() == Some(b'@') => (&mut out.descriptor, unsigned(suffix.skip(1))?),
            None => return Err(wrong(suffix, format!("expected `@`, found `{}`", suffix.text))),
        };
        if slot.0.replace(slot.1).is_some() {
            return Err(wrong(suffix, "said twice"));
        }
    }
    Ok(out)
}

/// Mask in descriptor order.
pub(super) fn mask_of(swizzle: Swizzle) -> u32 {
    (0..4).fold(0, |mask, lane| mask | 8 >> swizzle.component(lane))
}

/// An instruction that is being read.
pub(super) struct InstructionReader<'r, 'a, N> {
    resolver: &'r mut Resolver<'a>,
    head: Piece<'a>,
    arguments: Arguments<'a>,
    suffixes: Suffixes,
    names: &'r N,
    opcode: Opcode,
}

/// A source as it goes into word and descriptor.
#[derive(Clone, Copy)]
struct Source<'a> {
    register: Reg,
    index: Index,
    /// Sign and swizzle, nine bits.
    bits: u32,
    piece: Piece<'a>,
}

impl Source<'_> {
    /// Whether only a wide field can hold it.
    fn is_wide(&self) -> bool {
        self.register.0 >= 0x20 || self.index != Index::None
    }

    fn narrow(&self) -> Result<Reg> {
        if !self.is_wide() {
            return Ok(self.register);
        }
        let message = format!("`{}` cannot stand here: only v and r registers can", self.piece.text);
        Err(Problem::new("pica200.listing.narrow-source", self.piece.span(), message)
            .note("an instruction can read one uniform, in one place"))
    }
}

impl<'r, 'a, N: Names> InstructionReader<'r, 'a, N> {
    /// Of the instruction that `head` names.
    pub(super) fn new(
        resolver: &'r mut Resolver<'a>,
        head: Piece<'a>,
        arguments: Arguments<'a>,
        names: &'r N,
    ) -> Result<Self> {
        let (rest, suffixes) = match arguments.rest.find(b'@') {
            Some(at) => (arguments.rest.take(at), suffixes(arguments.rest.skip(at))?),
            None => (arguments.rest, Suffixes::default()),
        };
        let arguments = Arguments { rest: rest.trim_end() };
        Ok(Self { resolver, head, arguments, suffixes, names, opcode: opcode(head)? })
    }

    /// Reads the operands and adds the word. Gives the block that the instruction opens.
    pub(super) fn read(mut self) -> Result<Option<Open<'a>>> {
        let block = self.operands()?;
        if !self.arguments.is_done() {
            let message = format!("`{}` takes no further operand", self.head.text);
            return Err(wrong(self.arguments.rest, message));
        }
        Ok(block)
    }

    fn operands(&mut self) -> Result<Option<Open<'a>>> {
        use Opcode as O;
        let opcode = self.opcode;
        match opcode.format() {
            Format::Bare => {
                let unused = self.take(Field::Unused, 26)?.unwrap_or(0);
                self.push(opcode, Operands::Bare { unused })?;
            }
            Format::One => {
                let (dst, mask) = if opcode == O::Mova { self.address()? } else { self.destination()? };
                let a = self.source()?;
                let dst = match self.take_if(opcode == O::Mova, Field::Dst, 5)? {
                    Some(value) => Dest(value as u8),
                    None => dst,
                };
                let unused = self.take(Field::Unused, 5)?.unwrap_or(0) as u8;
                let operands = Operands::One { desc: 0, dst, src1: a.register, index: a.index, unused };
                self.push_described(opcode, operands, mask, &[a])?;
            }
            Format::Two | Format::TwoInverted => {
                let (dst, mask) = self.destination()?;
                let (a, b) = (self.source()?, self.source()?);
                let opcode = match opcode {
                    O::Dph if b.is_wide() => O::Dphi,
                    O::Dst if b.is_wide() => O::Dsti,
                    O::Sge if b.is_wide() => O::Sgei,
                    O::Slt if b.is_wide() => O::Slti,
                    other => other,
                };
                let (wide, narrow) = if opcode.format() == Format::TwoInverted { (b, a) } else { (a, b) };
                narrow.narrow()?;
                let operands =
                    Operands::Two { desc: 0, dst, src1: a.register, src2: b.register, index: wide.index };
                self.push_described(opcode, operands, mask, &[a, b])?;
            }
            Format::Mad | Format::MadInverted => {
                let (dst, mask) = self.destination()?;
                let (a, b, c) = (self.source()?, self.source()?, self.source()?);
                let opcode = if c.is_wide() { O::Madi } else { opcode };
                let (wide, narrow) = if opcode == O::Madi { (c, b) } else { (b, c) };
                a.narrow()?;
                narrow.narrow()?;
                let (src1, src2, src3) = (a.register, b.register, c.register);
                let operands = Operands::Mad { desc: 0, dst, src1, src2, src3, index: wide.index };
                self.push_described(opcode, operands, mask, &[a, b, c])?;
            }
            Format::Compare => {
                let a = self.source()?;
                let (x, y) = (self.compare()?, self.compare()?);
                let b = self.source()?;
                let src2 = b.narrow()?;
                let operands = Operands::Compare { desc: 0, src1: a.register, src2, index: a.index, x, y };
                self.push_described(opcode, operands, 0, &[a, b])?;
            }
            Format::SetEmit => {
                let vertex = self.operand("the vertex")?;
                let slot = unsigned(vertex)?;
                if slot > 3 {
                    return Err(wrong(vertex, "the vertex is a number from 0 to 3"));
                }
                let (mut primitive, mut invert) = (false, false);
                if let Some(flags) = self.arguments.comma() {
                    let mut flags = Arguments { rest: flags };
                    while let Some(flag) = flags.blank() {
                        match () {
                            () if flag.is("prim") || flag.is("primitive") => primitive = true,
                            () if flag.is("inv") || flag.is("invert") => invert = true,
                            () => {
                                return Err(wrong(flag, format!("`{}` is neither prim nor inv", flag.text)));
                            }
                        }
                    }
                }
                let unused = self.take(Field::Unused, 22)?.unwrap_or(0);
                self.push(opcode, Operands::SetEmit { vertex: slot as u8, primitive, invert, unused })?;
            }
            Format::FlowCondition | Format::FlowUniform => return self.flow(),
        }
        Ok(None)
    }

    fn flow(&mut self) -> Result<Option<Open<'a>>> {
        use Opcode as O;
        let opcode = self.opcode;
        let at = self.resolver.here();
        let head = self.head;
        let mut invert = false;
        let (condition, uniform) = match opcode {
            O::Call => (Condition { op: 0, ref_x: false, ref_y: false }, 0),
            O::Loop => (Condition { op: 0, ref_x: false, ref_y: false }, self.integer()?),
            O::Callu | O::Ifu | O::Jmpu => {
                let mut piece = self.operand("a bool uniform")?;
                if opcode == O::Jmpu && piece.first() == Some(b'!') {
                    invert = true;
                    piece = piece.skip(1).trim_start();
                }
                (Condition { op: 0, ref_x: false, ref_y: false }, self.boolean(piece)?)
            }
            _ => {
                let piece = self.operand("a condition")?;
                (operand::condition(piece)?, 0)
            }
        };
        let mut target = None;
        let mut block = None;
        match opcode {
            O::Call | O::Callc | O::Callu => {
                let piece = self.operand("a procedure")?;
                target = Some(FlowUse::Run { at, bounds: bounds(piece)?, piece });
            }
            O::Ifc | O::Ifu => match self.arguments.comma() {
                Some(piece) => target = Some(FlowUse::Run { at, bounds: bounds(piece)?, piece }),
                None => block = Some(Open::If { at, otherwise: None, head }),
            },
            O::Loop => match self.arguments.comma() {
                Some(piece) => {
                    if !piece.text.starts_with("..") {
                        return Err(wrong(piece, "the end of a loop is written `..end`"));
                    }
                    let end = place_or_number(piece.skip(2).trim())?;
                    target = Some(FlowUse::LastBefore { at, end, piece });
                }
                None => block = Some(Open::For { at, head }),
            },
            O::Jmpc | O::Jmpu => {
                let piece = self.operand("a label")?;
                target = Some(FlowUse::To { at, to: place_or_number(piece)?, piece });
            }
            _ => {}
        }
        // What blocks and targets say about DST and NUM is filled in later; the fields here are the rest.
        let has_run = matches!(opcode, O::Call | O::Callc | O::Callu | O::Ifc | O::Ifu);
        let is_break = !has_run && !matches!(opcode, O::Loop | O::Jmpc | O::Jmpu);
        let num = self.take_if(!has_run, Field::Num, 8)?.unwrap_or(u32::from(invert)) as u8;
        if invert != (num & 1 != 0) && opcode == O::Jmpu {
            return Err(wrong(head, "`!` and `@num` disagree: bit 0 of NUM inverts the test"));
        }
        let dst = self.take_if(is_break, Field::Dst, 12)?.unwrap_or(0) as u16;
        let unused = self.take(Field::Unused, 2)?;
        let bits = self.take(Field::Cond, 4)?;
        let unused_bits = unused.unwrap_or(0) as u8;
        let operands = match opcode.format() {
            Format::FlowUniform => Operands::FlowUniform { num, unused: unused_bits, dst, uniform },
            _ => Operands::FlowCondition { num, unused: unused_bits, dst, condition },
        };
        let word = encode(Inst::Known { opcode, operands });
        let word = match bits {
            Some(bits) => word & !(0xF << 22) | bits << 22,
            None => word,
        };
        self.resolver.words.push(word);
        self.all_taken()?;
        if let Some(target) = target {
            self.resolver.flow(target, unused.is_some());
        }
        Ok(block)
    }

    fn operand(&mut self, what: &str) -> Result<Piece<'a>> {
        let head = self.head;
        self.arguments
            .comma()
            .filter(|piece| !piece.is_empty())
            .ok_or_else(|| wrong(head, format!("{what} is missing behind `{}`", head.text)))
    }

    fn read_operand(&mut self, what: &str) -> Result<Operand<'a>> {
        let piece = self.operand(what)?;
        operand::operand(piece, self.names)
    }

    fn destination(&mut self) -> Result<(Dest, u32)> {
        let piece = self.operand("the destination")?;
        let (read, mask) = match piece.text.strip_suffix("._") {
            Some(name) => (operand::operand(piece.take(name.len()), self.names)?, 0),
            None => {
                let read = operand::operand(piece, self.names)?;
                (read, mask_of(read.swizzle))
            }
        };
        let register = read.register.dest().filter(|_| read.index == Index::None && !read.negate);
        register.map(|register| (register, mask)).ok_or_else(|| {
            let message = format!("`{}` cannot be written: o and r registers can", piece.text);
            Problem::new("pica200.listing.destination", piece.span(), message)
        })
    }

    /// `a0.x`, `a0.y`, `a0.xy`, `a0._`.
    fn address(&mut self) -> Result<(Dest, u32)> {
        let piece = self.operand("the address register")?;
        let mask = match () {
            () if piece.is("a0.x") || piece.is("a0") => 0x8,
            () if piece.is("a0.y") || piece.is("a1") => 0x4,
            () if piece.is("a0.xy") || piece.is("a01") => 0xC,
            () if piece.is("a0._") => 0,
            () => return Err(wrong(piece, format!("`{}` is not a0.x, a0.y or a0.xy", piece.text))),
        };
        Ok((Dest(0), mask))
    }

    fn source(&mut self) -> Result<Source<'a>> {
        let read = self.read_operand("a source")?;
        let Some(register) = read.register.source() else {
            let message = format!("`{}` cannot be read: v, r and c registers can", read.piece.text);
            return Err(Problem::new("pica200.listing.source", read.piece.span(), message));
        };
        let bits = u32::from(read.swizzle.0) << 1 | u32::from(read.negate);
        Ok(Source { register, index: read.index, bits, piece: read.piece })
    }

    fn compare(&mut self) -> Result<Compare> {
        let piece = self.operand("a comparison")?;
        match () {
            () if piece.is("true6") => Ok(Compare::True6),
            () if piece.is("true7") => Ok(Compare::True7),
            () => operand::compare(piece),
        }
    }

    /// `i0` to `i15`: the field has four bits, though the hardware reads two.
    fn integer(&mut self) -> Result<u8> {
        let piece = self.operand("an integer register")?;
        if let Some(digits) = piece.text.strip_prefix('i')
            && (1..=2).contains(&digits.len())
            && digits.bytes().all(|b| b.is_ascii_digit())
            && let Ok(register) = digits.parse::<u8>()
            && register < 16
        {
            return Ok(register);
        }
        let read = operand::operand(piece, self.names)?;
        if read.register.class == Class::Int && read.index == Index::None {
            return Ok(read.register.number);
        }
        Err(wrong(piece, format!("`{}` is no integer register", piece.text)))
    }

    fn boolean(&mut self, piece: Piece<'a>) -> Result<u8> {
        let read = operand::operand(piece, self.names)?;
        if read.register.class == Class::Bool && read.index == Index::None {
            return Ok(read.register.number);
        }
        Err(wrong(piece, format!("`{}` is no bool uniform", piece.text)))
    }

    fn push(&mut self, opcode: Opcode, operands: Operands) -> Result<()> {
        self.resolver.words.push(encode(Inst::Known { opcode, operands }));
        self.all_taken()
    }

    fn push_described(
        &mut self,
        opcode: Opcode,
        operands: Operands,
        mask: u32,
        sources: &[Source<'a>],
    ) -> Result<()> {
        let Some(shape) = Shape::of(opcode) else { return Ok(()) };
        let low = sources.iter().enumerate().fold(mask, |low, (n, source)| low | source.bits << (4 + 9 * n));
        let explicit = self.suffixes.descriptor.take();
        let at = self.resolver.here();
        self.push(opcode, operands)?;
        self.resolver.describe(DescriptorUse { at, shape, low, explicit, head: self.head });
        Ok(())
    }

    /// Takes a suffix that fits in so many bits.
    fn take(&mut self, field: Field, bits: u32) -> Result<Option<u32>> {
        let slot = match field {
            Field::Unused => &mut self.suffixes.unused,
            Field::Num => &mut self.suffixes.num,
            Field::Dst => &mut self.suffixes.dst,
            Field::Cond => &mut self.suffixes.cond,
        };
        match slot.take() {
            Some(value) if value >> bits != 0 => {
                Err(wrong(self.head, format!("a field of {bits} bits cannot hold {value:#x}")))
            }
            value => Ok(value),
        }
    }

    fn take_if(&mut self, allowed: bool, field: Field, bits: u32) -> Result<Option<u32>> {
        if allowed { self.take(field, bits) } else { Ok(None) }
    }

    /// Refuses suffixes that the instruction has no field for.
    fn all_taken(&self) -> Result<()> {
        let Suffixes { descriptor, unused, num, dst, cond } = self.suffixes;
        let left = [
            (descriptor, "a descriptor"),
            (unused, "@unused"),
            (num, "@num"),
            (dst, "@dst"),
            (cond, "@cond"),
        ];
        match left.iter().find(|(value, _)| value.is_some()) {
            Some((_, name)) => Err(wrong(self.head, format!("`{}` has no field for {name}", self.head.text))),
            None => Ok(()),
        }
    }
}

#[derive(Clone, Copy)]
enum Field {
    Unused,
    Num,
    Dst,
    Cond,
}
