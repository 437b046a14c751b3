import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeConfig } from '../helpers/config-files.ts';
import { projectWithSprint, tempRoot, writeSprint } from '../helpers/temp-project.ts';
import { connectAgent, textOf } from './support/connect-agent.ts';
import { startServer } from './support/mcp-process.ts';

it('a server follows its configuration, and keeps the last good one while it is broken, in one line', async () => {
  const root = await tempRoot();
  await writeSprint(root);
  const file = join(root, 'clifford.json');
  await writeConfig(file, { changelog: { file: 'FIRST.md' } });
  const server = startServer(root);
  const { client, call } = await server.connect();
  const add = (entry: string) =>
    call('update_changelog', { sprintId: 'demo', sprintName: 'Demo', entries: [`Added: ${entry}`] });

  await add('one');
  await writeConfig(file, { changelog: { file: 'SECOND.md' } });
  await add('two');
  expect(await readFile(join(root, 'FIRST.md'), 'utf8')).not.toContain('two');
  await writeConfig(file, '{"changelog": {"file": "THIRD.md" "enabled": false}}');
  await add('three');
  await add('four');
  expect(await readFile(join(root, 'SECOND.md'), 'utf8')).toMatch(/two[\s\S]*three[\s\S]*four/);

  await client.close();
  await server.exitAfter(() => server.child.stdin.end());
  expect(server.stderr.trimEnd().split('\n')).toEqual([
    expect.stringMatching(
      /clifford\.json:1:35: it is not JSON: unexpected string; its previous content is used$/,
    ),
  ]);
});

describe('a task is not completed while it is not known how to verify it:', () => {
  const completed = { sprintDir: 'sprints/demo', taskId: 'a', status: 'completed' };
  const entry = (verify: unknown) => ({ tasks: [{ id: 'a', file: 'a.md', verify }] });

  it.each<[string, object, object | string, RegExp]>([
    ['its entry is no list', entry('make'), {}, /tasks\[0\]\.verify: it must be a list/],
    [
      'a variable is not set',
      {},
      { verify: ['x ${CLIFFORD_TEST_NONE}'] },
      /CLIFFORD_TEST_NONE, which is not set/,
    ],
    ['the file is broken', {}, '{"verify": ', /clifford\.json:1:12: it is not JSON/],
  ])('%s', async (_why, manifest, config, message) => {
    const { root, project } = await projectWithSprint({ manifest });
    await writeConfig(join(root, 'clifford.json'), config);
    const { call } = await connectAgent(root);
    await call('update_task_status', { ...completed, status: 'active' });
    const refused = await call('update_task_status', completed);
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toMatch(message);
    const state = async () => (await project.refresh()).streams.get('demo')?.tasks.get('a')?.machine.value;
    expect(await state()).toEqual({ active: 'working' });

    await writeConfig(join(root, 'clifford.json'), { verify: [] });
    await writeSprint(root, { manifest: entry([]) });
    expect((await call('update_task_status', completed)).isError).not.toBe(true);
    expect(await state()).toEqual({ done: 'completed' });
  });
});
