// The program drawn: a live preview by WebGL2, the interpreter's picture of the same beside it, and how far they are apart.
// What a browser cannot draw, or has not the means to, the interpreter draws alone.

import { type Camera, type Values, initial, look } from "../camera";
import { Drawing, MESHES } from "../draw";
import { counted, fill, h, later, number } from "../dom";
import { type State, innerOf } from "../state";
import { theme } from "../theme";
import type { Mesh, Pair, Uniform } from "../types";
import { Shown, type View } from "./view";

/** Sliders of one uniform; the rest of a long array is left as it is. */
const SLIDERS = 16;
/** Pixels of a side of the pictures that are compared. */
const SIDE = 256;
/** Instructions after which the worker can answer something else. */
const SLICE = 1 << 20;
/** Differences up to this are those of two ways to filter and to round. */
const TOLERANCE = 4;

/** A small picture with words below. */
class Figure {
  private readonly context: CanvasRenderingContext2D;
  readonly told = h("span", { role: "status" });
  readonly element: HTMLElement;
  readonly canvas: HTMLCanvasElement;

  constructor(title: string, label: string, ...more: HTMLElement[]) {
    const canvas = h("canvas", { width: SIDE, height: SIDE, role: "img", "aria-label": label });
    // What the library made stays where it is: nothing is gained by a graphics processor here.
    this.context = canvas.getContext("2d", { willReadFrequently: true })!;
    this.canvas = canvas;
    this.element = h("figure", null, h("figcaption", null, h("strong", null, title), more), canvas, h("p.quiet", null, this.told));
  }

  put(pixels: Uint8Array<ArrayBuffer>): void {
    const data = new ImageData(new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.byteLength), SIDE, SIDE);
    this.context.putImageData(data, 0, 0);
  }

  clear(): void {
    this.context.clearRect(0, 0, SIDE, SIDE);
    this.told.textContent = "";
  }
}

export class Draw implements View {
  readonly element: HTMLElement;
  private readonly shown = new Shown();
  private readonly place = h("div.canvas-place");
  private readonly panel = h("div.uniforms.pane-scroll", { tabindex: 0, role: "region", "aria-label": "Uniforms" });
  private readonly mesh = h("select", { "aria-label": "Mesh", onchange: () => this.draw() }, MESHES.map((name) => h("option", { value: name }, name)));
  private readonly turning = h("input", { type: "checkbox", onchange: () => this.turn() });
  private readonly told = h("span.quiet", { role: "status" });
  private readonly message = h("div.pane-message", { hidden: true });
  private readonly tolerance = h("input.mono", { type: "number", min: 0, max: 255, value: TOLERANCE, "aria-label": "Tolerance in steps of a colour's 256", onchange: () => this.draw() });
  private readonly interpreted = new Figure("Interpreter", "The same picture by the interpreter of the machine");
  private readonly apart = new Figure("Difference", "Where the two pictures differ", h("label.side", null, "tolerance", this.tolerance));
  private readonly alone = h("p.quiet", { hidden: true });
  private readonly figures = h("div.figures", null, this.alone, this.interpreted.element, this.apart.element);
  private readonly pictures = h("div.pane-body.pictures", null, h("div.live", null, this.place), this.figures, this.message);
  private readonly soon = later(200);
  private readonly meshes = new Map<string, Promise<Mesh>>();
  private readonly textures = new Map<number, Uint8Array>();
  /** What is chosen; none: it cannot be drawn. */
  private pair: Pair | null = null;
  private values: Values = new Map();
  /** None: only the interpreter draws. */
  private drawing: Drawing | null = null;
  private canvas: HTMLCanvasElement | null = null;
  private readonly camera: Camera = { yaw: 0.6, pitch: 0.4 };
  private frame = 0;
  /** Changes with everything that the interpreter's picture depends on: one that began before is given up. */
  private round = 0;

  constructor(private readonly state: State) {
    this.element = h(
      "div.draw-view",
      null,
      h(
        "section.pane",
        { "aria-label": "Picture" },
        h("div.pane-head", null, h("h2", null, "Picture"), this.mesh, h("label.check", null, this.turning, "turn"), this.told),
        this.pictures,
      ),
      h("section.pane", { "aria-label": "What the program reads" }, h("div.pane-head", null, h("h2", null, "Uniforms")), h("div.pane-body.column", null, this.panel)),
    );
    theme.listen(() => this.draw());
    new ResizeObserver(() => this.paint()).observe(this.place);
    for (const place of [this.place, this.interpreted.canvas] as HTMLElement[]) {
      place.addEventListener("pointermove", (event) => {
        if (!(event.buttons & 1)) return;
        const { camera } = this;
        camera.yaw += event.movementX * 0.01;
        camera.pitch = Math.max(-1.5, Math.min(1.5, camera.pitch + event.movementY * 0.01));
        this.draw();
      });
    }
  }

