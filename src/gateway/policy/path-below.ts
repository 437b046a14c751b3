import type { FoundThere } from '../../lib/files/way-of-path.ts';
import { withoutHidden } from '../../lib/text/hidden-characters.ts';
import { asRead } from './as-read.ts';
import { type Match, agreed } from './match.ts';

/** Where relative paths start, absolute. Unknown ones make a relative path a riddle, not a danger. */
export type Bases = {
  /** For the folder of the rule. */
  readonly root: string | undefined;
  /** For the path of the call. */
  readonly cwd: string | undefined;
  /** Where an absolute path leads on this disk; `undefined` where nobody can tell. Without it no link is followed. */
  readonly throughLinks?: ThroughLinks | undefined;
};

/** What was found at places. */
export type FoundPlaces = Map<string, FoundThere>;

/** Follows the links in an absolute path, of which the end need not exist. It looks at no place that is among `found`. */
export type ThroughLinks = (path: string, found?: FoundPlaces) => string | undefined;

/**
 * The same, each path followed once, and each place on its way looked at once: for one call, of which each text is held against
 * each protected place, and each time the same folders are followed.
 */
export function remembering(throughLinks: ThroughLinks): ThroughLinks {
  const known = new Map<string, string | undefined>();
  const found: FoundPlaces = new Map();
  return (path) => {
    if (!known.has(path)) known.set(path, throughLinks(path, found));
    return known.get(path);
  };
}

/**
 * Whether a path stays in a folder, or is the folder, once its `.` and `..` are resolved and its links followed: `..`
 * as a part of the text, which takes away the name before it, and as the system does it, which goes up from where that
 * name led.
 *
 * Servers read paths in more ways than one: with `\` between folders, with `%2e`, in compatibility characters, as
 * a `file:` URL, without characters that nobody sees, with `~` for a home, with variables, wildcards, quotes and
 * alternatives as a shell has them. Where the readings differ, or one is unknown, it is `unsure`; so it is where the way leads
 * through what is each process' own.
 */
export function isBelow(path: string, folder: string, bases: Bases): Match {
  const readings = readingsOf(path);
  if (readings === undefined || readings.some((reading) => expanded.test(reading))) return 'unsure';
  return agreed(readings.flatMap((reading) => verdictsOn(reading, folder, bases)));
}

/**
 * What somebody may make another path of, or several: a NUL, the end of a line, a variable, a command, alternatives, wildcards, `%u002e`, and `..` with
 * blanks or signs behind it. Brackets around a whole name are left, also in front of the ending of a file: many frameworks have files of such names.
 */
const expanded =
  /[\p{Cc}`*?]|[^/\\[]\[+[^/\\[\]]*\]|\[[^/\\[\]]*\]+(?!\.\w[\w.]*$)[^/\\\]]|\$(?:[A-Z_a-z]+(?:\/|$)|[({])|%[A-Z_a-z]+%|%u[\dA-Fa-f]{4}|\{[^{},]*,[^{}]*\}|(?:^|[/\\])\.\.[^/\\.\w]/u;

/** The links and open files of a process, which `/proc/self` and `/dev/fd` lead to: other ones in each process. */
export const ofProcess = /^\/+(?:proc\/+(?:self|thread-self|\d+)|dev\/+(?:fd|stdin|stdout|stderr))(?:\/|$)/;

/** For rules that refuse: on many disks `Secret` and `secret` are the same folder, and `é` is, however it is written. */
export function isBelowInAnyCase(path: string, folder: string, bases: Bases): Match {
  return agreed([isBelow(path, folder, bases), isBelow(asRead(path), asRead(folder), basesAsRead(bases))]);
}

/**
 * Whether a path may lead into a folder, in any case: `yes` where it does in one of its readings, or leads through what is
 * each process' own; `unsure` where one of them leads nobody knows where. In time that grows with the length of the path, and no faster.
 * What the path may be read as is worked out once, for however many folders.
 */
export function mayBeBelow(path: string): (folder: string, bases: Bases) => Match {
  const readings = readingsOf(path);
  if (readings === undefined) return () => 'unsure';
  // A program written in C reads no further than the first NUL.
  const texts = new Set(readings.flatMap((text) => [text, text.split('\0', 1)[0] ?? '']));
  const ways = [...texts].map((text) => [text, asRead(text)] as const);
  return (folder, bases) => {
    let isUnsure = false;
    for (const [text, read] of ways) {
      const verdicts = new Set([
        ...verdictsOn(text, folder, bases, 'yes'),
        ...verdictsOn(read, asRead(folder), basesAsRead(bases), 'yes'),
      ]);
      if (verdicts.has('yes')) return 'yes';
      isUnsure ||= verdicts.has('unsure');
    }
    return isUnsure ? 'unsure' : 'no';
  };
}

function basesAsRead({ root, cwd }: Bases): Bases {
  return { root: root && asRead(root), cwd: cwd && asRead(cwd) };
}

/** A longer path is opened by no system, in UTF-16 units; a server may open what it makes of it. */
export const MAX_PATH_LENGTH = 4_096;

/** @param throughProcess - What it says of a path through what is each process' own. */
function verdictsOn(
  path: string,
  folder: string,
  { root, cwd, throughLinks }: Bases,
  throughProcess: Match = 'unsure',
): Match[] {
  const written = absolute(path, cwd);
  const above = absolute(folder, root);
  if (written === undefined || above === undefined) return ['unsure'];
  const [whole, wholeAbove] = [normalised(written), normalised(above)];
  const asText = ofProcess.test(whole) ? throughProcess : isIn(whole, wholeAbove);
  if (!throughLinks) return [asText];
  const realAbove = throughLinks(wholeAbove);
  const ways = new Set([whole, `/${namesIn(written).join('/')}`]);
  const followed = [...ways].map((each): Match => {
    const real = each.length > MAX_PATH_LENGTH ? undefined : throughLinks(each);
    if (real === undefined || realAbove === undefined) return 'unsure';
    return ofProcess.test(real) ? throughProcess : isIn(real, realAbove);
  });
  return [asText, ...followed];
}

function isIn(path: string, folder: string): Match {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`) ? 'yes' : 'no';
}

