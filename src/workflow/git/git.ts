import { constants, devNull } from 'node:os';
import { resolve } from 'node:path';
import { runGroup, type GroupStart } from '../../lib/processes/run-group.ts';
import { gitFailed } from './git-failed.ts';
import { interrupted, uncommitted } from './uncommitted.ts';

/** Where git is run, and what ends it. */
export type GitPlace = Pick<GroupStart, 'cwd' | 'signal'> & {
  /** Added to the environment of this process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Longest time that a command may take which says nothing of its own about that, in ms. */
  readonly limitMs?: number;
};

/** How a git command ended, and what it printed. */
export type GitEnd = {
  readonly code: number;
  /** In words: `git commit ended with exit code 1`. */
  readonly how: string;
  readonly stdout: Buffer;
  readonly stderr: string;
};

/** How one command differs from the others. */
type GitOptions = {
  readonly input?: string;
  /** The index to work with instead of the user's. */
  readonly index?: string;
  /** Longest time it may take, in ms. */
  readonly limitMs?: number;
  /** Why there is no commit when it prints more than {@link MAX_OUTPUT_BYTES}. */
  readonly tooMuch?: string;
  /** It runs hooks: they find the environment they are used to. */
  readonly hasHooks?: boolean;
};

/** Longest time that git may take for what is not a commit, in ms. A first look at a large tree is slow. */
const LIMIT_MS = 2 * 60_000;

/** The same for what writes the files of a large repository. */
export const CHECKOUT_LIMIT_MS = 20 * 60_000;

/** Most bytes that git may print: more is not looked at. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Variables that would lead git to another repository, or have its reflog say something else. */
const MISLEADING = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_COMMON_DIR',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
  'GIT_REFLOG_ACTION',
];

/** Git never waits for a human. Hooks get this, too. */
const QUIET = {
  ...Object.fromEntries(MISLEADING.map((name) => [name, undefined])),
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_PAGER: 'cat',
};

/**
 * What a repository's own configuration cannot change: agents can write it. Git would start what it names, outside of
 * their sandbox. Filters stay, since without them other bytes would be committed.
 */
const OWN_SETTINGS = ['core.fsmonitor=false', 'core.pager=cat', 'log.showSignature=false', 'diff.external='];

/** There are none here. */
const NO_HOOKS = `core.hooksPath=${devNull}`;

/** What git says can be read by a program. It makes no connections: what it looks at is here. */
const PLAIN = {
  GIT_ALLOW_PROTOCOL: '',
  GIT_NO_LAZY_FETCH: '1',
  GIT_EXTERNAL_DIFF: undefined,
  // A look must not take the lock that a human's own command needs.
  GIT_OPTIONAL_LOCKS: '0',
  LC_ALL: 'C',
};

/** What git says of a worktree that another one is making: whatever reads all of them ends at that moment with it. */
const HALF_MADE = /^fatal: failed to read .*\/worktrees\/.*\/commondir: /m;

/** The git of one repository. */
export class Git {
  readonly #place: GitPlace;

  constructor(place: GitPlace) {
    this.#place = place;
  }

  /**
   * Runs it, whatever it says. Where it did not come to its own end it has said nothing, neither yes nor no.
   *
   * @throws the signal's reason when it aborts.
   * @throws {CliffordError} {@link interrupted} when it was killed, or came upon a worktree that is being made; {@link uncommitted} when it took too long, could not be
   *   started, or printed more than 64 MiB.
   */
  async run(
    args: readonly string[],
    { input, index, limitMs = this.#place.limitMs ?? LIMIT_MS, tooMuch, hasHooks = false }: GitOptions = {},
  ): Promise<GitEnd> {
    const { cwd, signal, env } = this.#place;
    signal.throwIfAborted();
    const overflow = new AbortController();
    const chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    let bytes = 0;
    const end = await runGroup({
      file: 'git',
      args: withOwnSettings(args, { hasHooks }),
      cwd,
      env: {
        ...env,
        ...QUIET,
        ...(hasHooks ? {} : PLAIN),
        ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
      },
      ...(input === undefined ? {} : { input }),
      signal: AbortSignal.any([signal, overflow.signal]),
      limitMs,
      onOutput: (channel, chunk) => {
        bytes += chunk.length;
        if (bytes > MAX_OUTPUT_BYTES) overflow.abort();
        else chunks[channel].push(chunk);
      },
    });
    signal.throwIfAborted();
    const command = `git ${args.find((arg) => !arg.startsWith('-') && !arg.includes('=')) ?? ''}`;
    if (overflow.signal.aborted) throw uncommitted(tooMuch ?? `${command} printed more than 64 MiB`);
    const stdout = Buffer.concat(chunks.stdout);
    const stderr = Buffer.concat(chunks.stderr).toString('utf8');
    const { code, killedBy = signalOf(code) } = end;
    const how = `${command} ${killedBy === undefined ? end.how : `was ended by ${killedBy}`}`;
    const output = hasHooks ? `${stdout.toString('utf8')}${stderr}` : stderr;
    const isHalfSeen = code !== 0 && !hasHooks && HALF_MADE.test(stderr);
    if (killedBy !== undefined || isHalfSeen) throw interrupted(withLastLines(how, output));
    if (code === null) throw uncommitted(withLastLines(how, output), 'See to it, and try it again');
    return { code, how, stdout, stderr };
  }

  /**
   * Runs it and returns what it printed.
   *
   * @throws {CliffordError} {@link uncommitted} when it does not succeed, with its last lines.
   */
  async read(args: readonly string[], options: GitOptions = {}): Promise<string> {
    const { code, how, stdout, stderr } = await this.run(args, options);
    if (code !== 0) throw gitFailed(withLastLines(how, stderr));
    return stdout.toString('utf8');
  }

  /** Where git has a file of its own, absolute. */
  async path(name: string): Promise<string> {
    const path = await this.read(['rev-parse', '--git-path', name]);
    return resolve(this.#place.cwd, path.trim());
  }
}

/** The signals by the exit codes of a program that tells so that one of its own was killed. Git says with 129 how it is used. */
const KILLED = new Map(
  Object.entries(constants.signals).flatMap(([name, at]) => (at === 1 ? [] : [[128 + at, name] as const])),
);

function signalOf(code: number | null): string | undefined {
  return code === null ? undefined : KILLED.get(code);
}

/** Arguments of git with which nothing runs that the configuration of a repository names, but for filters. */
export function withOwnSettings(args: readonly string[], { hasHooks = false } = {}): string[] {
  const settings = [...OWN_SETTINGS, ...(hasHooks ? [] : [NO_HOOKS])];
  return [...settings.flatMap((setting) => ['-c', setting]), ...args];
}

/** Most of what a program printed that is told, in UTF-16 units. */
const LAST_LINES_LENGTH = 2_000;

/** How a program ended, with the end of what it printed. */
export function withLastLines(how: string, output: string): string {
  const lines = output.trim().slice(-LAST_LINES_LENGTH);
  return lines === '' ? how : `${how}: ${lines}`;
}

/** The parts of an output that are ended by NUL. */
export function splitNul(text: string): string[] {
  return text.split('\0').slice(0, -1);
}
