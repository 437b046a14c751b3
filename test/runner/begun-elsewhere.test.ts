import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Candidate } from '../../src/machines/legality.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { goOnByHand } from '../../src/runner/sprint/go-on-by-hand.ts';
import type { SprintRunnerOptions } from '../../src/runner/sprint/sprint-runner.ts';
import { TRANSCRIPTS_DIR } from '../../src/workflow/transcripts/transcript-files.ts';
import { packChecks } from '../../src/workflow/verify/attempt-checks.ts';
import { noteRun } from '../../src/workflow/worktree/worktree-claims.ts';
import { on } from '../helpers/history.ts';
import { describeWithNats } from '../helpers/nats-server.ts';
import { eventsOf, startRun, typesOf } from '../helpers/sprint-run.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';
import { makeRepository, withoutGitConfig } from '../helpers/temp-repository.ts';

/** No other test's: its processes are looked for on the whole machine. */
const runId = `run-${randomUUID()}`;
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

async function attemptsOfRun(root: string, project: Project, options: Partial<SprintRunnerOptions> = {}) {
  const { outcome } = await startRun(root, { agentCmd: `sh -c 'cat >/dev/null'`, ...options }).ended;
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

    it('is verified where a worker runs it, which has seen to that before', async () => {
      const { root, project } = await leftUnverified();
      const share = { rules: { as: 'helper', taskId: 'a' } } as const;
      expect(await attemptsOfRun(root, project, { share })).toEqual(verified);
    });

    it('is left to the worker that has its task', async () => {
      const { project } = await leftUnverified();
      await project.record('demo', [
        on('demo/a', 'offer.made', { worker: 'one' }),
        on('demo/a', 'offer.taken', { worker: 'two' }),
      ]);
      const before = await typesOf(project);
      const plans = { checksFor: async () => ({ commands: [], areOwn: false, commit: false }) };
      await goOnByHand(project, { stream: 'demo', plans, env: {}, report: () => undefined });
      expect(await typesOf(project)).toEqual(before);
    });
  },
);

it('an attempt that ended well and was not verified is verified by the next run, where no other machine has the log', async () => {
  const { root, project } = await leftUnverified();
  expect(await attemptsOfRun(root, project)).toEqual(verified);
});

describeWithNats(
  'a sprint with commits, of a log that machines share, that another one has begun',
  (server) => {
    beforeEach(withoutGitConfig);

    const started = (task: string) => [
      on(`demo/${task}`, 'task.started', { attempt: 1, runId }),
      on(`demo/${task}`, 'agent.started', { attempt: 1, runId }),
    ];

    /** Runs it on a machine that has of what was made elsewhere what it had before. */
    async function runHere(
      past: readonly Candidate[],
      { sha, ranHere }: { readonly sha?: string; readonly ranHere?: boolean } = {},
    ) {
      vi.stubEnv('CLIFFORD_LOG', `nats://${server.address}/${randomUUID()}`);
      const { root, project } = await projectWithSprint({
        tasks: ['a', 'b'],
        manifest: { done: 'exit-0', verify: ['true'], commit: true },
      });
      const git = makeRepository(root);
      git.write({ 'mine.txt': 'mine' });
      git.commitAll();
      const head = git('rev-parse', 'HEAD');
      const files = { sha: sha ?? head, files: ['a.txt'], attempt: 1 };
      const facts = past.map((each) =>
        each.type === 'task.committed' ? on('demo/a', each.type, files) : each,
      );
      await project.record('demo', [on('demo', 'sprint.started'), ...facts]);
      if (ranHere) await noteRun(project, runId);
      const run = startRun(root, {
        agentCmd: `sh -c 'cat >/dev/null; echo "$CLIFFORD_TASK_ID" >> made.txt'`,
      });
      const problems: string[] = [];
      run.runner.on('problem', (problem) => problems.push(problem));
      expect((await run.ended).outcome).toBe('completed');
      const commits = (await eventsOf(project)).flatMap((event) =>
        event.type === 'task.committed' || event.type === 'task.uncommitted' ? [event] : [],
      );
      return { problems, commits: commits.map(({ type, subject }) => `${type} ${subject}`) };
    }

    it('has a commit of a task that was begun there and is done here', async () => {
      const lost = on('demo/a', 'agent.lost', { runId });
      expect((await runHere([...started('a'), lost])).commits).toEqual([
        'task.committed demo/a',
        'task.committed demo/b',
      ]);
    });

    it('has none of one that was begun here when none was wanted: what its attempt has made would be left out', async () => {
      const lost = on('demo/a', 'agent.lost', { runId });
      expect((await runHere([...started('a'), lost], { ranHere: true })).commits[0]).toBe(
        'task.uncommitted demo/a',
      );
      const byHand = on('demo/a', 'task.started', { attempt: 1, runId: undefined });
      expect((await runHere([byHand])).commits).toContain('task.uncommitted demo/a');
    });

    const done = [
      ...started('a'),
      on('demo/a', 'task.completed', { runId }),
      on('demo/a', 'task.committed', {}),
    ];

    it('names the tasks that were done there and whose commits are not here, and goes on', async () => {
      const { problems } = await runHere(done, { sha: 'c'.repeat(40) });
      expect(problems).toEqual([
        expect.stringMatching(
          /^what was done in these tasks on another machine is not .*: a, commit cccccccccccc$/,
        ),
      ]);
    });

    it('names none where they are', async () => {
      expect((await runHere(done)).problems).toEqual([]);
    });
  },
);
