import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agentCmd, eventsOf, startRun, typesOf } from '../../helpers/sprint-run.ts';
import { acpSprint, done, ofType } from '../support/acp-sprint.ts';

const touch = { command: { startsWith: 'touch' } };
const allowsNode = { command: { startsWith: 'node' }, decision: 'allow' };
const denies = { agents: { ask: 'nothing', rules: [{ ...touch, decision: 'deny' }, allowsNode] } };

/** An agent that changes these files by a program, fails, and in its next attempt tries what was denied. */
async function sprintWith(files: Record<string, object | undefined>) {
  const sprint = await acpSprint(
    [{ run: 'node change.mjs' }, { ends: true }, { run: 'touch made' }],
    denies,
    {},
    { maxAttempts: 2 },
  );
  const lines = Object.entries(files).map(([file, content]) =>
    content
      ? `writeFileSync('${file}', ${JSON.stringify(JSON.stringify(content))})`
      : `rmSync('${file}', { force: true })`,
  );
  const program = `import { rmSync, writeFileSync } from 'node:fs';\n${lines.join(';\n')};\n`;
  await writeFile(join(sprint.root, 'change.mjs'), program);
  const { runner, ended } = startRun(sprint.root, { env: { ...process.env, CLIFFORD_TRUST_PROJECT: '1' } });
  const problems: string[] = [];
  runner.on('problem', (problem) => problems.push(problem));
  return { ...sprint, ended, problems };
}

it.each<[string, Record<string, object | undefined>]>([
  ['deletes the policy and the configuration', { 'mcp.json': undefined, 'clifford.json': undefined }],
  [
    'writes others, by which it need not ask',
    {
      'mcp.json': { policy: { agents: { ask: 'nothing', rules: [{ ...touch, decision: 'allow' }] } } },
      'clifford.json': {
        agent: 'fake',
        agents: { fake: { command: agentCmd('acp-agent'), via: 'cli' } },
        maxAttempts: 2,
      },
    },
  ],
])('an agent that %s by an allowed program may do no more in its run', async (_what, files) => {
  const { project, ended, has, problems } = await sprintWith(files);
  expect(await ended).toEqual(done);
  expect(has('made')).toBe(false);
  expect(problems.filter((text) => text.startsWith('mcp.json has changed'))).toHaveLength(1);
  const events = await eventsOf(project);
  expect(ofType(events, 'tool.allowed').map(({ data }) => data.rule)).toEqual(['agents.rules[1]']);
  expect(ofType(events, 'tool.denied').map(({ data }) => data.rule)).toEqual([
    expect.stringMatching(/^agents\.rules\[0\] from before mcp\.json was changed$/),
  ]);
  expect(ofType(events, 'task.started')).toHaveLength(2);
  expect(await typesOf(project)).not.toContain('help.requested');
});
