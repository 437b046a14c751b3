import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { StoredEvent } from '../../src/events/envelope.ts';
import { tryHold } from '../../src/lib/files/kernel-lock.ts';
import { fillTemplate, hashLine, lineTemplate } from '../../src/events/line/line-codec.ts';
import { verifyLog } from '../../src/cli/history/verify-log.ts';
import { createSprintState } from '../../src/machines/project-state.ts';
import { noUsage } from '../../src/machines/usage.ts';
import type { Folded } from '../../src/workflow/project/snapshot-cache.ts';
import { forgeSnapshot } from '../helpers/forge-snapshot.ts';
import { runnerLockPath } from '../../src/workflow/project/runner-lock.ts';
import { clifford, cliFile, startClifford } from '../helpers/clifford-process.ts';
import { openPty } from '../helpers/pty-screen.ts';
import { projectWithSprint, tempRoot, writeSprint } from '../helpers/temp-project.ts';
import { makeRepository, withoutGitConfig } from '../helpers/temp-repository.ts';

/** A sprint of two tasks with a history of six events. */
async function recorded(): Promise<{ root: string; log: string; lines: string[] }> {
  const { root, project } = await projectWithSprint();
  await project.dispatch('demo', () => [
    { type: 'sprint.started', subject: 'demo', data: { runner: 'test', maxAttempts: 1 } },
    { type: 'task.started', subject: 'demo/a', data: { attempt: 1, by: 'test' } },
    {
      type: 'help.requested',
      subject: 'demo/a',
      data: { requestId: 'q-1', kind: 'help', question: 'Which port?', origin: { agent: 'x' } },
    },
  ]);
  await project.dispatch('demo', () => [
    {
      type: 'help.answered',
      subject: 'demo/a',
      data: { requestId: 'q-1', response: '8080', by: 'ada', via: 'cli' },
    },
  ]);
  await project.dispatch('demo', () => [
    { type: 'task.completed', subject: 'demo/a', data: { by: 'agent', summary: 'done' } },
  ]);
  await project.close();
  const log = join(root, '.clifford', 'events.jsonl');
  return { root, log, lines: (await readFile(log, 'utf8')).split('\n').slice(0, -1) };
}

const momentSchema = z.object({
  event: z.object({ type: z.string(), streamversion: z.int(), time: z.string() }),
  state: z.object({
    sprint: z.string().nullable(),
    tasks: z.record(z.string(), z.string()),
    open: z.array(z.string()),
  }),
});

async function replayJson(root: string, ...args: string[]): Promise<z.infer<typeof momentSchema>[]> {
  const { code, out } = await clifford(['replay', '--json', ...args], { cwd: root });
  expect(code).toBe(0);
  return out
    .trimEnd()
    .split('\n')
    .map((line) => momentSchema.parse(JSON.parse(line)));
}

