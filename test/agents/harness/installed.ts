import { delimiter, dirname, join } from 'node:path';
import type { AgentCli } from './agent-cli.ts';
import type { AgentPlace } from './agent-place.ts';

const here = join(import.meta.dirname, '..');

/** Where `npm run agents:install` puts the agents' programs. */
export const agentsBin = join(here, 'node_modules/.bin');

/** The program of an agent, whether it is installed or not. */
export function programOf({ name }: Pick<AgentCli, 'name'>): string {
  return join(agentsBin, name);
}

/**
 * The environment of somebody who has the agents on the PATH and a home of the test.
 *
 * Before the system's programs stands the Node that runs this: some agents are scripts and need a new one.
 */
export function agentEnvironment(
  { home, scratch }: Pick<AgentPlace, 'home' | 'scratch'>,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const { PATH = '', CLIFFORD_TEST_RUN, CLIFFORD_CONFIG } = process.env;
  const passed = Object.entries({ CLIFFORD_TEST_RUN, CLIFFORD_CONFIG }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return {
    ...Object.fromEntries(passed),
    PATH: [agentsBin, dirname(process.execPath), PATH].join(delimiter),
    HOME: home,
    TMPDIR: scratch,
    USER: 'ada',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    NO_COLOR: '1',
    ...more,
  };
}
