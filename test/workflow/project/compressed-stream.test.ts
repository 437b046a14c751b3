import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completeSprint } from '../../../src/workflow/sprint/complete-sprint.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { requestById } from '../../../src/workflow/requests/find-request.ts';
import { setTaskStatus } from '../../../src/workflow/task/set-task-status.ts';
import { CompressedStream } from '../../../src/workflow/project/compressed-stream.ts';
import { openTestProject, projectWithSprint } from '../../helpers/temp-project.ts';

const agent = { id: 'session-1', client: 'opencode' };

/** A project whose sprint `demo` is over, with one answered question in it. Returns that one's id too. */
async function finished(): Promise<{ root: string; project: Project; id: string }> {
  const { root, project } = await projectWithSprint({ tasks: ['a'] });
  const { id } = await ask(project, { stream: 'demo', agent, kind: 'help', task: 'a', question: 'Which?' });
  await answerRequest(project, id, { by: 'me', via: 'cli', response: 'That one' });
  await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'completed', agent });
  await completeSprint(project, { stream: 'demo', by: 'me' });
  return { root, project, id };
}

const demoOf = (project: Project) => {
  const sprint = project.state.streams.get('demo');
  if (!sprint) throw new Error('There is no sprint demo');
  return sprint;
};

describe('a compressed stream', () => {
  it('is restored as it was', async () => {
    const { project } = await finished();
    const sprint = demoOf(project);
    const restored = CompressedStream.of(sprint).restore();
    expect(JSON.parse(JSON.stringify(restored))).toEqual(JSON.parse(JSON.stringify(sprint)));
    expect([...restored.requests.values()]).toEqual([...sprint.requests.values()]);
  });

  it('mentions the ids of its requests and their beginnings, and nothing else', async () => {
    const { project, id } = await finished();
    const compressed = CompressedStream.of(demoOf(project));
    expect([id, id.slice(0, 8), 'Which?', 'demo', 'q-z'].map((text) => compressed.mentions(text))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('folding a whole log', () => {
  it('compresses a sprint as soon as the log goes on without it, and restores it for a late event', async () => {
    const { root, project, id } = await finished();
    const before = demoOf(project).version;
    await project.record('adhoc', usage('adhoc', 100));
    await project.close();
    await rm(join(root, '.clifford', 'cache'), { recursive: true, force: true });

    const again = await openTestProject(root);
    expect([...again.state.streams.compressed().keys()]).toEqual(['demo']);
    expect(requestById(again.state, id)?.answer?.response).toBe('That one');

    await again.record('demo', usage('demo', 1));
    await again.close();
    const late = await openTestProject(root);
    expect(demoOf(late).version).toBe(before + 1);
  });

  it('never compresses a stream under those who have seen it', async () => {
    const { project } = await finished();
    const seen = demoOf(project);
    await project.record('adhoc', usage('adhoc', 100));
    expect(project.state.streams.get('demo')).toBe(seen);
  });
});

/** Facts that move nothing: about 20 KB for a hundred. */
function usage(subject: string, count: number) {
  const data = { runId: 'r', tokens: { input: 1, output: 1 } };
  return Array.from({ length: count }, () => ({ type: 'agent.usage' as const, subject, data }));
}
