import { expect, it, onTestFinished } from 'vitest';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { approval } from '../../helpers/approval.ts';
import { cliFile } from '../../helpers/clifford-process.ts';
import { openPty } from '../../helpers/pty-screen.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

it.each([
  ['dark', '38;5;194m', '48;5;22m', '38;5;224m', '48;5;52m'],
  ['light', '38;5;22m', '48;5;194m', '38;5;52m', '48;5;224m'],
])('lines that come and go stand on a ground of their own in 256 colours: %s', async (theme, ...codes) => {
  const { root, project } = await projectWithSprint();
  const args = { path: 'a.ts', old_string: 'old line\n', new_string: 'new line\n' };
  const own = { server: '@opencode', tool: 'edit', isOwn: true } as const;
  await askApproval(project, { stream: 'demo', agent: { id: 'a' }, approval: { ...approval, ...own, args } });
  const screen = openPty(process.execPath, [cliFile, 'attach', '--theme', theme], {
    cwd: root,
    env: { NO_COLOR: '', FORCE_COLOR: '2' },
  });
  onTestFinished(screen.kill);
  await screen.see('May this call run?');
  const styleBefore = (text: string) =>
    screen
      .bytes()
      .slice(0, screen.bytes().indexOf(text))
      .split(' ')
      .at(-1)
      ?.split('\u001B[')
      .slice(-2)
      .toSorted();
  expect(styleBefore('+ new line')).toEqual(codes.slice(0, 2).toSorted());
  expect(styleBefore('- old line')).toEqual(codes.slice(2).toSorted());
});
