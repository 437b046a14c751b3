import { CliffordError } from '../../src/errors.ts';
import type { AgentOutput } from '../../src/tui/text/agent-output.ts';
import { answerRequest, dismissRequest } from '../../src/workflow/requests/answer.ts';
import { approve, askApproval, deny } from '../../src/workflow/requests/approval.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { recordAttached, recordDetached } from '../../src/workflow/requests/deliver.ts';
import { openRequests, requestById } from '../../src/workflow/requests/find-request.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { retryTasks } from '../../src/workflow/sprint/control.ts';
import { startTask } from '../../src/workflow/task/start-task.ts';
import { approval } from './approval.ts';
import { fact } from './facts.ts';
import { pick, type Random } from './random.ts';
import { storeForm } from './store-form.ts';

/** What frames show of requests, by which they are told apart: of calls that are alike the name of the tool. */
export const marksOfRequests = new RegExp(String.raw`[QF]\d+x|\b${approval.tool}\b`, 'g');

/** What others do while somebody sits at a screen: they ask, answer, leave, and tasks move. */
export class MonkeyWorld {
  readonly #project: Project;
  readonly #stream: string;
  readonly #random: Random;
  readonly #output: AgentOutput;
  readonly #note: (step: string) => void;
  readonly #marks = new Map<string, string>();
  #number = 0;
  /** So many wait at once, for a while: where none does, people do other things. */
  #most = 5;

  constructor(
    project: Project,
    {
      stream,
      random,
      output,
      note,
    }: {
      readonly stream: string;
      readonly random: Random;
      readonly output: AgentOutput;
      readonly note: (step: string) => void;
    },
  ) {
    this.#project = project;
    this.#stream = stream;
    this.#random = random;
    this.#output = output;
    this.#note = note;
  }

  /** By which a request is told apart on the screen. */
  markOf(id: string): string | undefined {
    return this.#marks.get(id);
  }

  /** Something that others do. What the log refuses does not happen. */
  async happen(): Promise<void> {
    if (this.#random() < 0.1) this.#most = pick(this.#random, [0, 0, 1, 5]);
    const deeds = [
      () => this.#ask(),
      () => this.#ask(),
      () => this.#askAboutCall(),
      () => this.#askAboutCall(),
      () => this.#closeOne(),
      () => this.#leaveOne(),
      () => this.#moveTask(),
      () => Promise.resolve(this.#write()),
    ];
    try {
      await pick(this.#random, deeds)();
    } catch (error) {
      if (!(error instanceof CliffordError)) throw error;
    }
  }

  get #agent() {
    return { id: 'a1', client: 'demo-agent' };
  }

  #task(): string {
    return pick(this.#random, ['parser', 'docs', 'schema']);
  }

  async #ask(): Promise<void> {
    if (openRequests(this.#project.state).length >= this.#most) return;
    const mark = `Q${(this.#number += 1)}x`;
    this.#note(`ask ${mark}`);
    const long = this.#random() < 0.2 ? '\nmore of it'.repeat(60) : '';
    const options = this.#random() < 0.5 ? ['LL', 'LR', 'a long option '.repeat(8)] : [];
    const isForm = this.#random() < 0.2;
    const question = {
      kind: 'help',
      task: this.#task(),
      question: `${mark} which grammar?${long}`,
      ...(isForm ? { questions: [...storeForm] } : { options }),
    } as const;
    const { id } = await ask(this.#project, { stream: this.#stream, agent: this.#agent, ...question });
    this.#marks.set(id, mark);
  }

  async #askAboutCall(): Promise<void> {
    if (openRequests(this.#project.state).length >= this.#most) return;
    const mark = `F${(this.#number += 1)}x`;
    this.#note(`ask about call ${mark}`);
    const content =
      this.#random() < 0.3 ? Array.from({ length: 50 }, (_, at) => `line ${at}`) : '\u001B[2J\u202E';
    // Its name stands in the first row of the card. Of some it is the same: those are decided together.
    const isAlike = this.#random() < 0.4;
    const tool = isAlike ? approval.tool : `write_${mark}`;
    const call = {
      ...approval,
      tool,
      callId: mark,
      callDigest: mark,
      // Of those that are alike only the tool says which is meant.
      args: { path: `${isAlike ? this.#number : mark}.txt`, content },
    };
    const { id } = await askApproval(this.#project, {
      stream: this.#stream,
      taskId: this.#task(),
      agent: this.#agent,
      approval: call,
    });
    this.#marks.set(id, isAlike ? approval.tool : mark);
  }

  async #closeOne(): Promise<void> {
    const { id, asked } = openRequests(this.#project.state)[0] ?? {};
    if (id === undefined) return;
    this.#note(`close ${this.#marks.get(id)} elsewhere`);
    const bob = { by: 'bob', via: 'cli' };
    const at = this.#random();
    if (at < 0.3) await dismissRequest(this.#project, id, bob);
    else if (!asked?.approval) await answerRequest(this.#project, id, { ...bob, response: 'LL' });
    else if (at < 0.7) await approve(this.#project, id, { ...bob, scope: 'once' });
    else await deny(this.#project, id, bob);
  }

  async #leaveOne(): Promise<void> {
    const [open] = openRequests(this.#project.state);
    const request = open && requestById(this.#project.state, open.id);
    if (!request) return;
    if (this.#random() < 0.5) await recordAttached(this.#project, request, 'a1');
    else await recordDetached(this.#project, request, { agentId: 'a1', why: 'cancelled' });
  }

  async #moveTask(): Promise<void> {
    const task = this.#task();
    this.#note(`move ${task}`);
    const subject = `${this.#stream}/${task}`;
    if (this.#random() < 0.4) {
      await retryTasks(this.#project, { stream: this.#stream, by: 'bob', taskId: task });
      return;
    }
    const isEnd = this.#random() < 0.3;
    const runId = `run-${(this.#number += 1)}`;
    const hasAgent = this.#random() < 0.5;
    await this.#project.dispatch(this.#stream, (state) => {
      const sprint = state.streams.get(this.#stream);
      const found = sprint?.tasks.get(task);
      if (!sprint || !found) return [];
      if (isEnd && hasAgent) return [{ type: 'task.completed', subject, data: { by: 'agent' } }];
      if (isEnd) return [{ type: 'task.failed', subject, data: { reason: 'it gave up' } }];
      const attempt = found.machine.context.attempt + 1;
      const agent = { subject, ...fact('agent.started', { runId, attempt }) };
      return [...startTask(sprint, found, { by: 'runner', runId }), ...(hasAgent ? [agent] : [])];
    });
  }

  #write(): void {
    this.#output.append(
      this.#task(),
      `\u001B[3${Math.floor(this.#random() * 8)}mline ${'x'.repeat(Math.floor(this.#random() * 300))}\n`,
    );
  }
}
