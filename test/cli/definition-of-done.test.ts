import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { sprintWord, taskWord } from '../../src/views/sprints/standing.ts';
import { statusLines } from '../../src/cli/text/status-lines.ts';
import { describeSprint } from '../../src/views/sprints/describe-sprint.ts';
import type { Candidate } from '../../src/machines/legality.ts';
import { agentHere } from '../helpers/agent-here.ts';
import { clifford } from '../helpers/clifford-process.ts';
import { History, on } from '../helpers/history.ts';
import { agentCmd, freshSprint } from '../helpers/sprint-run.ts';
import { makeRepository, withoutGitConfig } from '../helpers/temp-repository.ts';

beforeEach(withoutGitConfig);

describe('clifford', () => {
  it('shows how a task was verified and committed, as it happens, in the history and in the status', async () => {
    const { root } = await freshSprint({ tasks: ['a'], manifest: { commit: true, verify: ['false'] } });
    const git = makeRepository(root);
    git.commitAll();
    await writeFile(join(root, '.clifford/plan.json'), JSON.stringify({ a: { 'new.txt': 'x' } }));
    const run = await clifford(
      ['run', 'demo', '--agent-cmd', agentHere('change-files', '.clifford/plan.json')],
      { cwd: root },
    );
    const sha = git('rev-parse', 'HEAD').slice(0, 12);
    expect(run.err).toBe(
      'note: The first run of this project takes what its files have it run, with your rights: verify: false; commit: true\n' +
        'note: a: runs before the work: false\nnote: a: makes its commit\n',
    );
    expect(run.out).toMatch(
      /demo\/a verify\.returned false ended with exit code 1 after .*, before the work\n/,
    );
    expect(run.out).toContain(`demo/a task.committed ${sha} (2 files)\n`);

    const replay = await clifford(['replay', 'demo'], { cwd: root });
    expect(replay.out).toMatch(new RegExp(`task\\.committed +done\\.completed +active\\.running +${sha}`));
    const status = await clifford(['status'], { cwd: root });
    expect(status.out).toContain(`✔ a  done  commit ${sha}\n`);
  });
});

it('the last lines of a run name commands that fail as before, and commits that were not made', async () => {
  const { root } = await freshSprint({ tasks: ['a'], manifest: { commit: true, verify: ['false'] } });
  const run = await clifford(['run', 'demo', '--agent-cmd', agentCmd('mcp-mender')], {
    cwd: root,
    env: { MENDER_SERVER: join(import.meta.dirname, '../../dist/mcp-entry.js') },
  });
  expect(run.out).toMatch(
    /\na: false failed \(it failed before the work, too\)\na: no commit: the project is in no git repository\. Make one with: git init\ndemo completed, 1 of 1 tasks done\n$/,
  );
});

describe('the status of a task', () => {
  const created = on('demo', 'sprint.created', { tasks: [{ id: 'a', file: 'a.md' }] });
  const begun = [created, on('demo', 'sprint.started'), on('demo/a', 'task.started')];
  const verified = (code: number, more: object = {}) => on('demo/a', 'verify.returned', { code, ...more });
  const before = (code: number) => verified(code, { baseline: true });
  const completed = on('demo/a', 'task.completed');

  const lineOf = (...past: Candidate[]) => {
    const view = describeSprint(new History(...past).sprint());
    const tasks = view.tasks.map((task) => ({ ...task, word: taskWord(task, true), isAgentGone: false }));
    const sprint = { ...view, tasks, word: sprintWord(view, true), inLog: true, hasRunner: true };
    return statusLines(sprint, {
      now: 0,
      open: [],
      style: (_style, text) => text,
      stdout: { isTTY: false, columns: 80 },
    })[1];
  };

  it.each<[string, Candidate[], string]>([
    ['failed before the work', [before(1)], 'active  npm test failed before the work'],
    [
      'became worse',
      [before(0), verified(1, { verdict: 'regressed' })],
      'active  npm test failed (it succeeded before the work)',
    ],
    ['failed and were not run before', [verified(1)], 'active  npm test failed'],
    ['are mended', [before(1), verified(0, { verdict: 'fixed' })], 'active'],
    [
      'are excused',
      [before(1), verified(1, { verdict: 'broken-before' }), completed],
      'done  npm test failed (it failed before the work, too)',
    ],
    ['succeeded', [before(1), verified(0, { verdict: 'fixed' }), completed], 'done'],
  ])('names commands that %s', (_, past, text) => {
    expect(lineOf(...begun, ...past)).toMatch(
      new RegExp(` a {2}${text.replaceAll(/[().]/g, String.raw`\$&`)}$`),
    );
  });

  it('names notes that no agent has heard, also once it is done', () => {
    const sent = on('demo/a', 'note.sent');
    const told = on('demo/a', 'note.delivered');
    expect(lineOf(...begun, sent, completed)).toMatch(/ a {2}done {2}1 note that no agent has heard$/);
    expect(lineOf(...begun, sent, told, completed)).toMatch(/ a {2}done$/);
  });

  it('says why there is no commit, on one line, and forgets everything with a reset', () => {
    const uncommitted = on('demo/a', 'task.uncommitted', {
      reason: 'git commit ended with exit code 1:\nnot formatted',
    });
    expect(lineOf(...begun, completed, uncommitted)).toMatch(
      / {2}no commit: git commit ended with exit code 1: not formatted$/,
    );
    const failed = on('demo/a', 'task.failed');
    const reset = on('demo/a', 'task.reset');
    const past = [created, on('demo', 'sprint.started', { maxAttempts: 1 }), on('demo/a', 'task.started')];
    expect(lineOf(...past, before(1), verified(1), failed, reset)).toMatch(
      /○ a {2}pending {2}last attempt: exit 1$/,
    );
  });
});
