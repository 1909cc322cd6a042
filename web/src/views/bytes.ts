// Bytes in rows of sixteen, each in the colour of its owner.

import { h } from "../dom";
import type { At, Library } from "../library";
import { VirtualList } from "../list";
import type { Run } from "../types";

/** Bytes that are asked for at once. */
const CHUNK = 8192;
/** Chunks that are kept. */
const KEPT = 64;

interface Chunk {
  bytes: Uint8Array | null;
  runs: Run[];
}

export class Bytes {
  readonly element: HTMLElement;
  tree = 0;
  cursor: number | null = null;
  private readonly list: VirtualList;
  private readonly chunks = new Map<number, Chunk>();
  private at: At = { file: 0 };
  private length = 0;
  private marked: [number, number] = [0, 0];
  private generation = 0;

  constructor(
    private readonly library: Library,
    private readonly onbyte: (at: number) => void,
  ) {
    this.list = new VirtualList({ height: 22, render: (index) => this.row(index) }, { role: "group", "aria-label": "Bytes; arrow keys move along them", class: "hex" });
    this.element = this.list.element;
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("click", (event) => {
      const at = (event.target as HTMLElement).dataset.at;
      if (at !== undefined) this.choose(Number(at));
    });
  }

  load(at: At, tree: number, length: number): void {
    this.generation++;
    this.chunks.clear();
    this.at = at;
    this.tree = tree;
    this.length = length;
    this.cursor = null;
    this.marked = [0, 0];
    this.list.setCount(Math.ceil(length / 16));
    this.list.scrollTo(0);
  }

  /** Marks the bytes of a field and shows the first, or `at`. */
  mark(start: number, end: number, at: number | null): void {
    this.marked = [start, end];
    if (at !== null) this.go(at);
    else {
      this.cursor = null;
      this.list.refresh();
    }
  }

  go(at: number): void {
    this.cursor = at;
    this.list.show(Math.floor(at / 16));
    this.list.refresh();
  }

  private choose(at: number): void {
    this.go(at);
    this.onbyte(at);
  }

  private key(event: KeyboardEvent): void {
    const page = this.list.page * 16;
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 16, ArrowUp: -16, PageDown: page, PageUp: -page, Home: -this.length, End: this.length }[event.key];
    if (step === undefined || !this.length) return;
    event.preventDefault();
    this.choose(Math.max(0, Math.min(this.length - 1, (this.cursor ?? this.marked[0]) + step)));
  }

  private chunk(index: number): Chunk {
    const found = this.chunks.get(index);
    if (found) return found;
    const chunk: Chunk = { bytes: null, runs: [] };
    this.chunks.set(index, chunk);
    if (this.chunks.size > KEPT) this.chunks.delete(this.chunks.keys().next().value!);
    const generation = this.generation;
    const from = index * CHUNK;
    void Promise.all([this.library.window(this.at, this.tree, from, CHUNK), this.library.owners(this.at, this.tree, from, CHUNK)]).then(([bytes, runs]) => {
      if (generation !== this.generation) return;
      chunk.bytes = bytes;
      chunk.runs = runs;
      this.list.refresh();
    });
    return chunk;
  }

  /** The owner of a byte, by halving. */
  private run(at: number): Run | null {
    const { runs } = this.chunk(Math.floor(at / CHUNK));
    let [low, high] = [0, runs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (runs[middle]!.end <= at) low = middle + 1;
      else high = middle;
    }
    const run = runs[low];
    return run && run.start <= at ? run : null;
  }

  private row(index: number): HTMLElement {
    const start = index * 16;
    const chunk = this.chunk(Math.floor(start / CHUNK));
    const row = h("div.hex-row", null, h("span.hex-offset", null, start.toString(16).padStart(8, "0")));
    if (!chunk.bytes) return row;
    const hex = h("span.hex-bytes");
    const text = h("span.hex-text");
    let last: Run | null = null;
    let shade = 0;
    for (let at = start; at < Math.min(start + 16, this.length); at++) {
      const byte = chunk.bytes[at % CHUNK] ?? 0;
      const run = this.run(at);
      if (run !== last) {
        last = run;
        // Neighbours of one kind are told apart by their shade.
        shade = run ? chunk.runs.indexOf(run) % 2 : 0;
      }
      const marked = at >= this.marked[0] && at < this.marked[1];
      const shades = `o-${run?.kind ?? "none"} s${shade}${marked ? " marked" : ""}${at === this.cursor ? " cursor" : ""}`;
      const cell = document.createElement("span");
      cell.className = shades;
      cell.dataset.at = String(at);
      cell.textContent = byte.toString(16).padStart(2, "0");
      const letter = document.createElement("span");
      letter.className = `${marked ? "marked" : ""}${at === this.cursor ? " cursor" : ""}`;
      letter.dataset.at = String(at);
      letter.textContent = byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·";
      hex.append(cell);
      text.append(letter);
    }
    row.append(hex, text);
    return row;
  }
}
