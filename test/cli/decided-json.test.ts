import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createCli } from '../../src/cli/cli.ts';
import { createProgram } from '../../src/cli/program.ts';
import { decidedSchema } from '../../src/cli/text/decided-json.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { agentHere } from '../helpers/agent-here.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';

/** A process of which a command sees nothing but what is written. */
function placeIn(root: string) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  const place = { stdin, stdout, stderr, env: { USER: 'ann', PATH: process.env['PATH'] }, cwd: () => root };
  const { cli } = createCli(place as unknown as Parameters<typeof createCli>[0]);
  return { cli, stdout };
}

/** Runs a command in this process. Returns what it prints. */
async function clifford(root: string, ...argv: string[]): Promise<string> {
  const { cli, stdout } = placeIn(root);
  await (await createProgram(cli, argv)).parseAsync(argv, { from: 'user' });
  return String(stdout.read() ?? '');
}

it('prints one line, of one form', async () => {
  const { root, project } = await projectWithSprint();
  await project.dispatch('demo', () => [
    { type: 'sprint.started', subject: 'demo', data: { runner: 'test', maxAttempts: 1 } },
  ]);
  const asked = async (question: string) =>
    (await ask(project, { stream: 'demo', kind: 'help', task: 'a', agent: { id: 'x' }, question })).id;
  const line = async (...argv: string[]) => {
    const text = await clifford(root, ...argv, '--json');
    expect(text).toMatch(/^[^\n]+\n$/);
    return decidedSchema.parse(JSON.parse(text));
  };
  expect(await line('pause')).toEqual({ done: 'paused', sprint: 'demo', tasks: [] });
  expect(await line('resume', 'demo')).toEqual({ done: 'resumed', sprint: 'demo', tasks: [] });
  expect(await line('note', 'b', 'hello')).toMatchObject({
    done: 'noted',
    tasks: ['b'],
    note: expect.stringMatching(/^n-/),
  });
  expect(await line('skip', 'b')).toEqual({ done: 'skipped', sprint: 'demo', tasks: ['b'] });
  expect(await line('retry', 'b')).toEqual({ done: 'retried', sprint: 'demo', tasks: ['b'] });
  expect(await line('cancel', 'b')).toEqual({ done: 'cancelled', sprint: 'demo', tasks: ['b'] });
  const [one, two, three] = [await asked('One?'), await asked('Two?'), await asked('Three?')];
  expect(await line('answer', one, 'yes')).toEqual({
    done: 'answered',
    sprint: 'demo',
    tasks: ['a'],
    requests: [one],
    isAwaited: true,
  });
  expect(await line('answer', two, '--reject', 'no')).toMatchObject({ done: 'rejected', requests: [two] });
  expect(await line('dismiss', three)).toMatchObject({ done: 'dismissed', requests: [three] });
  expect(await line('cancel', '--sprint', 'demo')).toEqual({ done: 'cancelled', sprint: 'demo', tasks: [] });
});

it('so does a run, when it is over', async () => {
  const { root } = await projectWithSprint();
  const line = await clifford(
    root,
    'run',
    'demo',
    '--json',
    '--accept-commands',
    '--agent-cmd',
    agentHere('complete'),
  );
  expect(decidedSchema.parse(JSON.parse(line))).toMatchObject({
    done: 'ran',
    sprint: 'demo',
    outcome: 'completed',
  });
  expect(line).toMatch(/^[^\n]+\n$/);
});
