import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { agentHere } from '../../helpers/agent-here.ts';
import { clifford, startClifford } from '../../helpers/clifford-process.ts';
import { describeOnEachEngine } from '../../helpers/each-engine.ts';
import { freshSprint } from '../../helpers/sprint-run.ts';
import { withoutGitConfig } from '../../helpers/temp-repository.ts';
import { parallelSprint } from '../../runner/parallel/support.ts';

beforeEach(withoutGitConfig);

it('says of a task without paths, outside of git, behind which one it waits its turn', async () => {
  const tasks = ['a', 'b', 'c'].map((id) => ({
    id,
    file: `${id}.md`,
    ...(id === 'c' ? { dependsOn: ['b'] } : {}),
  }));
  const { root } = await freshSprint({ manifest: { tasks } });
  const args = ['run', 'demo', '--plain', '--parallel', '3', '--agent-cmd', agentHere('hang-first')];
  const run = startClifford(args, { cwd: root });
  await run.printed(/ready/);
  const { out } = await clifford(['status'], { cwd: root });
  expect(out).toMatch(/^ {2}○ b {2}pending {2}waits its turn behind a$/m);
  expect(out).toMatch(/^ {2}○ c {2}pending {2}waits for b$/m);
  run.kill('SIGINT');
  await run.ended;
  expect((await clifford(['status'], { cwd: root })).out).not.toContain('its turn');
});

describeOnEachEngine('tasks side by side', () => {
  it('says of each task that it is being merged, and that it is merged only of the one that was', async () => {
    const { root } = await parallelSprint({
      a: { 'shared.txt': 'a\ntwo\nthree\n' },
      b: { 'shared.txt': 'b\ntwo\nthree\n' },
    });
    const agent = agentHere('change-files', join(root, '.clifford/plan.json'));
    const run = await clifford(['run', 'demo', '--parallel', '2', '--no-wait', '--agent-cmd', agent], {
      cwd: root,
    });
    for (const task of ['a', 'b']) expect(run.err).toContain(`${task}: merging into main\n`);
    expect(run.err).not.toContain('is merged');
    expect(run.out.match(/worktree\.merged/g)).toHaveLength(1);
    expect(run.out).toContain('cannot be merged into main');
  });

  it('says of a task that is done and not merged what can be done about it, and that nobody is at work', async () => {
    const { root } = await parallelSprint({
      a: { 'shared.txt': 'a\ntwo\nthree\n' },
      b: { 'shared.txt': 'b\ntwo\nthree\n' },
    });
    const agent = agentHere('change-files', join(root, '.clifford/plan.json'));
    const args = ['run', 'demo', '--parallel', '2', '--no-wait', '--agent-cmd', agent];
    expect(await clifford(args, { cwd: root })).toMatchObject({ code: 3 });

    const { out } = await clifford(['questions', '--json'], { cwd: root });
    const [{ id, task }] = z.tuple([z.object({ id: z.string(), task: z.string() })]).parse(JSON.parse(out));
    const questions = await clifford(['questions'], { cwd: root });
    expect(questions.out.replaceAll(/\s+/g, ' ')).toContain(
      'nobody is at work on the sprint now, the answer counts with the next run',
    );
    for (const decision of [
      ['skip', task],
      ['retry', task],
      ['note', task, 'look'],
    ]) {
      const refused = await clifford(decision, { cwd: root });
      expect(refused.err).toContain(`: clifford answer ${id} --option 1 (Let an agent put it right), 2 (`);
      expect(refused.err).toContain(`clifford clean --drop ${task} --sprint demo`);
    }
    const dropped = await clifford(['answer', id, '--option', '3'], { cwd: root });
    expect(dropped).toMatchObject({ code: 0 });
  });
});
