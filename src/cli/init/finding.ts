/** A file as it is, and as it would be. */
export type Change = {
  /** Absolute. */
  readonly path: string;
  /** From the project's root. */
  readonly shown: string;
  /** What it is for, in a few words. */
  readonly about: string;
  /** `undefined`: there is no such file. */
  readonly before: string | undefined;
  readonly after: string;
  /** A copy of a long file that comes with Clifford: it is named, not shown. */
  readonly isCopy?: true;
};

/** What there is to do about a file. */
export type Finding =
  | { readonly is: 'there'; readonly shown: string; readonly about: string }
  | { readonly is: 'wanted'; readonly change: Change }
  /** It says something else there, and is left as it is unless that is asked for. */
  | { readonly is: 'different'; readonly change: Change }
  /** It is left alone: it cannot be read, or has no place for it. */
  | { readonly is: 'refused'; readonly shown: string; readonly reason: string };