  forget(): void {
    this.shown.forget();
  }

  hide(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.round++;
  }

  show(): void {
    const at = { file: this.state.current(), item: this.program() };
    if (this.shown.is(at, this.state.place.item)) void this.load(at);
    else this.turn();
  }

  /** The program that the chosen stage belongs to, with the stages beside it. */
  private program(): string {
    const { file, item } = this.state.place;
    const found = this.state.item();
    const cut = item.replace(/\/(?:vertex|fragment|pixel|geometry|compute)$/, "");
    if (cut !== item) return cut;
    // A container with one stage of each kind is one program.
    const inner = innerOf(item);
    const beside = (file?.listing.items ?? []).filter((other) => innerOf(other.item) === inner);
    const kinds = beside.map(({ kind }) => kind);
    return found && beside.length === 2 && new Set(kinds).size === 2 ? inner : item;
  }

  private async load(at: { file: number; item: string }): Promise<void> {
    const { item } = this.state.place;
    const { library } = this.state;
    this.drawing?.dispose();
    this.drawing = null;
    this.pair = null;
    this.round++;
    delete this.element.dataset.compared;
    let failure = "";
    let alone = "";
    try {
      if (!this.state.item()) throw new Error("Choose a program to draw it.");
      const pair = await library.drawOpen(at, item);
      const faces = /samplerCube/.test(pair.vertex + pair.fragment) ? [0, 1, 2, 3, 4, 5] : [];
      for (const wanted of new Set([...pair.samplers.map((sampler) => sampler.number), ...faces])) {
        if (!this.textures.has(wanted)) this.textures.set(wanted, await library.texture(wanted));
      }
      if (!this.shown.still(at, item)) return;
      this.pair = pair;
      this.values = initial(pair.uniforms);
      try {
        if (pair.beyond !== null) throw new Error(`In the language of browsers it ${pair.beyond}.`);
        this.drawing = new Drawing(this.context(), pair, this.textures, this.values);
      } catch (error) {
        alone = `Drawn by the interpreter alone. ${error instanceof Error ? error.message : String(error)}`;
      }
      this.told.textContent = pair.notes.join(" ");
      this.told.title = this.told.textContent;
      this.mesh.value = pair.uniforms.some(({ role }) => role) ? (this.mesh.value === "screen" ? "sphere" : this.mesh.value) : "screen";
      const own = pair.uniforms.filter(({ name }) => !name.startsWith("preview_"));
      fill(this.panel, own.map((uniform) => this.sliders(uniform)), pair.samplers.map(({ name }) => h("section", null, h("h3", null, name), h("p.quiet", null, "a test texture"))), !own.length && !pair.samplers.length ? h("p.quiet", null, "It reads nothing but its inputs.") : null);
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
      if (!this.shown.still(at, item)) return;
      fill(this.panel);
      this.told.textContent = "";
    }
    this.message.hidden = !failure;
    this.message.textContent = failure;
    this.figures.hidden = Boolean(failure);
    this.place.hidden = Boolean(failure || alone);
    this.pictures.classList.toggle("alone", Boolean(alone));
    this.alone.hidden = !alone;
    this.alone.textContent = alone;
    this.apart.element.hidden = Boolean(alone);
    this.turning.disabled = !this.drawing;
    this.turn();
  }

  /** One canvas for all programs: browsers have few contexts. */
  private context(): WebGL2RenderingContext {
    this.canvas ??= h("canvas", { "aria-label": "The mesh as the program draws it", role: "img" });
    if (!this.canvas.isConnected) fill(this.place, this.canvas);
    const gl = this.canvas.getContext("webgl2", { alpha: false, antialias: true });
    if (!gl) throw new Error("This browser has no WebGL2.");
    return gl;
  }

