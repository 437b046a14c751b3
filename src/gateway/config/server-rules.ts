import type { Path } from './read-section.ts';
import type { ServerEntry } from './mcp-schema.ts';
import { urlProblem } from './url-rules.ts';

/** What is wrong at one key of an entry whose keys may each be right. No rule shows a value: it may be a secret. */
export type ServerMisfit = { readonly path: Path; readonly rule: string };

/** What a variable or a header may not hold: a program or a line would end there. */
const NUL = '\0';

/** What is wrong with an entry of `servers` as a whole, its variables replaced. */
export function serverMisfits(entry: ServerEntry): ServerMisfit[] {
  const { command, url, transport, type } = entry;
  if (command === undefined && url === undefined)
    return [{ path: [], rule: 'must have command, a program, or url, where a server is' }];
  if (command !== undefined && url !== undefined)
    return [{ path: ['url'], rule: 'cannot be combined with command: a server has one of the two' }];
  const key = transport === undefined ? 'type' : 'transport';
  const said = transport ?? type;
  if (transport !== undefined && type !== undefined && sameTransport(transport) !== sameTransport(type))
    return [{ path: ['type'], rule: `says ${type}, and transport says ${transport}` }];
  if (said === 'stdio' && url !== undefined)
    return [{ path: [key], rule: 'must be http or sse with url (current value is "stdio")' }];
  if (said !== undefined && said !== 'stdio' && command !== undefined)
    return [{ path: [key], rule: `must be stdio with command (current value is "${said}")` }];
  return url === undefined ? programMisfits(entry) : urlMisfits(url, entry);
}

/** `streamable-http` is the long name of `http`. */
export function sameTransport(transport: NonNullable<ServerEntry['transport']>): 'stdio' | 'http' | 'sse' {
  return transport === 'streamable-http' ? 'http' : transport;
}

/** Keys that mean nothing for the kind of server an entry has. */
export function idleKeys({ url }: ServerEntry): readonly string[] {
  return url === undefined ? ['headers', 'allowInsecure'] : ['args', 'cwd', 'env'];
}

function programMisfits({ command, args, cwd, env }: ServerEntry): ServerMisfit[] {
  const texts: [Path, string | undefined][] = [
    [['command'], command],
    ...args.map((arg, index): [Path, string] => [['args', index], arg]),
    [['cwd'], cwd],
    ...Object.entries(env).map(([name, value]): [Path, string] => [['env', name], value]),
  ];
  return texts
    .filter(([, text]) => text?.includes(NUL))
    .map(([path]) => ({ path, rule: 'must not have a NUL character in it' }))
    .concat(blank(['command'], command), blank(['cwd'], cwd));
}

function blank(path: Path, text: string | undefined): ServerMisfit[] {
  return text?.trim() === '' ? [{ path, rule: 'must be a text that is not empty' }] : [];
}

function urlMisfits(url: string, { headers, allowInsecure }: ServerEntry): ServerMisfit[] {
  const misfits: ServerMisfit[] = [];
  const problem = urlProblem(url, { allowInsecure });
  if (problem !== undefined) misfits.push({ path: ['url'], rule: problem });
  for (const [name, value] of Object.entries(headers)) {
    const path = ['headers', name];
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) misfits.push({ path, rule: 'has no name of a header' });
    // oxlint-disable-next-line no-control-regex -- these are what ends a header early
    else if (/[\0-\x08\x0a-\x1f\x7f]|[^\0-\xff]/.test(value))
      misfits.push({
        path,
        rule: 'must have no line break, and no character a header cannot carry, in its value',
      });
  }
  return misfits;
}
