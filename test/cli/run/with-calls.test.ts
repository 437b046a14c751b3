import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Cli } from '../../../src/cli/cli.ts';
import { withCalls } from '../../../src/cli/run/with-calls.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { writeConfig } from '../../helpers/config-files.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { webServer } from '../../notify/remote/support/web-server.ts';

it('calls nobody where an agent has started it: who was started by a human does, though later', async () => {
  const { root, project } = await projectWithSprint();
  const board = { via: 'webhook', url: '${BOARD}', after: 0 };
  await writeConfig(join(root, 'clifford.json'), { notify: { channels: { board } } });
  /** What calls, and which boards are called by it. */
  const calling = async (more: Record<string, string>) => {
    const told: string[] = [];
    const { url } = await webServer(({ body }) => {
      told.push(body);
      return {};
    });
    const env = { HOME: join(root, 'home'), CLIFFORD_TRUST_PROJECT: '1', BOARD: url, ...more };
    const cli = { env, note: () => undefined } as unknown as Cli;
    const during = (work: () => Promise<void>) => withCalls(cli, { project, isOnScreen: false }, work);
    return { told, during };
  };
  const agents = await calling({ CLIFFORD_RUN_ID: 'run-1' });
  const humans = await calling({});
  const agent = { id: 'session-1', client: 'codex' };
  await agents.during(() =>
    humans.during(async () => {
      await ask(project, { stream: 'demo', agent, kind: 'help', question: 'Which port?' });
      // One calls for all: it would be the agent's, which was first.
      await expect.poll(() => [...agents.told, ...humans.told], { timeout: 10_000 }).toHaveLength(1);
    }),
  );
  expect([agents.told.length, humans.told.length]).toEqual([0, 1]);
});
