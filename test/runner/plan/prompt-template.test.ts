import { writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clifford } from '../../helpers/clifford-process.ts';
import { agentCmd, freshSprint, startRun } from '../../helpers/sprint-run.ts';

const printPrompt = agentCmd('print-start', '{prompt}');

describe("the project's own text for agents", () => {
  it('is what they start with', async () => {
    const { root, stateDir } = await freshSprint();
    await writeFile(join(stateDir, 'prompt.md'), '\uFEFFOnly {task}, please.');
    const { ended, text } = startRun(root, { agentCmd: printPrompt });
    expect(await ended).toMatchObject({ outcome: 'completed' });
    expect(text()).toContain('"args":["Only a, please."]');
  });

  it.each<[string, (path: string) => Promise<unknown>, RegExp]>([
    ['a folder', (path) => mkdir(path), /Cannot read the prompt .*\.clifford\/prompt\.md: it is a folder\n/],
    [
      'UTF-16',
      (path) => writeFile(path, '\uFEFFOnly {task}.', 'utf16le'),
      /Cannot read the prompt .*: it is not UTF-8 text\n/,
    ],
    [
      'bytes',
      (path) => writeFile(path, 'Only\0 {task}.'),
      /Cannot read the prompt .*: it is not UTF-8 text\n/,
    ],
    ['blank', (path) => writeFile(path, ' \n'), /Cannot read the prompt .*: it is empty\n/],
  ])('ends a run with 2 before anything starts when it is %s', async (_what, make, message) => {
    const { root, stateDir, project } = await freshSprint();
    await make(join(stateDir, 'prompt.md'));
    const { code, out, err } = await clifford(['run', '--agent-cmd', printPrompt], { cwd: root });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
    expect((await project.refresh()).streams.size).toBe(0);
  });

  it('counts as it was when it cannot be read any more, and the run says so', async () => {
    const { root, stateDir } = await freshSprint({ tasks: ['a', 'b'] });
    await writeFile(join(stateDir, 'prompt.md'), 'Only {task}, please.');
    const { runner, ended, text } = startRun(root, { agentCmd: printPrompt });
    const problems: string[] = [];
    runner.on('problem', (problem) => problems.push(problem));
    runner.once('task-start', () => writeFileSync(join(stateDir, 'prompt.md'), ''));
    expect(await ended).toMatchObject({ outcome: 'completed' });
    expect(text()).toContain('"args":["Only b, please."]');
    expect(problems).toEqual([
      expect.stringMatching(/^Cannot read the prompt .*: it is empty; task b is started as it was before$/),
    ]);
  });
});
