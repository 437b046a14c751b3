/** What runs the program that its first argument names. */
const interpreters =
  /^(?:node|nodejs|bun|deno|tsx|npx|bunx|uvx|python[\d.]*|ruby|perl|php|sh|bash|zsh|dash)$/;

/** Stand before the program, and take no value. */
const plainOptions = new Set(['-y', '--yes', 'run', '--']);

/**
 * What a command line is called: `/usr/bin/my-agent --acp` is `my-agent`, `node dir/my-agent.mjs` and
 * `npx -y @scope/my-agent@1.2` are too. An interpreter with options of its own is called what it is: which of
 * its arguments is the program cannot be told.
 */
export function commandName([program = '', ...args]: readonly string[]): string {
  const name = baseName(program);
  if (!interpreters.test(name)) return plainName(name);
  const script = args.find((arg) => !plainOptions.has(arg));
  const own = script === undefined || script.startsWith('-') ? '' : plainName(baseName(script));
  return /\w/.test(own) ? own : plainName(name);
}

/** The last part of a path, without the version of a package and the extension of a program. */
function baseName(path: string): string {
  const last = path.split(/[/\\]/).findLast((part) => part !== '') ?? '';
  return last.replace(/(?<=.)@.*$/, '').replace(/(?<=.)\.(?:[cm]?[jt]s|cmd|exe|bat|sh|py|rb|pl|php)$/i, '');
}

function plainName(name: string): string {
  return name.replaceAll(/[^\w.-]/g, '_').slice(0, 64);
}
