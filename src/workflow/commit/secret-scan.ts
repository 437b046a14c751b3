import { basename } from 'node:path/posix';
import type { Git } from '../git/git.ts';
import { NO_FILE, type TreeChange } from '../git/staged-tree.ts';
import { listed } from '../../lib/text/listed.ts';
import { uncommitted } from '../git/uncommitted.ts';

/** Names of files that are there to hold a secret. */
const SECRET_NAMES = [
  /^\.env(\..+)?$/,
  /\.(pem|key|p12|pfx|p8|jks|keystore|kdbx|ppk)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$/,
  /^\.(netrc|pgpass|pypirc|git-credentials|htpasswd)$/,
  /^(credentials|service-account.*)\.json$/,
];

/** Names of examples of such files. */
const EXAMPLE_NAME = /^\.env\.(example|sample|template|dist|defaults)$/;

/** A gitlink: the commit of a submodule, no content of this repository. */
const GITLINK = '160000';

/**
 * Looks through what a commit would add: names of files, and every line that the file did not have before.
 *
 * @param asLogged - Replaces secrets in a text.
 * @throws {CliffordError} {@link uncommitted}, naming the files and never the secret.
 */
export async function refuseSecrets(
  git: Git,
  changes: readonly TreeChange[],
  asLogged: (text: string) => string,
): Promise<void> {
  const added = changes.filter(({ newMode }) => newMode !== NO_FILE && newMode !== GITLINK);
  const named = added.filter(({ path }) => isSecretName(path) || asLogged(path) !== path);
  if (named.length > 0) throw refusal(`${listed(named.map(({ path }) => asLogged(path)))} by its name`);
  const blobs = await readBlobs(git, added);
  const hits = added.flatMap((change) => {
    const line = secretLine(blobs.get(change.oldId) ?? '', blobs.get(change.newId) ?? '', asLogged);
    return line === undefined ? [] : [`${change.path}:${line}`];
  });
  if (hits.length > 0) throw refusal(listed(hits));
}

function isSecretName(path: string): boolean {
  const name = basename(path).toLowerCase();
  return !EXAMPLE_NAME.test(name) && SECRET_NAMES.some((shape) => shape.test(name));
}

function refusal(where: string): Error {
  return uncommitted(
    `it seems to contain a secret: ${where}`,
    'Remove the secret, or, if it is not one, commit by hand',
  );
}

/** The number of the first added line of a secret, from 1. */
function secretLine(before: string, after: string, asLogged: (text: string) => string): number | undefined {
  const known = new Set(before.split('\n'));
  // Lines that were there stay as empty ones: a secret may be of several lines, and has a place.
  const added = after.split('\n').map((line) => (known.has(line) ? '' : line));
  const text = added.join('\n');
  const masked = asLogged(text);
  if (masked === text) return undefined;
  const lines = masked.split('\n');
  return added.findIndex((line, index) => lines[index] !== line) + 1;
}

/** Contents by id, as far as there are any. */
async function readBlobs(git: Git, changes: readonly TreeChange[]): Promise<Map<string, string>> {
  const ids = new Set(
    changes.flatMap(({ oldMode, oldId, newId }) =>
      oldMode === NO_FILE || oldMode === GITLINK ? [newId] : [oldId, newId],
    ),
  );
  const blobs = new Map<string, string>();
  if (ids.size === 0) return blobs;
  const input = [...ids].map((id) => `${id}\n`).join('');
  const tooMuch = 'more than 64 MiB would have to be looked through for secrets';
  const { code, how, stdout } = await git.run(['cat-file', '--batch'], { input, tooMuch });
  if (code !== 0) throw uncommitted(how);
  // For each: `<id> blob <size>`, a newline, the content, a newline.
  for (let at = 0; at < stdout.length;) {
    const lineEnd = stdout.indexOf('\n', at);
    const [id = '', , size = '0'] = stdout.toString('utf8', at, lineEnd).split(' ');
    const start = lineEnd + 1;
    blobs.set(id, stdout.toString('utf8', start, start + Number(size)));
    at = start + Number(size) + 1;
  }
  return blobs;
}
