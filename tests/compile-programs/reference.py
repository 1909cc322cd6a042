#!/usr/bin/env python3
"""Reference results of the vertex programs in this folder, computed by software OpenGL.

  reference.py write [NAME ...]     write expected/NAME.json (64 cases each)
  reference.py check [NAME ...]     run again and compare with the stored files, 256 cases for stability
  reference.py inputs NAME          print the interface and the first cases' inputs
  reference.py full OUTDIR          write files of 256 cases into another folder
  reference.py others DIR OUTDIR    the same, 64 cases each, for all *.vert.glsl of a folder; says which the oracle does not take

The oracle is glslrun.py (Mesa llvmpipe through EGL; no pip package).  It is looked for in $GLSLRUN, then in
shared/tools beside the checkout.  README.md describes the inputs and the format of the files.
"""
import importlib.util
import json
import os
import random
import re
import struct
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
STORED_CASES = 64
FULL_CASES = 256
CASES_PER_SET = 8       # so many cases in a row share one set of uniforms
PERTURBED_RUNS = 4
PERTURBATION = 2.0 ** -16   # one unit in the last place of a 24-bit float

DEFAULT_RANGE = {'attribute': (-4.0, 4.0), 'uniform': (-2.0, 2.0)}
COUNT_RANGE = (0.0, 8.0)


def find_oracle():
    """Load glslrun.py as a module."""
    places = [os.environ.get('GLSLRUN', '')]
    folder = HERE
    while os.path.dirname(folder) != folder:
        folder = os.path.dirname(folder)
        places.append(os.path.join(folder, 'shared', 'tools', 'glslrun.py'))
    for place in places:
        if place and os.path.exists(place):
            spec = importlib.util.spec_from_file_location('glslrun', place)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return module
    sys.exit('reference.py: glslrun.py not found; set GLSLRUN to its path')


# ------------------------------------------------------------------ the programs

def stem(path):
    return os.path.basename(path).split('.')[0]


def sources():
    """(name, the file that the compiler gets, the GLSL file that the oracle runs) of every program."""
    found = []
    for folder in ('programs', 'corpus'):
        for entry in sorted(os.listdir(os.path.join(HERE, folder))):
            path = os.path.join(HERE, folder, entry)
            if entry.endswith('.vert.glsl'):
                found.append((stem(entry), path, path))
            elif entry.endswith('.wgsl'):
                twin = os.path.join(HERE, 'twins', stem(entry) + '.vert.glsl')
                found.append((stem(entry), path, twin))
    names = [name for name, _, _ in found]
    assert len(names) == len(set(names)), 'two programs share a stem'
    return found


def ranges_of(path):
    """The `// range: NAME LOW HIGH [integer]` lines of a source."""
    found = {}
    for line in open(path):
        match = re.match(r'\s*//\s*range:\s*(\S+)\s+(\S+)\s+(\S+)(\s+integer)?\s*$', line)
        if match:
            found[match.group(1)] = (float(match.group(2)), float(match.group(3)), bool(match.group(4)))
    return found


# ------------------------------------------------------------------ inputs

def fnv1a(data):
    value = 0x811C9DC5
    for byte in data:
        value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
    return value


class Stream:
    """The values of one variable: a linear congruential generator seeded by program and variable name."""

    def __init__(self, program, variable):
        self.state = fnv1a(('%s/%s' % (program, variable)).encode())

    def next(self):
        """The next number of 11 bits."""
        self.state = (self.state * 1664525 + 1013904223) & 0xFFFFFFFF
        return self.state >> 21


