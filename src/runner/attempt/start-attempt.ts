import { v7 as uuidv7 } from 'uuid';
import { CliffordError } from '../../errors.ts';
import { subjectOf, type StoredEvent } from '../../events/envelope.ts';
import { secretsOf } from '../../events/secrets/redaction.ts';
import type { ProcessIdentity } from '../../lib/processes/process-identity.ts';
import { printedWord } from '../../lib/text/shell-word.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { SprintState } from '../../machines/project-state.ts';
import type { SessionTokens } from '../../machines/usage.ts';
import { STATE_DIR } from '../../workflow/project/project-root.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { SprintFolder } from '../../workflow/sprint/sprint-folders.ts';
import { deliveredNotes, waitingNotes } from '../../workflow/notes/deliver-notes.ts';
import { deliveryOf } from '../../workflow/requests/deliver.ts';
import { isUndelivered } from '../../workflow/task/current-task.ts';
import { startTask } from '../../workflow/task/start-task.ts';
import { transcriptPath } from '../../workflow/transcripts/transcript-files.ts';
import { packChecks } from '../../workflow/verify/attempt-checks.ts';
import { forgetRun, noteRun } from '../../workflow/worktree/worktree-claims.ts';
import { workFolder } from '../../workflow/worktree/work-folder.ts';
import { RUN_ID_VARIABLE } from '../../workflow/project/run-id-variable.ts';
import type { AgentPlan, PlannedOrder } from '../plan/agent-plan.ts';
import type { Launch } from '../agents/agent-adapter.ts';
import { variablesOf } from '../jobs/prepare-worktree.ts';
import { Attempt } from './attempt.ts';
import { missingFile, orderFor, taskOf, untypedOf } from './attempt-order.ts';
import { openConversation } from './open-conversation.ts';
import type { TemporaryEdits } from '../temporary-edits/temporary-edits.ts';
import { findMarkedHere } from './orphans.ts';
import type { RunnerListeners } from '../sprint/runner-events.ts';
import type { RunnerMemory } from '../reconcile/runner-memory.ts';
import type { TaskPlans } from '../plan/task-plans.ts';
import { RunFiles } from './run-files.ts';
import { tolerantParser } from '../output/tolerant-parser.ts';
import { callIdOf } from '../output/signal-facts.ts';
import type { HeldPolicy } from '../../gateway/permission/held-policy.ts';
import { requestedData } from '../../gateway/permission/requested-data.ts';
import { Transcript } from '../output/transcript.ts';
import { dropKnownFacts } from '../output/drop-known-facts.ts';

/** Appends the start of an attempt if it is still wanted. */
type Decide = (choose: (sprint: SprintState) => readonly Candidate[]) => Promise<readonly StoredEvent[]>;

/** Starts the next attempt at a task. */
export type StartAttempt = (
  task: { readonly taskId: string; readonly isFallback?: boolean },
  decide: Decide,
) => Promise<void>;

/** What starting an attempt needs. */
export type StartAttemptDeps = {
  readonly project: Project;
  readonly folder: SprintFolder;
  readonly plans: TaskPlans;
  readonly memory: RunnerMemory;
  readonly listeners: RunnerListeners;
  readonly temporaryEdits: Pick<TemporaryEdits, 'apply'>;
  /** Called when something happened that the log does not say yet. */
  readonly onNews: () => void;
  /** The environment that agents inherit. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What holds for what they do with their own tools. */
  readonly agentPolicy: HeldPolicy;
  readonly killGraceMs: number;
  /** How the runner is named as the author of its decisions. */
  readonly by: string;
};

/**
 * Makes the function that starts attempts. `task.started` is appended before the agent is started: its
 * first tool call is legal, and a crash in between leaves a trace. `agent.started` says which process it is.
 */
