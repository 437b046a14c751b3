import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../lib/message-of.ts';
import { Watchdog } from '../../lib/processes/group-guard.ts';
import { spanText } from '../../lib/time/duration.ts';
import { ownTool } from '../../workflow/project/own-tools.ts';
import { openProject, type Project } from '../../workflow/project/project.ts';
import { approve, deny } from '../../workflow/requests/approval.ts';
import type { QuestionRecord } from '../../workflow/requests/question-record.ts';
import type { KnownAgent } from '../agents/agent-adapter.ts';
import type { AtModel } from '../agents/at-model.ts';
import { TOOL_SEARCH } from '../scripted-model/conversation.ts';
import { startModelServer } from '../scripted-model/model-server.ts';
import type { Script, ScriptedTurn } from '../scripted-model/script.ts';
import { SprintRunner } from '../sprint/sprint-runner.ts';
import { commands, proofOf, type Command, type Proof } from './proof.ts';
import { makeProofPlace, settle, SPRINT, TASK, type ProofPlace } from './proof-place.ts';

/** Which agent is tried, and how long it may take. */
export type ProofOrder = {
  readonly agent: KnownAgent & { readonly atModel: (url: string) => AtModel };
  /** Its executable. */
  readonly file: string;
  /** Further arguments for it. */
  readonly args: readonly string[] | undefined;
  /** Of the user. The agent gets little of it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly limitMs: number;
  /** Ends it at once. */
  readonly signal: AbortSignal;
};

/**
 * Tries whether an agent that is spoken with over the Agent Client Protocol waits for a yes: a run as any other, in a
 * project and a home of its own, with a model that calls the agent's shell twice. One command is refused, one allowed.
 *
 * No provider is asked, and nothing of the user's is read or written. Nothing of it is left when it returns.
 */
export async function proveApprovals(order: ProofOrder): Promise<Proof> {
  const place = await makeProofPlace();
  try {
    const model = await startModelServer({ script: scriptFor(place) });
    try {
      return await prove(order, place, model);
    } finally {
      await model.close();
    }
  } finally {
    await place.remove();
  }
}

/** One call after the other, told by the calls that were made: how many turns a refusal makes is each agent's own affair. */
function scriptFor({ sprintDir }: ProofPlace): Script {
  const done = { tool: ownTool.updateTaskStatus, args: { sprintDir, taskId: TASK, status: 'completed' } };
  const steps: readonly ScriptedTurn[] = [...commands.map((name) => ({ shell: `touch ${name}` })), done];
  return ({ request: { entries } }) => {
    const made = entries.flatMap((entry) => (entry.role === 'assistant' ? entry.calls : []));
    return steps[made.filter(({ tool }) => tool !== TOOL_SEARCH).length] ?? { text: 'Done.' };
  };
}

async function prove(
  { agent, file, args, env: users, limitMs, signal }: ProofOrder,
  place: ProofPlace,
  model: { readonly url: string; readonly surprises: readonly string[] },
): Promise<Proof> {
  const definition = { via: 'acp', path: file, ...(args && { args }) };
  const config = { agent: agent.name, agents: { [agent.name]: definition } };
  const env = await settle(place, agent.atModel(model.url), config, users);
  const limit = AbortSignal.timeout(limitMs);
  const project = await openProject({ root: place.project, source: '/clifford/cli', env });
  try {
    const runner = new SprintRunner({ project, sprint: SPRINT, env, killGraceMs: 2_000 });
    const human = new Human(place, project);
    runner.on('halt', (question) => human.take(question));
    const unguard = guardAgents(project);
    const over = AbortSignal.any([limit, signal]);
    const stop = () => void runner.stop('it took too long');
    over.addEventListener('abort', stop);
    if (over.aborted) stop();
    const reason = await runner.run().then((end) => end.reason, messageOf);
    over.removeEventListener('abort', stop);
    unguard();
    await human.settled();
    return proofOf({
      ...human.sight(),
      ran: { refused: hasRun(place, 'refused'), allowed: hasRun(place, 'allowed') },
      late: limit.aborted ? spanText(limitMs) : undefined,
      // What the model could not do says more than what came of it.
      reason: model.surprises[0] ?? reason,
    });
  } finally {
    await project.close();
  }
}

/** Has the agent ended also where this process is killed: no later run looks at the log of a proof. Returns what ends that. */
function guardAgents(project: Project): () => void {
  const watchdog = new Watchdog(() => undefined);
  const guarded = new Set<number>();
  const unsubscribe = project.subscribe(() => {
    const agent = project.state.streams.get(SPRINT)?.tasks.get(TASK)?.agent;
    if (!agent || agent.end || guarded.has(agent.pid)) return;
    guarded.add(agent.pid);
    watchdog.add(agent.pid);
  });
  return () => {
    unsubscribe();
    for (const group of guarded) watchdog.remove(group);
  };
}

function hasRun({ project }: ProofPlace, command: Command): boolean {
  return existsSync(join(project, command));
}

/** Answers what is asked: refuses one command and all that nobody expects, allows the other one. */
class Human {
  readonly #place: ProofPlace;
  readonly #project: Project;
  readonly #asked: Record<Command, number> = { refused: 0, allowed: 0 };
  readonly #others: string[] = [];
  readonly #answers: Promise<unknown>[] = [];
  #isEarly = false;

  constructor(place: ProofPlace, project: Project) {
    this.#place = place;
    this.#project = project;
  }

  take({ requestId, question, call }: QuestionRecord): void {
    const args = JSON.stringify(call?.args ?? null);
    const command = commands.find((each) => args.includes(each));
    if (command) {
      this.#asked[command] += 1;
      this.#isEarly ||= hasRun(this.#place, command);
    } else this.#others.push(question);
    const who = { by: 'clifford doctor', via: 'cli' };
    const answer =
      command === 'allowed'
        ? approve(this.#project, requestId, { ...who, scope: 'once' })
        : deny(this.#project, requestId, { ...who, reason: 'to see whether it is denied' });
    // One that comes too late, or is for no call, changes nothing that is looked at.
    this.#answers.push(answer.catch(() => undefined));
  }

  settled(): Promise<unknown> {
    return Promise.all(this.#answers);
  }

  sight() {
    return { asked: this.#asked, others: this.#others, isEarly: this.#isEarly };
  }
}