class Variable:
    """An attribute or a uniform: its type, its range, its place in the oracle's document."""

    def __init__(self, oracle, program, kind, name, type_, count, ranges, place):
        self.name, self.kind, self.type, self.count, self.place = name, kind, type_, count, place
        _, self.base, self.rows, self.columns = oracle.BYNAME[type_]
        low, high, integer = ranges.get(name) or (
            (0.0, 1.0, True) if self.base == 'b' else
            COUNT_RANGE + (True,) if self.base in 'iu' else
            DEFAULT_RANGE[kind] + (False,))
        self.low, self.high, self.integer = low, high, integer
        self.stream = Stream(program, name)
        self.drawn = []

    def values(self):
        """The next group of values: count x columns x rows, column after column."""
        out = []
        for _ in range(self.count * self.columns * self.rows):
            number = self.stream.next()
            self.drawn.append(number)
            if self.integer:
                out.append(self.low + (number * int(self.high - self.low + 1) >> 11))
            else:
                out.append(self.low + number * (self.high - self.low) / 2048.0)
        return out

    def words(self, values):
        code = {'f': 'f', 'i': 'i', 'u': 'I', 'b': 'I'}[self.base]
        data = [v if code == 'f' else int(v) for v in values]
        return ' '.join('%08x' % struct.unpack('<I', struct.pack('<' + code, v))[0] for v in data)

    def perturbed(self, values, rng):
        if self.integer or self.base != 'f':
            return values
        return [v * (1.0 + rng.choice((-1.0, 1.0)) * PERTURBATION) for v in values]

    def describe(self):
        entry = {'type': self.type, 'low': self.low, 'high': self.high}
        if self.kind == 'uniform':
            entry['count'] = self.count
        if self.integer:
            entry['integer'] = True
        return entry


def without_blocks(text):
    """Members of output blocks as outputs of their own: the oracle knows blocks by the name of their type alone."""
    instances = []

    def flat(match):
        if match.group(1) == 'gl_PerVertex':
            return match.group(0)
        instances.append(match.group(3))
        members = re.sub(r'//[^\n]*|/\*.*?\*/', '', match.group(2), flags=re.S).split(';')
        return ''.join('out %s;\n' % member.strip() for member in members if member.strip())

    text = re.sub(r'\bout\s+(\w+)\s*\{([^}]*)\}\s*(\w+)?\s*;', flat, text)
    for instance in filter(None, instances):
        text = re.sub(r'\b%s\s*\.\s*' % instance, '', text)
    return text


def without_numbers(text):
    """Without the places that only Vulkan has, and without locations: the oracle keys a variable without one by its name."""
    text = re.sub(r'layout\s*\(\s*location\s*=\s*\d+\s*\)', '', text)
    text = re.sub(r'\bset\s*=\s*\d+\s*,\s*|,\s*set\s*=\s*\d+', '', text)
    return re.sub(r'layout\s*\(\s*push_constant\s*\)', 'layout(std140, binding = 15)', text)


