// A large archive out of one small file, for figures: a SARC with little-endian words.

/** The hash by which a SARC orders its files. */
const hash = (name) => [...name].reduce((sum, letter) => (Math.imul(sum, 0x65) + letter.charCodeAt(0)) >>> 0, 0);

export function archive(file, count) {
  const entries = Array.from({ length: count }, (_, at) => `Shader/Material_${String(at).padStart(4, "0")}.bnsh`)
    .map((name) => ({ name, hash: hash(name) }))
    .sort((a, b) => a.hash - b.hash);
  const names = [];
  let place = 0;
  for (const entry of entries) {
    entry.place = place;
    const text = Buffer.alloc((entry.name.length + 4) & ~3);
    text.write(entry.name);
    names.push(text);
    place += text.length;
  }
  const align = (at) => (at + 0xff) & ~0xff;
  const tables = 0x14 + 0xc + 0x10 * count + 8 + place;
  const start = align(tables);
  const step = align(file.length);
  const out = Buffer.alloc(start + step * (count - 1) + file.length);
  out.write("SARC", 0);
  out.writeUInt16LE(0x14, 4);
  out.writeUInt16LE(0xfeff, 6);
  out.writeUInt32LE(out.length, 8);
  out.writeUInt32LE(start, 0xc);
  out.writeUInt32LE(0x100, 0x10);
  out.write("SFAT", 0x14);
  out.writeUInt16LE(0xc, 0x18);
  out.writeUInt16LE(count, 0x1a);
  out.writeUInt32LE(0x65, 0x1c);
  entries.forEach((entry, at) => {
    const node = 0x20 + 0x10 * at;
    out.writeUInt32LE(entry.hash, node);
    out.writeUInt32LE((0x01000000 | (entry.place / 4)) >>> 0, node + 4);
    out.writeUInt32LE(step * at, node + 8);
    out.writeUInt32LE(step * at + file.length, node + 12);
    file.copy(out, start + step * at);
  });
  const table = 0x20 + 0x10 * count;
  out.write("SFNT", table);
  out.writeUInt16LE(8, table + 4);
  Buffer.concat(names).copy(out, table + 8);
  return out;
}
