/** An option of a command line, with where it stands. */
export type OptionValue = {
  readonly at: number;
  /** How many words it takes: its name and its value, or both in one. */
  readonly count: 1 | 2;
  /** `undefined`: nothing stands behind it. */
  readonly value: string | undefined;
};

/** Finds `--name value`, or `--name=value`, in a command line, wherever it stands before a `--`. */
export function optionValue(argv: readonly string[], name: string): OptionValue | undefined {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  const at = argv.findIndex((word, index) => index < end && (word === name || word.startsWith(`${name}=`)));
  const word = argv[at];
  if (word === undefined) return undefined;
  return word === name
    ? { at, count: 2, value: argv[at + 1] }
    : { at, count: 1, value: word.slice(name.length + 1) };
}
