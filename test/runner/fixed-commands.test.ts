import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { writeConfig } from '../helpers/config-files.ts';
import { agentCmd, eventsOf, freshSprint, startRun } from '../helpers/sprint-run.ts';

const done = { outcome: 'completed', reason: 'all tasks are done' };

/** Runs a sprint of two tasks, whose agents write another configuration and complete them over MCP. */
async function runRewritten(before: object, after: object) {
  const { root, project } = await freshSprint({ tasks: ['a', 'b'] });
  await writeConfig(join(root, 'clifford.json'), before);
  await writeConfig(join(root, 'other.json'), after);
  vi.stubEnv('AGENT_SERVER', join(import.meta.dirname, '../../dist/mcp-entry.js'));
  const { runner, ended } = startRun(root, { agentCmd: agentCmd('mcp-rewriter', 'other.json') });
  const problems: string[] = [];
  runner.on('problem', (problem) => problems.push(problem));
  expect(await ended).toEqual(done);
  const events = await eventsOf(project);
  return {
    root,
    problems,
    commands: events.flatMap(({ data }) => ('command' in data ? [data.command] : [])),
  };
}

it('commands that an agent writes into the configuration run in no attempt of the run', async () => {
  const after = { verify: ['touch bad'], agentCmd: 'touch bad' };
  const { root, problems, commands } = await runRewritten({ verify: ['touch seen'] }, after);
  expect(existsSync(join(root, 'bad'))).toBe(false);
  expect(commands).toEqual(Array(4).fill('touch seen'));
  expect(problems).toEqual([
    expect.stringContaining('(agentCmd, verify changed): this run goes on with those of then'),
  ]);
});

it('commands that an agent takes out of the configuration verify its work all the same', async () => {
  const { commands } = await runRewritten({ verify: ['true'] }, {});
  expect(commands).toEqual(Array(4).fill('true'));
});
