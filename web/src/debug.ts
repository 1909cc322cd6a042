// What the debugger's engine says (docs/schema/debug.json), and where its registers stand in the inputs of a run.

export interface Numbers {
  bits: string;
  float: string;
  int: number;
}

export interface Register {
  name: string;
  label: string | null;
  file: "input" | "temporary" | "result" | "address" | "flag" | "output" | "uniform" | "memory";
  kind: "float" | "int" | "flag" | "bits";
  values: Numbers[][];
  changed: number[];
  read: number;
}

export interface Variable {
  name: string;
  /** The function that it belongs to; none for `main`. */
  function: string | null;
  type: string;
  kind: Register["kind"];
  /** Components of which it is known where the code assigns them. */
  available: number;
  /** By lane and component; none before the first assignment. */
  values: (Numbers | null)[][];
  /** The registers that still hold it. */
  place: string;
  changed: number[];
}

export interface Position {
  word: number | null;
  line: number | null;
  text: string;
  active: boolean[];
  warp: number | null;
  group: number | null;
}

export interface View {
  step: number;
  stop: { reason: "done" | "breakpoint" | "start" | "end"; breakpoint: number | null };
  next: Position | null;
  last: Position | null;
  ended: { finished: boolean; why: string | null } | null;
  first_lane: number;
  lanes: number;
  all_lanes: number;
  stack: { kind: string; word: number | null; text: string }[];
  registers: Register[];
  variables: Variable[];
  outputs: Record<string, unknown>;
  outputs_changed: string[];
  breakpoints: { id: number; word: number; line: number | null; condition: string | null; enabled: boolean }[];
}

export type Reply = View | { error: string };

export interface Listing {
  lines: { word: number | null; parts: { kind: string; text: string }[] }[];
}

export type Command = { command: string; [argument: string]: unknown };

/** Where the first word of a register stands in a document of inputs: the space, and the number of the word in it. */
interface Spot {
  space: string;
  word: number;
  /** Words that a key counts. */
  unit: number;
  /** How keys are written. */
  radix: 10 | 16;
  /** What stands in front of a key: the bank of a constant. */
  front: string;
}

/** The place of a register in the inputs, where it has one (docs/run-json.md). */
export function spot(isa: string, register: Register): Spot | null {
  const at = (space: string, word: number, unit: number, radix: 10 | 16 = 10, front = ""): Spot => ({ space, word, unit, radix, front });
  const [letters, first, second] = /^([A-Za-z]+)(?:\[)?(0x[0-9a-f]+|\d+)\]?(?:\[(0x[0-9a-f]+|\d+)\])?$/.exec(register.name)?.slice(1) ?? [];
  if (letters === undefined || first === undefined) return null;
  const number = Number(first);
  const quads = register.file === "input" || register.file === "uniform" || register.file === "temporary";
  if (!quads) return null;
  switch (`${isa} ${letters}`) {
    case "pica200 v":
      return at("v", number * 4, 4);
    case "pica200 c":
      return at("c", number * 4, 4);
    case "mali-gp a":
      return at("a", number * 4, 4);
    case "mali-gp t":
      return at("mem", number * 4, 1);
    case "mali-pp varying":
      return at("vary", number * 4, 1);
    case "mali-pp uniform":
      return at("mem", number * 4, 1);
    case "latte R":
      return at("gpr", number * 4, 4);
    case "latte C":
      return at("file", number * 4, 4);
    case "maxwell a":
      return at("a", number / 4, 0.25, 16);
    case "maxwell c":
      return second === undefined ? null : at("c", Number(second) / 4, 0.25, 16, `${number.toString(16)}:`);
    default:
      return null;
  }
}

/** The document with another word: in the entry that has it, or in a new one. */
export function withWord(inputs: string, { space, word, unit, radix, front }: Spot, component: number, bits: string): string {
  const document = JSON.parse(inputs || "{}") as Record<string, unknown>;
  const whole = "in" in document ? (document.in as Record<string, unknown>) : document;
  const entries = (whole[space] ??= {}) as Record<string, unknown>;
  const wanted = word + component;
  for (const [key, value] of Object.entries(entries)) {
    if (!key.startsWith(front) || typeof value !== "string") continue;
    const start = parseInt(key.slice(front.length), radix) * unit;
    const words = value.split(" ");
    if (wanted < start || wanted >= start + words.length) continue;
    words[wanted - start] = bits;
    entries[key] = words.join(" ");
    return JSON.stringify(document, null, 1);
  }
  const words = [...Array<string>(unit >= 1 ? wanted % unit : 0).fill("00000000"), bits];
  entries[`${front}${((wanted - words.length + 1) / unit).toString(radix)}`] = words.join(" ");
  return JSON.stringify(document, null, 1);
}

/** What somebody types as a word: a float, `3i` an integer, `0x...` bits. */
export function bitsOf(text: string): string | null {
  const plain = text.trim();
  const view = new DataView(new ArrayBuffer(4));
  if (/^0x[0-9a-f]{1,8}$/i.test(plain)) view.setUint32(0, Number(plain));
  else if (/^-?\d+i$/.test(plain)) view.setInt32(0, Number(plain.slice(0, -1)));
  else if (plain !== "" && !Number.isNaN(Number(plain))) view.setFloat32(0, Number(plain));
  else if (/^nan$/i.test(plain)) view.setFloat32(0, NaN);
  else if (/^[+-]?inf$/i.test(plain)) view.setFloat32(0, plain.startsWith("-") ? -Infinity : Infinity);
  else return null;
  return view.getUint32(0).toString(16).padStart(8, "0");
}
