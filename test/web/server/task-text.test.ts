import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { addToken } from '../../../src/web/server/tokens/named-tokens.ts';
import { served } from '../../helpers/web-server.ts';

const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

it('tells what a task says, as its file has it now, also to who only reads, without the secrets in it', async () => {
  const { ask, root, env } = await served();
  const file = join(root, 'sprints/demo/a.md');
  await writeFile(file, `# The store\n\nUse ${token}.\n`);
  expect((await ask('/api/sprints/demo/task?task=a')).json()).toEqual({
    task: 'a',
    file: 'a.md',
    text: '# The store\n\nUse [redacted].\n',
  });
  await writeFile(file, 'Another text\n');
  const reader = await addToken(env, root, { name: 'wall', may: 'read' });
  expect((await ask('/api/sprints/demo/task?task=a', { token: reader })).json()['text']).toBe(
    'Another text\n',
  );
  await rm(file);
  expect((await ask('/api/sprints/demo/task?task=a')).json()).toEqual({ task: 'a', file: 'a.md' });
  await writeFile(join(root, '..', 'outside.md'), 'secret');
  await symlink('../../../outside.md', file);
  expect((await ask('/api/sprints/demo/task?task=a')).json()).toEqual({ task: 'a', file: 'a.md' });
  await rm(join(root, '..', 'outside.md'));
});

it('tells it of a sprint that nobody has begun, and of no task that is not there', async () => {
  const { ask, root } = await served();
  await mkdir(join(root, 'sprints/later'));
  const manifest = { id: 'later', name: 'Later', tasks: [{ id: 't', file: 't.md' }] };
  await writeFile(join(root, 'sprints/later/manifest.json'), JSON.stringify(manifest));
  await writeFile(join(root, 'sprints/later/t.md'), '# Later\n');
  expect((await ask('/api/sprints/later/task?task=t')).json()).toMatchObject({ text: '# Later\n' });
  expect((await ask('/api/sprints/demo/task?task=none')).status).toBe(404);
  expect((await ask('/api/sprints/none/task?task=a')).status).toBe(404);
});

it('tells of no other file of the project, whatever a manifest or a link names', async () => {
  const { ask, root } = await served();
  await writeFile(join(root, '.env'), 'DB_PASSWORD=correct-horse-battery\n');
  await mkdir(join(root, 'sprints/later'));
  await symlink('../../.env', join(root, 'sprints/later/link.md'));
  const files = ['../../.env', '../demo/manifest.json', 'link.md', 'missing/../../../.env'];
  const tasks = files.map((file, n) => ({ id: `t${n}`, file }));
  await writeFile(
    join(root, 'sprints/later/manifest.json'),
    JSON.stringify({ id: 'later', name: 'Later', tasks }),
  );
  for (const { id, file } of tasks)
    expect((await ask(`/api/sprints/later/task?task=${id}`)).json()).toEqual({ task: id, file });
});

it('sends of a long one the beginning, and says so', async () => {
  const { ask, root } = await served();
  await writeFile(join(root, 'sprints/demo/a.md'), 'x\n'.repeat(100_000));
  const { text } = (await ask('/api/sprints/demo/task?task=a')).json() as { text: string };
  expect(text.length).toBeLessThan(100_500);
  expect(text).toMatch(/\[cut after 100000 of 200000 bytes: read sprints\/demo\/a\.md\]$/);
});
