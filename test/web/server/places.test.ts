import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { digestOf } from '../../../src/lib/digest.ts';
import type { WebServerOptions } from '../../../src/web/server/web-server.ts';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { approval } from '../../helpers/approval.ts';
import { served } from '../../helpers/web-server.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

/** A server of a project whose agent wants to replace lines of a file. */
async function editing(files: Record<string, string>, options: Partial<WebServerOptions> = {}) {
  const place = await served(options);
  const { root, project, ask } = place;
  for (const [path, text] of Object.entries(files)) await writeFile(join(root, path), text);
  /** Where the server says that it stands, to everybody who asks at once. */
  const firstLines = async (path: string, { old = 'two\nthree', readers = 1 } = {}) => {
    const args = { path, old_string: old, new_string: 'zwei\nthree' };
    const { id } = await askApproval(project, {
      stream: 'demo',
      taskId: 'a',
      agent: { id: 'x' },
      approval: { ...approval, args, callDigest: digestOf(args) },
    });
    const replies = await Promise.all(Array.from({ length: readers }, () => ask(`/api/questions/${id}`)));
    return replies.map((reply) => {
      const { call } = reply.json() as { call: { changes: { firstLine?: number }[] } };
      return call.changes[0]?.firstLine;
    });
  };
  return { root, firstLines };
}

describe('where a change stands in its file', () => {
  it('is said where the file has the text once', async () => {
    const { firstLines, root } = await editing({ 'a.txt': 'one\ntwo\nthree\nfour\n' });
    expect(await firstLines('a.txt')).toEqual([2]);
    expect(await firstLines(join(root, 'a.txt'), { old: 'three\nfour' })).toEqual([3]);
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
    const { firstLines, root } = await editing({
      'twice.txt': text + text,
      'other.txt': 'two\n\nthree\n',
      'long.txt': text.padEnd(1_100_000, 'x'),
    });
    const outside = join(await tempRoot(), 'a.txt');
    await writeFile(outside, text);
    await symlink(outside, join(root, 'link.txt'));
    await mkdir(join(root, 'folder'));
    expect(await firstLines(path)).toEqual([undefined]);
  });

  it('is waited for by whoever asks while it is looked for', async () => {
    const findExtras = {
      offersFor: () => new Promise<Map<string, string[]>>((resolve) => setTimeout(resolve, 300, new Map())),
      partsOf: async () => new Map(),
    };
    const { firstLines } = await editing({ 'a.txt': 'two\nthree\n' }, { findExtras });
    expect(await firstLines('a.txt', { readers: 3 })).toEqual([1, 1, 1]);
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
      approval: { ...approval, args, callDigest: digestOf(args) },
    });
    return ((await ask(`/api/questions/${id}`)).json() as { call: { changes: unknown } }).call.changes;
  };
  const line = (is: string, text: string) => ({ is, text });
  const [kept, last] = [line('kept', 'one'), line('kept', 'three')];
  expect(await changesOf('a.txt')).toEqual([
    {
      path: 'a.txt',
      isEdit: false,
      lines: [kept, line('removed', 'two'), line('added', '2'), last],
      firstLine: 1,
      over: { is: 'text' },
    },
  ]);
  expect(await changesOf('b.txt')).toMatchObject([{ over: { is: 'none' } }]);
  expect(await changesOf('../b.txt')).toMatchObject([
    { over: { is: 'uncompared', why: 'it is outside of the project' } },
  ]);
});