  private sliders(uniform: Uniform): HTMLElement {
    const { name, columns, rows: size, integer, role } = uniform;
    const values = this.values.get(name)!;
    if (columns > 1) return h("section", null, h("h3", null, name), h("p.quiet", null, role ? `a matrix of the camera: ${role.replaceAll("-", " ")}` : "a matrix"));
    const rows = [...values].slice(0, SLIDERS).map((value, at) => {
      const label = `${name}${values.length > size ? `[${Math.floor(at / size)}]` : ""}${size > 1 ? `.${"xyzw"[at % size]}` : ""}`;
      const most = Math.max(1, Math.abs(value) * 2);
      const told = h("output.mono", null, String(Number(value.toFixed(3))));
      const slider = h("input", {
        type: "range",
        min: integer ? 0 : -most,
        max: integer ? 8 : most,
        step: integer ? 1 : most / 200,
        value,
        "aria-label": label,
        oninput: () => {
          values[at] = Number(slider.value);
          told.textContent = String(Number(Number(slider.value).toFixed(3)));
          this.draw();
        },
      });
      return h("label.slider", null, h("span.mono.quiet", null, label.slice(name.length) || "value"), slider, told);
    });
    return h("section", null, h("h3", null, name), rows, values.length > SLIDERS ? h("p.quiet", null, `and ${values.length - SLIDERS} more numbers`) : null);
  }

  private turn(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.draw();
    if (!this.turning.checked || !this.drawing) return;
    this.frame = requestAnimationFrame(() => {
      this.camera.yaw += 0.012;
      this.turn();
    });
  }

  /** The mesh that is chosen, as soon as it is there. */
  private chosen(): Promise<Mesh> {
    const name = this.mesh.value;
    const known = this.meshes.get(name) ?? this.state.library.drawMesh(name);
    this.meshes.set(name, known);
    return known;
  }

  private get ground(): number {
    return theme.dark ? 0.09 : 0.93;
  }

  /** Draws now, and lets the interpreter draw when nothing more changes. */
  private draw(): void {
    this.paint();
    delete this.element.dataset.compared;
    this.round++;
    if (!this.pair) return;
    if (this.drawing && (this.frame || this.turning.checked)) {
      this.interpreted.told.textContent = "waits until it stands still";
      this.apart.clear();
    } else this.soon(() => void this.interpret());
  }

  private paint(): void {
    if (!this.drawing || !this.canvas || !this.element.isConnected) return;
    const { drawing, canvas } = this;
    void this.chosen().then((mesh) => {
      if (this.drawing !== drawing) return;
      const scale = Math.min(devicePixelRatio, 2);
      const [width, height] = [Math.round(this.place.clientWidth * scale), Math.round(this.place.clientHeight * scale)];
      if (!width || !height) return;
      if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
      drawing.draw(mesh, this.camera, this.ground);
    });
  }

  /** The interpreter's picture, slice by slice, and the difference. */
  private async interpret(): Promise<void> {
    const { pair, drawing, values, camera } = this;
    const { library } = this.state;
    const round = this.round;
    if (!pair || !this.element.isConnected) return;
    const given = () => this.pair === pair && this.round === round;
    try {
      const mesh = await this.chosen();
      if (!given()) return;
      look(pair.uniforms, values, 1, camera);
      const uniforms = [...values].map(([name, numbers]) => ({ name, values: [...numbers] }));
      const theirs = drawing?.picture(mesh, SIDE, camera, this.ground);
      this.paint();
      this.apart.clear();
      let told = await library.drawStart({ mesh: this.mesh.value, width: SIDE, height: SIDE, ground: this.ground, uniforms });
      while (!told.finished) {
        if (!given()) return;
        this.interpreted.told.textContent = `${Math.round(told.done * 100)} %`;
        this.interpreted.put(await library.picture());
        told = await library.drawGo(SLICE);
      }
      if (!given()) return;
      this.interpreted.put(await library.picture());
      this.interpreted.told.textContent = told.unfinished ? `${counted(told.unfinished, "pixel")} without an end: ${told.why ?? ""}` : `${number(told.steps)} instructions`;
      if (!theirs) {
        this.element.dataset.compared = "null";
        return;
      }
      const tolerance = Math.max(0, Math.min(255, Math.round(Number(this.tolerance.value) || 0)));
      const apart = await library.compare(theirs, tolerance);
      if (!given()) return;
      this.apart.put(apart.image);
      this.apart.told.textContent = `${apart.beyond ? number(apart.beyond) : "none"} of ${counted(apart.pixels, "pixel")} beyond it; largest ${apart.largest}, mean ${apart.mean.toPrecision(2)}`;
      this.element.dataset.compared = JSON.stringify({ ...apart, image: undefined });
    } catch (error) {
      if (!given()) return;
      this.interpreted.clear();
      this.apart.clear();
      this.interpreted.told.textContent = error instanceof Error ? error.message : String(error);
    }
  }
}
