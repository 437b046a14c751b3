import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { cliFile, startClifford } from '../../helpers/clifford-process.ts';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { workerWorld } from '../../helpers/worker-world.ts';
import { expectVerified, patient, typesOf } from './said-by-workers.ts';

/** Longer than a single request is tried again. */
const AWAY_MS = 28_000;

const UNTIL_GO = 'until [ -e go ]; do sleep 0.1; done';
const program = `'${process.execPath}' '${cliFile}'`;
const done = `${program} task done --summary 'it is done'`;
const asks = `${program} ask 'Which port?' --wait 33`;
/**
 * An agent begins its command while the server is away; that of another one is under way then, and verifies; the time that a
 * third may wait has begun.
 */
const agents = {
  one: `touch ready-one\n${UNTIL_GO}\n${done}\n`,
  two: `touch worked\n${done}\n`,
  three: `touch ready-three\n${UNTIL_GO}\nbegun=$(date +%s)\ncode=0\n${asks} || code=$?
    [ $code = 3 ]\n[ $(($(date +%s) - begun)) -lt 48 ]\n${done}\n`,
};
const verify = [`sh -c 'test ! -e worked || { touch ready-two; ${UNTIL_GO}; }'`];

describeWithNats('a server that is away for longer than a request waits', (server) => {
  it(
    'fails no task of an agent that reports from a shell: the command says that it waits',
    patient,
    async () => {
      const sprints = { one: ['a'], two: { tasks: ['b'], manifest: { verify } }, three: ['c'] };
      const team = await workerWorld(server.address, { sprints, config: { commit: false } });
      const scripts = await tempRoot();
      const runs = [];
      for (const [sprint, script] of Object.entries(agents)) {
        const file = join(scripts, sprint);
        await writeFile(file, `set -e\n${script}`);
        const env = { CLIFFORD_AGENT_CMD: `sh ${file}`, CLIFFORD_TRUST_PROJECT: '1' };
        runs.push(startClifford(['run', sprint, '--plain'], { cwd: team.desk, env }));
        await vi.waitUntil(() => existsSync(join(team.desk, `ready-${sprint}`)), { timeout: 60_000 });
      }
      await server.kill();
      await writeFile(join(team.desk, 'go'), '');
      await pause(AWAY_MS);
      await server.start();
      for (const { ended } of runs) {
        const { code, out } = await ended;
        expect(out).toMatch(/Cannot .* nats:.*; this waits until it is back/);
        expect(code).toBe(0);
      }
      const events = await team.events();
      expect(typesOf(events, 'task.completed', 'task.failed').toSorted()).toEqual([
        'task.completed one/a',
        'task.completed three/c',
        'task.completed two/b',
      ]);
      expect(typesOf(events, 'task.started')).toHaveLength(3);
      await expectVerified(team);
    },
  );
});
