/** Tells the person who runs the process about a problem with files: each once, until it has passed. */
export class ProblemReports {
  readonly #report: (line: string) => void;
  readonly #told = new Map<string, string>();

  constructor(report: (line: string) => void) {
    this.#report = report;
  }

  /** `about` is the file, or whatever else the problem is with. */
  tell(about: string, line: string): void {
    if (this.#told.get(about) === line) return;
    this.#told.set(about, line);
    this.#report(line);
  }

  /** It works again. */
  forget(about: string): void {
    this.#told.delete(about);
  }
}