export function createStartAttempt(deps: StartAttemptDeps): StartAttempt {
  const { project, plans, memory, listeners } = deps;
  const stream = deps.folder.manifest.id;
  return async ({ taskId, isFallback }, decide) => {
    const runId = `run-${uuidv7()}`;
    const plan = await plans.planFor(taskId, { isFallback });
    const checks = packChecks(await plans.checksFor(taskId));
    const before = taskOf(deps, taskId)?.agent;
    const missing = await missingFile(deps, taskId, plan);
    await noteRun(project, runId);
    const [started] = await decide((sprint) => {
      const task = sprint.tasks.get(taskId);
      const how = { by: deps.by, runId, checksDigest: checks.digest, isDoneByExit: plan.isDoneByExit };
      if (!task) return [];
      return [
        ...startTask(sprint, task, how),
        ...(missing === undefined ? [] : [withoutFile(deps, taskId, missing)]),
      ];
    });
    if (started?.type !== 'task.started' || missing !== undefined) forgetRun(project, runId);
    if (started?.type !== 'task.started') return;
    if (missing !== undefined) return void memory.prepared.delete(taskId);
    memory.prepared.delete(taskId);

    const task = taskOf(deps, taskId);
    const folder = workFolder(project, task);
    const variables = await variablesOf(deps, task);
    const order = orderFor(deps, { taskId, runId, plan, checks: checks.text, folder, variables });
    const launch = plan.launch(order);
    // Its prompt has them, unless it reads them with the sprint.
    const connects = plan.adapter.connects !== false && !plan.isDoneByExit;
    const notes = connects ? [] : waitingNotes(taskOf(deps, taskId));
    const answers = connects ? [] : untypedOf(deps, taskId).filter(isUndelivered);
    const prepared = { taskId, runId, plan, order, launch, started, parkedAt: before?.parkedAt };
    const files = new RunFiles(order.runDir);
    const attempt = await attemptOf(deps, prepared, files);
    memory.attempts.set(runId, attempt);
    listeners.emit('task-start', { task: taskId, attempt: started.data.attempt, runId, agent: plan.name });

    files.write(launch);
    const unfit = memory.setupProblems.get(taskId);
    memory.setupProblems.delete(taskId);
    const problem = unfit ?? (await editProblem(deps.temporaryEdits, runId, launch));
    if (problem !== undefined) return attempt.fail(problem);
    const identity = await attempt.start({
      file: plan.file,
      args: launch.args,
      input: launch.input,
      keepsStdin: launch.keepsStdin ?? false,
      cwd: folder,
      env: { ...order.env, ...order.mcp.env, ...launch.env },
      findEscaped: () => findMarkedHere(RUN_ID_VARIABLE, runId),
      killGraceMs: deps.killGraceMs,
    });
    if (!identity) return;
    attempt.noteStarted([
      ...startFacts(prepared, identity, subjectOf(stream, taskId)),
      ...deliveredNotes(notes, { stream, taskId, to: runId }, 'prompt'),
      ...answers.map((request) => deliveryOf(request, runId)),
    ]);
    await attempt.recordFacts((facts) => project.record(stream, facts));
    // Until then the log names the one before as the last of its task.
    forgetRun(project, before?.runId);
  };
}

/** An attempt that was decided on, before its agent is started. */
type Prepared = {
  readonly taskId: string;
  readonly runId: string;
  readonly plan: AgentPlan;
  readonly order: PlannedOrder;
  readonly launch: Launch;
  readonly started: StoredEvent<'task.started'>;
  /** When the agent was parked that is started again, RFC 3339. */
  readonly parkedAt: string | undefined;
};

