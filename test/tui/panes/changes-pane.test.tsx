import { beforeEach, describe, expect, it, vi } from 'vitest';
import { changesPane } from '../../../src/tui/panes/changes-pane.ts';
import type { SprintState } from '../../../src/machines/project-state.ts';
import type { CommitOutcome } from '../../../src/machines/task-state.ts';
import { setTaskStatus } from '../../../src/workflow/task/set-task-status.ts';
import { paneSource } from '../../helpers/pane-source.ts';
import { showPane } from '../../helpers/shown-pane.tsx';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { makeRepository, withoutGitConfig } from '../../helpers/temp-repository.ts';

beforeEach(withoutGitConfig);

/** A task that is at work in a repository. */
async function atWork() {
  const { root, project } = await projectWithSprint();
  const git = makeRepository(root);
  git.write({ 'src/parser.ts': 'import a\n\tone\ntwo\nthree\n', 'src/old.ts': 'x\n'.repeat(12) });
  git.commitAll();
  const agent = { id: 'session-1', client: 'opencode' };
  await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
  git.commitAll();
  const source = paneSource({ project });
  const load = () => changesPane.load(source, 'a');
  /** When the task had this commit, or none. */
  const loadThen = (commit?: CommitOutcome) => {
    const sprint = withCommit(project.state.streams.get('demo'), commit);
    return changesPane.load({ ...source, past: { version: 2, sprint } }, 'a');
  };
  return { git, load, loadThen };
}

/** The sprint, with this commit of its task `a`. */
function withCommit(
  sprint: SprintState | undefined,
  commit: CommitOutcome | undefined,
): SprintState | undefined {
  const task = sprint?.tasks.get('a');
  return sprint && task && { ...sprint, tasks: new Map([['a', { ...task, commit }]]) };
}

const shown = (lines: readonly string[]) =>
  lines.map((line) => line.slice(33).trim()).filter((line) => line !== '');

describe('the pane of changes', () => {
  it('lists the files at 80×24, and shows the one at the cursor whole', async () => {
    const { git, load } = await atWork();
    git.write({
      'src/parser.ts': 'import a\n\tone\n2\u001B[2J\nthree\n',
      'src/a-new\nname.ts': 'new\n',
      'x.bin': '\0',
    });
    git('rm', '--quiet', 'src/old.ts');
    const { lines, press } = showPane('changes', await load(), [80, 24]);
    expect(shown(lines()).slice(0, 6)).toMatchInlineSnapshot(`
      [
        "────── 1 of 3 done          last event 3 s ago",
        "━ 1 Out│2 Task│[3 Diff]│4 Event│5 Call│6 State",
        "4 files, +2 −13 uncommitted, by any task",
        "› D removed +0 −12 src/old.ts",
        "M changed  +1 −1 src/parser.ts",
        "A added    +1 −0 src/a-new\\nname.ts",
      ]
    `);
    // What says how many there are is above the list, and no line of it.
    press('\u001B[A');
    press('\u001B[B');
    press('\r');
    await vi.waitFor(() => expect(shown(lines())).toContain('@@ -1,4 +1,4 @@'));
    expect(shown(lines()).slice(0, 10)).toMatchInlineSnapshot(`
      [
        "────── 1 of 3 done          last event 3 s ago",
        "━ 1 Out│2 Task│[3 Diff]│4 Event│5 Call│6 State",
        "src/parser.ts  changed +1 −1",
        "@@ -1,4 +1,4 @@",
        "import a",
        "one",
        "- two",
        "+ 2\\u001b[2J",
        "three",
        "───────────────────────────────────────────────",
      ]
    `);
  });

  it('has room for long names at 120×40, and shows the end of longer ones', async () => {
    const { git, load } = await atWork();
    git.write({ [`${'folder/'.repeat(14)}name.ts`]: 'new\n' });
    const { lines } = showPane('changes', await load(), [120, 40]);
    expect(lines()[3]?.slice(49)).toMatchInlineSnapshot(
      `" › A added   +1 −0 …/folder/folder/folder/folder/folder/folder/name.ts"`,
    );
  });

  it('has the numbers of lines from 60 cells on', async () => {
    const { git, load } = await atWork();
    git.write({ 'src/parser.ts': 'import a\n\tone\n2\nthree\n', 'new.ts': 'one\ntwo\n' });
    const lines = (await load()).lines(120);
    const whole = (path: string, width: number) =>
      lines
        .find(({ line }) => line.spans.at(-1)?.text.endsWith(path))
        ?.whole?.(width)
        .map(({ spans }) => spans.map(({ text }) => text).join(''));
    expect(whole('parser.ts', 60)?.slice(1)).toEqual([
      '@@ -1,4 +1,4 @@',
      '1 1   import a',
      '2 2       one',
      '3   - two',
      '  3 + 2',
      '4 4   three',
    ]);
    expect(whole('parser.ts', 59)).toContain('- two');
    expect(whole('new.ts', 60)).toContain('2 + two');
  });

  it('keeps the number of a file when others come before it', async () => {
    const { git, load } = await atWork();
    git.write({ 'm.txt': 'm\n' });
    const numbers = async () => {
      const lines = (await load()).lines(60);
      return Object.fromEntries(lines.map(({ at, line: { spans } }) => [spans.at(-1)?.text.trim(), at]));
    };
    const { 'm.txt': number } = await numbers();
    git.write({ 'a.txt': 'a\n' });
    expect(await numbers()).toMatchObject({ 'm.txt': number, 'a.txt': Number(number) + 1 });
  });

  it('shows the commit of then, in the past, whatever is there by now', async () => {
    const { git, loadThen } = await atWork();
    git.write({ 'then.txt': 'one\n' });
    git.commitAll();
    const sha = git('rev-parse', 'HEAD');
    git.write({ 'later.txt': 'two\n' });
    git.commitAll();
    const { lines } = await loadThen({ sha, files: ['then.txt'], attempt: 1 });
    expect(lines(60).map(({ line }) => line.spans.map(({ text }) => text).join(''))).toEqual([
      `1 file, +1 −0, commit ${sha.slice(0, 12)}`,
      'A added   +1 −0 then.txt',
    ]);
    expect((await loadThen()).empty).toMatch(/^Nothing was committed by then/);
  });

  it('says that nothing has changed', async () => {
    const { load } = await atWork();
    const content = await load();
    expect(content.lines(60)).toEqual([]);
    expect(content.empty).toBe('Nothing has changed');
  });
});
