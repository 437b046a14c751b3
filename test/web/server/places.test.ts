import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Approval } from '../../../src/events/approval.ts';
import { digestOf } from '../../../src/lib/digest.ts';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { approval } from '../../helpers/approval.ts';
import { findRequest } from '../../../src/workflow/requests/find-request.ts';
import { codeOf, served } from '../../helpers/web-server.ts';
import { readStream } from '../../helpers/web-stream.ts';
import { addToken } from '../../../src/web/server/tokens/named-tokens.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

/** Of an agent's own tool. */
const own = { server: '@opencode', tool: 'edit', isOwn: true } as const;

/** A server of a project whose agent wants to replace lines of a file. */
async function editing(files: Record<string, string>) {
  const place = await served();
  const { root, project, ask } = place;
  for (const [path, text] of Object.entries(files)) await writeFile(join(root, path), text);
  /** Where the server says that it stands. */
  const firstLine = async (path: string, old = 'two\nthree') => {
    const args = { path, old_string: old, new_string: 'zwei\nthree' };
    const { id } = await askApproval(project, {
      stream: 'demo',
      taskId: 'a',
      agent: { id: 'x' },
      approval: { ...approval, ...own, args, callDigest: digestOf(args) },
    });
    const { call } = (await ask(`/api/questions/${id}`)).json() as {
      call: { changes: { firstLine?: number }[] };
    };
    return call.changes[0]?.firstLine;
  };
  return { root, firstLine };
}

describe('where a change stands in its file', () => {
  it('is said where the file has the text once', async () => {
    const { firstLine, root } = await editing({ 'a.txt': 'one\ntwo\nthree\nfour\n' });
    expect(await firstLine('a.txt')).toBe(2);
    expect(await firstLine(join(root, 'a.txt'), 'three\nfour')).toBe(3);
  });

  it.each([
    ['the file has it twice', 'twice.txt'],
    ['the file has it not', 'other.txt'],
    ['there is no file', 'none.txt'],
    ['a link leads out of the project', 'link.txt'],
    ['it is outside of the project', '../a.txt'],
    ['it is a folder', 'folder'],
    ['it is too long', 'long.txt'],
    ['it is no path', 'a\0b'],
  ])('is not known where %s', async (_why, path) => {
    const text = 'two\nthree\n';
    const { firstLine, root } = await editing({
      'twice.txt': text + text,
      'other.txt': 'two\n\nthree\n',
      'long.txt': text.padEnd(1_100_000, 'x'),
    });
    const outside = join(await tempRoot(), 'a.txt');
    await writeFile(outside, text);
    await symlink(outside, join(root, 'link.txt'));
    await mkdir(join(root, 'folder'));
    expect(await firstLine(path)).toBe(undefined);
  });
});

it('a file that would be written over is compared with the one that is there, as it is now', async () => {
  const { root, project, ask } = await served();
  await writeFile(join(root, 'a.txt'), 'one\ntwo\nthree\n');
  const changesOf = async (path: string) => {
    const args = { path, content: 'one\n2\nthree\n' };
    const { id } = await askApproval(project, {
      stream: 'demo',
      taskId: 'a',
      agent: { id: 'x' },
      approval: { ...approval, ...own, args, callDigest: digestOf(args) },
    });
    return ((await ask(`/api/questions/${id}`)).json() as { call: { changes: unknown } }).call.changes;
  };
  const line = (is: string, text: string) => ({ is, text });
  const [kept, last] = [line('kept', 'one'), line('kept', 'three')];
  expect(await changesOf('a.txt')).toEqual([
    {
      path: 'a.txt',
      how: 'write',
      lines: [kept, line('removed', 'two'), line('added', '2'), last],
      firstLine: 1,
      over: { is: 'text' },
    },
  ]);
  expect(await changesOf('b.txt')).toMatchObject([{ over: { is: 'none' } }]);
  await mkdir(join(root, '.git'));
  await writeFile(join(root, '.git/config'), 'one\n');
  await symlink('.git/config', join(root, 'link.txt'));
  for (const path of ['.git/config', 'link.txt', '.clifford/events.jsonl'])
    expect(await changesOf(path)).toMatchObject([
      { over: { is: 'uncompared', why: `it is in ${path === 'link.txt' ? '.git' : path.split('/')[0]}` } },
    ]);
  await symlink('nowhere.txt', join(root, 'lost.txt'));
  await symlink('nowhere', join(root, 'away'));
  for (const path of ['lost.txt', 'away/b.txt', join(root, 'lost.txt')])
    expect(await changesOf(path)).toMatchObject([
      { over: { is: 'uncompared', why: 'it is a link to a file that is missing' } },
    ]);
  await mkdir(join(root, 'real'));
  await symlink('real', join(root, 'linked'));
  expect(await changesOf('linked/b.txt')).toMatchObject([{ over: { is: 'none' } }]);
  expect(await changesOf('../b.txt')).toMatchObject([
    { over: { is: 'uncompared', why: 'it is outside of the project' } },
  ]);
});

