import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../../lib/processes/run-program.ts';
import { spanText } from '../../lib/time/duration.ts';
import { findExecutable, type SearchPlace } from '../../lib/processes/find-executable.ts';
import { isSupported, versionIn } from './agent-version.ts';
import type { KnownAgent } from './agent-adapter.ts';

/** An agent CLI that is installed. */
export type DetectedAgent = {
  readonly agent: KnownAgent;
  /** The executable. */
  readonly file: string;
  /** `undefined`: it did not say, see `problem`. */
  readonly version: string | undefined;
  /** Whether the adapter was verified with this version. */
  readonly isSupported: boolean;
  /** Why its version is not known. */
  readonly problem?: string;
  /** It did not even end when it was asked. */
  readonly hangs?: true;
};

/** Where and how an agent CLI is looked for. */
export type DetectOptions = SearchPlace & {
  /** Where it is, if the configuration says so. Default: its name, on the `PATH`. */
  readonly bin?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long it may take to say its version, in ms. */
  readonly timeoutMs?: number;
  /** Ends it at once. */
  readonly signal: AbortSignal;
};

/** Slow machines start a CLI of 100 MB in seconds. */
const ANSWER_MS = 20_000;

/**
 * Looks for an agent CLI and asks its version. `undefined`: it is not installed.
 *
 * It is asked in a home of its own: some make folders or unpack themselves even for that. One that says nothing
 * there (a version manager's shim needs the real home) is asked once more. Nothing it has started is left.
 */
export async function detectAgent(
  agent: KnownAgent,
  { bin = agent.bin, env, timeoutMs = ANSWER_MS, signal, ...place }: DetectOptions,
): Promise<DetectedAgent | undefined> {
  const file = findExecutable(bin, place);
  if (file === undefined) return undefined;
  const answer = await askVersion(file, { env, cwd: place.cwd, timeoutMs, signal });
  if ('problem' in answer) return { agent, file, version: undefined, isSupported: false, ...answer };
  return { agent, file, ...answer, isSupported: isSupported(answer.version, agent.supported) };
}

/** What a program says of its version, or why it does not. */
export type VersionAnswer =
  | { readonly version: string }
  | { readonly problem: string; readonly hangs?: true };

/**
 * Asks a program its version, in a home of its own, thrown away afterwards. One that says nothing there is asked once
 * more. Takes seconds with some agent CLIs.
 */
export async function askVersion(
  file: string,
  { env, cwd, timeoutMs = ANSWER_MS, signal }: Pick<DetectOptions, 'env' | 'cwd' | 'timeoutMs' | 'signal'>,
): Promise<VersionAnswer> {
  const home = await mkdtemp(join(tmpdir(), 'clifford-home-'));
  try {
    const how = { limitMs: timeoutMs, signal };
    const first = await ask(file, { ...how, env: { ...env, ...homeVariables(home) }, cwd: home });
    const isAnswer = 'version' in first || first.hangs;
    return isAnswer ? first : await ask(file, { ...how, env, cwd });
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

function homeVariables(home: string): Record<string, string> {
  const folders = ['CONFIG', 'DATA', 'STATE', 'CACHE'].map((kind) => [`XDG_${kind}_HOME`, join(home, kind)]);
  return { HOME: home, ...Object.fromEntries(folders) };
}

async function ask(file: string, place: Parameters<typeof runProgram>[2]): Promise<VersionAnswer> {
  const { code, how, isLate, out, err } = await runProgram(file, ['--version'], place);
  const version = versionIn(out);
  if (code === 0 && version !== undefined) return { version };
  if (isLate)
    return { problem: `it did not print its version within ${spanText(place.limitMs)}`, hangs: true };
  const said = out.trim() || err.trim();
  return { problem: said === '' ? `--version ${how}` : `--version says ${shown(said)}` };
}

function shown(text: string): string {
  return text.includes('\uFFFD')
    ? 'something that is not text'
    : (text.split('\n', 1)[0]?.slice(0, 200) ?? '');
}
