import { describe, expect, it } from 'vitest';
import { clifford } from '../helpers/clifford-process.ts';
import { on } from '../helpers/history.ts';
import { parseMermaid } from '../helpers/parse-mermaid.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';

async function diagram(cwd: string, ...args: string[]): Promise<ReturnType<typeof parseMermaid>> {
  const { code, out, err } = await clifford(['diagram', ...args], { cwd });
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return parseMermaid(out);
}

describe('clifford diagram', () => {
  it.each(['task', 'sprint', 'request'])('prints the %s machine anywhere', async (machine) => {
    const { states, marked } = await diagram('/', machine);
    expect(states.length).toBeGreaterThan(3);
    expect(marked).toEqual([]);
  });

  it('marks where a sprint, its tasks and its requests stand', async () => {
    const { root, project } = await projectWithSprint();
    await project.dispatch('demo', () => [
      on('demo', 'sprint.started'),
      on('demo/a', 'task.started'),
      on('demo/a', 'help.requested', { requestId: 'q-1' }),
    ]);
    const of = (...args: string[]) => diagram(root, ...args, '--sprint', 'demo');
    expect((await of('sprint')).marked).toEqual(['blocked']);
    expect((await of('task')).marked).toEqual(['blocked_question', 'pending']);
    expect((await of('task', '--task', 'a')).marked).toEqual(['blocked_question']);
    expect((await of('request')).labels.get('open')).toBe('open<br/>q-1');
    expect((await of('request', '--task', 'b')).marked).toEqual([]);
  });
});