/** A call that would write over `a.txt`, which has `one` and `two`. */
async function overwriting(more: Partial<Approval>) {
  const place = await served();
  const { root, project } = place;
  await writeFile(join(root, 'a.txt'), 'one\ntwo\n');
  const args = { path: 'a.txt', content: 'one\n2\n' };
  const { id } = await askApproval(project, {
    stream: 'demo',
    taskId: 'a',
    agent: { id: 'x' },
    approval: { ...approval, ...more, args },
  });
  return { ...place, id, path: `/api/questions/${id}` };
}

const whole = {
  path: 'a.txt',
  how: 'write',
  lines: [
    { is: 'added', text: 'one' },
    { is: 'added', text: '2' },
  ],
};

it('what a server would write is not compared with files of the project: nobody knows where it writes', async () => {
  const { ask, path } = await overwriting({ server: 'github', tool: 'create_or_update_file' });
  expect((await ask(path)).json()['call']).toMatchObject({ changes: [whole] });
  const revealed = await ask(`${path}/reveal`, { body: {} });
  expect(revealed.json()['changes']).toEqual([whole]);
  expect((await ask(path)).text).not.toContain('two');
});

it('what stands in files is not for who only reads', async () => {
  const { ask, server, env, root, path, id } = await overwriting(own);
  const token = await addToken(env, root, { name: 'wall', may: 'read' });
  expect((await ask(path)).text).toContain('two');
  for (const each of [path, '/api/questions']) {
    const { text } = await ask(each, { token });
    expect(text).toContain('a.txt');
    expect(text).not.toContain('two');
  }
  const [decider, reader] = [
    await readStream(server, `?question=${id}`),
    await readStream(server, `?question=${id}`, { token }),
  ];
  await expect.poll(() => reader.last('question')?.call?.changes).toEqual([whole]);
  await expect.poll(() => JSON.stringify(decider.last('question'))).toContain('two');
  expect(JSON.stringify(reader.last('question'))).not.toContain('two');
});

it('a file that changes while its call waits is compared anew, also on a card that is open', async () => {
  const { ask, server, root, path, id } = await overwriting(own);
  const reader = await readStream(server, `?question=${id}`);
  const removed = () =>
    reader
      .last('question')
      ?.call?.changes.flatMap(({ lines }) =>
        lines.flatMap(({ is, text }) => (is === 'removed' ? [text] : [])),
      );
  await expect.poll(removed).toEqual(['two']);
  await writeFile(join(root, 'a.txt'), 'one\nmine\n');
  expect((await ask(path)).text).toContain('mine');
  await expect.poll(removed, { timeout: 5_000 }).toEqual(['mine']);
  await rm(join(root, 'a.txt'));
  await expect
    .poll(() => reader.last('question')?.call?.changes, { timeout: 5_000 })
    .toMatchObject([{ over: { is: 'none' } }]);
});

