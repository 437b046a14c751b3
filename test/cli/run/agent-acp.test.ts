import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { clifford } from '../../helpers/clifford-process.ts';
import { agentCmd, eventsOf } from '../../helpers/sprint-run.ts';
import { acpSprint, ofType } from '../../runner/support/acp-sprint.ts';

it('clifford run --agent-acp speaks with an agent of any name, whatever else is configured, and names its model', async () => {
  const { root, project, prompts } = await acpSprint([]);
  await writeFile(join(root, 'clifford.json'), JSON.stringify({ agentCmd: 'no-such-agent' }));
  const { code, err } = await clifford(
    ['run', '--plain', '--model', 'big', '--agent-acp', `${agentCmd('acp-agent')} --model {model}`],
    { cwd: root, env: { CLIFFORD_AGENT_CMD: 'no-such-agent-either' } },
  );
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const [prompt] = await prompts();
  expect(prompt).toContain('You work on task a');
  // Nobody knows whether it takes the tools that it is offered.
  expect(prompt).toMatch(
    /The MCP server [^]*Where you do not have the tools [^]*task file [^]*a\.md [^]*clifford task done/,
  );
  const [started] = ofType(await eventsOf(project), 'agent.started');
  expect(started?.data.argv.slice(-2)).toEqual(['--model', 'big']);
  expect(started?.data).toMatchObject({ adapter: 'command', speaks: true });
  expect(started?.data).not.toHaveProperty('agent');
  expect(await readFile(join(root, 'clifford.json'), 'utf8')).toContain('no-such-agent');
});
