import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Programs that only write down that they were started, and with what. */
export const standIns = ['rm', 'git', 'cp', 'ls', 'mv', 'cc'] as const;

/** The real ones that texts may use: they start others, or print. */
const real = [
  'bash',
  'sh',
  'env',
  'nice',
  'nohup',
  'timeout',
  'stdbuf',
  'xargs',
  'find',
  'cat',
  'base64',
  'time',
];

/** How long a text may run. What it started until then counts; one that takes longer than a moment has no end. */
const SECONDS_OF_A_TEXT = 2;

/** Between words and between starts in what a stand-in writes down; no text has them. */
const [word, start] = ['\u001f', '\u001e'];

/**
 * Runs each text in the real bash, in an empty folder of its own and with nothing on its PATH but stand-ins and what
 * starts them.
 *
 * @returns for each text the commands that ran, as they were started.
 */
export function runInBash(texts: readonly string[]): string[][][] {
  const folder = mkdtempSync(join(tmpdir(), 'clifford-bash-'));
  try {
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    for (const name of standIns) {
      const file = join(bin, name);
      // In one write, so that those of a pipe do not mix.
      writeFileSync(
        file,
        `#!/bin/sh\nIFS='${word}'\nset -- ${name} "$@"\nprintf '%s%s' "$*" '${start}' >> "$STARTED"\n`,
      );
      chmodSync(file, 0o755);
    }
    for (const name of real) {
      const path = pathOf(name);
      if (path !== undefined) symlinkSync(path, join(bin, name));
    }
    for (const [at, text] of texts.entries()) {
      mkdirSync(join(folder, `${at}`));
      writeFileSync(join(folder, `${at}.sh`), text);
      writeFileSync(join(folder, `${at}.log`), '');
    }
    // A text may call itself in a pipe, or go round a loop, without an end: `timeout` makes a process group of each, which is
    // ended with what it left when all have run.
    const driver = `groups=()
    for ((i = 0; i < ${texts.length}; i++)); do
      cd "$FOLDER/$i"
      IFS= read -rd '' text < "$FOLDER/$i.sh"
      STARTED="$FOLDER/$i.log" timeout --signal=KILL ${SECONDS_OF_A_TEXT} bash --norc --noprofile -c "$text" bash &
      groups+=("-$!")
      wait "$!"
    done
    kill -KILL -- "\${groups[@]}"
    exit 0`;
    const { status, error } = spawnSync('bash', ['--norc', '--noprofile', '-c', driver], {
      env: { PATH: bin, FOLDER: folder, HOME: folder, LC_ALL: 'C.UTF-8', FUNCNEST: '6' },
      stdio: 'ignore',
    });
    if (status !== 0) throw new Error(`bash ended with ${status}`, { cause: error });
    return texts.map((_, at) => startsIn(readFileSync(join(folder, `${at}.log`), 'utf8')));
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function startsIn(log: string): string[][] {
  return log
    .split(start)
    .slice(0, -1)
    .map((line) => line.split(word));
}

function pathOf(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
