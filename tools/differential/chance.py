"""Numbers of chance that are the same for a seed wherever the program runs."""

import random


class Chance:
    def __init__(self, *seed):
        self.source = random.Random(":".join(str(part) for part in seed))

    def below(self, count):
        """A number from 0 to `count - 1`."""
        return self.source.getrandbits(48) % count

    def between(self, low, high):
        return low + self.below(high - low + 1)

    def odds(self, percent):
        return self.below(100) < percent

    def pick(self, things):
        return things[self.below(len(things))]

    def weighted(self, pairs):
        """One of the first parts of pairs; the second parts say how often."""
        at = self.below(sum(weight for _, weight in pairs))
        for thing, weight in pairs:
            at -= weight
            if at < 0:
                return thing
        raise AssertionError("weights add up")

    def several(self, things, count):
        """So many different ones, in the order in which they were drawn."""
        left, out = list(things), []
        while left and len(out) < count:
            out.append(left.pop(self.below(len(left))))
        return out
