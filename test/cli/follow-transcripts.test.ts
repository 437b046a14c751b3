import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { followTranscripts } from '../../src/cli/follow-transcripts.ts';
import { recordOldAttempt } from '../helpers/old-transcript.ts';
import { agentCmd, freshSprint, startRun } from '../helpers/sprint-run.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';

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
