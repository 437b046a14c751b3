import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { Project } from '../../src/workflow/project/project.ts';
import { clifford, cliFile, startClifford } from '../helpers/clifford-process.ts';
import { openPty } from '../helpers/pty-screen.ts';

/** A project in which something is killed. `env`: what everybody there is told besides, as where its log is. */
export type KilledProject = { readonly root: string; readonly env: Readonly<Record<string, string>> };

/** A sprint run under way: in a terminal or not. `ended`: its exit code in the first line, then what it printed. */
export type KilledRun = {
  readonly kill: (signal: 'SIGKILL' | 'SIGHUP') => void;
  readonly ended: Promise<string>;
};

/** Starts `clifford`, in a terminal or not. */
export function startKilled(
  args: readonly string[],
  { root, env, onScreen }: KilledProject & { onScreen: boolean },
): KilledRun {
  const all = { CLIFFORD_PROJECT_ROOT: root, ...env };
  if (!onScreen) {
    const run = startClifford([...args, '--plain'], { cwd: root, env: all });
    return { kill: run.kill, ended: run.ended.then(({ code, out, err }) => `${code}\n${out}${err}`) };
  }
  const set = Object.entries(all).map(([name, value]) => `${name}=${value}`);
  const pty = openPty('/usr/bin/env', ['-u', 'CI', ...set, process.execPath, cliFile, ...args, '--exit'], {
    cwd: root,
  });
  onTestFinished(() => pty.kill());
  return {
    kill: (signal) => (signal === 'SIGHUP' ? pty.hangUp() : pty.kill()),
    ended: pty.exited.then((code) => `${code}\n${pty.lines().join('\n')}`),
  };
}

/** A wait for what has to happen sooner or later, even on a loaded machine. */
export async function within<T>(what: string, wait: () => Promise<T>): Promise<T> {
  const late = new AbortController();
  const timeout = pause(90_000, undefined, { signal: late.signal }).then(() => {
    throw new Error(`Waited in vain for this: ${what}`);
  });
  try {
    return await Promise.race([wait(), timeout]);
  } finally {
    timeout.catch(() => undefined);
    late.abort();
  }
}

/** Checks the whole log, as a human would. */
export async function expectVerified({ root, env }: KilledProject): Promise<void> {
  const { code, err } = await clifford(['replay', '--verify'], { cwd: root, env });
  expect(code, err).toBe(0);
}

/** A log as one reads it after a failure. */
export async function briefLog(project: Project): Promise<string> {
  const rows: string[] = [];
  try {
    for await (const { events } of project.log.read())
      for (const { time, type, source, data } of events)
        rows.push(`${time.slice(11, 23)} ${type} ${source} ${JSON.stringify(data).slice(0, 160)}`);
  } catch (error) {
    rows.push(String(error));
  }
  return rows.join('\n');
}
