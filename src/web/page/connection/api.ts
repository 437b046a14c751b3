import type { SentChanges } from '../../api/changes.ts';
import type { Decided, DecidedAll, Done } from '../../api/decision.ts';
import type { SentPath } from '../../api/diagram.ts';
import type { EventsPage, History, SentMoment } from '../../api/history.ts';
import type { SentOutput } from '../../api/output.ts';
import type { SentProjects } from '../../api/projects.ts';
import type { PushKey } from '../../api/push.ts';
import type { Revealed, SentQuestion } from '../../api/question.ts';
import type { SentState } from '../../api/state.ts';
import type { TaskText } from '../../api/task-text.ts';
import type { SentCalls, SentToolCall } from '../../api/tool-call.ts';
import type { SentTotals } from '../../api/sprint.ts';
import { Requests, type RequestHooks } from './requests.ts';

/** What a human says to a question, by the last part of the path. */
export type Decision = 'answer' | 'reject' | 'rephrase' | 'dismiss' | 'approve' | 'deny' | 'explain';

/** What is done to a sprint or a task, by the last part of the path. */
export type Act = 'pause' | 'resume' | 'retry' | 'skip' | 'cancel' | 'stop' | 'note';

/** A task, as it was after the event `until`; without one, as it is. */
type TaskAt<Task = string> = { readonly task: Task; readonly until?: number | undefined };

/** Clifford's server, as the page talks to it. Its answers have the types of the contract: page and server are of one package. */
export class Api {
  readonly #requests: Requests;

  constructor(token: () => string | undefined, hooks: RequestHooks) {
    this.#requests = new Requests(token, hooks);
  }

  question(id: string, signal?: AbortSignal): Promise<SentQuestion> {
    return this.#requests.get(pathOf('questions', id), signal);
  }

  decide(id: string, decision: Decision, body: object, signal: AbortSignal): Promise<Decided> {
    return this.#requests.post(`${pathOf('questions', id)}/${decision}`, body, signal);
  }

  /** Everything that waits, each with all that is needed to answer it. */
  questions(signal?: AbortSignal): Promise<{ readonly questions: readonly SentQuestion[] }> {
    return this.#requests.get('questions', signal);
  }

  /** A word to several calls of one sprint. */
  decideAll(
    decision: 'approve' | 'deny',
    body: { ids: readonly string[]; reason?: string; seen?: Readonly<Record<string, string>> },
    signal: AbortSignal,
  ): Promise<DecidedAll> {
    return this.#requests.post(`questions/${decision}`, body, signal);
  }

  reveal(id: string): Promise<Revealed> {
    return this.#requests.post(`${pathOf('questions', id)}/reveal`, {});
  }

  act(sprint: string, act: Act, body: object): Promise<Done> {
    return this.#requests.post(`${pathOf('sprints', sprint)}/${act}`, body);
  }

  output(sprint: string, of: TaskAt): Promise<SentOutput> {
    return this.#requests.get(`${pathOf('sprints', sprint)}/output?${query(of)}`);
  }

  task(sprint: string, task: string): Promise<TaskText> {
    return this.#requests.get(`${pathOf('sprints', sprint)}/task?${query({ task })}`);
  }

  events(
    sprint: string,
    range: { from?: number; to: number; around?: number | undefined; marks?: string },
  ): Promise<EventsPage> {
    return this.#requests.get(`${pathOf('sprints', sprint)}/events?${query(range)}`);
  }

  summary(sprint: string): Promise<SentTotals> {
    return this.#requests.get(`${pathOf('sprints', sprint)}/summary`);
  }

  history(sprint: string): Promise<History> {
    return this.#requests.get(`${pathOf('sprints', sprint)}/history`);
  }

  moment(sprint: string, version: number): Promise<SentMoment> {
    return this.#requests.get(`${pathOf('sprints', sprint)}/history/${version}`);
  }

  changes(sprint: string, of: TaskAt): Promise<SentChanges> {
    return this.#requests.get(`${pathOf('sprints', sprint)}/changes?${query(of)}`);
  }

  calls(sprint: string, of: TaskAt): Promise<SentCalls> {
    return this.#requests.get(`${pathOf('sprints', sprint)}/calls?${query(of)}`);
  }

  /** One of them, whole, by the version of the event that says that it was made. */
  call(sprint: string, version: number, of: TaskAt): Promise<SentToolCall> {
    return this.#requests.get(`${pathOf('sprints', sprint)}/calls/${version}?${query(of)}`);
  }

  path(sprint: string, of: TaskAt<string | undefined>): Promise<SentPath> {
    return this.#requests.get(`${pathOf('sprints', sprint)}/path?${query(of)}`);
  }

  state(signal?: AbortSignal): Promise<SentState> {
    return this.#requests.get('state', signal);
  }

  /** All projects, of a server of several: asked of the page that lists them. */
  projects(): Promise<SentProjects> {
    return this.#requests.get('projects');
  }

  pushKey(): Promise<PushKey> {
    return this.#requests.get('push/key');
  }

  /** Has a browser called, by what it says of its subscription. */
  push(subscription: object): Promise<Done> {
    return this.#requests.post('push', subscription);
  }

  endPush(endpoint: string): Promise<Done> {
    return this.#requests.post('push/end', { endpoint });
  }

  /** Somebody uses the page. */
  looking(): Promise<object> {
    return this.#requests.post('looking', {});
  }

  /** Opens the stream of what happens. */
  follow(
    params: Readonly<Record<string, string | undefined>>,
    lastId: string | undefined,
    signal: AbortSignal,
  ): Promise<Response> {
    const headers = {
      accept: 'text/event-stream',
      ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
    };
    return this.#requests.stream(`events?${query(params)}`, headers, signal);
  }
}

function pathOf(kind: 'questions' | 'sprints', id: string): string {
  return `${kind}/${encodeURIComponent(id)}`;
}

function query(params: Readonly<Record<string, string | number | undefined>>): string {
  const known = Object.entries(params).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return new URLSearchParams(known).toString();
}
