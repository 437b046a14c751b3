import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Project } from '../../src/workflow/project/project.ts';
import { packChecks } from '../../src/workflow/verify/attempt-checks.ts';
import { noteRun } from '../../src/workflow/worktree/worktree-claims.ts';
import { on } from '../helpers/history.ts';
import { describeWithNats } from '../helpers/nats-server.ts';
import { startRun, typesOf } from '../helpers/sprint-run.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';

describeWithNats(
  'an attempt whose agent ended well, and which nobody verified before its runner was gone',
  (server) => {
    beforeEach(() => {
      vi.stubEnv('CLIFFORD_LOG', `nats://${server.address}/${randomUUID()}`);
    });

    const runId = 'run-1';
    const checksDigest = packChecks({ commands: ['true'], areOwn: false }).digest;
    const agentCmd = `sh -c 'cat >/dev/null'`;

    async function leftUnverified() {
      const sprint = await projectWithSprint({
        tasks: ['a'],
        manifest: { done: 'exit-0', verify: ['true'] },
      });
      await sprint.project.record('demo', [
        on('demo', 'sprint.started'),
        on('demo/a', 'task.started', { attempt: 1, runId, done: 'exit-0', checksDigest }),
        on('demo/a', 'agent.started', { attempt: 1, runId }),
        on('demo/a', 'agent.exited', { runId, code: 0, signal: null }),
      ]);
      return sprint;
    }

    async function attemptsOf(project: Project) {
      const types = await typesOf(project);
      return types.filter((type) => ['task.started', 'agent.lost', 'task.completed'].includes(type));
    }

    it('is lost for a run on another machine, which has none of what it made, and begun again', async () => {
      const { root, project } = await leftUnverified();
      expect((await startRun(root, { agentCmd }).ended).outcome).toBe('completed');
      expect(await attemptsOf(project)).toEqual([
        'task.started',
        'agent.lost',
        'task.started',
        'task.completed',
      ]);
    });

    it('is verified by the next run where it was', async () => {
      const { root, project } = await leftUnverified();
      await noteRun(project, runId);
      expect((await startRun(root, { agentCmd }).ended).outcome).toBe('completed');
      expect(await attemptsOf(project)).toEqual(['task.started', 'task.completed']);
    });
  },
);
