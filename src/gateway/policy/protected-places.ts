import { STATE_DIR } from '../../workflow/project/project-root.ts';
import { asRead } from './as-read.ts';
import { namesIn, plainPath } from './name-in-text.ts';
import { mayBeBelow, type Bases } from './path-below.ts';

/** Where git keeps what it starts: in every repository below the project, too. */
export const GIT_DIR = '.git';

/** Where Clifford, git and the policy keep what decides over agents: no agent writes there, whoever allows it. */
export const PROTECTED = [STATE_DIR, GIT_DIR, 'mcp.json', 'clifford.json'];

/** What of the user's own decides over agents, in every project. Absolute. */
export type UsersPlaces = {
  /** What `~` stands for. */
  readonly home: string | undefined;
  /** Files and folders: what the user trusts, and how each project is worked on. */
  readonly protects: readonly string[];
};

/** Where relative paths may start, the folder of the call and those that it goes to; and what is protected elsewhere. */
export type Places = {
  readonly root: string;
  readonly cwds: readonly string[];
  readonly users?: UsersPlaces | undefined;
} & Pick<Bases, 'throughLinks'>;

/** The protected place that a path leads to, from any of the folders; `undefined`: to none. */
function protectedPlace(path: string, { root, cwds, throughLinks, users }: Places): string | undefined {
  const isHomes = users?.home !== undefined && path.startsWith('~/');
  const paths = isHomes ? [path, `${users.home}${path.slice(1)}`] : [path];
  const ways = paths.map(mayBeBelow);
  const leadsTo = (folder: string) =>
    ways.some((may) => cwds.some((cwd) => may(folder, { root, cwd, throughLinks }) === 'yes'));
  const place =
    PROTECTED.find((name) => leadsTo(`${root}/${name}`)) ?? users?.protects.find((each) => leadsTo(each));
  if (place !== undefined) return place;
  const own = path.startsWith(`${root}/`) ? path.slice(root.length) : path;
  return /(?:^|[/\\])\.git(?:[/\\]|$)/.test(asRead(own)) ? GIT_DIR : undefined;
}

/**
 * The protected place that a word of a command names: as a path, as the value of an option (`-t.git`, `--to=.git`), or
 * somewhere in a text that is more than a path, such as a program for `python -c`.
 */
function placeNamedBy(word: string, places: Places): string | undefined {
  const value = /^-+[A-Za-z]?(.+)$/s.exec(word)?.[1];
  for (const text of value === undefined ? [word] : [word, value]) {
    const place =
      protectedPlace(text, places) ?? (plainPath.test(text) ? undefined : placeInText(text, places));
    if (place !== undefined) return place;
  }
  return undefined;
}

/** What a path leads to, or a word of a command names. */
type FindPlace = (text: string, places: Places) => string | undefined;

/** {@link protectedPlace} and {@link placeNamedBy}. */
export type PlacesOfCall = { readonly ledTo: FindPlace; readonly namedBy: FindPlace };

/** For the parts of one call, which have words, files and folders in common: each is looked at once from the same folders. */
export function placesOfCall(): PlacesOfCall {
  return { ledTo: remembered(protectedPlace), namedBy: remembered(placeNamedBy) };
}

function remembered(find: FindPlace): FindPlace {
  const known = new Map<string, Map<string, string | undefined>>();
  return (text, places) => {
    const from = JSON.stringify(places.cwds);
    const found = known.get(from) ?? new Map<string, string | undefined>();
    known.set(from, found);
    if (!found.has(text)) found.set(text, find(text, places));
    return found.get(text);
  };
}

/** The protected place whose name stands in a text, wherever that leads. Of one below the home folder the rest is enough. */
export function placeInText(text: string, { users }: Pick<Places, 'users'>): string | undefined {
  const isNamed = namesIn(...new Set([text, text.replaceAll('\\', '')]));
  const below = `${users?.home}/`;
  return (
    PROTECTED.find(isNamed) ??
    users?.protects.find((each) => isNamed(each.startsWith(below) ? each.slice(below.length) : each))
  );
}
