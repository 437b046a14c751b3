import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ANY_PROMPT_QUIET_MS } from '../../../src/runner/prompts/detect-prompt.ts';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { openRequests } from '../../../src/workflow/requests/find-request.ts';
import { writeConfig } from '../../helpers/config-files.ts';
import { freshSprint, startRun, typesOf } from '../../helpers/sprint-run.ts';

/** A run whose agent prints what may be a prompt, and goes on as a program says. */
async function runBehind(goesOn: string, config: object = {}) {
  const { root, project } = await freshSprint({ manifest: { done: 'exit-0', verify: ['true'] } });
  const file = join(root, 'agent.js');
  writeFileSync(file, `process.stdout.write('Project name: ');\n${goesOn}`);
  const command = `"${process.execPath}" "${file}" {prompt}`;
  await writeConfig(join(root, 'clifford.json'), {
    agent: 'asker',
    agents: { asker: { command, stdin: 'open' } },
    ...config,
  });
  const run = startRun(root, {});
  return { project, run, request: await project.until((state) => openRequests(state)[0]) };
}

describe('what is only taken for a prompt', () => {
  it('gives an agent that gets an answer as much time as one that has just said something', async () => {
    const idle = ANY_PROMPT_QUIET_MS + 2_500;
    const works = `process.stdin.once('data', () => setTimeout(() => process.exit(0), 4_000));`;
    const { project, run, request } = await runBehind(works, { limits: { idle } });
    await answerRequest(project, request.id, { response: 'web', by: 'me', via: 'cli' });
    expect(await run.ended).toMatchObject({ outcome: 'completed' });
    expect(await typesOf(project)).not.toContain('agent.stalled');
  });

  it('is over with an agent that ends by itself: nobody is waited for', async () => {
    const ends = `setTimeout(() => process.exit(1), ${ANY_PROMPT_QUIET_MS + 1_500});`;
    const { project, run } = await runBehind(ends);
    expect(await run.ended).toMatchObject({ outcome: 'failed' });
    const types = await typesOf(project);
    expect(types.filter((type) => ['help.dismissed', 'agent.exited', 'task.failed'].includes(type))).toEqual([
      'help.dismissed',
      'agent.exited',
      'task.failed',
    ]);
  });
});
