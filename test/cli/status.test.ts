import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { agentHere } from '../helpers/agent-here.ts';
import { cliFile, clifford, followClifford, startClifford } from '../helpers/clifford-process.ts';
import { openPty } from '../helpers/pty-screen.ts';
import { agentCmd, freshSprint } from '../helpers/sprint-run.ts';
import { openSprint } from '../../src/workflow/sprint/open-sprint.ts';
import { askApproval } from '../../src/workflow/requests/approval.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { approval } from '../helpers/approval.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';
import { setTaskStatus } from '../../src/workflow/task/set-task-status.ts';

/** Tasks that wait for each other: `b` for `a`, `c` for both. */
const chain = [
  { id: 'a', file: 'a.md' },
  { id: 'b', file: 'b.md', dependsOn: ['a'] },
  { id: 'c', file: 'c.md', dependsOn: ['a', 'b'] },
];

const statusOf = async (root: string) => (await clifford(['status'], { cwd: root })).out.split('\n');

it('a terminal breaks no line of the status inside a word', async () => {
  const words = 'A web page that counts the visitors of the museum, with a chart for every hour of the day';
  const { root } = await freshSprint({ manifest: { name: words } });
  const run = startClifford(['run', '--plain', '--agent-cmd', agentHere('hang-first')], { cwd: root });
  await run.printed(/ready/);
  run.kill('SIGINT');
  await run.ended;
  const terminal = openPty(process.execPath, [cliFile, 'status'], { cwd: root, columns: 80 });
  onTestFinished(terminal.kill);
  expect(await terminal.exited).toBe(0);
  const shown = terminal.lines().join('\n').trimEnd();
  expect(shown).toMatch(/^demo \(A web page .*\n {2}\S.*\n {2}\S/);
  // A path that is longer than a line is no word.
  const wordsOf = (text: string) =>
    text
      .replaceAll(/\s+/g, ' ')
      .replace(/--agent-cmd '[^']*'/, '')
      .trim();
  const [said, name] = wordsOf(shown).split(' clifford is not on your PATH: in its place type ');
  expect(said).toBe(wordsOf((await statusOf(root)).join(' ')));
  expect(name).toBe(`${process.execPath} ${cliFile}`);
});

it('a task says for how long it is worked on by hand', async () => {
  const { root, dir, project } = await freshSprint();
  await openSprint(project, dir);
  const agent = { id: 'session-1', client: 'editor' };
  await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
  expect(await statusOf(root)).toContainEqual(
    expect.stringMatching(/^ {2}● a {2}active {2}worked on by hand for \d.* m?s$/),
  );
  await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'completed', agent });
  expect((await statusOf(root)).join('\n')).not.toContain('by hand');
});

it('a sprint that failed says why once: with the task that failed', async () => {
  const { root } = await freshSprint({ manifest: { tasks: chain } });
  const run = await clifford(['run', '--agent-cmd', agentCmd('give-up')], { cwd: root });
  expect(run).toMatchObject({ code: 1 });
  expect(await statusOf(root)).toEqual([
    'demo (Sprint demo): failed, 0 of 3 tasks done, 1 failed',
    expect.stringMatching(/^ {2}✗ a {2}failed {2}\S/),
    '  ○ b  pending  waits for a',
    '  ○ c  pending  waits for a and b',
    '',
  ]);
});

it('a sprint that failed since no task could start says that', async () => {
  const { root } = await freshSprint({ manifest: { tasks: chain } });
  await clifford(['cancel', 'a'], { cwd: root });
  await clifford(['run', '--agent-cmd', agentHere('complete')], { cwd: root });
  const [, why] = await statusOf(root);
  expect(why).toBe(
    '  no task can start: b waits for a (cancelled), c waits for a (cancelled) and b (pending)',
  );
});

it('a task says what it waits for until that is done, and for how long an agent is at work on it', async () => {
  const { root } = await freshSprint({ manifest: { tasks: chain } });
  expect(await statusOf(root)).toContain('  ○ c  pending  waits for a and b');
  await clifford(['skip', 'a'], { cwd: root });
  expect(await statusOf(root)).toContain('  ○ b  pending');
  expect(await statusOf(root)).toContain('  ○ c  pending  waits for b');
  const { out } = await clifford(['status', '--json'], { cwd: root });
  expect(JSON.parse(out)).toMatchObject({
    sprints: [
      { state: 'pending', tasks: [{ state: 'done' }, {}, { dependsOn: ['a', 'b'], waitsFor: ['b'] }] },
    ],
  });

  const run = followClifford(['run', '--agent-cmd', agentHere('hang-first')], { cwd: root });
  await run.printed(/ready/);
  expect(await statusOf(root)).toContainEqual(
    expect.stringMatching(/^ {2}● b {2}active {2}agent pid \d+ for \d.* m?s$/),
  );
  await clifford(['cancel', '--sprint', 'demo'], { cwd: root });
  await run.ended;
});

it('for programs it has the order in which a human looks at what waits: the greatest risk first', async () => {
  const { root, project } = await projectWithSprint({ id: 'web' });
  const agent = { id: 'session-1', client: 'opencode' };
  const { id: asked } = await ask(project, { stream: 'adhoc', agent, kind: 'help', question: 'Which?' });
  const waits = { ...approval, trust: 'full', annotations: { destructiveHint: true } } as const;
  const { id: wanted } = await askApproval(project, { stream: 'web', agent, approval: waits });
  const inboxOf = async (...args: string[]) => {
    const { out } = await clifford(['status', '--json', ...args], { cwd: root });
    return (JSON.parse(out) as { inbox: unknown }).inbox;
  };
  const first = { id: wanted, sprint: 'web', risk: 'destroys' };
  expect(await inboxOf()).toEqual([first, { id: asked, sprint: 'adhoc', risk: 'none' }]);
  expect(await inboxOf('web')).toEqual([first]);
});

it.each([
  ['no JSON', '{ "agent": ', /^note: Cannot read \S+clifford\.json:1:\d+: it is not JSON/],
  ['a value that is none', '{ "parallel": "many" }', /^note: Cannot read \S+clifford\.json:1:\d+: parallel /],
])('a clifford.json with %s is noted', async (_, text, note) => {
  const { root } = await freshSprint();
  await writeFile(join(root, 'clifford.json'), text);
  const { code, out, err } = await clifford(['status'], { cwd: root });
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/^demo \(/) });
  expect(err).toMatch(note);
});

it('a variable of clifford.json that is not set where one looks is no mistake of the file', async () => {
  const { root } = await freshSprint();
  await writeFile(join(root, 'clifford.json'), '{ "agents": { "mine": { "command": "${NOT_SET_HERE}" } } }');
  expect(await clifford(['status'], { cwd: root })).toMatchObject({ code: 0, err: '' });
});
