//! Numbers that know how far they may be off: what a machine of 24 bits may honestly make of an expression.

/// The last place of a number of 24 bits, relative.
const EPSILON: f64 = 1.0 / 65536.0;
/// Below this the machine may have zero instead.
const SMALL: f64 = 1.0e-17;
/// From here on nothing is promised.
const LARGE: f64 = 1e15;

/// A number and how far an honest machine may be from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number {
    /// The value, as exact as 64 bits are.
    pub value: f64,
    /// How far off it may be.
    pub error: f64,
}

/// Something that a small error decides: a comparison on the edge, a division by nearly zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Undecided;

type Certain<T> = Result<T, Undecided>;

impl Number {
    /// A number that is as it is.
    pub fn exact(value: f64) -> Self {
        Self { value, error: 0.0 }
    }

    /// A truth.
    pub fn truth(value: bool) -> Self {
        Self::exact(f64::from(u8::from(value)))
    }

    /// A constant of the source, which the machine rounds.
    pub fn constant(value: f64) -> Self {
        Self { value, error: if is_short(value) { 0.0 } else { value.abs() * EPSILON } }
    }

    /// Whether it is true; truths are always exact.
    pub fn is_true(self) -> bool {
        self.value != 0.0
    }

    /// A result whose operands are off by `error` together, computed from numbers as large as `scale`.
    fn rounded(value: f64, error: f64, scale: f64) -> Self {
        let is_exact = error == 0.0 && is_short(value);
        // What is nearly zero becomes zero.
        let error = if value != 0.0 && value.abs() < SMALL { error + SMALL } else { error };
        Self { value, error: if is_exact { 0.0 } else { error + scale * EPSILON } }
    }

    /// The same, unless it is none or too large.
    pub fn checked(self) -> Certain<Self> {
        if self.value.is_finite() && self.error.is_finite() && self.value.abs() + self.error < LARGE {
            Ok(self)
        } else {
            Err(Undecided)
        }
    }

    /// a + b
    pub fn plus(self, other: Self) -> Self {
        let scale = self.value.abs() + other.value.abs();
        let sum = Self::rounded(self.value + other.value, self.error + other.error, scale);
        // What cancels by chance is not exact in another order.
        let finest = finest(self.value).min(finest(other.value));
        if sum.error == 0.0 && scale > finest * 131_072.0 {
            Self { error: scale * EPSILON, ..sum }
        } else {
            sum
        }
    }

    /// a - b
    pub fn subtract(self, other: Self) -> Self {
        self.plus(other.negate())
    }

    /// -a
    pub fn negate(self) -> Self {
        Self { value: -self.value, error: self.error }
    }

    /// a * b
    pub fn multiply(self, other: Self) -> Self {
        let value = self.value * other.value;
        let error =
            self.value.abs() * other.error + other.value.abs() * self.error + self.error * other.error;
        Self::rounded(value, error, value.abs())
    }

    /// 1 / a
    pub fn reciprocal(self) -> Certain<Self> {
        if self.value.abs() <= 8.0 * self.error || self.value == 0.0 {
            return Err(Undecided);
        }
        let value = 1.0 / self.value;
        Self::rounded(value, self.error * value * value * 1.2, 2.0 * value.abs()).checked()
    }

    /// A function with this slope there, whose result is off by a little more than rounding.
    pub fn of(self, value: f64, slope: f64, off: f64) -> Certain<Self> {
        let off = if value.abs() < SMALL { off + SMALL } else { off };
        Self { value, error: self.error * slope.abs() * 1.2 + value.abs() * 2.0 * EPSILON + off }.checked()
    }

    /// sqrt(a)
    pub fn root(self) -> Certain<Self> {
        // The root of what is too large is not, but nobody gets there.
        self.checked()?;
        if self.value < 0.0 && self.value < -self.error {
            return Err(Undecided);
        }
        if self.value <= 8.0 * self.error {
            let high = (self.value.max(0.0) + self.error).sqrt();
            return Self { value: self.value.max(0.0).sqrt(), error: high + EPSILON * high }.checked();
        }
        let value = self.value.sqrt();
        self.of(value, 0.5 / value, 0.0)
    }

    /// 2^a
    pub fn exp2(self) -> Certain<Self> {
        let value = self.value.exp2();
        self.of(value, value, value.abs() * self.value.abs() * EPSILON)
    }

    /// log2(a)
    pub fn log2(self) -> Certain<Self> {
        if self.value <= 8.0 * self.error || self.value <= 0.0 {
            return Err(Undecided);
        }
        self.of(self.value.log2(), 1.0 / (self.value * std::f64::consts::LN_2), EPSILON)
    }

    /// The whole number below.
    pub fn floor(self) -> Certain<Self> {
        let (low, high) = ((self.value - self.error).floor(), (self.value + self.error).floor());
        if low == high { Ok(Self::exact(low)) } else { Err(Undecided) }
    }

    /// Towards zero.
    pub fn truncate(self) -> Certain<Self> {
        let (low, high) = ((self.value - self.error).trunc(), (self.value + self.error).trunc());
        if low == high { Ok(Self::exact(low)) } else { Err(Undecided) }
    }

    /// Which of two is less: -1, 0, 1.
    pub fn compare(self, other: Self) -> Certain<std::cmp::Ordering> {
        let (difference, error) = (self.value - other.value, self.error + other.error);
        if error > 0.0 && difference.abs() <= error {
            return Err(Undecided);
        }
        difference.partial_cmp(&0.0).ok_or(Undecided)
    }

    /// The smaller one; near each other either may be.
    pub fn min(self, other: Self) -> Self {
        Self { value: self.value.min(other.value), error: self.error.max(other.error) }
    }

    /// The greater one.
    pub fn max(self, other: Self) -> Self {
        Self { value: self.value.max(other.value), error: self.error.max(other.error) }
    }
}

/// The value of the last bit of a number that is not zero.
pub(super) fn finest(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return f64::INFINITY;
    }
    let last = value.to_bits().trailing_zeros().min(52);
    let exponent = (value.to_bits() >> 52 & 0x7FF) as i32 - 1023;
    f64::from(exponent - 52 + last as i32).exp2()
}

/// Whether a number of 24 bits is exactly this one.
fn is_short(value: f64) -> bool {
    value == 0.0 || (value.abs() > SMALL && value.to_bits().trailing_zeros() >= 52 - 16)
}
