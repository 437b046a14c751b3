/** Numbers for the lines of lists whose order may change: each keeps its own. They begin with 1 in each list. */
export class LineNumbers {
  readonly #lists = new Map<string, Map<string, number>>();

  /** The number of a line: the next one of its list, where it has none. */
  of(list: string, line: string): number {
    const numbers = this.#lists.get(list) ?? new Map<string, number>();
    this.#lists.set(list, numbers);
    const number = numbers.get(line) ?? numbers.size + 1;
    numbers.set(line, number);
    return number;
  }
}
