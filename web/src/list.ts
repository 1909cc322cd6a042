// A list of any length, of which only the rows in sight exist.

import { h } from "./dom";

/** Browsers lay out at most about 33 million pixels; longer lists move by the share of the way instead. */
const TALLEST = 8_000_000;

export interface Rows {
  /** In pixels, the same for all. */
  height: number;
  render: (index: number) => HTMLElement;
}

export class VirtualList {
  readonly element: HTMLElement;
  private readonly inner: HTMLElement;
  private readonly window: HTMLElement;
  private count = 0;
  private first = -1;
  private shown = 0;
  private frame = 0;
  private readonly observer: ResizeObserver;
  /** Called when other rows come into sight: the first, and how many. */
  onwindow: ((first: number, count: number) => void) | null = null;

  constructor(
    private readonly rows: Rows,
    attributes: Record<string, string | number> = {},
  ) {
    this.window = h("div.rows", { role: "presentation" });
    this.inner = h("div.rows-all", { role: "presentation" }, this.window);
    this.element = h("div.list", { tabindex: 0, ...attributes }, this.inner);
    this.element.addEventListener("scroll", () => this.schedule(), { passive: true });
    this.element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.observer = new ResizeObserver(() => this.schedule());
    this.observer.observe(this.element);
  }

  get length(): number {
    return this.count;
  }

  /** Rows that fit. */
  get page(): number {
    return Math.max(1, Math.floor(this.element.clientHeight / this.rows.height));
  }

  private get scaled(): boolean {
    return this.count * this.rows.height > TALLEST;
  }

  setCount(count: number): void {
    this.count = count;
    this.inner.style.height = `${Math.min(count * this.rows.height, TALLEST)}px`;
    this.refresh();
  }

  /** Draws the rows in sight anew. */
  refresh(): void {
    this.first = -1;
    this.draw();
  }

  /** Moves so that a row is in sight, in the middle where it was not. */
  show(index: number): void {
    const top = this.top();
    const page = this.page;
    if (index >= top + 1 && index < top + page - 1) return;
    const wanted = index < top + 1 && index >= top - 2 ? index - 1 : index >= top + page - 1 && index <= top + page + 2 ? index - page + 2 : index - Math.floor(page / 2);
    this.scrollTo(Math.max(0, wanted));
  }

  scrollTo(row: number): void {
    if (!this.scaled) this.element.scrollTop = row * this.rows.height;
    else {
      const way = this.element.scrollHeight - this.element.clientHeight;
      this.element.scrollTop = (row / Math.max(1, this.count - this.page)) * way;
    }
    this.draw();
  }

  /** The first row in sight. */
  top(): number {
    if (!this.scaled) return Math.floor(this.element.scrollTop / this.rows.height);
    const way = this.element.scrollHeight - this.element.clientHeight;
    return Math.round((this.element.scrollTop / Math.max(1, way)) * (this.count - this.page));
  }

  private wheel(event: WheelEvent): void {
    // One notch of the wheel is to be a few rows, however long the list is.
    if (!this.scaled || event.ctrlKey) return;
    event.preventDefault();
    this.scrollTo(Math.max(0, Math.min(this.count - this.page, this.top() + Math.sign(event.deltaY) * 3)));
  }

  private schedule(): void {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }

  private draw(): void {
    const spare = this.scaled ? 0 : 6;
    const first = Math.max(0, Math.min(this.top(), this.count - 1) - spare);
    const shown = Math.min(this.count - first, this.page + 2 + 2 * spare);
    if (first === this.first && shown === this.shown) return;
    this.first = first;
    this.shown = shown;
    const elements: HTMLElement[] = [];
    for (let row = first; row < first + shown; row++) elements.push(this.rows.render(row));
    this.window.style.transform = `translateY(${this.scaled ? this.element.scrollTop : first * this.rows.height}px)`;
    this.window.replaceChildren(...elements);
    this.onwindow?.(first, Math.max(0, shown));
  }

  destroy(): void {
    this.observer.disconnect();
    cancelAnimationFrame(this.frame);
  }
}
