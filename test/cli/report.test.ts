import { link, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { cancelSprint } from '../../src/workflow/sprint/control.ts';
import { setTaskStatus } from '../../src/workflow/task/set-task-status.ts';
import { clifford } from '../helpers/clifford-process.ts';
import { finishedRun } from '../../src/cli/run/run-order.ts';
import { fact } from '../helpers/facts.ts';
import { on } from '../helpers/history.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';
import { gitIn, makeRepository } from '../helpers/temp-repository.ts';
import { agent, askCall, askStore, ben } from '../web/page/asked.ts';

/** A sprint in which somebody has answered a question, a task is done and a call waits. */
async function sprintAtWork() {
  const { root, project } = await projectWithSprint();
  await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
  const { id } = await askStore(project);
  await answerRequest(project, id, { response: 'A table', option: 0, ...ben });
  await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'completed', agent });
  const length = project.state.streams.get('demo')?.version ?? 0;
  await setTaskStatus(project, { stream: 'demo', taskId: 'b', status: 'active', agent });
  await askCall(project);
  return { root, project, length };
}

describe('clifford report', () => {
  it('writes the latest sprint into one file, which no commit takes for work', async () => {
    const { root, project } = await sprintAtWork();
    const { code, out, err } = await clifford(['report'], { cwd: root });
    const file = join(root, '.clifford/reports/demo.html');
    expect({ code, out, err }).toEqual({ code: 0, out: `The report of demo is in ${file}\n`, err: '' });
    const html = await readFile(file, 'utf8');
    expect(html).toMatch(/^<!doctype html>\n<html/);
    for (const text of [
      'Sprint demo',
      'Task a',
      '1 of 2 tasks done',
      'A table',
      'ben',
      'in the shell',
      'It is still open',
    ])
      expect(html).toContain(text);
    expect(html).toContain(`Of ${project.state.streams.get('demo')?.version} events`);
    // What agents showed is nobody else's business.
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('needs no other file, and runs nothing', async () => {
    const { root } = await sprintAtWork();
    const { out } = await clifford(['report', '--output', '-'], { cwd: root });
    expect(out).toContain('default-src &#x27;none&#x27;');
    expect(out).not.toMatch(/<script|<link|<img|<iframe|\ssrc=|\son\w+=|url\(|@import/);
  });

  it('is of a moment with --until', async () => {
    const { root, length } = await sprintAtWork();
    const { out } = await clifford(['report', 'demo', '--until', String(length), '--output', '-'], {
      cwd: root,
    });
    expect(out).toContain(`Of ${length} events`);
    expect(out).toContain(`As of event ${length}, more has happened since`);
    expect(out).not.toContain('still open');
  });

  it('of a sprint that was done after a failure says nothing of that failure, and names its project', async () => {
    const { root, project } = await projectWithSprint({ tasks: ['a'] });
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    await project.record('demo', [
      { ...fact('task.failed', { reason: 'No such table' }), subject: 'demo/a' },
      { ...fact('sprint.failed', { reason: 'a failed' }), subject: 'demo' },
      { ...fact('task.reset'), subject: 'demo/a' },
    ]);
    for (const status of ['active', 'completed'] as const)
      await setTaskStatus(project, { stream: 'demo', taskId: 'a', status, agent });
    await project.record('demo', [{ ...fact('sprint.completed'), subject: 'demo' }]);
    const { out } = await clifford(['report', '--output', '-'], { cwd: root });
    const head = out.slice(out.indexOf('<header'), out.indexOf('</header>'));
    expect(head).toContain('1 of 1 tasks done');
    expect(head).toContain(basename(root));
    expect(head).not.toContain('failed');
  });

  it('has nothing of what is in the working tree now, where it is of the past', async () => {
    const { root, length } = await sprintAtWork();
    makeRepository(root);
    gitIn(root).commitAll();
    await writeFile(join(root, 'new.txt'), 'new');
    const now = await clifford(['report', '--output', '-'], { cwd: root });
    expect(now.out).toMatch(/uncommitted in the folder|in no commit/);
    const past = await clifford(['report', '--until', String(length), '--json'], { cwd: root });
    const { file } = JSON.parse(past.out) as { file: string };
    expect(basename(file)).toBe(`demo-until-${length}.html`);
    expect(await readFile(file, 'utf8')).not.toMatch(/uncommitted|in no commit/);
  });

  it('says how long was waited for an answer, why a task failed, and what is in no commit', async () => {
    const { root, project } = await projectWithSprint();
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    const { id } = await askStore(project);
    const asked = Date.now();
    await expect.poll(() => Date.now() - asked).toBeGreaterThan(20);
    await answerRequest(project, id, { response: 'One\nTwo', ...ben });
    await project.record('demo', [
      { ...fact('task.failed', { reason: 'No such table' }), subject: 'demo/a' },
      { ...fact('sprint.failed', { reason: 'a has failed' }), subject: 'demo' },
    ]);
    const { out } = await clifford(['report', '--output', '-'], { cwd: root });
    const waited = /waited (\d+) ms/.exec(out)?.[1];
    expect(Number(waited)).toBeGreaterThanOrEqual(20);
    expect(out).toContain('One\nTwo');
    expect(out).toContain('a has failed');
    expect(out).toContain('no commits were made');
  });

  it('does not show the secrets of a call', async () => {
    const { root, project } = await projectWithSprint();
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const args = { path: 'notes.txt', password: 'hunter2-hunter2', content: `token ${secret}` };
    await askCall(project, args);
    const { out } = await clifford(['report', '--output', '-'], { cwd: root });
    expect(out).toContain('notes.txt');
    expect(out).not.toContain(secret);
    expect(out).not.toContain('hunter2-hunter2');
  });

  it('does not show a call as well done that was allowed as changed, and failed', async () => {
    const { root, project } = await sprintAtWork();
    const { id, asked } = await askCall(project, { path: 'b.txt' });
    const edited = { args: { path: 'c.txt' }, callDigest: 'e' };
    const callId = asked.approval?.callId ?? '';
    await project.record('demo', [
      on('demo/b', 'help.answered', { requestId: id, response: '', verdict: 'edited', edited, ...ben }),
      on('demo/b', 'tool.allowed', { callId, requestId: id, by: 'ben' }),
    ]);
    const report = async () => {
      const { out } = await clifford(['report', '--output', '-'], { cwd: root });
      const tones = [...out.matchAll(/<li class="report-asked tone-(\w+)"/g)].map(([, tone]) => tone);
      return [tones.at(-1), /<bdi>(allowed as changed.*?)<\/bdi>/.exec(out)?.[1]];
    };
    expect(await report()).toEqual(['good', 'allowed as changed']);
    const end = { outcome: 'completed', reason: 'all done' } as const;
    expect((await finishedRun(project, 'demo', end)).remarks).toEqual([]);
    await project.record('demo', [on('demo/b', 'tool.failed', { callId, error: 'gone' })]);
    expect(await report()).toEqual(['bad', 'allowed as changed, and failed']);
    const tool = asked.approval?.tool;
    expect((await finishedRun(project, 'demo', end)).remarks).toEqual([
      `b: ${tool} was allowed as changed by ben, and failed`,
    ]);
  });

  it('names the time zone of its times', async () => {
    const { root } = await sprintAtWork();
    const { out } = await clifford(['report', '--output', '-'], {
      cwd: root,
      env: { TZ: 'Asia/Tokyo' },
      nodeArgs: ['--no-warnings'],
    });
    expect(out).toContain('UTC+09:00');
  });

  it('of now does not say that more has happened', async () => {
    const { root } = await sprintAtWork();
    const { out } = await clifford(['report', '--output', '-'], { cwd: root });
    expect(out).not.toContain('As of event');
  });

  it('of a moment before the first event is an input error, of one after the last says so', async () => {
    const { root } = await sprintAtWork();
    const early = await clifford(['report', '--until', '2020-01-01T00:00:00Z'], { cwd: root });
    expect(early).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('nothing had happened by then'),
    });
    const late = await clifford(['report', '--until', '999'], { cwd: root });
    expect(late).toMatchObject({ code: 0, err: expect.stringContaining('there is no event 999') });
  });

  it('says with --json where it is, and what it is of', async () => {
    const { root, project } = await sprintAtWork();
    const { code, out } = await clifford(['report', '--output', 'r.html', '--json'], { cwd: root });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      sprint: 'demo',
      file: join(root, 'r.html'),
      events: project.state.streams.get('demo')?.version,
    });
  });

  it('is within JSON with --json and --output -', async () => {
    const { root } = await sprintAtWork();
    const { out } = await clifford(['report', '--output', '-', '--json'], { cwd: root });
    expect(JSON.parse(out)).toMatchObject({
      sprint: 'demo',
      html: expect.stringMatching(/^<!doctype html>[^]*<\/html>/),
    });
  });

  it('says who cancelled, and what ended without an answer', async () => {
    const { root, project } = await sprintAtWork();
    await cancelSprint(project, { stream: 'demo', by: 'ada', reason: 'Another way' });
    const { out } = await clifford(['report', '--output', '-'], { cwd: root });
    expect(out).toContain('ended without an answer');
    expect(out).toMatch(/cancelled by ada|by ada: Another way/);
  });

  it('shows what agents and files say as text', async () => {
    const { root, project } = await projectWithSprint();
    const markup = '<script>alert(1)</script><img src=x onerror=alert(1)>';
    await writeFile(join(root, 'sprints/demo/a.md'), `# ${markup}\n`);
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    const { id } = await askStore(project, markup);
    await answerRequest(project, id, { response: markup, ...ben });
    await project.record('demo', [{ ...fact('task.failed', { reason: markup }), subject: 'demo/a' }]);
    const { out } = await clifford(['report', '--output', '-'], { cwd: root });
    expect(out).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(out).not.toMatch(/<script|<img/);
  });

  it('does not show what was answered where that looks like a secret', async () => {
    const { root, project } = await projectWithSprint();
    const { id } = await askStore(project, 'Which key?');
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    await answerRequest(project, id, { response: secret, ...ben });
    const { out } = await clifford(['report', '--output', '-'], { cwd: root });
    expect(out).toContain('[not shown: it looks like a secret]');
    expect(out).not.toContain(secret);
  });

  it.each(['.clifford/events.jsonl', '.clifford/report.html', 'link', 'dangling'])(
    'leaves what Clifford keeps alone: %s',
    async (output) => {
      const { root } = await sprintAtWork();
      const log = join(root, '.clifford/events.jsonl');
      await symlink(log, join(root, 'link'));
      await symlink(join(root, '.clifford/new'), join(root, 'dangling'));
      const before = await readFile(log, 'utf8');
      const { code, err } = await clifford(['report', '--output', output], { cwd: root });
      expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('keeps its own files') });
      expect(await readFile(log, 'utf8')).toBe(before);
      expect(await readdir(join(root, '.clifford'))).not.toContain('new');
    },
  );

  it.each([
    ['another name of the log', link],
    ['a link to the log', symlink],
  ])('replaces what has its name, and nothing else: %s', async (_what, make) => {
    const { root } = await sprintAtWork();
    const log = join(root, '.clifford/events.jsonl');
    const before = await readFile(log, 'utf8');
    await mkdir(join(root, '.clifford/reports'));
    await make(log, join(root, '.clifford/reports/demo.html'));
    expect(await clifford(['report'], { cwd: root })).toMatchObject({ code: 0, err: '' });
    expect(await readFile(log, 'utf8')).toBe(before);
    expect(await readFile(join(root, '.clifford/reports/demo.html'), 'utf8')).toMatch(/^<!doctype html>/);
    await link(log, join(root, 'named.html'));
    expect(await clifford(['report', '--output', 'named.html'], { cwd: root })).toMatchObject({ code: 0 });
    expect(await readFile(log, 'utf8')).toBe(before);
  });

  it('is written into no folder that a link leads to', async () => {
    const { root } = await sprintAtWork();
    await mkdir(join(root, 'elsewhere'));
    await symlink(join(root, 'elsewhere'), join(root, '.clifford/reports'));
    expect(await clifford(['report'], { cwd: root })).toMatchObject({ code: 2, out: '' });
    expect(await readdir(join(root, 'elsewhere'))).toEqual([]);
  });

  it('follows a link that somebody has named', async () => {
    const { root } = await sprintAtWork();
    await symlink(join(root, 'there.html'), join(root, 'link.html'));
    expect(await clifford(['report', '--output', 'link.html'], { cwd: root })).toMatchObject({ code: 0 });
    expect(await readFile(join(root, 'there.html'), 'utf8')).toMatch(/^<!doctype html>/);
    expect((await lstat(join(root, 'link.html'))).isSymbolicLink()).toBe(true);
  });

  it('writes to a device as it is', async () => {
    const { root } = await sprintAtWork();
    const { code, err } = await clifford(['report', '--output', '/dev/full'], { cwd: root });
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('the system says ENOSPC') });
  });

  it('of a sprint that is not there is an input error', async () => {
    const { root } = await projectWithSprint();
    const { code, err } = await clifford(['report', 'other'], { cwd: root });
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('other') });
  });
});
