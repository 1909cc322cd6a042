// The documents that the library answers with (docs/schema), as far as the page reads them.

export interface Item {
  item: string;
  kind: string;
  isa: string;
  code_bytes: number;
  instructions: number;
  hash: string;
  name?: string;
}

export interface Listing {
  items: Item[];
  unread?: { inner?: string; description: string; bytes: number }[];
  others: number;
}

export interface Info {
  bytes: number;
  wrappers: { inner?: string; description: string; bytes: number }[];
  containers: {
    inner?: string;
    description: string;
    platform: string;
    byte_order: string;
    code_bytes: number;
    rewrite_identical: boolean;
    stages: { kind: string; count: number }[];
  }[];
  unread: { inner?: string; description: string; bytes: number }[];
  others: number;
}

export type Severity = "error" | "warning" | "note";

export type Location =
  | { bytes: { start: number; end: number } }
  | { text: { source: number; span: { start: number; end: number } } }
  | { word: number }
  | "whole";

export interface Diagnostic {
  severity: Severity;
  code: string;
  location: Location;
  path: string;
  message: string;
  notes: string[];
}

export interface Check {
  diagnostics: Diagnostic[];
  unowned: { inner?: string; offset: number; bytes: number }[];
}

export type OwnerKind = "field" | "code" | "string" | "padding" | "opaque" | "unowned";

export interface Field {
  name: string;
  offset: number;
  size: number;
  value?: string;
  kind: OwnerKind;
  children: number;
}

export interface Root {
  inner: string | null;
  bytes: number;
  root: Field;
}

export interface Found {
  tree: number;
  way: number[];
  path: string;
  field: Field;
}

export interface Run {
  start: number;
  end: number;
  kind: OwnerKind;
  path: string;
}

/** A text, and for each line the instructions behind it. */
export interface LinkedText {
  text: string;
  lines: number[][];
}

export interface Links {
  listing: LinkedText;
  ir: LinkedText;
  source: LinkedText;
  instructions: { listing: number[]; ir: number[]; source: number[] }[];
}

export interface Graph {
  listing: string;
  blocks: { word: number; line: number; end_line: number; entry: boolean; ends: boolean; returns: boolean; x: number; y: number; width: number; height: number }[];
  edges: { from: number; to: number; kind: string; back: boolean; points: { x: number; y: number }[] }[];
  width: number;
  height: number;
}

export interface InterfaceItem {
  name: string;
  kind: string;
  type: string;
  location?: number;
  offset?: number;
  machine_space: string;
  machine_binding: number;
  machine_word: number;
}

export interface DecompiledItem {
  item: string;
  kind: string;
  source: string | null;
  interface: InterfaceItem[];
  assumptions: string[];
  dispatchers: number;
}

export interface MacroReport {
  name: string;
  id: string;
  values: { value: string; symbols: number }[];
  default: string | null;
  decides: number;
}

export interface OptionReport {
  name: string;
  is_static: boolean;
  default: string;
  choices: { value: string; programs: number }[];
}

export interface Options {
  programs: { item: string; variations: number; symbols: number; macros: MacroReport[] }[];
  models?: { item: string; programs: number; default_program: number | null; options: OptionReport[] }[];
}

export interface Stages {
  stages: { item: string; binary?: number }[];
  values: { name: string; value: string }[];
}

export interface Pick {
  program?: string;
  variations?: number;
  model?: string;
  programs?: number;
  defaults: { name: string; value: string }[];
  any: string[];
  picked: (Stages & { variation?: number; program?: number })[];
  nearest?: (Stages & {
    program: number;
    differences?: { name: string; is_static: boolean; wanted: string; found: string }[];
  })[];
  fallback?: number | null;
}

/** What an input of a vertex program gets of a mesh. */
export type Gives = "position" | "normal" | "uv" | "white" | "nothing";

/** What a matrix of 4x4 does. */
export type Role = "world-view-projection" | "view-projection" | "projection" | "world-view" | "world" | "identity";

/** A uniform that can be changed. */
export interface Uniform {
  name: string;
  /** 1: it is no matrix. */
  columns: number;
  rows: number;
  integer: boolean;
  role: Role | null;
  /** Column by column, element by element. */
  values: number[];
}

/** Two programs that are drawn together. */
export interface Pair {
  vertex: string;
  fragment: string;
  /** Why the browser does not draw them. */
  beyond: string | null;
  notes: string[];
  attributes: [string, Gives][];
  samplers: { name: string; number: number }[];
  uniforms: Uniform[];
}

export interface Mesh {
  positions: number[];
  normals: number[];
  uvs: number[];
  indices: number[];
}

export interface Scene {
  mesh: string;
  width: number;
  height: number;
  ground: number;
  uniforms: { name: string; values: number[] }[];
}

/** How far the interpreters' picture is. */
export interface DrawProgress {
  done: number;
  finished: boolean;
  steps: number;
  unfinished: number;
  why: string | null;
}

/** How far two pictures are apart. */
export interface Apart {
  pixels: number;
  beyond: number;
  largest: number;
  mean: number;
}

export interface MaterialName {
  names: string[];
  archive: string;
  shading_model: string;
}

export interface MaterialPick {
  material: string;
  archive: { inner?: string; name: string; wanted: string; by: string; in_models: boolean };
  model: string;
  programs: number;
  grade: string;
  unknown: { name: string; value: string; choices: string[] | null }[];
  skins: {
    skin: number | null;
    shapes: string[];
    grade: string;
    wanted: { name: string; value: string; from: string }[];
    found: number;
    programs: (Stages & { program: number; pass: string | null; variation?: number; differences?: { name: string; wanted: string; found: string }[]; attributes: { name: string; location: number; vertex_attribute: string | null }[]; samplers: { name: string; slots: Record<string, number>; sampler: string | null; texture: string | null }[] })[];
    fallback: number | null;
  }[];
  macros?: Pick;
}

export interface Named {
  name: string;
  own?: string;
  value?: string;
  [other: string]: unknown;
}

export type RowKind = "same" | "renumbered" | "changed" | "removed" | "added";

export interface Aligned {
  old: string;
  new: string;
  rows: [RowKind, number | null, number | null][];
  rough: boolean;
}

export interface FieldDifference {
  path: string;
  new_path?: string;
  old: string;
  new: string;
  code?: boolean;
}

export interface ProgramDifference {
  fate: string;
  kind: string;
  isa: string;
  old_item?: string;
  new_item?: string;
  changed: number;
  added: number;
  removed: number;
}

export interface BytesDifference {
  path: string;
  old_offset: number;
  old_bytes: number;
  new_offset: number;
  new_bytes: number;
}

export interface ContainerDifference {
  old_offset?: number;
  new_offset?: number;
  old_format?: string;
  new_format?: string;
  fields?: FieldDifference[];
  parts?: { fate: string; old_path?: string; new_path?: string; value: string; bytes: number }[];
  programs?: ProgramDifference[];
  bytes?: BytesDifference[];
  follows?: FieldDifference[];
}

export interface Difference {
  same: boolean;
  files?: {
    fate: string;
    wrapper?: string;
    old?: string;
    new?: string;
    containers?: ContainerDifference[];
    bytes?: BytesDifference[];
  }[];
  programs?: ProgramDifference[];
  notes?: string[];
}

export interface Failure {
  message: string;
  code?: string;
  offset?: number;
  findings?: Diagnostic[];
}
