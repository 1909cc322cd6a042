# Loads the generator as it is, which writes and reads little endian, and as it would be with big endian files:
# every number of the container in the other order, the machine code and its control sections as they are.
import importlib.util, re, sys, types


def little(path):
    spec = importlib.util.spec_from_file_location("make_bfsha", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def big(path):
    text = open(path).read()

    def change(old, new, count):
        nonlocal text
        assert text.count(old) == count, (old, text.count(old))
        text = text.replace(old, new)

    start, end = text.index("class Buf:"), text.index("def settle(x):")
    text = text[:start] + text[start:end].replace('"<', '">') + text[end:]
    change('struct.pack_into("<II", w.b, g + 4', 'struct.pack_into(">II", w.b, g + 4', 1)
    change("    w.u8(mi, mn)\n    w.u16(mj)\n", "    w.u32(mj << 16 | mn << 8 | mi)\n", 1)
    change('int.from_bytes(self.d[o:o + size], "little", signed', 'int.from_bytes(self.d[o:o + size], "big", signed', 1)
    change("[r.u16(0xA), r.u8(9), r.u8(8)]", "[r.u16(8), r.u8(10), r.u8(11)]", 1)
    start = text.index("def read_ctrl(")
    end = text.index("\n\n", start)
    text = text[:start] + text[start:end].replace("r.u32(", "low(r, ") + text[end:]
    text = re.sub(r"r\.u32\(m \+", "low(r, m +", text)
    text += '\n\ndef low(r, o):\n    return int.from_bytes(r.d[o:o + 4], "little")\n'
    module = types.ModuleType("make_bfsha_big")
    module.__file__ = path
    exec(compile(text.replace('if __name__ == "__main__"', "if False"), path, "exec"), module.__dict__)
    return module
