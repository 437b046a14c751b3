import { describe, expect, it } from 'vitest';
import { ways } from '../harness/agent-clis.ts';
import { agentSprint } from '../harness/agent-sprint.ts';

/** Means something to a command line, in JSON, in TOML, and where agents put in variables. */
const folder = `-sp ace'"ü$HOME\${HOME}`;

describe.each(ways)('$name ($via) in a project with an odd path', ({ agent, via }) => {
  it('reaches Clifford, and completes its task', async () => {
    const { model, run } = await agentSprint({
      agent,
      via,
      folder,
      script: ({ sprintDir }) => ({
        'task form of': [
          { tool: 'get_sprint_context', args: { sprintDir } },
          { tool: 'update_task_status', args: { sprintDir, taskId: 'form', status: 'completed' } },
          { text: 'The form is done.' },
        ],
      }),
    });
    const { code, out, err } = await run().ended;
    expect({ code, surprises: model.surprises }, `${out}${err}`).toEqual({ code: 0, surprises: [] });
  });
});
