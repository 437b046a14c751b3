import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentHere } from '../helpers/agent-here.ts';
import { clifford } from '../helpers/clifford-process.ts';
import { on } from '../helpers/history.ts';
import { eventsOf, freshSprint, startRun } from '../helpers/sprint-run.ts';
import { markersOf, shownBy, strictCast } from '../helpers/strict-cast.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';

/** A project with a sprint whose two tasks an agent has done. */
async function doneSprint() {
  const { root, project } = await freshSprint({ tasks: ['a', 'b'] });
  await startRun(root, { agentCmd: agentHere('complete') }).ended;
  const starts = (await eventsOf(project)).flatMap((event) =>
    event.type === 'agent.started' ? [event.data] : [],
  );
  return { root, runs: starts.map(({ runId }) => runId) };
}

describe('clifford export', () => {
  it('writes the last attempt, that of a task, or a run, as a cast', async () => {
    const { root, runs } = await doneSprint();
    const [first = ''] = runs;
    for (const [args, task] of [
      [[], 'b'],
      [['a'], 'a'],
      [['a', '--sprint', 'demo'], 'a'],
      [[first], 'a'],
      [[first.slice(0, -1)], 'a'],
    ] as const) {
      const { code, out } = await clifford(['export', ...args], { cwd: root });
      const { title, events } = strictCast(out, 3);
      expect({ code, title, shown: shownBy(events) }).toEqual({
        code: 0,
        title: `demo/${task}, attempt 1`,
        shown: `did ${task}\r\n`,
      });
      expect(markersOf(events)).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^#\d+ task\.started$/),
          expect.stringMatching(/agent\.started$/),
        ]),
      );
      expect(events.at(-1)?.slice(1)).toEqual(['x', '0']);
    }
  });

  it('writes v2 for older players, into a file', async () => {
    const { root } = await doneSprint();
    const { code, out } = await clifford(['export', 'a', '--v2', '--output', 'a.cast'], { cwd: root });
    expect({ code, out }).toEqual({ code: 0, out: '' });
    const { events } = strictCast(await readFile(join(root, 'a.cast'), 'utf8'), 2);
    expect(shownBy(events)).toBe('did a\r\n');
    // What an agent showed is nobody else's business.
    expect((await stat(join(root, 'a.cast'))).mode & 0o777).toBe(0o600);
  });

  it.each([[[]], [['--json']]])('writes to stdout, and no file, where - stands for one: %j', async (more) => {
    const { root } = await doneSprint();
    const plain = await clifford(['export', 'a'], { cwd: root });
    const before = await readdir(root);
    expect(await clifford(['export', 'a', '--output', '-', ...more], { cwd: root })).toEqual(plain);
    expect(await readdir(root)).toEqual(before);
  });

  it('is JSON with --json, too, which says where a file is', async () => {
    const { root } = await doneSprint();
    const plain = await clifford(['export', 'a'], { cwd: root });
    const json = await clifford(['export', 'a', '--json'], { cwd: root });
    expect([json.code, json.out]).toEqual([0, plain.out]);
    for (const line of json.out.trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
    const { code, out } = await clifford(['export', 'a', '--json', '--output', 'a.cast'], { cwd: root });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      transcript: expect.stringMatching(/^run-/),
      file: join(root, 'a.cast'),
    });
  });

  it.each([
    [['nowhere'], /Cannot find a transcript: there is no run nowhere, and no task of that name in demo/],
    [['run-0'], /Cannot tell which run run-0 is: it could be run-\S+ or run-/],
    [['run-none'], /there is no run run-none/],
    [['../../manifest'], /there is no run \.\.\/\.\.\/manifest/],
    [['a', '--sprint', 'other'], /sprint/],
    [
      ['a', '--output', 'no/such/folder.cast'],
      /Cannot write .*no\/such\/folder\.cast: there is no folder .*no\/such$/m,
    ],
  ])('%j is an input error', async (args, message) => {
    const { root } = await doneSprint();
    const { code, err } = await clifford(['export', ...args], { cwd: root });
    expect(err).toMatch(message);
    expect(code).toBe(2);
  });

  it('leaves transcripts alone: what is written goes elsewhere', async () => {
    const { root, runs } = await doneSprint();
    const transcripts = join(root, '.clifford/transcripts');
    const file = join(transcripts, `${runs[1]}.cast`);
    const before = await readFile(file, 'utf8');
    await symlink(file, join(root, 'link.cast'));
    for (const output of [file, 'link.cast', '.clifford/transcripts/new.cast', '.clifford/events.jsonl']) {
      const { code, err } = await clifford(['export', '--output', output], { cwd: root });
      expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('keeps its own files') });
    }
    expect(await readFile(file, 'utf8')).toBe(before);
    expect(await readdir(transcripts)).not.toContain('new.cast');
  });

  it('says of a transcript without a beginning that it is none, and writes no file', async () => {
    const { root, runs } = await doneSprint();
    await writeFile(join(root, `.clifford/transcripts/${runs[1]}.cast`), '{"version":3,"te');
    const { code, err } = await clifford(['export', '--output', 'x.cast'], { cwd: root });
    expect(err).toMatch(/Cannot export .*: it is not an asciicast, or was cut off in its first line\n/);
    expect(code).toBe(1);
    expect(await readdir(root)).not.toContain('x.cast');
  });

  it('of a task without an attempt is an input error', async () => {
    const { root } = await projectWithSprint();
    const { code, err } = await clifford(['export', 'a'], { cwd: root });
    expect(err).toContain('no agent has worked on task a yet');
    expect(code).toBe(2);
  });

  it.each([
    ['cast.cast', 'a path'],
    ['../elsewhere/cast.cast', 'a path beside the project'],
    ['.clifford/transcripts/../../cast.cast', 'a path out of the folder'],
    ['.clifford/transcripts/link.cast', 'a link'],
  ])('writes nothing of %s, which a log may name: %s', async (transcript) => {
    const { root, project, stream } = await projectWithSprint();
    const cast = '{"version":3,"term":{"cols":80,"rows":24}}\n[0.1,"o","secret"]\n';
    const folder = join(root, '.clifford/transcripts');
    await mkdir(folder);
    await writeFile(join(root, 'cast.cast'), cast);
    await symlink(join(root, 'cast.cast'), join(folder, 'link.cast'));
    await project.record(stream, [on(`${stream}/a`, 'agent.started', { runId: '../../cast', transcript })]);
    for (const name of ['a', 'link', '../../cast']) {
      const { code, out, err } = await clifford(['export', name], { cwd: root });
      expect({ out, err }).toEqual({ out: '', err: expect.stringContaining('Cannot ') });
      expect([1, 2]).toContain(code);
    }
  });
});
