import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SentQuestion } from '../../../src/web/api/question.ts';
import type { Approval } from '../../../src/events/approval.ts';
import { digestOf } from '../../../src/lib/digest.ts';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { findRequest } from '../../../src/workflow/requests/find-request.ts';
import { approval } from '../../helpers/approval.ts';
import { codeOf, served } from '../../helpers/web-server.ts';

/** A project whose `a.txt` has two lines, and calls of agents' own tools that wait in it. */
async function calling() {
  const place = await served();
  await writeFile(join(place.root, 'a.txt'), 'one\ntwo\n');
  const ask = async (tool: string, args: Approval['args']) => {
    const { id } = await askApproval(place.project, {
      stream: 'demo',
      taskId: 'a',
      agent: { id: 'x' },
      approval: {
        ...approval,
        server: '@codex',
        tool,
        isOwn: true,
        args,
        callDigest: digestOf([tool, args ?? null]),
      },
    });
    const path = `/api/questions/${id}`;
    const read = async () => (await place.ask(path)).json() as SentQuestion;
    return { id, path, question: await read(), read };
  };
  return { ...place, asked: ask };
}

const diff = '@@ -1,2 +1,2 @@\n one\n-two\n+2\n';

describe('a call that names its files in its own way', () => {
  it.each<[string, (root: string) => Approval['args']]>([
    ['by a name of other spelling', () => ({ TargetFile: 'a.txt', CodeContent: 'one\n2\n' })],
    ['by a URL', (root) => ({ uri: `file://${root}/a.txt`, newText: 'one\n2\n' })],
    ['within another field', () => ({ input: { path: 'a.txt', content: 'one\n2\n' } })],
    ['by a map of them', () => ({ changes: { 'a.txt': { type: 'update', unified_diff: diff } } })],
    ['by a map of all that they are to have', () => ({ fileChanges: { './a.txt': 'one\n2\n' } })],
    ['in the head of a diff', () => ({ diff: `--- a/a.txt\n+++ b/a.txt\n${diff}` })],
    ['beside a diff', (root) => ({ filepath: join(root, 'a.txt'), diff })],
    [
      'in a patch',
      () => ({ input: '*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+2\n*** End Patch' }),
    ],
  ])('is compared with them, %s, and a yes is one to that', async (_how, argsIn) => {
    const { asked, ask, root } = await calling();
    const { path, question } = await asked('edit', argsIn(root));
    expect(question).toMatchObject({
      comparison: 'done',
      seen: expect.any(String),
      call: {
        changes: [
          {
            lines: [
              { is: 'kept', text: 'one' },
              { is: 'removed', text: 'two' },
              { is: 'added', text: '2' },
            ],
            firstLine: 1,
          },
        ],
      },
    });
    expect(question.call?.unclear).toBeUndefined();
    const blind = await ask(`${path}/approve`, { body: {} });
    expect([blind.status, codeOf(blind)]).toEqual([428, 'FILES_UNSEEN']);
    await writeFile(join(root, 'a.txt'), 'one\nmine\n');
    const late = await ask(`${path}/approve`, { body: { seen: question.seen } });
    expect([late.status, codeOf(late)]).toEqual([412, 'FILES_CHANGED']);
  });

  it('names several in one list: only paths are looked at, and each is in what was seen', async () => {
    const { asked, ask, root } = await calling();
    const { path, question } = await asked('delete', { file_paths: ['a.txt', 'b.txt'] });
    expect(question).toMatchObject({ comparison: 'done', call: { changes: [] } });
    await mkdir(join(root, 'b.txt'));
    expect((await ask(`${path}/approve`, { body: { seen: question.seen } })).status).toBe(412);
  });

  it('is allowed as it was seen though a folder that it names gets another file meanwhile', async () => {
    const { asked, ask, root } = await calling();
    await mkdir(join(root, 'docs'));
    const { path, question } = await asked('search', { path: 'docs' });
    await writeFile(join(root, 'docs/new.txt'), 'x');
    expect((await ask(`${path}/approve`, { body: { seen: question.seen } })).status).toBe(200);
  });
});

