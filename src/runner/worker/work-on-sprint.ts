import type { HeldJob } from '../../events/queue/job-queue.ts';
import type { SprintState } from '../../machines/project-state.ts';
import { commitStatuses } from '../../workflow/commit/commit-statuses.ts';
import type { Project } from '../../workflow/project/project.ts';
import { TAKEN_OUT } from '../sprint/sprint-driver.ts';
import { agreeToFiles } from './agree-to-files.ts';
import { continueHere } from './continue-here.ts';
import { Holding, type Claim } from './holding.ts';
import type { JobHold } from './job-hold.ts';
import { Publisher } from './publisher.ts';
import { shareSprint } from './share-sprint.ts';
import { assertHeld, takeSprint } from './take-sprint.ts';
import type { JobDeps } from './worker-deps.ts';
import type { SprintLeft } from './worker-events.ts';

/** Runs a sprint: gets its files, runs it, brings away what it made. */
export async function workOnSprint(
  deps: JobDeps,
  { job, hold }: { readonly job: HeldJob; readonly hold: JobHold },
): Promise<SprintLeft> {
  const { home, worker, losses } = deps;
  const taken = await takeSprint(home, { stream: job.sprint, worker, losses, deadlineMs: job.deadlineMs });
  if (taken !== 'taken') {
    await job.finish();
    const sprint = job.sprint;
    if (taken === 'cancelled') return { sprint, how: 'over', reason: TAKEN_OUT };
    const reason = taken === 'over' ? 'it was over already' : 'too many workers were lost';
    return { sprint, how: taken, reason };
  }
  const holding = new Holding(deps, { job, hold, claim: claimOf(deps, job.sprint) });
  return holding.run(() => holding.withProject((project) => runSprint(holding, project)));
}

function claimOf({ worker }: JobDeps, stream: string): Claim {
  return {
    subject: stream,
    assertHeld: (state) => assertHeld(state, { stream, worker }),
    unfit: ({ streams }) => streams.get(stream)?.unfit,
    returned: (data) => ({ type: 'job.returned', subject: stream, data }),
    takenOut: (data) => ({ type: 'job.ended', subject: stream, data: { ...data, outcome: 'over' } }),
    ended: ({ worker: by, outcome, reason }) => ({
      type: 'job.ended',
      subject: stream,
      data: { worker: by, outcome, reason },
    }),
    before: () => [],
  };
}

/** Agents have worked on it: what is fetched of it may be theirs. */
function isBegun(sprint: SprintState | undefined): boolean {
  return [...(sprint?.tasks.values() ?? [])].some(({ machine }) => machine.context.attempt > 0);
}

async function runSprint(holding: Holding, project: Project): Promise<SprintLeft> {
  const { deps, job, checkout, ending } = holding;
  const { worker, listeners, killed, commands } = deps;
  const stream = job.sprint;
  const files = await agreeToFiles(deps, project, { stream, isByAgents: isBegun });
  const { env, agreed, wantsCommit } = files;
  const sprint = project.state.streams.get(stream);
  const again = job.fromBase ? job.by : undefined;
  if (commands.fetch !== undefined && sprint)
    await continueHere(project, { sprint, worker, wantsCommit, env, signal: ending, again });
  const push = async (signal = killed) => {
    await holding.assertHeld(project);
    await checkout.push(signal, checkout.branch);
  };
  const fetch = (signal: AbortSignal) => checkout.fetch(signal);
  const report = (problem: string) => void listeners.emit('problem', problem);
  const publisher = new Publisher(project, { push, stream, signal: killed, report });
  // Worktrees are of one machine: what is in them no other worker could go on with. Other workers have more tasks.
  const parallel = commands.fetch === undefined ? undefined : 1;
  const share = shareSprint(deps, job, { files, root: project.root, push, fetch });
  const end = await holding.runHere(project, { env, agreed, parallel, share });
  await holding.assertHeld(project);
  if (end.outcome !== 'stopped' && agreed.folder.manifest.tasks.some(({ id }) => wantsCommit(id))) {
    const how = { folder: agreed.folder, how: end.outcome, env, signal: killed };
    const problem = await commitStatuses(project, how);
    if (problem !== undefined) report(`the statuses of sprint ${stream} are not committed: ${problem}`);
  }
  await publisher.finish();
  if (end.outcome === 'stopped' && holding.leaving !== undefined) return holding.giveBack(holding.leaving);
  const reason = end.outcome === 'stopped' ? end.reason : `${end.outcome}: ${end.reason}`;
  const left = await holding.end({ outcome: 'over', reason });
  return end.outcome === 'stopped' ? left : { ...left, outcome: end.outcome };
}
