import type { SprintFolder } from '../sprint/sprint-folders.ts';
import { taskKeys } from './config-schema.ts';
import { fixedKeyOf } from './fixed-commands.ts';
import type { ConfigReading } from './load-config.ts';

/** The agent of a run, by its name or its command line, where whoever runs it has said so. */
export type ChosenAgent = { readonly agent?: string | undefined; readonly agentCmd?: string | undefined };

/** Of an agent's definition, and of worktrees: what does not say which program runs, or how. */
const harmless = /\.(?:model|output|stdin|done)$|^worktrees\.(?:dir|copy|onConflict)/;

/**
 * What the configuration and a sprint's manifest can have a run start, one line each, variables by their names:
 * `verify: npm test`, `agents.quick.command: my-agent {prompt}`, `commit: true`.
 *
 * @param chosen - The agent that whoever runs it has chosen for all tasks. What it takes the place of is left out.
 */
export function namedCommands(
  { origins }: ConfigReading,
  { manifest }: SprintFolder,
  chosen: ChosenAgent = {},
): string[] {
  const isStarted = (key: string) => {
    const kind = fixedKeyOf(key);
    if (kind === 'agentCmd') return chosen.agent === undefined && chosen.agentCmd === undefined;
    // A bare command line has no fallback. Of one that is named it may come into the files during the run.
    return kind !== 'agents' || chosen.agentCmd === undefined;
  };
  const configured = [...origins]
    .filter(([key]) => fixedKeyOf(key) !== undefined && !harmless.test(key) && isStarted(key))
    .flatMap(([key, { written }]) => linesOf(key, written));
  const planned = [manifest, ...manifest.tasks].flatMap((entry) =>
    (['agentCmd', 'verify', 'commit'] as const).filter(isStarted).flatMap((key) => {
      const { data } = taskKeys[key].safeParse(entry[key]);
      return data === undefined ? [] : linesOf(key, data);
    }),
  );
  return [...new Set([...configured, ...planned])];
}

function linesOf(key: string, written: unknown): string[] {
  if (written === false) return [];
  if (key === 'verify' && Array.isArray(written)) return written.flatMap((each) => linesOf(key, each));
  return [`${key}: ${typeof written === 'string' ? written : JSON.stringify(written)}`];
}
