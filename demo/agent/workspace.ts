import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** Pause between two steps, in ms, so that a person can follow. */
const DEFAULT_PACE_MS = 400;

/** The project the agent works in, and the agent's voice. Paths are relative to the project. */
export type Workspace = {
  readonly say: (line: string) => Promise<void>;
  readonly read: (path: string) => Promise<string>;
  readonly write: (path: string, text: string) => Promise<void>;
  /** Runs a program of the project on this Node, and returns what it printed. */
  readonly run: (path: string, ...args: string[]) => Promise<string>;
};

/** @param paceMs - Pause after each line the agent says. */
export function openWorkspace(
  root: string,
  { paceMs = DEFAULT_PACE_MS }: { paceMs?: number } = {},
): Workspace {
  return {
    say: async (line) => {
      process.stdout.write(`${line}\n`);
      await pause(paceMs);
    },
    read: (path) => readFile(join(root, path), 'utf8'),
    write: async (path, text) => {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    },
    run: async (path, ...args) => {
      const { stdout } = await promisify(execFile)(process.execPath, [path, ...args], { cwd: root });
      return stdout.trimEnd();
    },
  };
}
