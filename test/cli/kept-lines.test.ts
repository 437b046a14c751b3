import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { keptLines } from '../../src/cli/requests/kept-lines.ts';
import type { RequestState } from '../../src/machines/project-state.ts';
import { askApproval } from '../../src/workflow/requests/approval.ts';
import { approval } from '../helpers/approval.ts';
import { openClifford } from '../helpers/clifford-screen.ts';
import { projectWithSprint, tempRoot } from '../helpers/temp-project.ts';

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
    return (await keptLines(project, [request])).has(request.id);
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
  await screen.see(/ {4}line 2\b/);
  expect(screen.lines().join('\n')).not.toContain('unchanged lines');
  screen.press('\u0003');
  expect(await screen.exited).toBe(0);
});
