// The program drawn: a live preview by WebGL2, with what it reads as sliders.

import { Drawing, type Uniform, sources } from "../draw";
import { fill, h } from "../dom";
import { MESHES } from "../mesh";
import { type State, innerOf } from "../state";
import { theme } from "../theme";
import { Shown, type View } from "./view";

/** Sliders of one uniform; the rest of a long array is left as it is. */
const SLIDERS = 16;

export class Draw implements View {
  readonly element: HTMLElement;
  private readonly shown = new Shown();
  private readonly place = h("div.canvas-place");
  private readonly panel = h("div.uniforms.pane-scroll", { tabindex: 0, role: "region", "aria-label": "Uniforms" });
  private readonly mesh = h("select", { "aria-label": "Mesh", onchange: () => this.draw() }, Object.keys(MESHES).map((name) => h("option", { value: name }, name)));
  private readonly turning = h("input", { type: "checkbox", onchange: () => this.turn() });
  private readonly told = h("span.quiet", { role: "status" });
  private readonly message = h("div.pane-message", { hidden: true });
  private drawing: Drawing | null = null;
  private canvas: HTMLCanvasElement | null = null;
  private yaw = 0.6;
  private pitch = 0.4;
  private frame = 0;

  constructor(private readonly state: State) {
    this.element = h(
      "div.draw-view",
      null,
      h("section.pane", { "aria-label": "Picture" }, h("div.pane-head", null, h("h2", null, "Picture"), this.mesh, h("label.check", null, this.turning, "turn"), this.told), h("div.pane-body", null, this.place, this.message)),
      h("section.pane", { "aria-label": "What the program reads" }, h("div.pane-head", null, h("h2", null, "Uniforms")), h("div.pane-body.column", null, this.panel)),
    );
    theme.listen(() => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.place);
    this.place.addEventListener("pointermove", (event) => {
      if (!(event.buttons & 1)) return;
      this.yaw += event.movementX * 0.01;
      this.pitch = Math.max(-1.5, Math.min(1.5, this.pitch + event.movementY * 0.01));
      this.draw();
    });
  }

  forget(): void {
    this.shown.forget();
  }

  hide(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
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
    const kind = this.state.item()?.kind ?? "";
    this.drawing?.dispose();
    this.drawing = null;
    let failure = "";
    try {
      if (!this.state.item()) throw new Error("Choose a program to draw it.");
      if (!["vertex", "fragment"].includes(kind)) throw new Error(`A ${kind} program is not drawn.`);
      const target = { to: "glsl", glsl: "es300" };
      const together = await this.state.library.decompile(at, target).catch(() => "");
      const text = /^#ifdef VERTEX_SHADER$/m.test(together) ? together : await this.state.library.decompile({ ...at, item }, target);
      if (!this.shown.still(at, item)) return;
      const made = sources(text, kind);
      this.drawing = new Drawing(this.context(), made);
      this.told.textContent = made.madeUp ?? "";
      this.mesh.value = this.drawing.hasMatrices ? (this.mesh.value === "screen" ? "sphere" : this.mesh.value) : "screen";
      const own = this.drawing.uniforms.filter(({ name }) => !name.startsWith("preview_"));
      fill(this.panel, own.map((uniform) => this.sliders(uniform)), this.drawing.samplers.map((name) => h("section", null, h("h3", null, name), h("p.quiet", null, "a test texture"))), !own.length && !this.drawing.samplers.length ? h("p.quiet", null, "It reads nothing but its inputs.") : null);
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
      if (!this.shown.still(at, item)) return;
      fill(this.panel);
      this.told.textContent = "";
    }
    this.message.hidden = !failure;
    this.message.textContent = failure;
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
    const { name, values, matrix, size, integer } = uniform;
    if (matrix) return h("section", null, h("h3", null, name), h("p.quiet", null, size === 16 ? "a matrix of the camera" : "a matrix"));
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
      this.yaw += 0.012;
      this.turn();
    });
  }

  private draw(): void {
    if (!this.drawing || !this.canvas || !this.element.isConnected) return;
    const scale = Math.min(devicePixelRatio, 2);
    const [width, height] = [Math.round(this.place.clientWidth * scale), Math.round(this.place.clientHeight * scale)];
    if (!width || !height) return;
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    this.drawing.draw(this.mesh.value, this.yaw, this.pitch, theme.dark ? 0.09 : 0.93);
  }
}
