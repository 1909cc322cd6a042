//! What an operation takes from its operand descriptor: which bits can make a difference, and how they
//! are best written.

use super::{Descriptor, Opcode, Swizzle};

/// How an operation reads its descriptor. Operations of one shape print and match alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Lane by lane, one source.
    Lanes1,
    /// Lane by lane, two sources.
    Lanes2,
    /// Lane by lane, three sources.
    Lanes3,
    /// Lanes x y z of both sources.
    Dot3,
    /// All lanes of both sources.
    Whole2,
    /// Lanes x y z of the first source, all of the second.
    DotHomogeneous,
    /// Lane x of the source.
    Scalar,
    /// All lanes of the source.
    Whole1,
    /// Mask and source, lanes x and y only.
    Address,
    /// No mask; lanes x and y of both sources.
    Compare,
}

impl Shape {
    /// How many shapes there are.
    pub const COUNT: usize = 10;

    /// The shape of an operation, if it uses a descriptor.
    pub fn of(opcode: Opcode) -> Option<Self> {
        use Opcode::*;
        Some(match opcode {
            Flr | Mov => Self::Lanes1,
            Add | Mul | Sge | Slt | Max | Min | Sgei | Slti => Self::Lanes2,
            Mad | Madi => Self::Lanes3,
            Dp3 => Self::Dot3,
            Dp4 | Dst | Dsti => Self::Whole2,
            Dph | Dphi => Self::DotHomogeneous,
            Ex2 | Lg2 | Rcp | Rsq => Self::Scalar,
            Litp => Self::Whole1,
            Mova => Self::Address,
            Cmp => Self::Compare,
            Break | Nop | End | Breakc | Call | Callc | Callu | Ifu | Ifc | Loop | Emit | Setemit | Jmpc
            | Jmpu => return None,
        })
    }

    /// How many sources it reads.
    pub fn sources(self) -> usize {
        match self {
            Self::Lanes1 | Self::Scalar | Self::Whole1 | Self::Address => 1,
            Self::Lanes2 | Self::Dot3 | Self::Whole2 | Self::DotHomogeneous | Self::Compare => 2,
            Self::Lanes3 => 3,
        }
    }

    /// Bits of the destination mask (descriptor order, bit 3 = x) that are used.
    pub fn mask_bits(self) -> u32 {
        match self {
            Self::Compare => 0,
            Self::Address => 0xC,
            _ => 0xF,
        }
    }

    /// Lanes of source 0-2 whose swizzle can make a difference under this mask; bit 3 = lane x.
    pub fn lanes(self, source: usize, mask: u32) -> u32 {
        if source >= self.sources() {
            return 0;
        }
        match self {
            Self::Lanes1 | Self::Lanes2 | Self::Lanes3 => mask & 0xF,
            Self::Dot3 => 0xE,
            Self::Whole1 | Self::Whole2 => 0xF,
            Self::DotHomogeneous => 0xE | u32::from(source == 1),
            Self::Scalar => 0x8,
            Self::Address => mask & 0xC,
            Self::Compare => 0xC,
        }
    }

    /// The bits of a descriptor that can make a difference, given its mask bits.
    pub fn care(self, mask: u32) -> u32 {
        let mut care = self.mask_bits();
        for source in 0..self.sources() {
            let lanes = self.lanes(source, mask & self.mask_bits());
            // Each lane bit becomes the two bits of its swizzle, lane x on top.
            let swizzle = (0..4).fold(0, |bits, lane| bits | ((lanes >> lane & 1) * 3) << (2 * lane));
            care |= (swizzle << 1 | 1) << (4 + 9 * source);
        }
        care
    }

    /// Whether two descriptors mean the same to this shape.
    pub fn same(self, a: u32, b: u32) -> bool {
        (a ^ b) & self.care(a) == 0
    }
}

/// A descriptor as an instruction shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct View {
    /// Mask bits in use, bit 3 = x.
    pub mask: u8,
    /// The swizzle to write for each source: letters that repeat at the end are left out, and the
    /// identity is not written at all.
    pub swizzle: [Swizzle; 3],
    /// Whether each source is negated.
    pub negate: [bool; 3],
    /// The first descriptor of the table that means the same.
    pub first: u8,
}

