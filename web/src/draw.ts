// A pair of programs drawn by WebGL2 from their decompiled GLSL ES 3.00, with what the camera and the sliders say.

import { type Camera, type Values, look, ownName } from "./camera";
import type { Gives, Mesh, Pair } from "./types";

export const MESHES = ["sphere", "torus", "cube", "plane", "screen"];

/** Levels of the test textures, and how wide the largest is. */
const [LEVELS, SIDE] = [8, 128];

export class Drawing {
  private readonly setters: (() => void)[] = [];
  private samplers = 0;
  private readonly program: WebGLProgram;
  private readonly attributes: { gives: Gives; location: number; unsigned: boolean }[] = [];
  private readonly buffers: { buffer: WebGLBuffer; data: ArrayBuffer }[] = [];
  private readonly made: (() => void)[] = [];
  private mesh: { of: Mesh; count: number; array: WebGLVertexArrayObject } | null = null;

  constructor(
    private readonly gl: WebGL2RenderingContext,
    private readonly pair: Pair,
    private readonly textures: Map<number, Uint8Array>,
    private readonly values: Values,
  ) {
    this.program = link(gl, pair);
    const { program } = this;
    this.made.push(() => gl.deleteProgram(program));
    gl.useProgram(program);
    for (let at = 0; at < gl.getProgramParameter(program, gl.ACTIVE_ATTRIBUTES); at++) {
      const { name, type } = gl.getActiveAttrib(program, at)!;
      const location = gl.getAttribLocation(program, name);
      const gives = pair.attributes.find(([own]) => own === ownName(name))?.[1] ?? "nothing";
      if (location >= 0) this.attributes.push({ gives, location, unsigned: [0x1405, 0x8dc6, 0x8dc7, 0x8dc8].includes(type) });
    }
    for (let at = 0; at < gl.getProgramParameter(program, gl.ACTIVE_UNIFORM_BLOCKS); at++) {
      const data = new ArrayBuffer(gl.getActiveUniformBlockParameter(program, at, gl.UNIFORM_BLOCK_DATA_SIZE));
      gl.uniformBlockBinding(program, at, at);
      this.buffers.push({ buffer: this.buffer(), data });
    }
    const count: number = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS);
    for (let at = 0; at < count; at++) this.uniform(at);
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
    const values = (this.values.get(ownName(name)) ?? new Float32Array()).subarray(0, size * elements);
    const block = ask(gl.UNIFORM_BLOCK_INDEX);
    const location = block < 0 ? gl.getUniformLocation(program, name) : null;
    const [offset, stride, across, byRows] = block < 0 ? [0, 0, 0, false] : [ask(gl.UNIFORM_OFFSET), ask(gl.UNIFORM_ARRAY_STRIDE), ask(gl.UNIFORM_MATRIX_STRIDE), Boolean(ask(gl.UNIFORM_IS_ROW_MAJOR))];
    if (!values.length) return;
    this.setters.push(() => {
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
    });
  }

  private sampler(name: string, type: number, location: WebGLUniformLocation): void {
    const { gl } = this;
    const unit = this.samplers++;
    gl.uniform1i(location, unit);
    gl.activeTexture(gl.TEXTURE0 + unit);
    const texture = gl.createTexture();
    this.made.push(() => gl.deleteTexture(texture));
    const shadow = type === gl.SAMPLER_2D_SHADOW || type === gl.SAMPLER_CUBE_SHADOW || type === gl.SAMPLER_2D_ARRAY_SHADOW;
    const cube = type === gl.SAMPLER_CUBE || type === gl.SAMPLER_CUBE_SHADOW;
    const deep = type === gl.SAMPLER_3D || type === gl.SAMPLER_2D_ARRAY || type === gl.SAMPLER_2D_ARRAY_SHADOW;
    const target = cube ? gl.TEXTURE_CUBE_MAP : type === gl.SAMPLER_3D ? gl.TEXTURE_3D : deep ? gl.TEXTURE_2D_ARRAY : gl.TEXTURE_2D;
    gl.bindTexture(target, texture);
    if (shadow) {
      const one = [0, gl.DEPTH_COMPONENT16, 1, 1] as const;
      const lit = new Uint16Array([0xffff]);
      if (cube) for (let face = 0; face < 6; face++) gl.texImage2D(gl.TEXTURE_CUBE_MAP_POSITIVE_X + face, ...one, 0, gl.DEPTH_COMPONENT, gl.UNSIGNED_SHORT, lit);
      else if (deep) gl.texImage3D(target, ...one, 1, 0, gl.DEPTH_COMPONENT, gl.UNSIGNED_SHORT, lit);
      else gl.texImage2D(target, ...one, 0, gl.DEPTH_COMPONENT, gl.UNSIGNED_SHORT, lit);
      gl.texParameteri(target, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    } else {
      const number = this.pair.samplers.find((known) => known.name === ownName(name))?.number ?? 0;
      for (let level = 0, start = 0; level < LEVELS; level++) {
        const side = SIDE >> level;
        const pixels = (number: number) => this.textures.get(number)!.subarray(start, start + side * side * 4);
        if (cube) for (let face = 0; face < 6; face++) gl.texImage2D(gl.TEXTURE_CUBE_MAP_POSITIVE_X + face, level, gl.RGBA8, side, side, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels(face));
        else if (deep) gl.texImage3D(target, level, gl.RGBA8, side, side, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels(number));
        else gl.texImage2D(target, level, gl.RGBA8, side, side, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels(number));
        start += side * side * 4;
      }
    }
    gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, shadow ? gl.NEAREST : gl.LINEAR_MIPMAP_LINEAR);
    gl.texParameteri(target, gl.TEXTURE_MAG_FILTER, shadow ? gl.NEAREST : gl.LINEAR);
  }

  private load(mesh: Mesh): void {
    if (this.mesh?.of === mesh) return;
    const { gl } = this;
    const array = gl.createVertexArray()!;
    this.made.push(() => gl.deleteVertexArray(array));
    gl.bindVertexArray(array);
    for (const { gives, location, unsigned } of this.attributes) {
      if (gives === "nothing") {
        gl.disableVertexAttribArray(location);
        if (unsigned) gl.vertexAttribI4ui(location, 0, 0, 0, 0);
        else gl.vertexAttribI4i(location, 0, 0, 0, 0);
        continue;
      }
      if (gives === "white") {
        gl.disableVertexAttribArray(location);
        gl.vertexAttrib4f(location, 1, 1, 1, 1);
        continue;
      }
      const [data, size] = { position: [mesh.positions, 3] as const, normal: [mesh.normals, 3] as const, uv: [mesh.uvs, 2] as const }[gives];
      gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer());
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(data), gl.STATIC_DRAW);
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, size, gl.FLOAT, false, 0, 0);
    }
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.buffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(mesh.indices), gl.STATIC_DRAW);
    this.mesh = { of: mesh, count: mesh.indices.length, array };
  }

  /** Draws a mesh in front of a grey. */
  draw(mesh: Mesh, camera: Camera, ground: number): void {
    const { width, height } = this.gl.canvas;
    this.render(mesh, width, height, camera, ground);
  }

  /** The same into memory, without smoothed edges: rows from the top. */
  picture(mesh: Mesh, side: number, camera: Camera, ground: number): Uint8Array<ArrayBuffer> {
    const { gl } = this;
    const frame = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    const buffers = ([[gl.COLOR_ATTACHMENT0, gl.RGBA8], [gl.DEPTH_ATTACHMENT, gl.DEPTH_COMPONENT24]] as const).map(([place, format]) => {
      const buffer = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
      gl.renderbufferStorage(gl.RENDERBUFFER, format, side, side);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, buffer);
      return buffer;
    });
    this.render(mesh, side, side, camera, ground);
    const upwards = new Uint8Array(side * side * 4);
    gl.readPixels(0, 0, side, side, gl.RGBA, gl.UNSIGNED_BYTE, upwards);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.deleteFramebuffer(frame);
    buffers.forEach((buffer) => gl.deleteRenderbuffer(buffer));
    const pixels = new Uint8Array(upwards.length);
    for (let row = 0; row < side; row++) pixels.set(upwards.subarray(row * side * 4, (row + 1) * side * 4), (side - 1 - row) * side * 4);
    return pixels;
  }

  private render(mesh: Mesh, width: number, height: number, camera: Camera, ground: number): void {
    const { gl } = this;
    look(this.pair.uniforms, this.values, width / height, camera);
    gl.useProgram(this.program);
    this.load(mesh);
    gl.bindVertexArray(this.mesh!.array);
    this.setters.forEach((set) => set());
    this.buffers.forEach(({ buffer, data }, at) => {
      gl.bindBufferBase(gl.UNIFORM_BUFFER, at, buffer);
      gl.bufferData(gl.UNIFORM_BUFFER, data, gl.DYNAMIC_DRAW);
    });
    gl.viewport(0, 0, width, height);
    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.DITHER);
    gl.clearColor(ground, ground, ground, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.drawElements(gl.TRIANGLES, this.mesh!.count, gl.UNSIGNED_SHORT, 0);
  }
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

function link(gl: WebGL2RenderingContext, { vertex, fragment }: Pair): WebGLProgram {
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
