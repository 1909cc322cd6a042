// What the page asks of a view.

export interface View {
  readonly element: HTMLElement;
  /** The view is in sight, or what it shows became another: called after every step of the page. */
  show(): void;
  /** Another view takes its place. */
  hide?(): void;
  /** A file changed: nothing that was kept of it is true. */
  forget?(): void;
}

/** What a view shows of: changes with the file's version. */
export class Shown {
  private key = "";

  /** Whether it is another thing than last time. */
  is(...parts: unknown[]): boolean {
    const key = JSON.stringify(parts);
    if (key === this.key) return false;
    this.key = key;
    return true;
  }

  /** Whether it still is what it was when an answer was asked for. */
  still(...parts: unknown[]): boolean {
    return JSON.stringify(parts) === this.key;
  }

  forget(): void {
    this.key = "";
  }
}
