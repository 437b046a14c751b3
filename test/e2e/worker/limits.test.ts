import { expect, it } from 'vitest';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { refused, tryAgainAt } from '../../helpers/said-sprint.ts';
import { workerWorld } from '../../helpers/worker-world.ts';
import { expectVerified, takers, typesOf } from './said-by-workers.ts';

const HOUR_MS = 3_600_000;

describeWithNats('a usage limit that one worker has met', (server) => {
  it('holds back the same agent on another worker, for another sprint: the next agent begins there', async () => {
    const main = { command: `sh -c 'cat > /dev/null; printf "%s\\n" "$SAYS"; exit 1'`, output: 'codex' };
    const world = await workerWorld(server.address, {
      sprints: { one: ['a'], two: ['b'] },
      config: {
        agent: 'main',
        fallback: 'other',
        agents: { main, other: { command: 'cat' } },
        done: 'exit-0',
        verify: ['true'],
      },
    });
    const env = { SAYS: refused(tryAgainAt(Date.now() + HOUR_MS)) };
    const over = async (sprint: string) => {
      await expect
        .poll(async () => typesOf(await world.events(), 'job.ended'))
        .toContain(`job.ended ${sprint}`);
    };
    await world.human('queue', 'add', 'one');
    const first = await world.worker('first', { env });
    await over('one');
    first.kill('SIGTERM');
    expect(await first.ended).toMatchObject({ code: 0 });
    await world.human('queue', 'add', 'two');
    const second = await world.worker('second', { env });
    await over('two');
    second.kill('SIGTERM');
    expect(await second.ended).toMatchObject({ code: 0 });
    const events = await world.events();
    expect(takers(events)).toEqual(['first', 'second']);
    const started = events.flatMap(({ type, subject, data }) =>
      type === 'agent.started' ? [`${subject} ${data.agent}`] : [],
    );
    expect(started).toEqual(['one/a main', 'one/a other', 'two/b other']);
    await expectVerified(world);
  });
});
