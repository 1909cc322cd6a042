// Light or dark: as the system says, until somebody says otherwise.

const KEY = "unshade-theme";

class Theme {
  private readonly system = matchMedia("(prefers-color-scheme: dark)");
  private readonly listeners: ((dark: boolean) => void)[] = [];
  private said: string | null = null;

  constructor() {
    try {
      this.said = localStorage.getItem(KEY);
    } catch {
      // Opened from a place without storage: nothing is remembered.
    }
    this.system.addEventListener("change", () => this.apply());
    this.apply();
  }

  get dark(): boolean {
    return this.said ? this.said === "dark" : this.system.matches;
  }

  toggle(): void {
    this.said = this.dark ? "light" : "dark";
    try {
      localStorage.setItem(KEY, this.said);
    } catch {
      // As above.
    }
    this.apply();
  }

  listen(listener: (dark: boolean) => void): void {
    this.listeners.push(listener);
    listener(this.dark);
  }

  private apply(): void {
    document.documentElement.dataset.theme = this.dark ? "dark" : "light";
    for (const listener of this.listeners) listener(this.dark);
  }
}

export const theme = new Theme();
