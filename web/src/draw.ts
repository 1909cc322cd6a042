// A program drawn by WebGL2 from its decompiled GLSL ES 3.00, with everything that it reads made up and changeable.

import { MESHES, type Matrix, type Mesh, away, checker, identity, perspective, times, turned } from "./mesh";

/** The two stages to draw with; what was made up because the file has only one is said. */
export interface Sources {
  vertex: string;
  fragment: string;
  madeUp: string | null;
}

const DECLARATION = /^(?:layout\([^)]*\)\s*)?(?:flat\s+|smooth\s+|centroid\s+)*(in|out)\s+(?:lowp\s+|mediump\s+|highp\s+)?(float|int|uint|[iu]?vec[234])\s+(\w+)\s*;/gm;

/** The sources of both stages from what was decompiled: one text for both, or one stage alone. */
export function sources(text: string, kind: string): Sources {
  const whole = /^#ifdef VERTEX_SHADER$/m.test(text);
  const version = text.indexOf("\n") + 1;
  const define = (name: string) => `${text.slice(0, version)}#define ${name}\n${text.slice(version)}`;
  if ((whole || kind === "fragment") && !givesColour(text)) throw new Error("The fragment program gives no colour to show.");
  if (whole) return { vertex: define("VERTEX_SHADER"), fragment: define("FRAGMENT_SHADER"), madeUp: null };
  return stage(text, kind);
}

/** Whether a fragment program gives a colour that a picture can show. */
function givesColour(text: string): boolean {
  const parts = /^#ifdef FRAGMENT_SHADER$/m.test(text) ? [...text.matchAll(/^#ifdef FRAGMENT_SHADER$([\s\S]*?)^#endif$/gm)].map(([, part]) => part).join("\n") : text;
  return [...parts.matchAll(/^(?:layout\(location = (\d+)\) )?out (?:lowp |mediump |highp )?vec[34] \w+;/gm)].some(([, location]) => location === undefined || location === "0");
}

/** One stage, and what is made up for the other. */
function stage(text: string, kind: string): Sources {
  const declared = [...text.matchAll(DECLARATION)].map(([, way, type, name]) => ({ way: way!, type: type!, name: name! }));
  if (kind === "fragment") {
    const inputs = declared.filter(({ way }) => way === "in");
    const lines = inputs.map(({ type, name }) => `${/^[iu]/.test(type) ? "flat " : ""}out ${type} ${name};`);
    const sets = inputs.map(({ type, name }) => `  ${name} = ${madeUp(type, name)};`);
    const vertex = `#version 300 es\nuniform mat4 preview_projection;\nuniform mat4 preview_world;\nin vec3 preview_position;\nin vec3 preview_normal;\nin vec2 preview_uv;\n${lines.join("\n")}\nvoid main() {\n  vec4 place = preview_world * vec4(preview_position, 1.0);\n  vec3 normal = mat3(preview_world) * preview_normal;\n${sets.join("\n")}\n  gl_Position = preview_projection * place;\n}\n`;
    return { vertex, fragment: text, madeUp: "The vertex program is made up: it turns the mesh and gives each input what its name suggests." };
  }
  const outputs = declared.filter(({ way, type }) => way === "out" && !/^[iu]/.test(type));
  const shown = outputs.find(({ name }) => /col/i.test(name)) ?? outputs[0];
  const parts = { float: "vec4(vec3(SHOWN), 1.0)", vec2: "vec4(SHOWN, 0.5, 1.0)", vec3: "vec4(SHOWN * 0.5 + 0.5, 1.0)", vec4: "vec4(SHOWN.xyz, 1.0)" }[shown?.type ?? ""];
  const colour = shown && parts ? parts.replace("SHOWN", shown.name) : "vec4(0.6, 0.7, 0.75, 1.0)";
  const fragment = `#version 300 es\nprecision highp float;\n${shown ? `in ${shown.type} ${shown.name};\n` : ""}out vec4 preview_colour;\nvoid main() {\n  preview_colour = ${colour};\n}\n`;
  return { vertex: text, fragment, madeUp: shown ? `The fragment program is made up: it shows ${shown.name}.` : "The fragment program is made up: the file has none." };
}

/** What an input of a fragment program is given. */
function madeUp(type: string, name: string): string {
  const size = Number(type.at(-1)) || 1;
  const low = name.toLowerCase();
  const from = /uv|tex|coord|st\d*$/.test(low) ? "vec4(preview_uv, 0.0, 1.0)" : /norm|nrm|_n$|^n$/.test(low) ? "vec4(normal, 0.0)" : /eye|view|_e$|dir/.test(low) ? "vec4(-place.xyz, 0.0)" : /pos|world/.test(low) ? "place" : /col/.test(low) ? "vec4(preview_uv, 0.6, 1.0)" : size === 3 ? "vec4(normal, 0.0)" : "vec4(preview_uv, 0.0, 1.0)";
  const part = { 1: `(${from}).x`, 2: `(${from}).xy`, 3: `(${from}).xyz`, 4: from }[size]!;
  return /^[iu]/.test(type) ? `${type}(${part})` : part;
}

