// Questions to the library in the worker.

import type * as debug from "./debug";
import type * as doc from "./types";

export class Refused extends Error {
  constructor(readonly failure: doc.Failure) {
    super(failure.message);
  }
}

export interface At {
  file: number;
  item?: string;
}

export interface Target {
  to?: string;
  glsl?: string;
  strict?: boolean;
}

/** Whether the library prints a language itself: the others are a module of their own, which is loaded with the first of them. */
export const isOurs = ({ to }: Target) => to === undefined || to === "glsl" || to === "ir";

type Waiting = { resolve: (answer: never) => void; reject: (error: Refused) => void };

/** What a worker's message holds. */
interface Reply {
  id: number;
  answer?: unknown;
  failure?: string;
}

export class Library {
  private readonly worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;
  readonly ready: Promise<void>;

  constructor() {
    this.ready = new Promise<void>((resolve, reject) => {
      this.waiting.set(0, { resolve: resolve as () => void, reject });
      this.worker.onerror = (event) => reject(new Refused({ message: event.message || "the worker does not start" }));
    });
    this.worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      const waiting = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (data.failure !== undefined) waiting?.reject(new Refused(JSON.parse(data.failure)));
      else waiting?.resolve(data.answer as never);
    };
  }

  private ask<T>(question: object, transfer: Transferable[] = []): Promise<T> {
    const id = ++this.last;
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (answer: never) => void, reject });
      this.worker.postMessage({ id, ...question }, transfer);
    });
  }

  /** How many questions are not answered yet. */
  get openQuestions(): number {
    return this.waiting.size;
  }

  openFile(name: string, bytes: ArrayBuffer): Promise<number> {
    return this.ask({ what: "open", name, bytes }, [bytes]);
  }

  close(file: number): Promise<void> {
    return this.ask({ what: "close", file });
  }

  bytes(file: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.ask({ what: "bytes", file });
  }

  window(at: At, tree: number, from: number, count: number): Promise<Uint8Array> {
    return this.ask({ what: "window", arguments: JSON.stringify({ ...at, tree, from, count }) });
  }

  text(name: string, args: object): Promise<string> {
    return this.ask({ what: "call", name, arguments: JSON.stringify(args) });
  }

  private async json<T>(name: string, args: object): Promise<T> {
    return JSON.parse(await this.text(name, args)) as T;
  }

  /** The report about the only file of a document. */
  private async only<T>(name: string, args: object): Promise<T> {
    return (await this.json<{ files: [T] }>(name, args)).files[0];
  }

  info = (at: At) => this.only<doc.Info>("info", at);
  ls = (at: At) => this.only<doc.Listing>("ls", at);
  check = (at: At) => this.only<doc.Check>("check", at);
  options = (at: At) => this.only<doc.Options>("options", at);
  pick = (at: At, set: [string, string][]) => this.only<doc.Pick>("pick", { ...at, set });
  names = async (at: At) => (await this.json<{ names: doc.Named[] }>("names", at)).names;
  trees = (at: At) => this.json<doc.Root[]>("trees", at);
  fields = (at: At, tree: number, way: number[], from: number, count: number) =>
    this.json<doc.Field[]>("fields", { ...at, tree, way, from, count });
  find = (at: At, path: string) => this.json<doc.Found>("find", { ...at, path });
  field = (at: At, tree: number, way: number[]) => this.json<doc.Found>("way", { ...at, tree, way });
  owners = (at: At, tree: number, from: number, count: number) =>
    this.json<doc.Run[]>("owners", { ...at, tree, from, count });
  /** The field that has a byte. */
  fieldAt = (at: At, tree: number, from: number) => this.json<doc.Found>("at", { ...at, tree, from });
  links = (at: At, target: Target) => this.json<doc.Links>("links", { ...at, ...target });
  graph = (at: At) => this.json<doc.Graph>("graph", at);
  disasm = (at: At, words = false, offsets = false) => this.text("disasm", { ...at, words, offsets });
  decompile = (at: At, target: Target): Promise<string> =>
    isOurs(target) ? this.text("decompile", { ...at, ...target }) : this.ask({ what: "language", arguments: JSON.stringify({ ...at, ...target }) });
  source = async (at: At, target: Target) =>
    (await this.json<{ items: doc.DecompiledItem[] }>("source", { ...at, ...target })).items;
  diff = (old: At, now: At) => this.json<doc.Difference>("diff", { old, new: now });
  rows = (old: At, now: At) => this.json<doc.Aligned>("rows", { old, new: now });
  edit = (at: At, set: [string, string][], rename: [string, string][] = []) =>
    this.json<{ file: number; bytes: number; report: { changes: { path: string; old: string; new: string }[] } }>("edit", {
      ...at,
      set,
      rename,
    });
  assemblyErrors = async (at: At, text: string) =>
    (await this.json<{ findings: doc.Diagnostic[] }>("asm-check", { ...at, text })).findings;
  inputs = (at: At, seed: number) => this.text("inputs", { ...at, seed });
  debugStart = (at: At, inputs: string) => this.json<{ run: number; listing: debug.Listing; reply: debug.Reply }>("debug-start", { ...at, inputs });
  debug = (run: number, command: debug.Command) => this.json<debug.Reply>("debug", { run, command });
  debugEnd = (run: number) => this.text("debug-end", { run });
  materials = (file: number) => this.json<doc.MaterialName[]>("materials", { file });
  pickMaterial = (at: At, models: number, names: string[], set: [string, string][]) => this.only<doc.MaterialPick>("pick-material", { ...at, models, names, set });
  drawOpen = (at: At, chosen: string) => this.json<doc.Pair>("draw-open", { ...at, chosen });
  drawMesh = (mesh: string) => this.json<doc.Mesh>("draw-mesh", { mesh });
  drawStart = (scene: doc.Scene) => this.json<doc.DrawProgress>("draw-start", { scene });
  drawGo = (steps: number) => this.json<doc.DrawProgress>("draw-go", { steps });
  /** The interpreters' picture as far as it is. */
  picture = () => this.ask<Uint8Array<ArrayBuffer>>({ what: "picture" });
  texture = (number: number) => this.ask<Uint8Array<ArrayBuffer>>({ what: "texture", file: number });
  /** The picture held against another: numbers, and what it looks like. */
  compare = async (theirs: Uint8Array<ArrayBuffer>, tolerance: number) => {
    const { numbers, image } = await this.ask<{ numbers: string; image: Uint8Array<ArrayBuffer> }>({ what: "compare", bytes: theirs.buffer, file: tolerance }, [theirs.buffer]);
    return { ...(JSON.parse(numbers) as doc.Apart), image };
  };
  assemble = (at: At, text: string) => this.json<{ file: number; bytes: number }>("asm", { ...at, text });
}
