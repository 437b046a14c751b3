import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findExecutable } from '../find-executable.ts';
import type { SearchPlace } from '../find-executable.ts';
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
};

/** Where and how an agent CLI is looked for. */
export type DetectOptions = SearchPlace & {
  /** Where it is, if the configuration says so. Default: its name, on the `PATH`. */
  readonly bin?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long it may take to say its version, in ms. */
  readonly timeoutMs?: number;
};

/** Slow machines start a CLI of 100 MB in seconds. */
const ANSWER_MS = 20_000;

/**
 * Looks for an agent CLI and asks its version. `undefined`: it is not installed.
 *
 * It is asked in a home of its own, thrown away afterwards: some make folders or unpack themselves even for
 * that. One that says nothing there (a version manager's shim needs the real home) is asked once more.
 */
export async function detectAgent(
  agent: KnownAgent,
  { bin = agent.bin, env, timeoutMs = ANSWER_MS, ...place }: DetectOptions,
): Promise<DetectedAgent | undefined> {
  const file = findExecutable(bin, place);
  if (file === undefined) return undefined;
  const home = await mkdtemp(join(tmpdir(), 'clifford-home-'));
  try {
    const first = await ask(file, { env: { ...env, ...homeVariables(home) }, cwd: home, timeoutMs });
    const answer = 'version' in first ? first : await ask(file, { env, cwd: place.cwd, timeoutMs });
    if ('problem' in answer) return { agent, file, version: undefined, isSupported: false, ...answer };
    return { agent, file, ...answer, isSupported: isSupported(answer.version, agent.supported) };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

function homeVariables(home: string): Record<string, string> {
  const folders = ['CONFIG', 'DATA', 'STATE', 'CACHE'].map((kind) => [`XDG_${kind}_HOME`, join(home, kind)]);
  return { HOME: home, ...Object.fromEntries(folders) };
}

type Answer = { readonly version: string } | { readonly problem: string };

function ask(
  file: string,
  { env, cwd, timeoutMs }: { env: NodeJS.ProcessEnv; cwd: string; timeoutMs: number },
): Promise<Answer> {
  const options = { env, cwd, timeout: timeoutMs, killSignal: 'SIGKILL', windowsHide: true } as const;
  return new Promise((resolve) => {
    const child = execFile(file, ['--version'], options, (error, stdout, stderr) => {
      const version = versionIn(stdout);
      if (!error && version !== undefined) resolve({ version });
      else if (error?.killed) resolve({ problem: `it did not say its version within ${timeoutMs} ms` });
      else resolve({ problem: `--version says ${shown(stdout || stderr || error?.message || '')}` });
    });
    child.stdin?.end();
  });
}

function shown(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line === '' ? 'nothing' : line.slice(0, 200);
}