/** A uniform that can be changed. */
export interface Uniform {
  name: string;
  /** Numbers in it: 4 for a vector, 16 for a matrix, times the elements of an array. */
  values: Float32Array;
  matrix: boolean;
  integer: boolean;
  size: number;
  set: (gl: WebGL2RenderingContext) => void;
}

export class Drawing {
  readonly uniforms: Uniform[] = [];
  readonly samplers: string[] = [];
  readonly hasMatrices: boolean;
  private readonly program: WebGLProgram;
  private readonly attributes: { name: string; location: number }[] = [];
  private readonly buffers: { buffer: WebGLBuffer; data: ArrayBuffer }[] = [];
  private readonly made: (() => void)[] = [];
  private mesh: { name: string; count: number; array: WebGLVertexArrayObject } | null = null;

  constructor(
    private readonly gl: WebGL2RenderingContext,
    sources: Sources,
  ) {
    this.program = link(gl, sources);
    const { program } = this;
    this.made.push(() => gl.deleteProgram(program));
    gl.useProgram(program);
    for (let at = 0; at < gl.getProgramParameter(program, gl.ACTIVE_ATTRIBUTES); at++) {
      const { name } = gl.getActiveAttrib(program, at)!;
      const location = gl.getAttribLocation(program, name);
      if (location >= 0) this.attributes.push({ name, location });
    }
    for (let at = 0; at < gl.getProgramParameter(program, gl.ACTIVE_UNIFORM_BLOCKS); at++) {
      const data = new ArrayBuffer(gl.getActiveUniformBlockParameter(program, at, gl.UNIFORM_BLOCK_DATA_SIZE));
      gl.uniformBlockBinding(program, at, at);
      this.buffers.push({ buffer: this.buffer(), data });
    }
    const count: number = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS);
    for (let at = 0; at < count; at++) this.uniform(at);
    this.hasMatrices = this.uniforms.some(({ matrix, size }) => matrix && size === 16);
    this.suggest();
  }

  private buffer(): WebGLBuffer {
    const buffer = this.gl.createBuffer()!;
    this.made.push(() => this.gl.deleteBuffer(buffer));
    return buffer;
  }

  /** Gives back what the graphics processor keeps for it. */
  dispose(): void {
    this.made.forEach((drop) => drop());
  }

  private uniform(at: number): void {
    const { gl, program } = this;
    const { name, type, size: elements } = gl.getActiveUniform(program, at)!;
    const ask = (what: number) => gl.getActiveUniforms(program, [at], what)[0] as number;
    const kind = KINDS.get(type);
    if (!kind) {
      const location = gl.getUniformLocation(program, name);
      if (location) this.sampler(name, type, location);
      return;
    }
    const { columns, rows, integer } = kind;
    const size = columns * rows;
    const values = new Float32Array(size * elements);
    const block = ask(gl.UNIFORM_BLOCK_INDEX);
    const location = block < 0 ? gl.getUniformLocation(program, name) : null;
    const [offset, stride, across, byRows] = block < 0 ? [0, 0, 0, false] : [ask(gl.UNIFORM_OFFSET), ask(gl.UNIFORM_ARRAY_STRIDE), ask(gl.UNIFORM_MATRIX_STRIDE), Boolean(ask(gl.UNIFORM_IS_ROW_MAJOR))];
    const set = () => {
      if (block >= 0) {
        const view = new DataView(this.buffers[block]!.data);
        values.forEach((value, index) => {
          const [element, column, row] = [Math.floor(index / size), Math.floor((index % size) / rows), index % rows];
          const inner = columns > 1 ? (byRows ? row * across + column * 4 : column * across + row * 4) : row * 4;
          const place = offset + element * stride + inner;
          if (integer) view.setInt32(place, value, true);
          else view.setFloat32(place, value, true);
        });
      } else if (location) {
        const list = integer ? Int32Array.from(values) : values;
        if (columns > 1) (gl as unknown as Record<string, (...all: unknown[]) => void>)[columns === rows ? `uniformMatrix${columns}fv` : `uniformMatrix${columns}x${rows}fv`]!(location, false, values);
        else (gl as unknown as Record<string, (...all: unknown[]) => void>)[`uniform${rows}${integer ? (integer === "u" ? "uiv" : "iv") : "fv"}`]!(location, integer === "u" ? Uint32Array.from(values) : list);
      }
    };
    this.uniforms.push({ name: name.replace(/\[0\]$/, ""), values, matrix: columns > 1, integer: Boolean(integer), size, set });
  }

  private sampler(name: string, type: number, location: WebGLUniformLocation): void {
    const { gl } = this;
    const unit = this.samplers.length;
    this.samplers.push(name);
    gl.uniform1i(location, unit);
    gl.activeTexture(gl.TEXTURE0 + unit);
    const texture = gl.createTexture();
    this.made.push(() => gl.deleteTexture(texture));
    const shadow = type === gl.SAMPLER_2D_SHADOW || type === gl.SAMPLER_CUBE_SHADOW || type === gl.SAMPLER_2D_ARRAY_SHADOW;
    const cube = type === gl.SAMPLER_CUBE || type === gl.SAMPLER_CUBE_SHADOW;
    const deep = type === gl.SAMPLER_3D || type === gl.SAMPLER_2D_ARRAY || type === gl.SAMPLER_2D_ARRAY_SHADOW;
    const target = cube ? gl.TEXTURE_CUBE_MAP : type === gl.SAMPLER_3D ? gl.TEXTURE_3D : deep ? gl.TEXTURE_2D_ARRAY : gl.TEXTURE_2D;
    gl.bindTexture(target, texture);
    const side = shadow ? 1 : 128;
    const [inner, format, data] = shadow ? [gl.DEPTH_COMPONENT16, gl.DEPTH_COMPONENT, gl.UNSIGNED_SHORT] : [gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE];
    const pixels = (face: number) => (shadow ? new Uint16Array([0xffff]) : checker(side, face));
    if (cube) for (let face = 0; face < 6; face++) gl.texImage2D(gl.TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, inner, side, side, 0, format, data, pixels(face));
    else if (deep) gl.texImage3D(target, 0, inner, side, side, 1, 0, format, data, pixels(0));
    else gl.texImage2D(target, 0, inner, side, side, 0, format, data, pixels(unit));
    if (shadow) gl.texParameteri(target, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    else gl.generateMipmap(target);
    gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, shadow ? gl.NEAREST : gl.LINEAR_MIPMAP_LINEAR);
    gl.texParameteri(target, gl.TEXTURE_MAG_FILTER, shadow ? gl.NEAREST : gl.LINEAR);
  }

  /** Numbers with which there is something to see. */
  private suggest(): void {
    for (const { name, values, matrix, size, integer } of this.uniforms) {
      if (matrix) for (let at = 0; at < values.length; at += size) for (let place = 0; place < size; place += Math.sqrt(size) + 1) values[at + Math.round(place)] = 1;
      else if (/dir|light.*(?:pos|vec)|_l(?:dir)?$/i.test(name)) values.forEach((_, at) => (values[at] = [0.4, 0.7, 0.6, 0][at % 4]!));
      else if (/spec|pow|shin/i.test(name)) values.forEach((_, at) => (values[at] = at % 4 === 3 ? 24 : 0.6));
      else if (/uv|tex|vector8/i.test(name) && size === 4) values.forEach((_, at) => (values[at] = at % 4 < 2 ? 1 : 0));
      else if (/^(?:\w+\.)?d$|step|offset|texel/i.test(name)) values.fill(0.004);
      else values.fill(integer ? 0 : 0.8);
    }
  }

  /** The matrices of a camera that looks at the mesh. */
  camera(aspect: number, yaw: number, pitch: number): void {
    const world = turned(yaw, pitch);
    const view = away(3);
    const set = (uniform: Uniform, value: Matrix) => value.forEach((part, at) => (uniform.values[at] = part));
    const matrices = this.uniforms.filter(({ matrix, size }) => matrix && size === 16);
    const named = (pattern: RegExp) => matrices.filter(({ name }) => pattern.test(name.split(".").at(-1)!));
    const full = named(/mvp|world.*view.*proj|wvp/i);
    const both = named(/^vp$|view.*proj|projview|preview_projection/i).filter((one) => !full.includes(one));
    const projections = named(/proj/i).filter((one) => !full.includes(one) && !both.includes(one));
    const worlds = named(/world|model|mtx$|preview_world|mview/i).filter((one) => !full.includes(one) && !both.includes(one) && !projections.includes(one));
    const rest = matrices.filter((one) => ![...full, ...both, ...projections, ...worlds].includes(one));
    const lens = perspective(aspect);
    full.forEach((one) => set(one, times(lens, times(view, world))));
    both.forEach((one) => set(one, times(lens, view)));
    projections.forEach((one) => set(one, lens));
    worlds.forEach((one) => set(one, projections.length ? times(view, world) : world));
    // Without names the first is taken to bring things onto the screen, the others to turn them.
    const placed = full.length + both.length + projections.length > 0;
    rest.forEach((one, at) => set(one, !placed && at === 0 ? (matrices.length > 1 ? times(lens, view) : times(lens, times(view, world))) : at === 1 && !placed ? world : identity()));
  }

  private load(name: string): void {
    if (this.mesh?.name === name) return;
    const { gl } = this;
    const mesh = MESHES[name]!();
    const array = gl.createVertexArray()!;
    this.made.push(() => gl.deleteVertexArray(array));
    gl.bindVertexArray(array);
    this.attributes.forEach(({ name, location }, index) => {
      const [data, size] = attribute(mesh, name, index);
      gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer());
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(data), gl.STATIC_DRAW);
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, size, gl.FLOAT, false, 0, 0);
    });
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.buffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(mesh.indices), gl.STATIC_DRAW);
    this.mesh = { name, count: mesh.indices.length, array };
  }

  /** Draws a mesh in front of a grey. */
  draw(mesh: string, yaw: number, pitch: number, ground: number): void {
    const { gl } = this;
    const { width, height } = gl.canvas;
    this.camera(width / height, yaw, pitch);
    gl.useProgram(this.program);
    this.load(mesh);
    gl.bindVertexArray(this.mesh!.array);
    for (const uniform of this.uniforms) uniform.set(gl);
    this.buffers.forEach(({ buffer, data }, at) => {
      gl.bindBufferBase(gl.UNIFORM_BUFFER, at, buffer);
      gl.bufferData(gl.UNIFORM_BUFFER, data, gl.DYNAMIC_DRAW);
    });
    gl.viewport(0, 0, width, height);
    gl.enable(gl.DEPTH_TEST);
    gl.clearColor(ground, ground, ground, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.drawElements(gl.TRIANGLES, this.mesh!.count, gl.UNSIGNED_SHORT, 0);
  }
}