/// Looks at `low` with the eyes of `shape`.
fn view(shape: Shape, low: u32, first: u8) -> View {
    let descriptor = Descriptor(low);
    let mask = low & shape.mask_bits();
    let source = |n: usize| plain_swizzle(descriptor.swizzle(n), shape.lanes(n, mask));
    View {
        mask: mask as u8,
        swizzle: [source(0), source(1), source(2)],
        negate: [0, 1, 2].map(|n| descriptor.negates(n)),
        first,
    }
}

/// The plainest swizzle that agrees with `actual` in `lanes` (bit 3 = lane x).
fn plain_swizzle(actual: Swizzle, lanes: u32) -> Swizzle {
    let cares = |lane: usize| lanes >> (3 - lane) & 1 != 0;
    let Some(first) = (0..4).find(|&lane| cares(lane)) else { return Swizzle::IDENTITY };
    let letter = actual.component(first);
    let all = |swizzle: Swizzle| {
        (0..4).all(|lane| !cares(lane) || swizzle.component(lane) == actual.component(lane))
    };
    let one = Swizzle((letter * 0x55) as u8);
    if lanes.count_ones() == 1 {
        one
    } else if all(Swizzle::IDENTITY) {
        Swizzle::IDENTITY
    } else if all(one) {
        one
    } else {
        actual
    }
}

/// All views of a descriptor table, made when first asked for.
#[derive(Debug, Clone)]
pub struct Views<'a> {
    table: &'a [u32],
    views: Vec<Option<View>>,
}

impl<'a> Views<'a> {
    /// Views of the first 128 entries, which are all that an instruction can name.
    pub fn new(table: &'a [u32]) -> Self {
        let table = table.get(..128).unwrap_or(table);
        Self { table, views: vec![None; table.len() * Shape::COUNT] }
    }

    /// The view of entry `index`, if there is such an entry.
    #[inline]
    pub fn get(&mut self, shape: Shape, index: u8) -> Option<View> {
        let slot = usize::from(index) * Shape::COUNT + shape as usize;
        match self.views.get(slot) {
            Some(Some(view)) => Some(*view),
            Some(None) => self.make(shape, index, slot),
            None => None,
        }
    }

    fn make(&mut self, shape: Shape, index: u8, slot: usize) -> Option<View> {
        let &low = self.table.get(usize::from(index))?;
        let first = self.table.iter().position(|&other| shape.same(low, other)).unwrap_or(usize::from(index));
        let view = view(shape, low, first as u8);
        if let Some(place) = self.views.get_mut(slot) {
            *place = Some(view);
        }
        Some(view)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn care_bits() {
        // mask xy, everything else identity
        assert_eq!(Shape::Lanes1.care(0xC), 0xF | (0xF0 << 1 | 1) << 4);
        assert_eq!(Shape::Compare.care(0xF) & 0xF, 0);
        assert_eq!(Shape::Scalar.care(0xF), 0xF | (0xC0 << 1 | 1) << 4);
        assert_eq!(Shape::Whole2.care(0), 0x3F_FFFF);
    }

    #[test]
    fn plain_swizzles() {
        let swizzle = |text: &str| {
            Swizzle::new(
                [0, 1, 2, 3].map(|n| b"xyzw".iter().position(|&c| c == text.as_bytes()[n]).unwrap() as u8),
            )
        };
        assert_eq!(plain_swizzle(swizzle("xyzw"), 0xF), swizzle("xyzw"));
        assert_eq!(plain_swizzle(swizzle("xyzw"), 0x4), swizzle("yyyy"));
        assert_eq!(plain_swizzle(swizzle("xyxx"), 0xC), swizzle("xyzw"));
        assert_eq!(plain_swizzle(swizzle("zxzz"), 0xB), swizzle("zzzz"));
        assert_eq!(plain_swizzle(swizzle("zxzz"), 0xC), swizzle("zxzz"));
    }

    #[test]
    fn every_plain_swizzle_agrees_where_it_matters() {
        for actual in 0..=255 {
            for lanes in 0..16 {
                let plain = plain_swizzle(Swizzle(actual), lanes);
                for lane in 0..4 {
                    if lanes >> (3 - lane) & 1 != 0 {
                        assert_eq!(plain.component(lane), Swizzle(actual).component(lane));
                    }
                }
            }
        }
    }
}
