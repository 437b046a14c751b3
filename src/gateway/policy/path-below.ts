import { posix } from 'node:path';
import { asRead } from './hidden-characters.ts';
import type { Match } from './match.ts';
import { agreed } from './match.ts';

/** Where relative paths start, absolute. Unknown ones make a relative path a riddle, not a danger. */
export type Bases = {
  /** For the folder of the rule. */
  readonly root: string | undefined;
  /** For the path of the call. */
  readonly cwd: string | undefined;
  /** Where an absolute path leads on this disk; `undefined` where nobody can tell. Without it no link is followed. */
  readonly throughLinks?: ThroughLinks | undefined;
};

/** Follows the links in an absolute path, of which the end need not exist. */
export type ThroughLinks = (path: string) => string | undefined;

/**
 * Whether a path stays in a folder, or is the folder, once its `.` and `..` are resolved and its links followed.
 *
 * Servers read paths in more ways than one: with `\` between folders, with `%2e`, in compatibility characters, as
 * a `file:` URL, with `~` for a home. Where the readings differ, or one is unknown, it is `unsure`.
 */
export function isBelow(path: string, folder: string, bases: Bases): Match {
  const readings = readingsOf(path);
  if (readings.some((reading) => reading.includes('\0'))) return 'unsure';
  return agreed(readings.map((reading) => oneReading(reading, folder, bases)));
}

/** For rules that refuse: on many disks `Secret` and `secret` are the same folder, and `é` is, however it is written. */
export function isBelowInAnyCase(path: string, folder: string, bases: Bases): Match {
  const { root, cwd } = bases;
  const read = { root: root && asRead(root), cwd: cwd && asRead(cwd) };
  return agreed([isBelow(path, folder, bases), isBelow(asRead(path), asRead(folder), read)]);
}

function oneReading(path: string, folder: string, { root, cwd, throughLinks }: Bases): Match {
  const whole = wholePath(path, cwd);
  const above = wholePath(folder, root);
  if (whole === undefined || above === undefined) return 'unsure';
  const written = isIn(whole, above);
  if (!throughLinks) return written;
  const [real, realAbove] = [throughLinks(whole), throughLinks(above)];
  return agreed([written, real === undefined || realAbove === undefined ? 'unsure' : isIn(real, realAbove)]);
}

function isIn(path: string, folder: string): Match {
  return folder === '/' || path === folder || path.startsWith(`${folder}/`) ? 'yes' : 'no';
}

function readingsOf(path: string): string[] {
  const plain = pathOfUrl(path);
  const decoded = percentDecoded(plain);
  const written = [plain, decoded, decoded.normalize('NFKC')];
  const slashed = written.flatMap((text) => [text, text.replaceAll('\\', '/')]);
  return [...new Set(slashed.flatMap((text) => [text, text.trim()]))];
}

/** Absolute and without `..`; `undefined` for what cannot be known. */
function wholePath(path: string, base: string | undefined): string | undefined {
  const slashed = withDrive(path);
  // `~` is a home, `x:` a scheme or another drive's current folder.
  if (/^(?:~|[A-Za-z][A-Za-z0-9+.-]*:)/.test(slashed)) return undefined;
  if (slashed.startsWith('/')) return trimmed(posix.normalize(slashed.replace(/^\/+/, '/')));
  if (base === undefined) return undefined;
  return trimmed(posix.normalize(`${withDrive(base)}/${slashed}`));
}

/** `C:\a\b` as `/C:/a/b`. */
function withDrive(path: string): string {
  return /^[A-Za-z]:[\\/]/.test(path) ? `/${path.replaceAll('\\', '/')}` : path;
}

function trimmed(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
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
