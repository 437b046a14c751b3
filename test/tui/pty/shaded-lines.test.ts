import { expect, it, onTestFinished } from 'vitest';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { approval } from '../../helpers/approval.ts';
import { cliFile } from '../../helpers/clifford-process.ts';
import { openPty } from '../../helpers/pty-screen.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

it.each([
  ['dark', ['', '38;5;114m', '', '38;5;210m'], { added: 22, removed: 52 }],
  ['light', ['38;5;22m', '48;5;194m', '38;5;52m', '48;5;224m'], { added: 157, removed: 217 }],
])(
  'lines that come and go are told apart in 256 colours, and words in them stand on a ground of their own: %s',
  async (theme, codes, words) => {
    const { root, project } = await projectWithSprint();
    const args = { path: 'a.ts', old_string: 'alpha\nport 1;\n', new_string: 'omega\nport 2;\n' };
    const own = { server: '@opencode', tool: 'edit', isOwn: true } as const;
    await askApproval(project, {
      stream: 'demo',
      agent: { id: 'a' },
      approval: { ...approval, ...own, args },
    });
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
    expect(styleBefore('+ omega')).toEqual(codes.slice(0, 2).toSorted());
    expect(styleBefore('- alpha')).toEqual(codes.slice(2).toSorted());
    const word = (ground: number, text: string) =>
      new RegExp(String.raw`\u001B\[48;5;${ground}m(?:\u001B\[[\d;]+m)*${text}\u001B`);
    expect(screen.bytes()).toMatch(word(words.added, '2'));
    expect(screen.bytes()).toMatch(word(words.removed, '1'));
  },
);
