/** The keys that lead to a value of the arguments. */
export type Keys = readonly (string | number)[];

/** What a call says becomes of a file, as far as it is understood. */
export type SaidChange = {
  readonly path: string;
  /** It stands in a list or an object of the arguments, not among them. */
  readonly isNested: boolean;
} & (SaidText | SaidWithoutText);

/** A text that a file is to have. */
export type SaidText = {
  /** `edit`: it takes the place of another one; `insert`: it is put somewhere; `write`: it is all of the file. */
  readonly is: 'edit' | 'insert' | 'write';
  /** What stood there before; `''` where that is not said. */
  readonly old: string;
  readonly now: string;
  /** Where it stands by itself; `undefined`: in a patch. */
  readonly keys: Keys | undefined;
  /** The patch that it stands in; its sides are whole lines. */
  readonly patch: string | undefined;
  /** What that says of where in the file it is; nothing of what stands by itself. */
  readonly places: readonly string[];
  /** It is shown as a diff beside what the call says: both texts may be a part of the file, or all of it. Default: they are what they are. */
  readonly isDiff?: boolean;
};

/** What is said of a file, and no text of it. `delete`: it goes; `move`: another file becomes this one. */
export type SaidWithoutText = { readonly is: 'delete' | 'move' };