describe('a call of which not all is known', () => {
  it.each<[string, Approval['args'], string]>([
    ['which files it changes', { instructions: 'better' }, 'Which files this changes'],
    [
      'what it makes of its file',
      { target_file: 'src/a.ts', code_edit: '// …' },
      'What this makes of src/a.ts',
    ],
    ['what its patch does', { path: 'a.txt', patch: 'by hand' }, 'What this makes of a.txt'],
  ])('says so: %s', async (_what, args, what) => {
    const { asked, ask } = await calling();
    const { path, question } = await asked('edit', args);
    expect(question.call?.unclear).toBe(`${what} is not known: only its arguments are shown`);
    expect((await ask(`${path}/approve`, { body: { seen: question.seen } })).status).toBe(200);
  });

  it('names files of the project by their paths in it', async () => {
    const { asked, root } = await calling();
    const { question } = await asked('edit', { path: join(root, 'src/a.ts') });
    expect(question.call?.unclear).toBe(
      'What this makes of src/a.ts is not known: only its arguments are shown',
    );
  });
});

it.each<[string, (path: string) => Approval['args'], object]>([
  ['delete', (path) => ({ path }), { how: 'name' }],
  ['move', (path) => ({ from: 'a.txt', to: path }), { how: 'name' }],
  ['read', (path) => ({ paths: ['a.txt', path] }), { how: 'name' }],
  [
    'edit',
    (path) => ({ patch: `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch` }),
    { how: 'delete', over: { is: 'text' } },
  ],
])('a call to %s says where a link leads', async (tool, argsOf, change) => {
  const { asked, root } = await calling();
  await mkdir(join(root, 'src'));
  await writeFile(join(root, 'src/b.txt'), 'one\n');
  await symlink('src', join(root, 'docs'));
  const { question } = await asked(tool, argsOf('docs/b.txt'));
  expect(question.call?.changes).toEqual([
    { path: 'docs/b.txt', leadsTo: 'src/b.txt', lines: [], ...change },
  ]);
  // Where it leads nowhere else there is nothing to say.
  expect((await asked(tool, argsOf('src/b.txt'))).question.call?.changes).toEqual(
    tool === 'edit' ? [{ path: 'src/b.txt', lines: [], ...change }] : [],
  );
});

it('a file that goes is the one that was seen: nothing of it is shown', async () => {
  const { asked, ask, root } = await calling();
  const { path, question } = await asked('edit', { changes: { 'a.txt': { type: 'delete' } } });
  await writeFile(join(root, 'a.txt'), 'mine\n');
  expect((await ask(`${path}/approve`, { body: { seen: question.seen } })).status).toBe(412);
});

it('a call as changed writes over the file that was seen, however its path is written, and over no other', async () => {
  const { asked, ask, root, project } = await calling();
  await mkdir(join(root, 'src'));
  await writeFile(join(root, 'src/b.txt'), 'mine\n');
  await symlink('src', join(root, 'docs'));
  const as = async (was: string, now: string) => {
    const { id, path, question } = await asked('edit', { path: was, content: `one\n${now}\n` });
    const edit = { args: { path: now, content: 'one\n3\n' } };
    const reply = await ask(`${path}/approve`, { body: { seen: question.seen, edit } });
    return reply.status === 200 ? findRequest(project.state, id).answer?.verdict : codeOf(reply);
  };
  expect(await as('./a.txt', 'a.txt')).toBe('edited');
  expect(await as('a.txt', join(root, 'src/../a.txt'))).toBe('edited');
  expect(await as('src/b.txt', 'docs/b.txt')).toBe('edited');
  expect(await as('a.txt', './src/b.txt')).toBe('EDIT_UNSEEN');
});
