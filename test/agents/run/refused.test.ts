import { describe, expect, it } from 'vitest';
import { preload } from '../../helpers/clifford-process.ts';
import { processesOf } from '../../helpers/project-processes.ts';
import { ways } from '../harness/agent-clis.ts';
import { agentSprint, isA } from '../harness/agent-sprint.ts';

/** The MCP server is started with the Node of the runner: with another program in its place it ends at once. */
const withoutMcpServer = preload(`process.execPath = '/usr/bin/false'`);

/** Else it tries ten times, for minutes. */
const once = { CLAUDE_CODE_MAX_RETRIES: '1' };

/** Over ACP Copilot says it in prose only. */
const isProse = ({ name, via }: (typeof ways)[number]) => name === 'copilot' && via === 'acp';

describe.each(ways)('$name ($via)', ({ agent, via, name }) => {
  it.skipIf(isProse({ agent, via, name }))(
    'whose key is wrong ends the task at once, with the words of its provider',
    async () => {
      const { project, run, model, events } = await agentSprint({
        agent,
        via,
        env: once,
        config: { maxAttempts: 3 },
        script: () => [{ fail: { kind: 'unauthorized' } }],
      });
      const { code, out, err } = await run().ended;

      expect({ code, surprises: model.surprises }, `${out}${err}`).toEqual({ code: 1, surprises: [] });
      const all = await events();
      expect(all.filter(isA('agent.started'))).toHaveLength(1);
      expect(all.filter(isA('agent.limited'))).toEqual([]);
      const [failed] = all.filter(isA('task.failed'));
      expect(failed?.data.reason).toMatch(
        /its provider rejected its credentials: .*(401|key|Authentication (failed|required)|Invalid)/i,
      );
      expect(`${out}${err}`).toContain('its provider rejected its credentials');
      expect(await processesOf(project, '')).toEqual([]);
    },
  );

  it('whose connection to Clifford fails ends the attempt, and says that and why', async () => {
    const { project, run, model, events } = await agentSprint({
      agent,
      via,
      script: () => [{ text: 'There are no tools: I guess.' }],
    });
    const { code, out, err } = await run({ nodeArgs: withoutMcpServer }).ended;

    expect({ code, surprises: model.surprises }, `${out}${err}`).toEqual({ code: 1, surprises: [] });
    const all = await events();
    expect(all.filter(isA('agent.connected'))).toEqual([]);
    const [failed] = all.filter(isA('task.failed'));
    expect(failed?.data.reason).toMatch(/did not connect to Clifford|before it connected to Clifford/);
    // Over ACP not all say why.
    expect(failed?.data.reason).toMatch(via === 'cli' ? /mcp/i : /Clifford/);
    expect(`${out}${err}`).toMatch(/did not connect to Clifford|before it connected to Clifford/);
    expect(await processesOf(project, '')).toEqual([]);
  });
});
