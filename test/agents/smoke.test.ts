import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventsOf } from '../helpers/sprint-run.ts';
import { agentClis } from './harness/agent-clis.ts';
import { cliffordsPaths } from './harness/agent-place.ts';
import { cliffordMcp, runByHand } from './harness/run-by-hand.ts';
import { snapshot } from './harness/snapshot.ts';
import { testModel, testPlace } from './harness/test-place.ts';
import { writeUsersFiles } from './harness/users-files.ts';

const prompt = 'Work on task greet of the sprint "Sprint demo".';

describe.each(agentClis)('$name, by hand', (agent) => {
  it('works on a task with its own tools and Clifford’s, and leaves the user’s files alone', async () => {
    const place = await testPlace();
    const { home, project, sprintDir, log } = place;
    const status = (word: string) => ({ sprintDir, taskId: 'greet', status: word });
    const model = await testModel([
      { say: 'First the sprint.', tool: 'get_sprint_context', args: { sprintDir } },
      { tool: 'update_task_status', args: status('active') },
      { write: { path: join(project, 'hello.txt'), text: 'Hello, Ada!\n' } },
      { shell: 'cat hello.txt > copy.txt; cat copy.txt' },
      { tool: 'update_task_status', args: status('completed') },
      { text: 'All done.' },
    ]);
    await writeUsersFiles(place);
    const env = await agent.settle(home, model);
    const leaveOut = [...agent.ownPaths, ...cliffordsPaths];
    const before = await snapshot(home, leaveOut);

    const { code, out, err } = await runByHand({
      agent,
      place,
      prompt,
      env,
      mcp: cliffordMcp(project, sprintDir),
    });

    expect({ code, surprises: model.surprises }, err).toEqual({ code: 0, surprises: [] });
    expect(out).toMatch(agent.sessionId);
    const { results, tools } = model.conversation();
    expect(tools.filter((name) => name.endsWith('update_task_status'))).toHaveLength(1);
    const [context, active, , shown, completed] = results.filter(({ tool }) => tool !== 'ToolSearch');
    expect(context?.text).toContain('# Task greet');
    expect(active?.text).toContain('Task greet is active');
    expect(shown?.text).toContain('Hello, Ada!');
    expect(completed?.text).toContain('Task greet is completed');
    expect(await readFile(join(project, 'copy.txt'), 'utf8')).toBe('Hello, Ada!\n');

    const types = (await eventsOf(log)).map(({ type }) => type);
    expect(types.filter((type) => !type.startsWith('tool.'))).toEqual([
      'sprint.created',
      'agent.connected',
      'sprint.started',
      'task.started',
      'task.completed',
    ]);

    const { 'project/hello.txt': hello, 'project/copy.txt': copy, ...after } = await snapshot(home, leaveOut);
    expect(copy).toBe(hello);
    expect(after).toEqual(before);
  });
});
