import type { ShownServer } from '../../gateway/config/shown-server.ts';
import { escapeAgentLine } from '../../lib/text/sanitise.ts';
import { paragraph } from '../text/paragraph.ts';

const MASK = '•••';

/** What a server of `mcp.json` runs or reaches, and what it is given, a line each. No value of a secret. */
export function shownLines(server: ShownServer, width: number): string[] {
  const { command, args = [], cwd, url, env, headers, isFullyTrusted } = server;
  const facts: [string, string | undefined][] = [
    ['runs', command === undefined ? undefined : [command, ...args].map(word).join(' ')],
    ['in', cwd === undefined ? undefined : word(cwd)],
    ['reaches', url === undefined ? undefined : word(url)],
    ['env', masked(env)],
    ['headers', masked(headers)],
    ['trust', isFullyTrusted ? 'full: what it says of its own tools is believed' : undefined],
  ];
  return facts.flatMap(([name, text]) =>
    text === undefined ? [] : paragraph(`    ${name.padEnd(8)} `, text, width),
  );
}

/** As it is, or as a JSON text where a reader could not tell where it begins and ends. */
function word(text: string): string {
  return /^[\w@%+=:,./$#{}?&~•-]+$/.test(text) ? text : escapeAgentLine(JSON.stringify(text));
}

function masked(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : names.map((name) => `${word(name)}=${MASK}`).join(', ');
}
