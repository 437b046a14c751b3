import { cp, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentHere } from '../helpers/agent-here.ts';
import { clifford, followClifford } from '../helpers/clifford-process.ts';
import { freshSprint } from '../helpers/sprint-run.ts';
import { tempRoot, writeSprint } from '../helpers/temp-project.ts';

/** The commands that the second line of an error names, e.g. behind `Possible now:`. */
function advised(err: string): string[] {
  const line = err.split('\n')[1] ?? '';
  return [...line.matchAll(/clifford [a-z]+(?: (?!or\b)[-\w]+)*/g)].map(([command]) => command);
}

/** Runs each command in a copy of the project: what is advised has to work where the advice was given. */
async function follow(root: string, commands: readonly string[]): Promise<Record<string, number | null>> {
  const codes = await Promise.all(
    commands.map(async (command) => {
      const copy = await tempRoot();
      await cp(root, copy, { recursive: true });
      const [, ...args] = command.split(' ');
      const run = args[0] === 'run' ? ['--agent-cmd', agentHere('complete')] : [];
      const { code } = await clifford([...args, ...run], { cwd: copy });
      return [command, code] as const;
    }),
  );
  return Object.fromEntries(codes);
}

/** What is done to a fresh sprint of two tasks, then the decision that is refused. */
const cases: [string, string[][], string[], string[]][] = [
  ['pause of a pending sprint', [], ['pause'], ['run', 'cancel']],
  ['done of a pending task', [], ['task', 'done', 'a'], ['run', 'skip', 'cancel']],
  ['retry of a pending task', [], ['retry', 'a'], ['run', 'skip', 'cancel']],
  ['retry where one was skipped', [['skip', 'b']], ['retry'], ['retry']],
  ['retry where nothing was', [], ['retry'], ['status']],
];