/** What an attribute gets of a mesh: by its name, else by its place. */
function attribute(mesh: Mesh, name: string, index: number): [number[], number] {
  const low = name.toLowerCase();
  const count = mesh.positions.length / 3;
  const what = /pos|vertex/.test(low) ? 0 : /norm|nrm/.test(low) ? 1 : /uv|tex|coord/.test(low) ? 2 : /col/.test(low) ? 3 : index;
  if (what === 0) return [mesh.positions, 3];
  if (what === 1 && /norm|nrm/.test(low)) return [mesh.normals, 3];
  if (what === 3) return [Array.from({ length: count * 4 }, () => 1), 4];
  return [mesh.uvs, 2];
}

interface Kind {
  columns: number;
  rows: number;
  integer: "" | "i" | "u" | "b";
}

/** Types of uniforms that hold numbers, by WebGL's constants. */
const KINDS = new Map<number, Kind>([
  ...[0x1406, 0x8b50, 0x8b51, 0x8b52].map((type, at): [number, Kind] => [type, { columns: 1, rows: at + 1, integer: "" }]),
  ...[0x1404, 0x8b53, 0x8b54, 0x8b55].map((type, at): [number, Kind] => [type, { columns: 1, rows: at + 1, integer: "i" }]),
  ...[0x1405, 0x8dc6, 0x8dc7, 0x8dc8].map((type, at): [number, Kind] => [type, { columns: 1, rows: at + 1, integer: "u" }]),
  ...[0x8b56, 0x8b57, 0x8b58, 0x8b59].map((type, at): [number, Kind] => [type, { columns: 1, rows: at + 1, integer: "b" }]),
  ...([[0x8b5a, 2, 2], [0x8b5b, 3, 3], [0x8b5c, 4, 4], [0x8b65, 2, 3], [0x8b66, 2, 4], [0x8b67, 3, 2], [0x8b68, 3, 4], [0x8b69, 4, 2], [0x8b6a, 4, 3]] as const).map(([type, columns, rows]): [number, Kind] => [type, { columns, rows, integer: "" }]),
]);

function link(gl: WebGL2RenderingContext, { vertex, fragment }: Sources): WebGLProgram {
  const program = gl.createProgram()!;
  for (const [kind, text, name] of [[gl.VERTEX_SHADER, vertex, "vertex"], [gl.FRAGMENT_SHADER, fragment, "fragment"]] as const) {
    const shader = gl.createShader(kind)!;
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(`The browser does not compile the ${name} program:\n${gl.getShaderInfoLog(shader) ?? ""}`);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(`The browser does not link the program:\n${gl.getProgramInfoLog(program) ?? ""}`);
  return program;
}
