//! Memory: address spaces, accesses, atomic operations, barriers, inputs at another place of the pixel.

/// Address space of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// Stage inputs. Read only.
    Input,
    /// Stage outputs.
    Output,
    /// Constant data set from outside. Read only.
    Uniform,
    /// Textures; only of globals, no load or store goes there. A unit is one word.
    Texture,
    /// Images that are read and written; only of globals, as [`Self::Texture`].
    Image,
    /// A [`crate::LocalArray`] of the module; the binding is its index. Private to the invocation.
    Local,
    /// Memory shared by a work group. Its length is [`crate::Module::shared_words`]; the binding is 0.
    Shared,
    /// Storage buffers: [`crate::StorageBuffer`] says more of a binding.
    Storage,
    /// All memory, by 64-bit address: the first two operands are the low and the high word of an address in
    /// bytes, to which `offset` words are added; the stride is 0, the binding too. The address counts as a
    /// multiple of four.
    Global,
}

/// Where a load or store goes: 32-bit word `offset + index * stride` of `binding` in `space`.
///
/// Register machines number a register file word by word: component `k` of register `n` is word `4n + k`.
/// Reads outside what exists give 0, writes there vanish.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Access {
    /// Address space.
    pub space: Space,
    /// Which buffer, register file or array of the space.
    pub binding: u32,
    /// Constant part of the address, in 32-bit words.
    pub offset: u32,
    /// Words per step of the dynamic index, which is then the first operand (read as a signed integer);
    /// 0: no dynamic index, no operand.
    pub stride: u32,
}

impl Access {
    /// Whether the first operand is an index.
    pub fn is_indexed(&self) -> bool {
        self.stride != 0 && self.space != Space::Global
    }

    /// Operands that say where: an index, the two words of an address, or none.
    pub fn address_operands(&self) -> usize {
        match self.space {
            Space::Global => 2,
            _ => usize::from(self.stride != 0),
        }
    }
}

/// Which elements of a storage buffer are counted: those behind a byte, as long as the buffer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BufferLength {
    /// The buffer, as in [`Access`].
    pub binding: u32,
    /// Byte at which the first element starts, below 2^31.
    pub offset: u32,
    /// Bytes of an element, at least 1.
    pub stride: u32,
}

impl BufferLength {
    /// How many elements a buffer of so many bytes has.
    pub fn of(self, bytes: u32) -> u32 {
        let rest = i64::from(bytes as i32) - i64::from(self.offset);
        u32::try_from(rest.max(0)).unwrap_or(0) / self.stride.max(1)
    }
}

/// What an atomic operation leaves in memory, `old` being what was there and `a` its operand. All give `old`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AtomicOp {
    /// `old + a`.
    Add,
    /// The lesser, signed.
    SMin,
    /// The greater, signed.
    SMax,
    /// The lesser, unsigned.
    UMin,
    /// The greater, unsigned.
    UMax,
    /// `old & a`.
    And,
    /// `old | a`.
    Or,
    /// `old ^ a`.
    Xor,
    /// `a`.
    Exchange,
    /// Two operands: the second where `old` is the first, else `old`.
    CompareExchange,
    /// `old >= a ? 0 : old + 1`, unsigned.
    Increment,
    /// `old == 0 || old > a ? a : old - 1`, unsigned.
    Decrement,
    /// `old + a` as binary32, to nearest, denormals as zero of their sign.
    FAdd,
}

impl AtomicOp {
    /// Operands beside the address.
    pub fn operands(self) -> usize {
        if self == Self::CompareExchange { 2 } else { 1 }
    }

    /// What is left in memory.
    ///
    /// ```
    /// use unshade_ir::AtomicOp;
    /// assert_eq!(AtomicOp::SMin.apply(1, &[u32::MAX]), u32::MAX);
    /// assert_eq!(AtomicOp::CompareExchange.apply(3, &[3, 9]), 9);
    /// assert_eq!(AtomicOp::Increment.apply(7, &[7]), 0);
    /// ```
    pub fn apply(self, old: u32, operands: &[u32]) -> u32 {
        let a = operands.first().copied().unwrap_or(0);
        let signed = |word: u32| word as i32;
        match self {
            Self::Add => old.wrapping_add(a),
            Self::SMin => signed(old).min(signed(a)) as u32,
            Self::SMax => signed(old).max(signed(a)) as u32,
            Self::UMin => old.min(a),
            Self::UMax => old.max(a),
            Self::And => old & a,
            Self::Or => old | a,
            Self::Xor => old ^ a,
            Self::Exchange => a,
            Self::CompareExchange if old == a => operands.get(1).copied().unwrap_or(0),
            Self::CompareExchange => old,
            Self::Increment if old >= a => 0,
            Self::Increment => old.wrapping_add(1),
            Self::Decrement if old == 0 || old > a => a,
            Self::Decrement => old.wrapping_sub(1),
            Self::FAdd => {
                let flush = |word: u32| if word & 0x7F80_0000 == 0 { word & 0x8000_0000 } else { word };
                let sum = f32::from_bits(flush(old)) + f32::from_bits(flush(a));
                flush(crate::math::bits(sum))
            }
        }
    }
}

/// What waits for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Barrier {
    /// Every invocation of the work group (of the patch in a tessellation control program) comes here before one
    /// goes on; what they wrote to shared memory and to outputs is seen by all.
    Control,
    /// What the invocation wrote before is seen by its work group before what it writes behind.
    Group,
    /// The same, seen by all.
    Memory,
}

/// Where in a pixel an input is taken, in place of where its declaration says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InputPlace {
    /// Inside of the primitive.
    Centroid,
    /// At the sample that the operand numbers.
    Sample,
    /// At the centre, moved by the two operands: floats in pixels, to the right and upwards.
    Offset,
}

impl InputPlace {
    /// Operands beside the address.
    pub fn operands(self) -> usize {
        match self {
            Self::Centroid => 0,
            Self::Sample => 1,
            Self::Offset => 2,
        }
    }
}

/// A question to all invocations that run in step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Vote {
    /// Is it true in all.
    All,
    /// Is it true in one.
    Any,
    /// Is it the same in all.
    Equal,
}
