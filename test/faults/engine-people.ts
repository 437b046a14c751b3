import { setTimeout as pause } from 'node:timers/promises';
import { taskOf } from '../../src/events/envelope.ts';
import { CliffordError } from '../../src/errors.ts';
import { IllegalDecision } from '../../src/workflow/project/illegal-decision.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { answerRequest } from '../../src/workflow/requests/answer.ts';
import { askApproval, claimApproval } from '../../src/workflow/requests/approval.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { recordDelivery } from '../../src/workflow/requests/deliver.ts';
import { openRequests } from '../../src/workflow/requests/find-request.ts';
import { setTaskStatus } from '../../src/workflow/task/set-task-status.ts';
import { approval } from '../helpers/approval.ts';
import { killAll } from '../helpers/project-processes.ts';
import { persist } from './engine-world.ts';

const stream = 's';

/** What an agent does, whether it completes its task then, and whether its process ends by itself. */
export type AgentPlan = {
  readonly steps: readonly ('question' | 'approval')[];
  readonly completes: boolean;
  readonly leaves: boolean;
};

/** The words that ended a request, as somebody says them or was told them. */
export type Words = { readonly requestId: string; readonly response: string | undefined };

/** Somebody who acts while a sprint runs. */
export type Person = { readonly leave: () => Promise<void> };

type Attempt = { readonly taskId: string; readonly runId: string; readonly pid: number };

/** The minds of the agents: their processes only wait. What they do goes through `project`. */
export function startAgents(
  project: Project,
  planOf: () => AgentPlan,
): Person & { readonly told: readonly Words[] } {
  const told: Words[] = [];
  const started = new Set<string>();
  return {
    told,
    ...whoever((signal, begin) =>
      project.subscribe((events) => {
        for (const { type, subject, data } of events) {
          const taskId = taskOf(subject);
          if (type !== 'agent.started' || taskId === undefined || started.has(data.runId)) continue;
          started.add(data.runId);
          begin(work(project, { taskId, ...data }, { plan: planOf(), told, signal }));
        }
      }),
    ),
  };
}

async function work(
  project: Project,
  { taskId, runId, pid }: Attempt,
  { plan, told, signal }: { plan: AgentPlan; told: Words[]; signal: AbortSignal },
): Promise<void> {
  const agent = { id: runId, runId };
  const ended = (id: string) =>
    persist(() =>
      project.until(
        (state) => {
          const request = state.streams.get(stream)?.requests.get(id);
          return request?.phase === 'open' ? undefined : request;
        },
        { signal },
      ),
    );
  for (const [index, step] of plan.steps.entries()) {
    const question = { stream, agent, kind: 'help', task: taskId, question: `${taskId}, ${index}?` } as const;
    const call = { stream, taskId, agent, approval: { ...approval, callDigest: `${taskId}, ${index}` } };
    const asking = () => (step === 'question' ? ask(project, question) : askApproval(project, call));
    const request = await ended((await persist(asking)).id);
    told.push({ requestId: request.id, response: request.answer?.response });
    await persist(() => recordDelivery(project, [request], runId));
    if (request.answer?.verdict === 'approved')
      await persist(() => claimApproval(project, request, `${runId}, ${index}`));
  }
  if (plan.completes)
    await persist(() => setTaskStatus(project, { stream, taskId, status: 'completed', agent }));
  if (plan.leaves) killAll([pid]);
}

/** A human who answers questions, some or all, and says which answers were taken. */
export function startHuman(
  project: Project,
  { by, diligence, random }: { by: string; diligence: number; random: () => number },
): Person & { readonly taken: readonly Words[] } {
  const taken: Words[] = [];
  const seen = new Set<string>();
  const answer = async (requestId: string, response: string) => {
    await pause(random() * 5);
    const outcome = await persist(() => answerRequest(project, requestId, { response, by, via: 'test' }));
    if (outcome.accepted) taken.push({ requestId, response });
  };
  return {
    taken,
    ...whoever((_signal, begin) =>
      project.subscribe((_events, state) => {
        for (const { id, asked } of openRequests(state)) {
          if (seen.has(id)) continue;
          seen.add(id);
          const words = asked.approval ? (random() < 0.7 ? 'yes' : 'no') : `${by} on ${id}`;
          if (random() < diligence) begin(answer(id, words));
        }
      }),
    ),
  };
}

/** Arranges that what was begun is waited for, and that it ends when its attempt, or the test, does. */
function whoever(watch: (signal: AbortSignal, begin: (work: Promise<void>) => void) => () => void): Person {
  const leaving = new AbortController();
  const begun: Promise<void>[] = [];
  const unsubscribe = watch(leaving.signal, (work) => {
    begun.push(
      work.catch((error: unknown) => {
        // The attempt is over, or everybody goes home.
        const isOver = error instanceof IllegalDecision || leaving.signal.aborted;
        if (!isOver && !(error instanceof CliffordError && error.code === 'REQUEST_UNKNOWN')) throw error;
      }),
    );
    begun.at(-1)?.catch(() => undefined);
  });
  return {
    async leave() {
      unsubscribe();
      leaving.abort();
      await Promise.all(begun);
    },
  };
}