it('a yes is one to what was seen of files, and to nothing else', async () => {
  const { ask, root, path, project, id } = await overwriting(own);
  const seenNow = async () => (await ask(path)).json()['seen'];
  const seen = await seenNow();
  expect(seen).toEqual(expect.any(String));
  await writeFile(join(root, 'a.txt'), 'one\nmine\n');
  for (const body of [
    { seen },
    { seen, scope: 'task' },
    { seen, edit: { args: { path: 'a.txt', content: 'x' } } },
  ]) {
    const reply = await ask(`${path}/approve`, { body });
    expect([reply.status, codeOf(reply)]).toEqual([412, 'FILES_CHANGED']);
  }
  const all = await ask('/api/questions/approve', { body: { ids: [id], seen: { [id]: seen } } });
  expect([all.status, codeOf(all)]).toEqual([412, 'FILES_CHANGED']);
  expect(findRequest(project.state, id).phase).toBe('open');
  const now = await seenNow();
  expect(now).not.toBe(seen);
  expect((await ask(`${path}/reveal`, { body: {} })).json()['seen']).toBe(now);
  expect(await ask(`${path}/approve`, { body: { seen: now } })).toMatchObject({ status: 200 });
  // Who was first counts, whatever the file is by then.
  await writeFile(join(root, 'a.txt'), 'one\nelse\n');
  expect(codeOf(await ask(`${path}/approve`, { body: { seen: now } }))).toBe('QUESTION_CLOSED');
});

it.each([
  ['is made where there was none', 'new.txt', (root: string) => writeFile(join(root, 'new.txt'), 'mine\n')],
  [
    'is elsewhere: its folder has become a link',
    'docs/a.txt',
    async (root: string) => {
      await rm(join(root, 'docs'), { recursive: true });
      await symlink('src', join(root, 'docs'));
    },
  ],
  [
    'cannot be compared, and has become another',
    'long.txt',
    (root: string) => writeFile(join(root, 'long.txt'), 'y'.repeat(1_100_000)),
  ],
])('a yes to a line in a file is refused when that %s', async (_why, path, change) => {
  const { ask, root, project } = await served();
  await mkdir(join(root, 'docs'));
  await mkdir(join(root, 'src'));
  await writeFile(join(root, 'long.txt'), 'x'.repeat(1_100_000));
  const { id } = await askApproval(project, {
    stream: 'demo',
    taskId: 'a',
    agent: { id: 'x' },
    approval: { ...approval, ...own, args: { path, content: 'x' } },
  });
  const seenNow = async () => (await ask(`/api/questions/${id}`)).json()['seen'];
  const seen = await seenNow();
  expect(seen).toEqual(expect.any(String));
  await change(root);
  const reply = await ask(`/api/questions/${id}/approve`, { body: { seen } });
  expect([reply.status, codeOf(reply)]).toEqual([412, 'FILES_CHANGED']);
  expect(await ask(`/api/questions/${id}/approve`, { body: { seen: await seenNow() } })).toMatchObject({
    status: 200,
  });
});

it('lines that only move, and a file that is written with the same text, are still what was seen', async () => {
  const { ask, root, project } = await served();
  await writeFile(join(root, 'a.txt'), 'one\ntwo\n');
  const args = { path: 'a.txt', old_string: 'two\n', new_string: '2\n' };
  const { id } = await askApproval(project, {
    stream: 'demo',
    taskId: 'a',
    agent: { id: 'x' },
    approval: { ...approval, ...own, args },
  });
  const { seen } = (await ask(`/api/questions/${id}`)).json();
  await writeFile(join(root, 'a.txt'), 'zero\none\ntwo\n');
  expect((await ask(`/api/questions/${id}`)).json()['seen']).toBe(seen);
  await writeFile(join(root, 'a.txt'), 'two\ntwo\n');
  expect((await ask(`/api/questions/${id}`)).json()['seen']).not.toBe(seen);
  await writeFile(join(root, 'a.txt'), 'one\ntwo\n');
  expect(await ask(`/api/questions/${id}/approve`, { body: { seen } })).toMatchObject({ status: 200 });
});

it('what was seen is told to those alone who may see it', async () => {
  const { ask, env, root, path } = await overwriting(own);
  const token = await addToken(env, root, { name: 'wall', may: 'read' });
  expect((await ask(path)).json()['seen']).toBeDefined();
  expect((await ask(path, { token })).json()['seen']).toBeUndefined();
});
