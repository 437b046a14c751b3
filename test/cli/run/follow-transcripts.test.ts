import { appendFile, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { followTranscripts } from '../../../src/cli/run/follow-transcripts.ts';
import { on } from '../../helpers/history.ts';
import { recordOldAttempt } from '../../helpers/old-transcript.ts';
import { agentCmd, freshSprint, startRun } from '../../helpers/sprint-run.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

/** Collects what is given out, by task. */
function listening(project: Parameters<typeof followTranscripts>[0]) {
  const texts = new Map<string, string>();
  const stop = followTranscripts(project, 'demo', (task, text) =>
    texts.set(task, (texts.get(task) ?? '') + text),
  );
  onTestFinished(stop);
  return texts;
}

it('who follows the transcripts of a sprint sees what its agents write, as they write it', async () => {
  const { root, project } = await freshSprint({ tasks: ['a', 'b'] });
  const texts = listening(project);
  await startRun(root, { agentCmd: agentCmd('complete') }).ended;
  await expect.poll(() => Object.fromEntries(texts)).toEqual({ a: 'did a\n', b: 'did b\n' });
});

it('who follows the transcripts of a sprint sees those of an earlier version, too', async () => {
  const sprint = await projectWithSprint();
  const transcript = await recordOldAttempt(sprint, 'one\n');
  const texts = listening(sprint.project);
  expect(texts.get('a')).toBe('one\n');
  await appendFile(join(sprint.root, transcript), 'two\n');
  await expect.poll(() => texts.get('a')).toBe('one\ntwo\n');
});

it('who follows the transcripts of a sprint is shown nothing of other files, whatever its log names', async () => {
  const { root, project } = await projectWithSprint();
  const secret = join(root, 'secret.log');
  const folder = join(root, '.clifford/transcripts');
  await mkdir(folder);
  await writeFile(secret, 'secret\n');
  await symlink(secret, join(folder, 'run-link.log'));
  await writeFile(join(folder, 'run-own.log'), 'own\n');
  const texts = listening(project);
  const named = [
    'secret.log',
    secret,
    '.clifford/transcripts/../../secret.log',
    '.clifford/transcripts/run-link.log',
    '.clifford/transcripts/run-own.log',
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
