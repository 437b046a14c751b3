/** The model that the command line of an agent names; `undefined`: none. */
export function modelIn({
  adapter,
  argv,
}: {
  readonly adapter: string;
  readonly argv: readonly string[];
}): string | undefined {
  // What is short means something else to most programs.
  const flags = adapter === 'command' ? ['--model'] : ['--model', '-m'];
  for (const [at, arg] of argv.entries()) {
    if (flags.includes(arg)) return argv[at + 1];
    if (arg.startsWith('--model=')) return arg.slice('--model='.length);
  }
  return undefined;
}