/** What the runner keeps of the attempt: its transcript, and what its output says. */
async function attemptOf(
  deps: StartAttemptDeps,
  { taskId, runId, plan, order, launch, started }: Prepared,
  files: RunFiles,
): Promise<Attempt> {
  const { project, folder, listeners } = deps;
  const subject = subjectOf(folder.manifest.id, taskId);
  const connects = plan.isDoneByExit ? false : plan.adapter.connects;
  const output = { task: taskId, runId };
  const made = Promise.withResolvers<Attempt>();
  const transcript = new Transcript({
    dir: project.dir,
    runId,
    title: `${subject}, attempt ${started.data.attempt}`,
    secrets: secretsOf({ ...deps.env, ...launch.env }),
    // That may be at once.
    onEnd: (note) => void made.promise.then((attempt) => attempt.remark(note)),
  });
  transcript.mark(started);
  const { name } = plan;
  const { sessionMeta } = launch;
  const spoken = { ...order, ...(sessionMeta && { sessionMeta }) };
  const conversation = await openConversation(plan.adapter.speech, spoken, {
    ...deps,
    project: project.at(order.projectRoot),
    taskId,
    runId,
    name,
    attempt: () => attempt,
    isWanted: () => taskOf(deps, taskId)?.machine.context.runId === runId,
  });
  const parser = conversation ?? plan.adapter.createParser?.(order);
  const attempt: Attempt = new Attempt({
    runId,
    taskId,
    subject,
    transcript,
    files,
    connects: connects === true,
    isDoneByExit: plan.isDoneByExit,
    wasResumed: connects !== false && order.sessionId !== undefined,
    parkable: { agent: plan.agent, resumes: plan.adapter.resumes },
    parser:
      parser &&
      dropKnownFacts(tolerantParser(parser), {
        sessionId: launch.sessionId,
        used: usedIn(deps, taskId, order),
      }),
    conversation,
    client: name,
    ownCall: (id, call) => requestedData(call, { callId: callIdOf(runId, id), name, runId, project }),
    onOutput: (channel, text) => listeners.emit('output', { ...output, channel, text }),
    onNews: deps.onNews,
  });
  made.resolve(attempt);
  return attempt;
}

/** What is recorded of an agent that has started. */
function startFacts(
  { runId, plan, order, launch, started, parkedAt }: Prepared,
  identity: ProcessIdentity,
  subject: string,
): readonly Candidate[] {
  const { sessionId } = order;
  const { name: adapter, speech, createParser } = plan.adapter;
  const speaks = adapter === 'command' && (speech ?? createParser) !== undefined;
  const data = {
    runId,
    attempt: started.data.attempt,
    adapter,
    ...(speaks && { speaks: true as const }),
    agent: plan.agent,
    option: plan.option,
    argv: plan.recorded(order),
    ...identity,
    transcript: `${STATE_DIR}/${transcriptPath(runId)}`,
    sessionId,
  };
  return [
    { type: 'agent.started', subject, data },
    ...(parkedAt === undefined
      ? []
      : [
          {
            type: 'agent.resumed' as const,
            subject,
            data: { runId, parkedMs: sinceMs(parkedAt), sessionId },
          },
        ]),
    ...(launch.sessionId === undefined
      ? []
      : [{ type: 'agent.sessionopened' as const, subject, data: { runId, sessionId: launch.sessionId } }]),
  ];
}

/** How long ago an instant was, RFC 3339, in ms. */
function sinceMs(at: string): number {
  return Math.max(0, Date.now() - Date.parse(at));
}

/** Why the agent cannot have the files of the user's that it needs. `undefined`: it has them. */
async function editProblem(
  temporaryEdits: Pick<TemporaryEdits, 'apply'>,
  runId: string,
  { edits = [] }: Launch,
): Promise<string | undefined> {
  if (edits.length === 0) return undefined;
  try {
    await temporaryEdits.apply(runId, edits);
    return undefined;
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
    return error.inOneLine;
  }
}

/** What was used before in the session that is gone on with. */
function usedIn(
  deps: StartAttemptDeps,
  taskId: string,
  { sessionId }: PlannedOrder,
): SessionTokens | undefined {
  return taskOf(deps, taskId)?.sessions.find((session) => session.sessionId === sessionId)?.used;
}

/** A task fails at once, however many attempts it has: another one would find as little. */
function withoutFile({ folder }: StartAttemptDeps, taskId: string, file: string): Candidate {
  const reason = `its file ${file} is missing. Bring it back, then: clifford retry ${printedWord(taskId)}`;
  return { type: 'task.failed', subject: subjectOf(folder.manifest.id, taskId), data: { reason } };
}
