import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Project } from '../../src/workflow/project/project.ts';
import { TRANSCRIPTS_DIR } from '../../src/workflow/transcripts/transcript-files.ts';
import { packChecks } from '../../src/workflow/verify/attempt-checks.ts';
import { noteRun } from '../../src/workflow/worktree/worktree-claims.ts';
import { on } from '../helpers/history.ts';
import { describeWithNats } from '../helpers/nats-server.ts';
import { startRun, typesOf } from '../helpers/sprint-run.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';

const runId = 'run-1';
const checksDigest = packChecks({ commands: ['true'], areOwn: false }).digest;

/** An attempt whose agent ended well, and which nobody verified before its runner was gone. */
async function leftUnverified() {
  const sprint = await projectWithSprint({ tasks: ['a'], manifest: { done: 'exit-0', verify: ['true'] } });
  await sprint.project.record('demo', [
    on('demo', 'sprint.started'),
    on('demo/a', 'task.started', { attempt: 1, runId, done: 'exit-0', checksDigest }),
    on('demo/a', 'agent.started', { attempt: 1, runId }),
    on('demo/a', 'agent.exited', { runId, code: 0, signal: null }),
  ]);
  return sprint;
}

async function attemptsOfRun(root: string, project: Project) {
  const { outcome } = await startRun(root, { agentCmd: `sh -c 'cat >/dev/null'` }).ended;
  expect(outcome).toBe('completed');
  const types = await typesOf(project);
  return types.filter((type) => ['task.started', 'agent.lost', 'task.completed'].includes(type));
}

const verified = ['task.started', 'task.completed'];

describeWithNats(
  'an attempt that ended well and was not verified, of a log that machines share',
  (server) => {
    beforeEach(() => {
      vi.stubEnv('CLIFFORD_LOG', `nats://${server.address}/${randomUUID()}`);
    });

    it('is lost for a run on another machine, which has none of what it made, and begun again', async () => {
      const { root, project } = await leftUnverified();
      expect(await attemptsOfRun(root, project)).toEqual([
        'task.started',
        'agent.lost',
        'task.started',
        'task.completed',
      ]);
    });

    it('is verified by the next run where it was, which has its note', async () => {
      const { root, project } = await leftUnverified();
      await noteRun(project, runId);
      expect(await attemptsOfRun(root, project)).toEqual(verified);
    });

    it('is verified by the next run where it was, which has its transcript', async () => {
      const { root, project } = await leftUnverified();
      mkdirSync(join(project.dir, TRANSCRIPTS_DIR), { recursive: true });
      writeFileSync(join(project.dir, TRANSCRIPTS_DIR, `${runId}.cast`), '');
      expect(await attemptsOfRun(root, project)).toEqual(verified);
    });
  },
);

it('an attempt that ended well and was not verified is verified by the next run, where no other machine has the log', async () => {
  const { root, project } = await leftUnverified();
  expect(await attemptsOfRun(root, project)).toEqual(verified);
});
