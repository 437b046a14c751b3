import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { followTranscripts } from '../../../src/workflow/transcripts/follow-transcripts.ts';
import { castLine } from '../../../src/workflow/transcripts/cast.ts';
import { agentHere } from '../../helpers/agent-here.ts';
import { on } from '../../helpers/history.ts';
import { freshSprint, startRun } from '../../helpers/sprint-run.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

/** A transcript in which an agent printed a text. */
const castOf = (text: string) =>
  castLine({ version: 3, term: { cols: 80, rows: 24 } }) + castLine([0, 'o', text]);

/** Collects what is given out, by task. */
function listening(project: Parameters<typeof followTranscripts>[0]) {
  const texts = new Map<string, string>();
  const { stop } = followTranscripts(project, 'demo', (task, text) =>
    texts.set(task, (texts.get(task) ?? '') + text),
  );
  onTestFinished(stop);
  return texts;
}

it('who follows the transcripts of a sprint sees what its agents write, as they write it', async () => {
  const { root, project } = await freshSprint({ tasks: ['a', 'b'] });
  const texts = listening(project);
  await startRun(root, { agentCmd: agentHere('complete') }).ended;
  await expect.poll(() => Object.fromEntries(texts)).toEqual({ a: 'did a\n', b: 'did b\n' });
});

it('who follows the transcripts of a sprint is shown nothing of other files, whatever its log names', async () => {
  const { root, project } = await projectWithSprint();
  const secret = join(root, 'secret.cast');
  const folder = join(root, '.clifford/transcripts');
  await mkdir(folder);
  await writeFile(secret, castOf('secret\n'));
  await symlink(secret, join(folder, 'run-link.cast'));
  await writeFile(join(folder, 'run-own.cast'), castOf('own\n'));
  const texts = listening(project);
  const named = [
    'secret.cast',
    secret,
    '.clifford/transcripts/../../secret.cast',
    '.clifford/transcripts/run-link.cast',
    '.clifford/transcripts/run-own.cast',
  ];
  for (const transcript of named)
    await project.record('demo', [on('demo/a', 'agent.started', { runId: '../../secret', transcript })]);
  await expect.poll(() => Object.fromEntries(texts)).toEqual({ a: 'own\n' });
});

it('who follows the transcripts of a sprint is shown nothing of a folder that is a link', async () => {
  const { root, project } = await projectWithSprint();
  await mkdir(join(root, 'elsewhere'));
  await writeFile(join(root, 'elsewhere/run-1.log'), 'secret\n');
  await symlink(join(root, 'elsewhere'), join(root, '.clifford/transcripts'));
  const texts = listening(project);
  const transcript = '.clifford/transcripts/run-1.log';
  await project.record('demo', [on('demo/a', 'agent.started', { transcript })]);
  await writeFile(join(root, 'elsewhere/run-1.log'), 'more\n');
  expect(Object.fromEntries(texts)).toEqual({});
});