class Program:
    """One program with its interface as the oracle sees it."""

    def __init__(self, oracle, name, source, glsl):
        self.oracle, self.name, self.source = oracle, name, source
        text = without_numbers(without_blocks(open(glsl).read()))
        # an ES program without a fragment stage loses its outputs at link time; as desktop GLSL it means the same
        text = re.sub(r'^#version 300 es', '#version 450', text)
        self.file = tempfile.NamedTemporaryFile('w', suffix='.vert', delete=False)
        self.file.write(text)
        self.file.close()
        interface = oracle.Iface(self.file.name)
        self.interface = interface
        ranges = dict(ranges_of(glsl))
        ranges.update(ranges_of(source))
        make = lambda *a: Variable(oracle, name, *a)
        self.attributes = sorted(
            (make('attribute', i['name'], i['type'], i.get('array', 1), ranges, i['key'])
             for i in interface.inputs if not i['name'].startswith('gl_')), key=lambda v: v.name)
        self.uniforms = [make('uniform', re.sub(r'\[0\]$', '', u['name']), u['type'], max(u['array'], 1), ranges, u['name'])
                         for u in interface.uniforms]
        for block in interface.ubo:
            for member in block['members']:
                short = re.sub(r'\[0\]$', '', member['name'])
                if short.startswith(block['name'] + '.'):
                    short = short[len(block['name']) + 1:]
                self.uniforms.append(make('uniform', short, member['type'], max(member['array'], 1), ranges, (block, member)))
        self.uniforms.sort(key=lambda v: v.name)
        self.outputs = interface.outputs
        known = {v.name for v in self.attributes + self.uniforms}
        for named in ranges:
            if named not in known:
                print('%s: range of %s, which the program does not read' % (name, named))

    def close(self):
        os.unlink(self.file.name)

    def inputs(self, count):
        """The values of all cases: [(attribute values by name, uniform values by name)]."""
        cases, uniforms = [], {}
        for case in range(count):
            if case % CASES_PER_SET == 0:
                uniforms = {v.name: v.values() for v in self.uniforms}
            cases.append(({v.name: v.values() for v in self.attributes}, uniforms))
        return cases

    def checksum(self):
        data = bytearray()
        for variable in self.attributes + self.uniforms:
            for number in variable.drawn:
                data += struct.pack('<H', number)
        return '%08x' % fnv1a(data)

    def document(self, cases):
        document = {'pool': {}, 'cases': []}
        for number, (attributes, uniforms) in enumerate(cases):
            case = {'kind': 'full', 'sys': {'VertexID': 0, 'InstanceID': 0, 'BaseVertex': 0, 'BaseInstance': 0},
                    'in': {v.place: v.words(attributes[v.name]) for v in self.attributes}, 'uniform': {}, 'ubo': {}}
            buffers = {}
            for variable in self.uniforms:
                values = uniforms[variable.name]
                if isinstance(variable.place, str):
                    case['uniform'][variable.place] = variable.words(values)
                else:
                    block, member = variable.place
                    self.fill(buffers.setdefault(block['key'], bytearray(block['size'])), member, variable, values)
            for key, data in buffers.items():
                case['ubo'][key] = '%s.%d' % (key, number)
                document['pool']['%s.%d' % (key, number)] = self.oracle.W(bytes(data))
            document['cases'].append(case)
        return document

    @staticmethod
    def fill(data, member, variable, values):
        """Write a block member's values at the offsets that the driver reported."""
        at = 0
        for element in range(variable.count):
            for column in range(variable.columns):
                for row in range(variable.rows):
                    offset = member['offset'] + element * member.get('array_stride', 0)
                    if variable.columns > 1 and member.get('row_major'):
                        offset += row * member['matrix_stride'] + 4 * column
                    else:
                        offset += column * member.get('matrix_stride', 0) + 4 * row
                    code = {'f': '<f', 'i': '<i', 'u': '<I', 'b': '<I'}[variable.base]
                    value = values[at] if variable.base == 'f' else int(values[at])
                    struct.pack_into(code, data, offset, value)
                    at += 1

    def run(self, cases):
        """Output values by name of every case."""
        results, _ = self.oracle.run_doc(self.file.name, self.document(cases))
        out = []
        for result in results:
            values = {}
            for output in self.outputs:
                name = 'position' if output['name'] == 'gl_Position' else output['name']
                _, base, rows, columns = self.oracle.BYNAME[output['type']]
                code = {'f': '<f', 'i': '<i'}.get(base, '<I')
                words = [struct.unpack(code, struct.pack('<I', int(w, 16)))[0] for w in result[output['key']].split()]
                # elements of arrays and columns of matrices are outputs of their own
                count = max(output.get('array', 1), 1) * columns
                for n in range(count):
                    values[name if count == 1 else '%s[%d]' % (name, n)] = words[n * rows:(n + 1) * rows]
            out.append(values)
        return out

    def reference(self, count):
        """The document that is stored: interface, outputs, and how far each output moves under rounding of the inputs."""
        cases = self.inputs(count)
        rng = random.Random(self.name)
        moved = []
        for _ in range(PERTURBED_RUNS):
            sets = {}
            for number, (_, uniforms) in enumerate(cases):
                if number % CASES_PER_SET == 0:
                    sets[number // CASES_PER_SET] = {v.name: v.perturbed(uniforms[v.name], rng) for v in self.uniforms}
            for number, (attributes, _) in enumerate(cases):
                moved.append(({v.name: v.perturbed(attributes[v.name], rng) for v in self.attributes}, sets[number // CASES_PER_SET]))
        results = self.run(cases + moved)
        exact, moved = results[:count], results[count:]
        names = sorted(exact[0])
        spread = {}
        for name in names:
            spread[name] = [max(abs(a - b) for run in range(PERTURBED_RUNS)
                                for a, b in zip(exact[n][name], moved[run * count + n][name])) for n in range(count)]
        return {
            'program': self.name,
            'source': os.path.relpath(self.source, HERE),
            'cases': count,
            'cases_per_uniform_set': CASES_PER_SET,
            'attributes': {v.name: v.describe() for v in self.attributes},
            'uniforms': {v.name: v.describe() for v in self.uniforms},
            'checksum': self.checksum(),
            'outputs': {name: [' '.join('%.9g' % x for x in case[name]) for case in exact] for name in names},
            'spread': {name: ' '.join('%.1e' % x for x in spread[name]) for name in names},
        }


def dump(document):
    """JSON, one line a case."""
    lines = []
    for key, value in document.items():
        if key == 'outputs':
            inner = ',\n'.join('%s: [\n%s\n]' % (json.dumps(n), ',\n'.join(json.dumps(c) for c in cases)) for n, cases in value.items())
            lines.append('"outputs": {\n%s\n}' % inner)
        else:
            lines.append('%s: %s' % (json.dumps(key), json.dumps(value)))
    return '{\n' + ',\n'.join(lines) + '\n}\n'


def complaints(document):
    """What makes a program unfit as a reference: values out of range, or results that hang on the last bit."""
    found = []
    for name, cases in document['outputs'].items():
        values = [[float(x) for x in case.split()] for case in cases]
        if any(x != x or abs(x) > 65536.0 for case in values for x in case):
            found.append('%s is not finite or beyond 65536' % name)
        scale = max([1.0] + [abs(x) for case in values for x in case])
        spread = [float(x) for x in document['spread'][name].split()]
        unstable = [n for n, x in enumerate(spread) if not x <= 64.0 * PERTURBATION * scale]
        if unstable:
            found.append('%s moves by %.1e of %.1e in %d cases (first: %d)' % (name, max(spread), scale, len(unstable), unstable[0]))
    return found


def others(oracle, folder, out):
    """Reference results of programs that others wrote. Those that software OpenGL refuses are named."""
    os.makedirs(out, exist_ok=True)
    for entry in sorted(os.listdir(folder)):
        if not entry.endswith('.vert.glsl'):
            continue
        path = os.path.join(folder, entry)
        try:
            program = Program(oracle, stem(entry), path, path)
            document = program.reference(STORED_CASES)
            program.close()
        except Exception as error:
            print('%-28s not comparable: %s' % (stem(entry), ' '.join(str(error).split())[:200]))
            continue
        with open(os.path.join(out, stem(entry) + '.json'), 'w') as file:
            file.write(dump(document))
    return 0


def main():
    arguments = sys.argv[1:]
    if not arguments or arguments[0] not in ('write', 'check', 'inputs', 'full', 'others'):
        sys.exit(__doc__)
    command, rest = arguments[0], arguments[1:]
    oracle = find_oracle()
    if command == 'others':
        return others(oracle, *rest)
    failed = 0
    out = rest[0] if command == 'full' else os.path.join(HERE, 'expected')
    chosen = set() if command == 'full' else set(rest)
    for name, source, glsl in sources():
        if chosen and name not in chosen:
            continue
        if not os.path.exists(glsl):
            print('%-28s no GLSL twin' % name)
            failed += 1
            continue
        try:
            program = Program(oracle, name, source, glsl)
            if command == 'inputs':
                for number, (attributes, uniforms) in enumerate(program.inputs(9)):
                    print(number, json.dumps(attributes), json.dumps(uniforms) if number % CASES_PER_SET == 0 else '')
                program.close()
                continue
            count = STORED_CASES if command == 'write' else FULL_CASES
            document = program.reference(count)
            program.close()
        except (oracle.ShaderError, oracle.GLError) as error:
            print('%-28s FAILED %s' % (name, str(error)[:600]))
            failed += 1
            continue
        problems = complaints(document)
        if command == 'check':
            stored = json.load(open(os.path.join(out, name + '.json')))
            for key in ('attributes', 'uniforms'):
                if stored[key] != document[key]:
                    problems.append('stored %s differ' % key)
            for key, cases in stored['outputs'].items():
                for number, case in enumerate(cases):
                    for a, b in zip(case.split(), document['outputs'][key][number].split()):
                        if abs(float(a) - float(b)) > 1e-5 * max(1.0, abs(float(a))):
                            problems.append('%s of case %d: stored %s, now %s' % (key, number, a, b))
        else:
            os.makedirs(out, exist_ok=True)
            with open(os.path.join(out, name + '.json'), 'w') as file:
                file.write(dump(document))
        for problem in problems:
            print('%-28s %s' % (name, problem))
        failed += bool(problems) and command == 'check'
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