describe('clifford replay', () => {
  it('says what has changed since a moment, for people and for programs', async () => {
    const { root } = await recorded();
    const since = async (...args: string[]) =>
      (await clifford(['replay', '--changes-since', ...args], { cwd: root })).out.split('\n');
    expect(await since('3')).toEqual([
      'demo, from version 3 to 6',
      '  a is done (was being worked on)',
      '  a asked: Which port?',
      '  a was answered by ada: 8080',
      '',
    ]);
    // The moments may be named in any order.
    expect(await since('4', '--until', '3')).toEqual([
      'demo, from version 3 to 4',
      '  the sprint waits for a human (was running)',
      '  a waits for an answer (was being worked on)',
      '  a asked: Which port?',
      '',
    ]);
    expect(await since('6')).toEqual(['demo, from version 6 to 6', '  nothing has changed', '']);
    expect(JSON.parse((await since('5', '--json')).join('\n'))).toEqual({
      sprint: 'demo',
      from: 5,
      to: 6,
      changes: [{ kind: 'task', task: 'a', from: 'active.working', to: 'done.completed' }],
    });
  });

  it('from before its first event on, all has changed', async () => {
    const { root } = await recorded();
    const { out } = await clifford(['replay', '--changes-since', '2020-01-01', '--until', '1'], {
      cwd: root,
    });
    expect(out.split('\n').slice(0, 3)).toEqual([
      'demo, from version 0 to 1',
      '  the sprint is new, and is pending',
      '  a is new, and is pending',
    ]);
  });

  it('sums up what it took, until a moment, too', async () => {
    const { root } = await recorded();
    const { out } = await clifford(['replay', '--summary'], { cwd: root });
    expect(out).toContain('demo: active, 1 of 2 tasks done\n');
    expect(out).toMatch(/ {2}Asked {5}1 question, 0 approvals\n/);
    expect(out).toMatch(/ {2}✔ done +a {2} +1\b/);
    const then = await clifford(['replay', '--summary', '--until', '3', '--json'], { cwd: root });
    expect(JSON.parse(then.out)).toMatchObject({
      sprint: 'demo',
      questions: 0,
      attempts: 1,
      tasks: [{ id: 'a', state: 'active' }, { id: 'b' }],
    });
  });

  it('sums up what stands in no commit, as the pane of changes has it, and nothing of it in the past', async () => {
    withoutGitConfig();
    const { root } = await recorded();
    const git = makeRepository(root);
    git.write({ 'a.txt': 'one\ntwo\n' });
    git.commitAll();
    git.write({ 'a.txt': 'one\n2\n', 'new.txt': 'new\n' });
    const { out } = await clifford(['replay', '--summary'], { cwd: root });
    // Nobody knows how they were before: the user may have changed them.
    expect(out.replaceAll(/\n {12,}/g, ' ')).toContain(
      '  Files     no commits were made; uncommitted in the folder, whoever changed it: 2 files, +2 −1\n',
    );
    const json = async (...args: string[]) =>
      JSON.parse((await clifford(['replay', '--summary', '--json', ...args], { cwd: root })).out) as object;
    expect(await json()).toMatchObject({ uncommitted: { files: 2, added: 2, removed: 1, by: 'anybody' } });
    expect(await json('--until', '3')).not.toHaveProperty('uncommitted');
  });

  it('calls nothing running from when its runner has left it, in print, for programs and on the screen', async () => {
    const { root, project } = await projectWithSprint({ tasks: ['a'] });
    await project.dispatch('demo', () => [
      { type: 'sprint.started', subject: 'demo', data: { runner: 'test', maxAttempts: 1 } },
      { type: 'task.started', subject: 'demo/a', data: { attempt: 1, by: 'test', runId: 'run-1' } },
      { type: 'runner.left', subject: 'demo', data: { runner: 'test', reason: 'q was pressed' } },
    ]);
    await project.close();
    const print = async (...args: string[]) => (await clifford(['replay', ...args], { cwd: root })).out;
    expect(await print()).toMatch(/task\.started .* active\.running [^]* runner\.left .* idle /);
    expect(await print('--summary')).toMatch(/^demo: idle[^]*○ idle +a /);
    expect(await print('--summary', '--until', '3')).toMatch(/^demo: active[^]*● active +a /);
    expect(JSON.parse((await print('--json')).trim().split('\n').at(-1) ?? '')).toMatchObject({
      state: { sprint: 'active.running', left: { reason: 'q was pressed' } },
    });
    const screen = openPty(process.execPath, [cliFile, 'replay'], { cwd: root, columns: 80, rows: 24 });
    onTestFinished(screen.kill);
    await screen.see(/○ idle +Sprint demo .* PAST/);
    await screen.see('○ idle      a');
    screen.press('\u001B[D');
    await screen.see(/● active +Sprint demo/);
    screen.press('q');
    await screen.exited;
  });

  it('prints the history, event by event, with the states after each', async () => {
    const { root } = await recorded();
    const { code, out } = await clifford(['replay'], { cwd: root });
    expect(code).toBe(0);
    expect(out.replaceAll(/\d\d:\d\d:\d\d/g, 'hh:mm:ss').split('\n')).toEqual([
      expect.stringMatching(/^demo, \d{4}-\d\d-\d\d$/),
      '     time     task event               task is then     sprint is then',
      '   1 hh:mm:ss      sprint.created                       pending        Sprint demo (a, b)',
      '   2 hh:mm:ss      sprint.started                       active.running by test, 1 attempt per task',
      '   3 hh:mm:ss a    task.started        active.working   active.running attempt 1 by test',
      '   4 hh:mm:ss a    help.requested      blocked.question blocked        Which port?',
      '   5 hh:mm:ss a    help.answered       active.working   active.running ada in the shell: 8080',
      '   6 hh:mm:ss a    task.completed      done.completed   active.running by agent: done',
      '',
    ]);
  });

  it('cuts no type of event short', async () => {
    const { root, project } = await projectWithSprint();
    await project.dispatch('demo', () => [
      { type: 'agent.sessionopened', subject: 'demo/a', data: { runId: 'run-1', sessionId: 's-1' } },
    ]);
    const { out } = await clifford(['replay'], { cwd: root });
    expect(out).toContain(' agent.sessionopened ');
  });

  it('has whole task ids in a file, and on a terminal as much of them as fits beside the states', async () => {
    const id = 'a-task-with-a-long-name';
    const { root, project } = await projectWithSprint({ tasks: [id] });
    await project.dispatch('demo', () => [
      { type: 'task.skipped', subject: `demo/${id}`, data: { by: 'ada' } },
    ]);
    expect((await clifford(['replay'], { cwd: root })).out).toMatch(
      / a-task-with-a-long-name task\.skipped +done\.skipped +pending +by ada\n/,
    );
    const screen = openPty(process.execPath, [cliFile, 'replay', '--plain'], {
      cwd: root,
      columns: 80,
      rows: 24,
    });
    expect(await screen.exited).toBe(0);
    expect(screen.lines().join('\n')).toMatch(
      / a-task-with-a… task\.skipped +done\.skipped +pending\n {5}by ada\n/,
    );
  });

  it('is the screen on a terminal, at any moment, with what became of a question', async () => {
    const { root } = await recorded();
    const size = { cwd: root, columns: 100, rows: 30 };
    const screen = openPty(process.execPath, [cliFile, 'replay', '--at', '4'], size);
    await screen.see('◀ event 4 of 6');
    await screen.see('■ blocked');
    await screen.see(/answered, in the shell/);
    screen.press('\u001B[D');
    await screen.see('◀ event 3 of 6');
    await screen.see('● active');
    // No `clifford` starts this one: what is copied does.
    screen.press('y');
    await screen.see('Copied: ');
    const copied = screen.bytes().split('\u001B]52;c;')[1]?.split('\u0007')[0];
    const line = Buffer.from(copied ?? '', 'base64').toString();
    expect(line).toContain(`${cliFile} replay demo --at 3`);
    expect(line).toContain(process.execPath);
    // Wherever it is pasted.
    const { stdout } = await promisify(execFile)('sh', ['-c', line], { cwd: tmpdir() });
    expect(stdout).toContain('Which port?');
    screen.press('q');
    expect(await screen.exited).toBe(0);
    expect(screen.buffer()).toBe('normal');
  });

  it('tells programs every state after each event', async () => {
    const { root } = await recorded();
    const moments = await replayJson(root, 'demo');
    expect(moments.map(({ state }) => state)[3]).toEqual({
      sprint: 'blocked',
      tasks: { a: 'blocked.question', b: 'pending' },
      open: ['q-1'],
    });
    expect(moments.map(({ event }) => event.streamversion)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('stops after a version, or at a time', async () => {
    const { root } = await recorded();
    const all = await replayJson(root);
    expect(await replayJson(root, '--until', '3')).toEqual(all.slice(0, 3));
    const time = all[1]?.event.time ?? '';
    expect(await replayJson(root, '--until', time)).toEqual(all.filter(({ event }) => event.time <= time));
  });

  it('stops at a time of day, which is that of the day of the last event', async () => {
    const { root } = await recorded();
    const all = await replayJson(root);
    const time = all[1]?.event.time ?? '';
    const seen = all.filter(({ event }) => event.time <= time);
    expect(await replayJson(root, '--until', time.slice(11, 23))).toEqual(seen);
    expect(await replayJson(root, '--until', '23:59')).toEqual(all);
  });

  it('stops so long before the last event', async () => {
    const { root } = await recorded();
    expect(await clifford(['replay', '--json', '--until', '-2h'], { cwd: root })).toMatchObject({
      code: 0,
      out: '',
    });
    expect(await replayJson(root, '--until', '-0s')).toEqual(await replayJson(root));
  });

  it('says of a moment that it does not have where the nearest is', async () => {
    const { root } = await recorded();
    const noteOf = async (...args: string[]) => (await clifford(['replay', ...args], { cwd: root })).err;
    expect(await noteOf('--until', '999')).toBe('note: there is no event 999: the last one is 6\n');
    expect(await noteOf('--json', '--until', '2000-01-01')).toMatch(
      /^note: nothing had happened by then: the first event was at \d{4}-/,
    );
    expect(await noteOf('--until', '2999-01-01')).toMatch(
      /^note: nothing has happened since: the last event was at \d{4}-/,
    );
    expect(await noteOf('--until', '6')).toBe('');
    expect(await noteOf('--until', '-0s')).toBe('');
    expect(await noteOf('--at', '2')).toContain('note: --at is for the screen');
  });

  it('takes the latest sprint when none is named', async () => {
    const { root } = await recorded();
    await writeSprint(root, { id: 'later' });
    await clifford(['skip', 'a', '--sprint', 'later'], { cwd: root });
    expect((await clifford(['replay'], { cwd: root })).out).toMatch(/^later, /);
  });

  it('says when a sprint has no history yet', async () => {
    const root = await tempRoot();
    expect((await clifford(['replay'], { cwd: root })).err).toMatch(
      /Cannot find a history: the log has no events/,
    );
    await writeSprint(root);
    const { code, err } = await clifford(['replay', 'demo'], { cwd: root });
    expect(code).toBe(2);
    expect(err).toMatch(/sprint demo has not been run yet\n {2}Run it with: clifford run demo/);
  });

  it('ends quietly when its reader has gone', async () => {
    const { root } = await recorded();
    const lock = tryHold(runnerLockPath(join(root, '.clifford'), 'demo'));
    onTestFinished(() => lock?.release());
    const { ended, printed, closeOutput } = startClifford(['attach', '--plain', 'demo'], { cwd: root });
    await printed(/^demo \(Sprint demo\): /);
    closeOutput();
    // Two decisions: the first line that nobody reads tells the program that its reader has gone.
    await clifford(['skip', 'b'], { cwd: root });
    await clifford(['cancel', '--sprint', 'demo'], { cwd: root });
    expect(await ended).toMatchObject({ code: 0, signal: null, err: '' });
  });
});

describe('clifford replay --verify', () => {
  it('says of a mirror that has nothing yet that it has nothing', async () => {
    const root = await tempRoot();
    const mark = { of: 'nats://one:4222/p', at: null, token: null };
    await mkdir(join(root, '.clifford'), { recursive: true });
    await writeFile(join(root, '.clifford/mirror.json'), JSON.stringify(mark));
    const { code, out, err } = await clifford(['replay', '--verify'], { cwd: root });
    expect({ code, out }).toEqual({
      code: 0,
      out: 'nothing is mirrored yet: .clifford/events.jsonl has no event of nats://one:4222/p\n',
    });
    expect(err).toContain('which is not complete');
  });

  it('names what it has checked', async () => {
    const { root, lines } = await recorded();
    const head = hashLine(lines.at(-1) ?? '');
    expect(await clifford(['replay', '--verify'], { cwd: root })).toEqual({
      code: 0,
      signal: null,
      out: `verified .clifford/events.jsonl: 6 events in 1 stream, chain, schemas and legality hold, head ${head}\n`,
      err: '',
    });
    expect(JSON.parse((await clifford(['replay', '--verify', '--json'], { cwd: root })).out)).toEqual({
      file: '.clifford/events.jsonl',
      events: 6,
      streams: 1,
      head,
      tornTail: null,
      mirror: null,
    });
  });

  it('finds a snapshot that says something else than the log, with 1', async () => {
    const { root } = await recorded();
    await forgeSnapshot(root, () => undefined);
    expect((await clifford(['replay', '--verify'], { cwd: root })).code).toBe(0);
    await forgeSnapshot(root, ({ state }) => {
      const always = {
        server: 's',
        tool: 't',
        definitionDigest: 'd',
        scope: { kind: 'always' },
        by: 'me',
      } as const;
      state.policyRules = [{ id: 'r-1', ...always, at: '2026-01-01T00:00:00.000Z', recordedIn: 'demo' }];
    });
    expect(await clifford(['replay', '--verify'], { cwd: root })).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('state.json: it says something else than the log, which holds'),
    });
  });

  it.each<[what: string, lie: (folded: Folded) => Partial<Folded> | void]>([
    ['a number of events', ({ checkpoint }) => ({ checkpoint: { ...checkpoint, events: 10 ** 9 } })],
    ['heads', ({ checkpoint }) => ({ checkpoint: { ...checkpoint, heads: {} } })],
    ['a stream', ({ state }) => state.streams.set('more', createSprintState('more'))],
    ['what was spent', ({ state }) => void (state.spending = { day: '2026-01-01', usage: noUsage })],
  ])('finds a snapshot with other %s', async (_what, lie) => {
    const { root, log } = await recorded();
    await forgeSnapshot(root, lie);
    await expect(verifyLog(log)).rejects.toMatchObject({ code: 'CACHE_WRONG' });
  });

  it('leaves a snapshot of another log alone', async () => {
    const { root, log } = await recorded();
    await forgeSnapshot(root, ({ checkpoint }) => ({
      checkpoint: { ...checkpoint, token: '9:x', heads: {} },
    }));
    expect(await verifyLog(log)).toMatchObject({ events: 6 });
  });

  it('accepts a project without a log', async () => {
    const { code, out } = await clifford(['replay', '--verify'], { cwd: await tempRoot() });
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('0 events in 0 streams') });
  });

  it('passes a torn tail with a note', async () => {
    const { root, log, lines } = await recorded();
    await appendFile(log, '{"specversion":"1.0"');
    const { code, out } = await clifford(['replay', '--verify'], { cwd: root });
    const bytes = Buffer.byteLength(`${lines.join('\n')}\n`);
    expect(code).toBe(0);
    expect(out).toContain('verified .clifford/events.jsonl: 6 events');
    expect(out).toContain(`note: 20 bytes after byte ${bytes} are a write that a crash cut short`);
  });

  const damages: [what: string, line: number, damage: (lines: string[]) => string[], reason: RegExp][] = [
    ['is not JSON', 3, (lines) => lines.with(2, 'nonsense'), /it is not one JSON object/],
    [
      'does not fit its schema',
      2,
      (lines) => lines.with(1, lines[1]?.replace('"maxAttempts":1', '"maxAttempts":"1"') ?? ''),
      /maxAttempts/,
    ],
    [
      'follows one that was edited',
      3,
      (lines) => lines.with(1, lines[1]?.replace('"runner":"test"', '"runner":"tess"') ?? ''),
      /its prevhash is not the hash of the line before it/,
    ],
    [
      'follows one that was removed',
      3,
      (lines) => lines.toSpliced(2, 1),
      /streamversion 3 was expected, it is 4/,
    ],
    [
      'the machines did not allow',
      6,
      // The chain holds: whoever wrote this line knew how to.
      (lines) => [...lines.slice(0, 5), lineAfter(lines[4] ?? '', 'sprint.resumed')],
      /sprint\.resumed is not legal there: sprint demo is active\.running/,
    ],
  ];

  it.each(damages)('names the line that %s, with 1', async (_what, line, damage, reason) => {
    const { root, log, lines } = await recorded();
    const damaged = damage(lines);
    await writeFile(log, `${damaged.join('\n')}\n`);
    const { code, out, err } = await clifford(['replay', '--verify'], { cwd: root });
    const byte = damaged.slice(0, line - 1).reduce((bytes, text) => bytes + Buffer.byteLength(text) + 1, 0);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(`clifford: Cannot read ${log}: line ${line} (byte ${byte}) is damaged: `);
    expect(err).toMatch(reason);
  });
});

/** A line that follows `line` in its stream, about the whole sprint. */
function lineAfter(line: string, type: 'sprint.resumed'): string {
  const before = z.looseObject({ streamversion: z.int() }).parse(JSON.parse(line));
  const event: StoredEvent = {
    specversion: '1.0',
    id: '01900000-0000-7000-8000-000000000001',
    source: '/clifford/cli',
    type,
    subject: 'demo',
    time: '2026-03-01T12:00:00.000Z',
    streamversion: before.streamversion + 1,
    prevhash: hashLine(line),
    schemaversion: 1,
    data: { by: 'ada' },
  };
  return fillTemplate(lineTemplate(event), { version: before.streamversion, hash: hashLine(line) });
}
