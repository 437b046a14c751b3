import { STATE_DIR } from '../../workflow/project/project-root.ts';
import { asRead } from './hidden-characters.ts';
import { namesInText, plainPath } from './name-in-text.ts';
import { mayBeBelow, type Bases } from './path-below.ts';

/** Where git keeps what it starts: in every repository below the project, too. */
const GIT_DIR = '.git';

/** Where Clifford, git and the policy keep what decides over agents: no agent writes there, whoever allows it. */
const PROTECTED = [STATE_DIR, GIT_DIR, 'mcp.json', 'clifford.json'];

/** Where relative paths may start: the folder of the call, and those that it goes to. */
export type Places = { readonly root: string; readonly cwds: readonly string[] } & Pick<
  Bases,
  'throughLinks'
>;

/** The protected place that a path leads to, from any of the folders; `undefined`: to none. */
export function protectedPlace(path: string, { root, cwds, throughLinks }: Places): string | undefined {
  const place = PROTECTED.find((name) =>
    cwds.some((cwd) => mayBeBelow(path, `${root}/${name}`, { root, cwd, throughLinks }) === 'yes'),
  );
  if (place !== undefined) return place;
  const own = path.startsWith(`${root}/`) ? path.slice(root.length) : path;
  return /(?:^|[/\\])\.git(?:[/\\]|$)/.test(asRead(own)) ? GIT_DIR : undefined;
}

/**
 * The protected place that a word of a command names: as a path, as the value of an option (`-t.git`, `--to=.git`), or
 * somewhere in a text that is more than a path, such as a program for `python -c`.
 */
export function placeNamedBy(word: string, places: Places): string | undefined {
  const value = /^-+[A-Za-z]?(.+)$/s.exec(word)?.[1];
  for (const text of value === undefined ? [word] : [word, value]) {
    const place = protectedPlace(text, places) ?? (plainPath.test(text) ? undefined : placeInText(text));
    if (place !== undefined) return place;
  }
  return undefined;
}

/** The protected place whose name stands in a text, wherever that leads. */
export function placeInText(text: string): string | undefined {
  const readings = [text, text.replaceAll('\\', '')];
  return PROTECTED.find((name) => readings.some((each) => namesInText(each, name)));
}
