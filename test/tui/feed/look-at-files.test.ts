import { filesInCall } from '../../../src/events/call-files/files-in-call.ts';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { lookAtFiles } from '../../../src/tui/feed/look-at-files.ts';
import type { RequestState } from '../../../src/machines/project-state.ts';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { approval } from '../../helpers/approval.ts';
import { findRequest } from '../../../src/workflow/requests/find-request.ts';
import { approvalRows } from '../../../src/tui/text/approval-lines.ts';
import { callChanges } from '../../../src/views/calls/call-changes.ts';
import { openClifford } from '../../helpers/clifford-screen.ts';
import { projectWithSprint, tempRoot } from '../../helpers/temp-project.ts';

const lines = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`).join('');

it('unchanged lines of an edit may be left out where its file has all of them', async () => {
  const { root, project } = await projectWithSprint();
  await mkdir(join(root, 'src'));
  await writeFile(join(root, 'src/a.ts'), lines(1, 20));
  const outside = join(await tempRoot(), 'a.ts');
  await writeFile(outside, lines(1, 20));
  await symlink(outside, join(root, 'src/link.ts'));
  let calls = 0;
  const isKept = async (args: (typeof approval)['args']) => {
    calls += 1;
    const own = { server: '@opencode', tool: 'edit', isOwn: true, callDigest: `call-${calls}` } as const;
    const agent = { id: `agent-${calls}` };
    const call = { ...approval, ...own, callId: `call-${calls}`, args };
    const request: RequestState = await askApproval(project, { stream: 'demo', agent, approval: call });
    return (await lookAtFiles(project, [request])).foldable.has(request.id);
  };
  const edit = (path: string, old: string) => ({ path, old_string: old, new_string: `${old}new\n` });
  expect(await isKept(edit('src/a.ts', lines(1, 20)))).toBe(true);
  expect(await isKept(edit(join(root, 'src/a.ts'), lines(3, 12)))).toBe(true);
  // Nothing would be left out.
  expect(await isKept(edit('src/a.ts', lines(1, 4)))).toBe(false);
  // Something would be added that nobody sees.
  expect(await isKept(edit('src/a.ts', `${lines(1, 10)}rm -rf /\n${lines(11, 20)}`))).toBe(false);
  expect(await isKept(edit('src/none.ts', lines(1, 20)))).toBe(false);
  expect(await isKept(edit('src', lines(1, 20)))).toBe(false);
  expect(await isKept(edit('src/link.ts', lines(1, 20)))).toBe(false);
  expect(await isKept(edit(relative(root, outside), lines(1, 20)))).toBe(false);
  const two = [edit('src/a.ts', lines(1, 20)), edit('src/none.ts', lines(1, 20))];
  expect(await isKept({ edits: two })).toBe(false);
  expect(await isKept({ command: 'ls' })).toBe(false);
});

it('the card of such an edit leaves them out, until U shows them', async () => {
  const { root, project } = await projectWithSprint();
  await writeFile(join(root, 'a.ts'), lines(1, 20));
  const args = { path: 'a.ts', old_string: lines(1, 20), new_string: `${lines(1, 20)}new\n` };
  const own = { server: '@opencode', tool: 'edit', isOwn: true } as const;
  await askApproval(project, { stream: 'demo', agent: { id: 'a' }, approval: { ...approval, ...own, args } });
  const screen = openClifford(['attach', 'demo'], { cwd: root, columns: 100, rows: 50 });
  await screen.see('… 17 unchanged lines: U shows them');
  expect(screen.lines().join('\n')).not.toContain('line 17 ');
  await screen.see('U unfold');
  screen.press('U');
  await screen.see(/ {3}line 2\b/);
  expect(screen.lines().join('\n')).not.toContain('unchanged lines');
  screen.press('\u0003');
  expect(await screen.exited).toBe(0);
});

const screenOf = (root: string, [columns, rows] = [120, 50] as const) =>
  openClifford(['attach', 'demo'], { cwd: root, columns, rows });
const own = { server: '@opencode', tool: 'edit', isOwn: true } as const;

it('a write over a file that is there is shown as what it changes of it, with the numbers of lines', async () => {
  const { root, project } = await projectWithSprint();
  await writeFile(join(root, 'a.ts'), lines(1, 20));
  const content = `${lines(1, 9)}new\n${lines(11, 20)}`;
  const args = { path: 'a.ts', content };
  await askApproval(project, { stream: 'demo', agent: { id: 'a' }, approval: { ...approval, ...own, args } });
  const screen = screenOf(root);
  await screen.see('a.ts (+1 −1, over the file that is there)');
  await screen.see(/ 9 {2}9 {3}line 9\b/);
  await screen.see(/ 10 {4}- line 10\b/);
  await screen.see(/ {4}10 \+ new\b/);
  await screen.see('… 6 unchanged lines: U shows them');
  expect(screen.lines().join('\n')).not.toMatch(/line 2\b/);
  screen.press('\u0003');
  expect(await screen.exited).toBe(0);
});

it('a file that changes while its call waits is compared anew', async () => {
  const { root, project } = await projectWithSprint();
  await writeFile(join(root, 'a.ts'), lines(1, 3));
  const args = { path: 'a.ts', content: 'line 1\nnew\nline 3\n' };
  await askApproval(project, { stream: 'demo', agent: { id: 'a' }, approval: { ...approval, ...own, args } });
  const screen = screenOf(root);
  await screen.see('- line 2');
  await writeFile(join(root, 'a.ts'), 'line 1\nmine\nline 3\n');
  await screen.see('- mine');
  screen.press('\u0003');
  expect(await screen.exited).toBe(0);
});

it('a yes is one to what was on the screen: with another file it is to be read and decided anew', async () => {
  const { root, project } = await projectWithSprint();
  await writeFile(join(root, 'a.ts'), lines(1, 3));
  const args = { path: 'a.ts', content: 'line 1\nnew\nline 3\n' };
  const asked = { stream: 'demo', agent: { id: 'a' }, approval: { ...approval, ...own, args } };
  const { id } = await askApproval(project, asked);
  const screen = screenOf(root);
  await screen.see('- line 2');
  await screen.see('Y allow once');
  // Between two looks of the screen.
  await writeFile(join(root, 'a.ts'), 'line 1\nmine\nline 3\n');
  screen.press('y');
  // The look of each second may come first.
  await screen.see(/a\.ts has changed since you saw the call|A file has changed: here is/);
  await screen.see('- mine');
  await project.refresh();
  expect(findRequest(project.state, id).phase).toBe('open');
  // A key that came just after the look was dropped: the next one is for what is read now.
  await screen.lose('each key starts that anew');
  await screen.see('Y allow once');
  screen.press('y');
  await screen.see('Allowed');
  await project.refresh();
  expect(findRequest(project.state, id).answer?.verdict).toBe('approved');
  screen.press('\u0003');
  expect(await screen.exited).toBe(0);
});

it('what a server would write is not compared with files of the project', async () => {
  const { root, project } = await projectWithSprint();
  await writeFile(join(root, 'a.ts'), lines(1, 20));
  const asked = { ...approval, args: { path: 'a.ts', content: lines(1, 20) } };
  const request = await askApproval(project, { stream: 'demo', agent: { id: 'a' }, approval: asked });
  const { files, foldable } = await lookAtFiles(project, [request]);
  expect([files.get(request.id)?.size, foldable.size]).toEqual([0, 0]);
});

it.each([
  ['none.ts', undefined, '(2 lines, a new file)'],
  [
    '../out.ts',
    undefined,
    '(2 lines, whole: not compared with what is there, as it is outside of the project)',
  ],
  ['bin.ts', 'a\0b\n', '(2 lines, whole: not compared with what is there, as it is no text)'],
  ['long.ts', 'x'.repeat(1_100_000), 'it is too large: 1,100,000 bytes'],
  ['other.ts', Array.from({ length: 2_100 }, (_, at) => `${at}\n`).join(''), 'more than 2,000 lines'],
  ['same.ts', 'one\ntwo\n', '(+0 −0, no line of the file would change)'],
])('a write to %s says what it takes the place of', async (path, text, said) => {
  const { root, project } = await projectWithSprint();
  if (text !== undefined) await writeFile(join(root, path), text);
  const args = { path, content: 'one\ntwo\n' };
  const request = await askApproval(project, {
    stream: 'demo',
    agent: { id: 'a' },
    approval: { ...approval, ...own, args },
  });
  const { files } = await lookAtFiles(project, [request]);
  const rows = approvalRows({ ...approval, ...own, args }, 160, { files: files.get(request.id) });
  const texts = rows.map((row) => row.map((span) => span.text).join(''));
  expect(texts.find((row) => row.startsWith('Writes'))).toContain(said);
  expect(texts.join('\n')).toContain('one');
});

it.each<[string, (typeof approval)['args'], readonly string[]]>([
  ['delete', { path: 'docs/a.ts' }, ['Names     docs/a.ts (a link leads to src/a.ts)']],
  [
    'edit',
    { patch: '*** Begin Patch\n*** Delete File: docs/a.ts\n*** End Patch' },
    ['Deletes   docs/a.ts (a link leads to src/a.ts)'],
  ],
  [
    'edit',
    { TargetFile: 'src/a.ts', CodeEdit: '// …' },
    ['What this makes of src/a.ts is not known: only its arguments are shown'],
  ],
  ['edit', { how: 'better' }, ['Which files this changes is not known: only its arguments are shown']],
])(
  'a call to %s says on its card which files it is about, and what of that is not known: %j',
  async (tool, args, said) => {
    const { root, project } = await projectWithSprint();
    await mkdir(join(root, 'src'));
    await writeFile(join(root, 'src/a.ts'), 'one\n');
    await symlink('src', join(root, 'docs'));
    const call = { ...approval, ...own, tool, args };
    const request = await askApproval(project, { stream: 'demo', agent: { id: 'a' }, approval: call });
    const { files } = await lookAtFiles(project, [request]);
    const rows = approvalRows(call, 160, { files: files.get(request.id) });
    const texts = rows.map((row) =>
      row
        .map((span) => span.text)
        .join('')
        .trimEnd(),
    );
    expect(texts).toEqual(expect.arrayContaining([...said]));
  },
);

it('one line that takes the place of a whole file is shown as that', async () => {
  const { root, project } = await projectWithSprint();
  await writeFile(join(root, 'a.ts'), lines(1, 3));
  const args = { file_path: 'a.ts', content: '' };
  const request = await askApproval(project, {
    stream: 'demo',
    agent: { id: 'a' },
    approval: { ...approval, ...own, args },
  });
  const { files } = await lookAtFiles(project, [request]);
  const [change] = callChanges(filesInCall(args), files.get(request.id));
  expect(change?.lines.map(({ is, text }) => `${is} ${text}`)).toEqual([
    'removed line 1',
    'removed line 2',
    'removed line 3',
  ]);
});

it('a secret in a file that is written over stays hidden, and is not said to stay', async () => {
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const other = `ghp_${'c3D4'.repeat(9)}`;
  const { root, project } = await projectWithSprint();
  await writeFile(join(root, '.env'), `A=1\nTOKEN=${token}\n`);
  const request = await askApproval(project, {
    stream: 'demo',
    agent: { id: 'a' },
    approval: { ...approval, ...own, args: { path: '.env', content: `A=1\nTOKEN=${other}\n` } },
  });
  const { files } = await lookAtFiles(project, [request]);
  const changes = callChanges(filesInCall(request.asked.approval?.args), files.get(request.id));
  expect(JSON.stringify(changes)).not.toContain(token);
  expect(changes[0]?.lines.map(({ is }) => is)).toEqual(['kept', 'removed', 'added']);
  const whole = { args: { path: '.env', content: `A=1\nTOKEN=${other}\n` } };
  const revealed = await lookAtFiles(project, [request], whole);
  expect(JSON.stringify([...(revealed.files.get(request.id) ?? [])])).toContain(token);
});

it('the pane of calls shows what a call that waits would change of a file, too', async () => {
  const { root, project } = await projectWithSprint();
  await writeFile(join(root, 'a.ts'), lines(1, 3));
  await project.record('demo', [
    {
      type: 'tool.requested',
      subject: 'demo/a',
      data: {
        callId: 'c-1',
        server: '@opencode',
        tool: 'edit',
        args: { path: 'a.ts', content: 'line 1\nnew\nline 3\n' },
        argsDigest: 'd',
      },
    },
  ]);
  const screen = screenOf(root);
  await screen.see('↑/↓ pick');
  screen.press('5');
  await screen.see(/edit +path: a\.ts/);
  screen.press('\r');
  await screen.see('a.ts (+1 −1, over the file that is there)');
  await screen.see('- line 2');
  await screen.see('+ new');
  screen.press('\u0003');
  expect(await screen.exited).toBe(0);
});
