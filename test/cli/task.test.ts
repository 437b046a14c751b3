import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nameOf } from '../../src/machines/status-words.ts';
import { sendNote } from '../../src/workflow/notes/send-note.ts';
import { setTaskStatus } from '../../src/workflow/task/set-task-status.ts';
import { cliFile, clifford } from '../helpers/clifford-process.ts';
import { writeConfig } from '../helpers/config-files.ts';
import { eventsOf, freshSprint, startRun, typesOf } from '../helpers/sprint-run.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';
import { untilFile } from '../helpers/until-file.ts';

const done = { outcome: 'completed', reason: 'all tasks are done' };

/** A program without MCP, which runs these commands in its shell and ends. */
function shellAgent(...commands: readonly string[]): string {
  const clifford = `${process.execPath} ${cliFile}`;
  return `sh -c "${commands.join('; ').replaceAll('clifford task', `${clifford} task`).replaceAll('"', '\\"')}; exit 0"`;
}

describe('a person at a shell', () => {
  it('is told what a machine refuses in a sentence, and of commands instead of tools', async () => {
    const { root, project } = await projectWithSprint();
    const early = await clifford(['task', 'fail', 'b', '--reason', 'too hard'], { cwd: root });
    expect(early.err).toBe(
      'clifford: Cannot fail task b: it is pending\n' +
        '  Possible now: clifford skip b --sprint demo, clifford cancel b --sprint demo, clifford run demo\n',
    );
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent: { id: 'me' } });
    const { code, err } = await clifford(['retry', 'a'], { cwd: root });
    expect(code).toBe(1);
    expect(err).toContain('clifford task done a --sprint demo');
    expect(err).toContain('clifford task fail a --sprint demo --reason "…"');
    expect(err).not.toContain('the tool');
  });
});

describe('an agent without MCP', () => {
  it('notes and completes its own task from its shell, as verified', async () => {
    const { root, project } = await freshSprint({
      manifest: { tasks: [{ id: 'a', file: 'a.md', verify: ['test -f made'] }] },
    });
    const agentCmd = shellAgent(
      'clifford task note begun',
      'clifford task done',
      'touch made',
      'clifford task done a',
    );
    const { ended, text } = startRun(root, { agentCmd });
    expect(await ended).toEqual(done);
    expect(text()).toContain('Cannot complete task a: `test -f made` ended with exit code 1');
    const events = await eventsOf(project);
    const runId = events.flatMap((event) => (event.type === 'task.started' ? [event.data.runId] : []))[0];
    expect(events.filter(({ type }) => type === 'task.noted' || type === 'task.completed')).toMatchObject([
      { data: { text: 'begun', runId } },
      { data: { by: 'clifford task', runId } },
    ]);
  });

  it('hears what a human tells it while its task is verified, before that is completed', async () => {
    const verify = [`sh -c 'test -e made && echo >begun && while [ ! -e go ]; do sleep 0.02; done'`];
    const { root, project } = await freshSprint({ manifest: { tasks: [{ id: 'a', file: 'a.md', verify }] } });
    const agentCmd = shellAgent('touch made', 'clifford task done', 'clifford task done');
    const { ended, text } = startRun(root, { agentCmd });
    await untilFile(join(root, 'begun'));
    await sendNote(project, { stream: 'demo', taskId: 'a', text: 'Leave the API', by: 'ann', via: 'cli' });
    await writeConfig(join(root, 'go'), {});
    expect(await ended).toEqual(done);
    expect(text()).toContain('Leave the API');
    expect(text()).toContain('Cannot complete task a yet: the human has left a note about it');
  });

  it('is verified by what held when its attempt began', async () => {
    const { root } = await freshSprint();
    await writeConfig(join(root, 'clifford.json'), { verify: ['true'] });
    await writeConfig(join(root, 'other.json'), { verify: ['touch bad'] });
    const emptied = 'CLIFFORD_CHECKS= clifford task done';
    const agentCmd = shellAgent('cp other.json clifford.json', emptied, 'clifford task done');
    const { ended, text } = startRun(root, { agentCmd });
    expect(await ended).toEqual(done);
    expect(text()).toContain('the commands that verify it have changed since its attempt began');
    expect(existsSync(join(root, 'bad'))).toBe(false);
  });

  it('fails its task at once, whatever attempts are left', async () => {
    const { root, project } = await freshSprint();
    const agentCmd = shellAgent('clifford task fail --reason nothing-to-do');
    const end = await startRun(root, { agentCmd, maxAttempts: 3 }).ended;
    expect(end).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('nothing-to-do') });
    expect((await typesOf(project)).filter((type) => type === 'task.started')).toHaveLength(1);
  });

  it('speaks of no other task', async () => {
    const tasks = [
      { id: 'a', file: 'a.md' },
      { id: 'b', file: 'b.md', dependsOn: ['a'] },
    ];
    const { root, project } = await freshSprint({ manifest: { tasks } });
    const { ended, text } = startRun(root, { agentCmd: shellAgent('clifford task done b') });
    expect(await ended).toMatchObject({ outcome: 'failed' });
    expect(text()).toContain('Cannot act on task b: this agent was started for task a');
    expect(await typesOf(project)).not.toContain('task.completed');
  });
});

describe('a person', () => {
  it('completes a task that is under way, by name, as verified', async () => {
    const { root, project } = await projectWithSprint({ manifest: { verify: ['test -f made'] } });
    await project.dispatch('demo', () => [
      { type: 'sprint.started', subject: 'demo', data: { runner: 'test', maxAttempts: 1 } },
      { type: 'task.started', subject: 'demo/a', data: { attempt: 1, by: 'test' } },
    ]);
    expect(await clifford(['task', 'done'], { cwd: root })).toMatchObject({ code: 2 });
    const refused = await clifford(['task', 'done', 'a'], { cwd: root });
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining('`test -f made` ended with exit code 1'),
    });
    await writeConfig(join(root, 'made'), {});
    const completed = await clifford(['task', 'done', 'a', '--summary', 'by hand'], { cwd: root });
    expect(completed).toMatchObject({ code: 0, out: 'a of demo is done\n' });
    const task = (await project.refresh()).streams.get('demo')?.tasks.get('a');
    expect(nameOf(task?.machine.value ?? '')).toBe('done.completed');
    const [event] = (await eventsOf(project)).filter(({ type }) => type === 'task.completed');
    expect(event?.data).toEqual({ by: 'ada', summary: 'by hand' });
  });
});
