import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { clifford, startClifford } from '../../helpers/clifford-process.ts';
import { fixtureProgram } from '../../helpers/fixture-program.ts';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { writeConfig } from '../../helpers/config-files.ts';
import { tempRoot, writeSprint } from '../../helpers/temp-project.ts';

const asker = `'${process.execPath}' '${fixtureProgram('agents/mcp-asker.ts')}'`;
const env = {
  ASKER_SERVER: join(import.meta.dirname, '../../../dist/mcp-entry.js'),
  ASKER_QUESTIONS: 'Which colour?',
};

describeWithNats('two machines with one log on a server', (server) => {
  /** Two folders that know nothing of each other but the log. */
  async function machines() {
    const log = { url: `nats://${server.address}/${randomUUID()}` };
    const [here, there] = [await tempRoot(), await tempRoot()];
    await writeSprint(here, { tasks: ['a'] });
    await writeConfig(join(here, 'clifford.json'), { log });
    return { here, there, url: log.url };
  }

  it('a question of an agent on one is answered on the other, and its task completed', async () => {
    const { here, there, url } = await machines();
    const onServer = ['--log', url];
    const run = startClifford(['run', '--plain', '--agent-cmd', asker], { cwd: here, env });
    await run.printed(/Which colour\?/);
    expect((await clifford(['questions', ...onServer], { cwd: there })).out).toContain('Which colour?');
    const answered = await clifford(['answer', 'last', 'blue', ...onServer], { cwd: there });
    expect(answered).toMatchObject({ code: 0, err: '' });
    expect(await run.ended).toMatchObject({ code: 0 });
    expect(await readFile(join(here, 'received.jsonl'), 'utf8')).toContain('blue');

    const [verified, status, history] = await Promise.all(
      [['replay', '--verify'], ['status'], ['replay', 'demo', '--plain']].map((args) =>
        clifford([...args, ...onServer], { cwd: there }),
      ),
    );
    expect(verified?.out).toMatch(
      /^verified nats:\/\/\S+: \d+ events in 1 stream, chain, schemas and legality hold/,
    );
    expect(status?.out).toContain('demo (Sprint demo): done, 1 of 1 tasks done');
    expect(history?.out).toContain('help.answered');
    // Where it ran there is a mirror of it.
    const files = ['events.jsonl', 'mirror.json'].map((file) => join('.clifford', file));
    expect(files.map((file) => existsSync(join(here, file)))).toEqual([true, true]);
    expect(files.map((file) => existsSync(join(there, file)))).toEqual([false, false]);
  });

  it('a run goes on while the server is started again, with its question open', async () => {
    const { here, there, url } = await machines();
    const run = startClifford(['run', '--plain', '--agent-cmd', asker], { cwd: here, env });
    await run.printed(/Which colour\?/);
    await server.kill();
    const refused = await clifford(['questions', '--log', url], { cwd: there });
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.err).toContain('Cannot connect to nats://');
    await server.start();
    await expect
      .poll(async () => (await clifford(['answer', 'last', 'blue', '--log', url], { cwd: there })).code)
      .toBe(0);
    expect(await run.ended).toMatchObject({ code: 0 });
    expect(await readFile(join(here, 'received.jsonl'), 'utf8')).toContain('blue');
  });
});