describe('what is advised', () => {
  it.each(cases)('after %s works when it is followed', async (_what, before, refused, verbs) => {
    const { root } = await freshSprint({ tasks: ['a', 'b'] });
    for (const args of before) expect(await clifford(args, { cwd: root })).toMatchObject({ code: 0 });
    const { code, err } = await clifford(refused, { cwd: root });
    expect(code).toBe(1);
    expect(err).not.toContain('the tool');
    const commands = advised(err);
    expect(new Set(commands.map((command) => command.split(' ')[1]))).toEqual(new Set(verbs));
    expect(await follow(root, commands)).toEqual(Object.fromEntries(commands.map((each) => [each, 0])));
  });

  it('while a run is at work is no other run', async () => {
    const { root } = await freshSprint({ tasks: ['a', 'b'] });
    const run = followClifford(['run', '--agent-cmd', agentHere('hang-first')], { cwd: root });
    await run.printed(/ready/);
    const resumed = await clifford(['resume'], { cwd: root });
    expect(resumed.err).toBe(
      'clifford: Cannot resume sprint demo: it is active\n' +
        '  Possible now: clifford pause demo, clifford cancel --sprint demo\n',
    );
    expect(await clifford(['pause'], { cwd: root })).toMatchObject({ code: 0 });
    // A run of a sprint that is paused would only wait.
    const paused = await clifford(['pause'], { cwd: root });
    expect(paused.err).toContain('Cannot pause sprint demo: it is paused\n  Possible now: ');
    expect(paused.err).toContain('clifford resume demo');
    expect(paused.err).not.toContain('clifford run');
    await clifford(['cancel', '--sprint', 'demo'], { cwd: root });
    await run.ended;
  });

  it.each([
    ['pause', 'demo'],
    ['resume', 'demo'],
    ['cancel', '--sprint', 'demo'],
  ])('for a sprint that is done is not to wait for a run: %s', async (...args) => {
    const { root } = await freshSprint({ tasks: ['a'] });
    const run = await clifford(['run', '--agent-cmd', agentHere('complete')], { cwd: root });
    expect(run).toMatchObject({ code: 0 });
    expect(await clifford(args, { cwd: root })).toMatchObject({
      code: 1,
      err:
        `clifford: Cannot ${args[0]} sprint demo: it is done\n` +
        '  It is over. For more to do: clifford task add <id> "…" --sprint demo\n',
    });
  });

  it.each(['retry', 'skip'])('for a task that is done is what can follow it, not to %s it', async (verb) => {
    const { root } = await freshSprint({ tasks: ['a', 'b'] });
    const run = await clifford(['run', '--agent-cmd', agentHere('complete')], { cwd: root });
    expect(run).toMatchObject({ code: 0 });
    expect(await clifford([verb, 'a', '--sprint', 'demo'], { cwd: root })).toMatchObject({
      code: 1,
      err:
        `clifford: Cannot ${verb} task a: it is done\n` +
        '  It is over. For more to do: clifford task add <id> "…" --sprint demo\n',
    });
  });

  it('for one of several that are finished is the one in which something happened last', async () => {
    const { root } = await freshSprint({ id: 'b', tasks: ['a'] });
    await writeSprint(root, { id: 'a', tasks: ['a'] });
    await writeSprint(root, { id: 'c', tasks: ['a'] });
    for (const id of ['b', 'c', 'a'])
      expect(await clifford(['cancel', '--sprint', id], { cwd: root })).toMatchObject({ code: 0 });
    const run = await clifford(['run', '--agent-cmd', 'true'], { cwd: root });
    expect(run.err).toContain('all are done: a, b, c\n  Make one: clifford sprint new <id>\n');
  });

  it('where the only sprint is done is what can follow it, and for a task more its name', async () => {
    const { root } = await freshSprint({ tasks: ['a'] });
    await clifford(['run', '--agent-cmd', agentHere('complete')], { cwd: root });
    const done = 'clifford: Cannot find a sprint that is not done: sprint demo is done\n';
    const next = '  For more to do: clifford task add <id> "…" --sprint demo, or clifford sprint new <id>\n';
    for (const args of [['pause'], ['stop'], ['cancel'], ['skip', 'a'], ['note', 'a', 'hi'], ['attach']])
      expect(await clifford(args, { cwd: root })).toMatchObject({ code: 2, err: done + next });
    const { err } = await clifford(['task', 'add', 'b', 'more'], { cwd: root });
    expect(err).toBe(`${done}  Name it, e.g.: clifford task add b more --sprint demo\n`);
    expect(await follow(root, advised(err))).toEqual({ 'clifford task add b more --sprint demo': 0 });
  });

  it('for a sprint whose manifest is missing is not to run it', async () => {
    const { root, dir } = await freshSprint({ tasks: ['a', 'b'] });
    expect(await clifford(['skip', 'a'], { cwd: root })).toMatchObject({ code: 0 });
    const manifest = join(dir, 'manifest.json');
    await rm(manifest);
    const missing = 'sprint demo cannot be run: sprints/demo/manifest.json is missing';
    const status = await clifford(['status'], { cwd: root });
    expect(status.err.replaceAll(/\s+/g, ' ')).toContain(`note: ${missing}`);
    const retry = await clifford(['retry', 'a'], { cwd: root });
    expect(retry).toMatchObject({ code: 0, err: `note: ${missing}\n` });
    const doctor = await clifford(['doctor'], { cwd: root });
    expect(doctor.out.replaceAll(/\s+/g, ' ')).toContain(missing);
    expect(await clifford(['task', 'add', 'c', 'hi', '--sprint', 'demo'], { cwd: root })).toMatchObject({
      code: 2,
      err:
        'clifford: Cannot add to sprint demo: sprints/demo/manifest.json is missing\n' +
        '  Bring the file back. Only if the sprint is to end for good: clifford cancel --sprint demo\n',
    });
    await symlink('nowhere.json', manifest);
    expect((await clifford(['status'], { cwd: root })).err).toContain('is a link to what is not there');
  });

  it('for a sprint that was cancelled is nothing', async () => {
    const { root } = await freshSprint({ tasks: ['a'] });
    expect(await clifford(['cancel', '--sprint', 'demo'], { cwd: root })).toMatchObject({ code: 0 });
    for (const args of [['retry'], ['retry', 'a']]) {
      const { code, err } = await clifford([...args, '--sprint', 'demo'], { cwd: root });
      expect(code).toBe(1);
      expect(err).toContain('It is over: nothing can be decided about it any more');
    }
  });

  it('for a history outside of any sprint is no sprint of that name', async () => {
    const { root } = await freshSprint();
    const { code, err } = await clifford(['replay', 'adhoc'], { cwd: root });
    expect(code).toBe(2);
    expect(err).toBe(
      'clifford: Cannot find a history: nobody has asked outside of a sprint\n' +
        '  See what happened in the latest sprint with: clifford replay\n',
    );
  });

  it('for a sprint that is not there is to make it, where it can have that name', async () => {
    const root = await tempRoot();
    const { err } = await clifford(['replay', 'nope'], { cwd: root });
    expect(err).toBe(
      'clifford: Cannot find sprint nope: the project has none\n  Make it with: clifford sprint new nope\n',
    );
    expect(await follow(root, advised(err))).toEqual({ 'clifford sprint new nope': 0 });
    await clifford(['sprint', 'new', 'alpha'], { cwd: root });
    const mistyped = await clifford(['run', 'alhpa'], { cwd: root });
    expect(mistyped.err).toContain('the known ones are alpha; did you mean "alpha"?\n');
    expect((await clifford(['replay', join('a', 'b')], { cwd: root })).err).not.toContain('sprint new a/b');
  });

  it.each([
    [['pause'], 'clifford pause login'],
    [['task', 'add', 'form', 'Build "it"'], `clifford task add form 'Build "it"' --sprint login`],
    [['retry', '--reason', 'it works now'], `clifford retry --reason 'it works now' --sprint login`],
  ])('where no sprint is named by %j is that command with its sprint', async (args, typed) => {
    const { root } = await freshSprint();
    expect(await clifford(['sprint', 'new', 'login'], { cwd: root })).toMatchObject({ code: 0 });
    expect(await clifford(args, { cwd: root })).toMatchObject({
      code: 2,
      err:
        'clifford: Cannot tell which sprint is meant: several are unfinished: demo, login\n' +
        `  Name it, e.g.: ${typed}\n`,
    });
  });
});
