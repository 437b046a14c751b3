import { isDeepStrictEqual } from 'node:util';
import { keyText } from './config-keys.ts';
import type { ConfigReading } from './load-config.ts';

/** Keys that say which programs a run starts. */
const fixedKeys = ['agentCmd', 'agents', 'verify', 'commit', 'worktrees'] as const;

/**
 * A later reading of the configuration, in which what runs as a program is as it was in an earlier one: what an
 * agent writes into the files meanwhile does not start anything.
 */
export function withCommandsOf(begun: ConfigReading, now: ConfigReading): ConfigReading {
  const { agentCmd: _agentCmd, ...rest } = now.config;
  const { agentCmd, agents, verify, commit, worktrees, notify } = begun.config;
  const programs = { agents, verify, commit, worktrees, notify };
  const config = { ...rest, ...programs, ...(agentCmd === undefined ? {} : { agentCmd }) };
  const origins = new Map([
    ...[...now.origins].filter(([key]) => fixedKeyOf(key) === undefined),
    ...[...begun.origins].filter(([key]) => fixedKeyOf(key) !== undefined),
  ]);
  return { ...now, config, origins, lost: begun.lost };
}

/** The keys of {@link withCommandsOf} that say something else by now, those of agents by their names. */
export function changedCommands({ config: begun }: ConfigReading, { config: now }: ConfigReading): string[] {
  return fixedKeys.flatMap((key) => {
    if (isDeepStrictEqual(begun[key], now[key])) return [];
    if (key !== 'agents') return [key];
    const names = new Set([...Object.keys(begun.agents), ...Object.keys(now.agents)]);
    return [...names]
      .filter((name) => !isDeepStrictEqual(begun.agents[name], now.agents[name]))
      .map((name) => keyText(['agents', name]));
  });
}

/** Which of the keys that say which programs run a key belongs to: `agents` for `agents.quick.command`. */
export function fixedKeyOf(key: string): (typeof fixedKeys)[number] | undefined {
  return fixedKeys.find(
    (fixed) => key === fixed || key.startsWith(`${fixed}.`) || key.startsWith(`${fixed}[`),
  );
}
