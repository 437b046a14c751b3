import { spawn } from 'node:child_process';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { identify } from '../../src/lib/processes/process-identity.ts';
import { projectWithSprint, tempRoot, writeSprint } from '../helpers/temp-project.ts';
import { connectAgent } from './support/connect-agent.ts';
import { startAttempt } from './support/start-attempt.ts';

/** What a prompt says. */
async function prompted(client: Client, values: Record<string, string> = {}): Promise<string> {
  const { messages } = await client.getPrompt({ name: 'work-on-next-task', arguments: values });
  const [first, second] = messages;
  if (first?.content.type !== 'text' || second) throw new Error('not one text');
  expect(first.role).toBe('user');
  return first.content.text;
}

describe('the prompt work-on-next-task', () => {
  it('is listed with the sprint as what may be said', async () => {
    const { client } = await connectAgent(await tempRoot());
    expect((await client.listPrompts()).prompts).toMatchObject([
      { name: 'work-on-next-task', arguments: [{ name: 'sprint', required: false }] },
    ]);
  });

  it('names the task that is ready, what to do about it, and what its file says, and records nothing', async () => {
    const { root, project } = await projectWithSprint();
    const { client, text } = await connectAgent(root);
    const prompt = await prompted(client);
    expect(prompt).toContain('Work on the task a of the sprint Sprint demo (sprints/demo)');
    expect(prompt).toContain('get_sprint_context with sprintDir "sprints/demo"');
    expect(prompt).toContain('update_task_status (taskId "a", status "active")');
    expect(prompt).toContain('# Task a');
    await project.refresh();
    expect(project.state.streams.get('demo')?.tasks.get('a')?.machine.value).toBe('pending');
    // What it says to call can be called like that.
    await text('update_task_status', { sprintDir: 'sprints/demo', taskId: 'a', status: 'active' });
    expect(await prompted(client)).toContain('It has been begun');
  });

  it('passes over a task at which another agent is at work; its own agent gets it', async () => {
    const { root, project } = await projectWithSprint();
    const working = spawn('sleep', ['60'], { stdio: 'ignore' });
    onTestFinished(() => void working.kill('SIGKILL'));
    await startAttempt(project, 'a', 'run-1', undefined, identify(working.pid ?? 0));
    const other = await connectAgent(root);
    expect(await prompted(other.client)).toContain('Work on the task b');
    const own = await connectAgent(root, { env: { CLIFFORD_RUN_ID: 'run-1' } });
    expect(await prompted(own.client)).toContain('Work on the task a');
  });

  it('goes on with a task whose agent is gone', async () => {
    const { root, project } = await projectWithSprint();
    await startAttempt(project, 'a', 'run-1');
    const { client } = await connectAgent(root);
    expect(await prompted(client)).toContain('Work on the task a');
  });

  it('asks which sprint is meant where there are several, and takes its id or its folder', async () => {
    const { root } = await projectWithSprint();
    await writeSprint(root, { id: 'other', tasks: ['z'] });
    const { client } = await connectAgent(root);
    await expect(prompted(client)).rejects.toThrow(/several are unfinished: .*demo/);
    expect(await prompted(client, { sprint: 'other' })).toContain('Work on the task z');
    await expect(prompted(client, { sprint: 'none' })).rejects.toThrow('none');
  });

  it('says so when nothing is left', async () => {
    const { root, project } = await projectWithSprint({ tasks: ['a'] });
    const { client, text } = await connectAgent(root);
    await text('update_task_status', { sprintDir: 'sprints/demo', taskId: 'a', status: 'active' });
    await text('update_task_status', { sprintDir: 'sprints/demo', taskId: 'a', status: 'completed' });
    await project.refresh();
    expect(await prompted(client, { sprint: 'demo' })).toContain('has no task left');
  });

  it('is the only one: any other is refused', async () => {
    const { client } = await connectAgent(await tempRoot());
    await expect(client.getPrompt({ name: 'none' })).rejects.toThrow('Cannot read the prompt none');
  });
});