/** As often as somebody may decode a path: by hand, in a URL, in a URL that stands in another. */
const MAX_DECODINGS = 4;

/** A text, and what it is once it is decoded, and decoded again; `undefined` when there is no end of them. */
export function decodingsOf(path: string): string[] | undefined {
  const decoded = [pathOfUrl(path)];
  for (let last = decoded[0] ?? ''; percentDecoded(last) !== last; last = decoded.at(-1) ?? '') {
    if (decoded.length > MAX_DECODINGS) return undefined;
    decoded.push(percentDecoded(last));
  }
  return decoded;
}

/** What programs may make of a path before they look for it. `undefined` when there is no end of them. */
export function readingsOf(path: string): string[] | undefined {
  // What looks like a percent sign becomes one.
  const compatible = decodingsOf(path.normalize('NFKC'));
  const written =
    compatible &&
    decodingsOf(path)
      ?.flatMap((text) => [text, text.normalize('NFKC')])
      .concat(compatible);
  const slashed = written?.flatMap((text) => [text, text.replaceAll('\\', '/')]);
  const unquoted = slashed?.flatMap((text) => [text, text.replaceAll(/['"]/g, '')]);
  const shown = unquoted?.flatMap((text) => [text, withoutHidden(text)]);
  return shown && [...new Set(shown.flatMap((text) => [text, text.trim()]))];
}

/** Absolute, its `..` as they are written; `undefined` for what cannot be known. */
function absolute(path: string, base: string | undefined): string | undefined {
  const slashed = withDrive(path);
  // `~` is a home, `x:` a scheme or another drive's current folder.
  if (/^(?:~|[A-Za-z][A-Za-z0-9+.-]*:)/.test(slashed)) return undefined;
  if (slashed.startsWith('/')) return slashed.replace(/^\/+/, '/');
  return base === undefined ? undefined : `${withDrive(base)}/${slashed}`;
}

/** The names in a path, without what leads nowhere. */
function namesIn(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

/** Without `..`. */
function normalised(path: string): string {
  const kept: string[] = [];
  for (const name of namesIn(path))
    if (name === '..') kept.pop();
    else kept.push(name);
  return `/${kept.join('/')}`;
}

/** `C:\a\b` as `/C:/a/b`. */
function withDrive(path: string): string {
  return /^[A-Za-z]:[\\/]/.test(path) ? `/${path.replaceAll('\\', '/')}` : path;
}

function pathOfUrl(path: string): string {
  const local = /^file:\/\/(?:localhost)?(\/.*)$/is.exec(path.trim());
  return local?.[1] === undefined ? path : percentDecoded(local[1]);
}

/** As lenient servers do it: what encodes no character does not keep the rest from being decoded. */
function percentDecoded(path: string): string {
  return path.replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, (codes) =>
    Buffer.from(codes.replaceAll('%', ''), 'hex').toString(),
  );
}
