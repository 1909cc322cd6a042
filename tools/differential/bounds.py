"""What all expressions of chance share: the bounds in which right evaluations can be told from wrong ones, and variables."""

from tree import COARSE

# Rounding of one operation, relative to the greatest magnitude; of a transcendental function, absolute for magnitudes around 1.
ROUNDING, FUNCTION = 1.2e-7, 4e-6
# Inputs are multiples of this, or any number.
GRAIN = 1.0 / 64
# Floats stay below this, and the errors that evaluations may make below that.
LARGEST, WORST = 4096.0, 1e-4
# Put on what is not exact before it is compared or rounded, so that no ordinary value lies on the border.
OFFSETS = (0.0371, 0.0613, -0.0447, 0.0829)


class Variable:
    """Something with a name that can be read, and written where it is `writable`; an array has a `length`."""

    def __init__(self, name, kind, low, high, grain=COARSE, error=0.0, writable=False, length=0):
        self.name, self.kind, self.low, self.high = name, kind, low, high
        self.grain, self.error, self.writable, self.length = grain, error, writable, length
        # How often it was read: what nobody reads the compiler takes out.
        self.reads = 0
        # Whether it lies in a storage buffer.
        self.storage = False



def matrix_kind(wide, rows):
    """The type of matrices with so many columns and rows."""
    return f"mat{wide}" if wide == rows else f"mat{wide}x{rows}"
