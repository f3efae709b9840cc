/** Counts by key. Keys with a count of 0 take no memory. */
export class KeyCounts {
  readonly #counts = new Map<string, number>();

  get(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, delta: number): void {
    const count = this.get(key) + delta;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }

  keys(): Iterable<string> {
    return this.#counts.keys();
  }
}
