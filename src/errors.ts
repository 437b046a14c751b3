/** What the caller can do next. The exit code follows from it: `fix-input` → 2, the rest → 1. */
export type Recovery = 'fix-input' | 'retry' | 'reopen' | 'give-up';

/** Shape of a {@link CliffordError}, apart from its message. */
export type CliffordErrorOptions = {
  /** Stable, upper case, for programs: `LOG_CORRUPT`. */
  code: string;
  /** The next action, for people: one sentence without a period. */
  fix: string;
  /** Default: `fix-input`. */
  recovery?: Recovery | undefined;
  cause?: unknown;
};

/** What failed and what to do about it, in one line. */
export function inOneLine({ message, fix }: { readonly message: string; readonly fix: string }): string {
  return `${message}${/[.?!]$/.test(message) ? '' : '.'} ${fix}`;
}

/**
 * Base of every error Clifford throws on purpose.
 *
 * `message` says what failed with the actual values, `fix` what to do about it. Callers switch on
 * `code` and `recovery`, never on the text. Anything that is not a `CliffordError` is a bug.
 */
export class CliffordError extends Error {
  override readonly name: string = 'CliffordError';
  readonly code: string;
  readonly fix: string;
  readonly recovery: Recovery;

  constructor(message: string, options: CliffordErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code;
    this.fix = options.fix;
    this.recovery = options.recovery ?? 'fix-input';
  }

  /** See {@link inOneLine}. */
  get inOneLine(): string {
    return inOneLine(this);
  }
}
