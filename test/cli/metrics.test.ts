import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agentHere } from '../helpers/agent-here.ts';
import { clifford, startClifford } from '../helpers/clifford-process.ts';
import { describeWithNats } from '../helpers/nats-server.ts';
import { scrape, valuesIn } from '../helpers/scraped.ts';
import { tempRoot, writeSprint } from '../helpers/temp-project.ts';

async function place() {
  const root = await tempRoot();
  await writeSprint(root);
  return { cwd: root, env: { XDG_STATE_HOME: `${root}/state` } };
}

const WHERE = /^metrics: (http:\/\/127\.0\.0\.1:\d+)\/metrics, health: \1\/healthz$/m;

it('clifford serve --metrics serves them beside the page, until it ends', async () => {
  const program = startClifford(['serve', '--port', '0', '--json', '--metrics', '0'], await place());
  const [, url] = await program.warned(WHERE);
  await program.printed(/^\{.*\}$/m);
  expect(valuesIn((await scrape(`${url}/metrics`)).text).get('clifford_log_readable')).toBe(1);
  program.kill('SIGTERM');
  expect(await program.ended).toMatchObject({ code: 0 });
  await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed');
});

it('clifford run --metrics serves them while it runs', async () => {
  const where = await place();
  const program = startClifford(
    ['run', '--plain', '--metrics', '127.0.0.1:0', '--agent-cmd', agentHere('hang-first')],
    where,
  );
  const [, url] = await program.warned(WHERE);
  const values = async () => Object.fromEntries(valuesIn((await scrape(`${url}/metrics`)).text));
  await expect.poll(values).toMatchObject({
    clifford_agents_alive: 1,
    'clifford_tasks{state="active"}': 1,
    'clifford_sprints{state="active"}': 1,
  });
  expect((await values())['clifford_append_seconds_count']).toBeGreaterThan(1);
  program.kill('SIGINT');
  await program.ended;
});

describeWithNats('a server with a queue', (server) => {
  it('clifford worker --metrics says what is in the queue and for how long, and how often its machine was unfit for what it took', async () => {
    const { cwd, env } = await place();
    const options = { cwd, env: { ...env, CLIFFORD_LOG: `nats://${server.address}/${randomUUID()}` } };
    expect(await clifford(['queue', 'add', 'demo', '--needs', 'gpu'], options)).toMatchObject({ code: 0 });
    const worker = startClifford(['worker', '--metrics', '0'], options);
    const [, url] = await worker.warned(WHERE);
    const values = valuesIn((await scrape(`${url}/metrics`)).text);
    expect(values.get('clifford_queue_sprints{state="waiting"}')).toBe(1);
    expect(values.get('clifford_queue_sprints{state="held"}')).toBe(0);
    expect(values.get('clifford_queue_oldest_seconds')).toBeGreaterThan(0);
    expect(values.get('clifford_worker_unfit')).toBe(0);
    expect(values.get('clifford_log_readable')).toBe(1);
    await writeFile(join(cwd, 'checkouts'), 'in the way');
    const unfit = startClifford(
      ['worker', '--metrics', '0', '--labels', 'gpu', '--fetch', 'true', '--push', 'true'],
      options,
    );
    const [, itsUrl] = await unfit.warned(WHERE);
    await unfit.printed(/demo unfit/);
    expect(valuesIn((await scrape(`${itsUrl}/metrics`)).text).get('clifford_worker_unfit')).toBe(1);
    for (const each of [worker, unfit]) {
      each.kill('SIGTERM');
      expect(await each.ended).toMatchObject({ code: 0 });
    }
  });
});

it.each(['x', '70000', 'host:', '[1]:80', '1.2.3.4:', ':80'])('takes no %j for a place', async (text) => {
  const { code, err } = await clifford(['serve', '--metrics', text], await place());
  expect(code).toBe(2);
  expect(err).toContain('it is neither a port like 9464 nor an address with one like 0.0.0.0:9464');
});
