import { inOneLine } from '../../../errors.ts';
import type { SentChanges } from '../../api/changes.ts';
import type { Decided, DecidedAll, Done, LostRace } from '../../api/decision.ts';
import type { SentPath } from '../../api/diagram.ts';
import type { ErrorBody } from '../../api/error-body.ts';
import type { EventsPage, History, SentMoment } from '../../api/history.ts';
import type { SentOutput } from '../../api/output.ts';
import type { SentProjects } from '../../api/projects.ts';
import type { PushKey } from '../../api/push.ts';
import type { Closing, Revealed, SentQuestion } from '../../api/question.ts';
import type { SentState } from '../../api/state.ts';
import type { TaskText } from '../../api/task-text.ts';
import type { SentCalls, SentToolCall } from '../../api/tool-call.ts';
import type { SentTotals } from '../../api/sprint.ts';
import { within } from './within.ts';

/** A request that the server has refused, or that did not reach it (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fix: string;
  /** What was said to the question by whoever was first. */
  readonly closing: Closing | undefined;
  /** Nothing of it was done, since too much is asked: so long behind that it is asked again, in ms. */
  readonly pauseMs: number | undefined;

  constructor(
    status: number,
    { error, closing }: ErrorBody & Partial<Pick<LostRace, 'closing'>>,
    pauseMs?: number,
  ) {
    super(error.message);
    this.status = status;
    this.code = error.code;
    this.fix = error.fix;
    this.closing = closing;
    this.pauseMs = pauseMs;
  }
}

/** Why something could not be read, in one line. Where the server was not reached, nothing was to be recorded. */
export function readProblem(error: ApiError): string {
  return error.status === 0 ? error.message : inOneLine(error);
}

const unreached = {
  error: {
    code: 'OFFLINE',
    message: 'Clifford cannot be reached',
    fix: 'Whether it was recorded is seen when the connection is back; if not, do it again',
  },
};

/** After so long an answer is given up, in ms: that its log is away the server says after 20 s, and one request more. */
const LONGEST_MS = 25_000;

/** No reply came, and none is waited for any more: whether anything was recorded is not known. */
export function noReply(): ApiError {
  const error = {
    code: 'NO_REPLY',
    message: 'No reply has come from Clifford',
    fix: 'Whether it was recorded is not known yet: if it was, that is seen here; if not, do it again',
  };
  return new ApiError(0, { error });
}

/** What a human says to a question, by the last part of the path. */
export type Decision = 'answer' | 'reject' | 'rephrase' | 'dismiss' | 'approve' | 'deny' | 'explain';

/** What is done to a sprint or a task, by the last part of the path. */
export type Act = 'pause' | 'resume' | 'retry' | 'skip' | 'cancel' | 'stop' | 'note';

/** A task, as it was after the event `until`; without one, as it is. */
type TaskAt<Task = string> = { readonly task: Task; readonly until?: number | undefined };

/** What the session is told of requests, beside what is answered to them. */
type Hooks = {
  /** The key that it was asked with is not taken: the code of the refusal. */
  readonly onLocked: (code: string, token: string | undefined) => void;
  /** More was asked with this key than is answered: it is asked again at this time, in ms since the epoch. */
  readonly onBusy: (until: number) => void;
};

/** Clifford's server, as the page talks to it. Its answers have the types of the contract: page and server are of one package. */
export class Api {
  readonly #token: () => string | undefined;
  readonly #hooks: Hooks;

  constructor(token: () => string | undefined, hooks: Hooks) {
    this.#token = token;
    this.#hooks = hooks;
  }

  question(id: string, signal?: AbortSignal): Promise<SentQuestion> {
    return this.#get(pathOf('questions', id), signal);
  }

  decide(id: string, decision: Decision, body: object, signal: AbortSignal): Promise<Decided> {
    return this.#post(`${pathOf('questions', id)}/${decision}`, body, signal);
  }

  /** Everything that waits, each with all that is needed to answer it. */
  questions(signal?: AbortSignal): Promise<{ readonly questions: readonly SentQuestion[] }> {
    return this.#get('questions', signal);
  }

  /** A word to several calls of one sprint. */
  decideAll(
    decision: 'approve' | 'deny',
    body: { ids: readonly string[]; reason?: string; seen?: Readonly<Record<string, string>> },
    signal: AbortSignal,
  ): Promise<DecidedAll> {
    return this.#post(`questions/${decision}`, body, signal);
  }

  reveal(id: string): Promise<Revealed> {
    return this.#post(`${pathOf('questions', id)}/reveal`, {});
  }

  act(sprint: string, act: Act, body: object): Promise<Done> {
    return this.#post(`${pathOf('sprints', sprint)}/${act}`, body);
  }

  output(sprint: string, of: TaskAt): Promise<SentOutput> {
    return this.#get(`${pathOf('sprints', sprint)}/output?${query(of)}`);
  }

  task(sprint: string, task: string): Promise<TaskText> {
    return this.#get(`${pathOf('sprints', sprint)}/task?${query({ task })}`);
  }

  events(
    sprint: string,
    range: { from?: number; to: number; around?: number | undefined; marks?: string },
  ): Promise<EventsPage> {
    return this.#get(`${pathOf('sprints', sprint)}/events?${query(range)}`);
  }

  summary(sprint: string): Promise<SentTotals> {
    return this.#get(`${pathOf('sprints', sprint)}/summary`);
  }

  history(sprint: string): Promise<History> {
    return this.#get(`${pathOf('sprints', sprint)}/history`);
  }

  moment(sprint: string, version: number): Promise<SentMoment> {
    return this.#get(`${pathOf('sprints', sprint)}/history/${version}`);
  }

  changes(sprint: string, of: TaskAt): Promise<SentChanges> {
    return this.#get(`${pathOf('sprints', sprint)}/changes?${query(of)}`);
  }

  calls(sprint: string, of: TaskAt): Promise<SentCalls> {
    return this.#get(`${pathOf('sprints', sprint)}/calls?${query(of)}`);
  }

  /** One of them, whole, by the version of the event that says that it was made. */
  call(sprint: string, version: number, of: TaskAt): Promise<SentToolCall> {
    return this.#get(`${pathOf('sprints', sprint)}/calls/${version}?${query(of)}`);
  }

  path(sprint: string, of: TaskAt<string | undefined>): Promise<SentPath> {
    return this.#get(`${pathOf('sprints', sprint)}/path?${query(of)}`);
  }

  state(signal?: AbortSignal): Promise<SentState> {
    return this.#get('state', signal);
  }

  /** All projects, of a server of several: asked of the page that lists them. */
  projects(): Promise<SentProjects> {
    return this.#get('projects');
  }

  pushKey(): Promise<PushKey> {
    return this.#get('push/key');
  }

  /** Has a browser called, by what it says of its subscription. */
  push(subscription: object): Promise<Done> {
    return this.#post('push', subscription);
  }

  endPush(endpoint: string): Promise<Done> {
    return this.#post('push/end', { endpoint });
  }

  /** Somebody uses the page. */
  looking(): Promise<object> {
    return this.#post('looking', {});
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
    return this.#untilTaken(() => this.#fetch(`events?${query(params)}`, { signal, headers }), signal);
  }

  #get<T>(path: string, signal?: AbortSignal): Promise<T> {
    return this.#ask(path, {}, signal);
  }

  #post<T>(path: string, body: object, signal?: AbortSignal): Promise<T> {
    const headers = { 'content-type': 'application/json' };
    return this.#ask(path, { method: 'POST', body: JSON.stringify(body), headers }, signal);
  }

  /** What is given up has its connection closed: a browser has six to a server. */
  #ask<T>(path: string, init: Omit<Asked, 'signal'>, asking: AbortSignal | undefined): Promise<T> {
    const once = () =>
      within(LONGEST_MS, noReply, asking, async (signal) =>
        bodyOf<T>(await this.#fetch(path, { ...init, signal }), signal),
      );
    return this.#untilTaken(once, asking);
  }

  /** Asks again where more was asked than is answered. */
  async #untilTaken<T>(ask: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiError) || error.pauseMs === undefined) throw error;
      this.#hooks.onBusy(Date.now() + error.pauseMs);
      await passed(error.pauseMs, signal);
      return this.#untilTaken(ask, signal);
    }
  }

  async #fetch(path: string, { headers: others, signal, ...init }: Asked): Promise<Response> {
    const token = this.#token();
    const headers = { ...others, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
    let response;
    try {
      response = await fetch(`./api/${path}`, { cache: 'no-store', ...init, headers, signal });
    } catch {
      signal.throwIfAborted();
      throw new ApiError(0, unreached);
    }
    if (response.ok) return response;
    const refusal = await refusalOf(response);
    signal.throwIfAborted();
    if (refusal.status === 401) this.#hooks.onLocked(refusal.code, token);
    throw refusal;
  }
}

/** What is asked, beside where. */
type Asked = {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
};

/** What was answered. A part of it, where the connection was cut, is no answer. */
async function bodyOf<T>(response: Response, signal: AbortSignal): Promise<T> {
  try {
    return (await response.json()) as T;
  } catch {
    signal.throwIfAborted();
    throw new ApiError(0, unreached);
  }
}

/** Ends after so long. @throws what it was aborted with. */
async function passed(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve) => {
    const done = () => resolve();
    signal?.addEventListener('abort', done, { once: true });
    setTimeout(() => {
      signal?.removeEventListener('abort', done);
      resolve();
    }, ms);
  });
  signal?.throwIfAborted();
}

/** What was refused, from its body; something in between may have answered in place of the server. */
async function refusalOf(response: Response): Promise<ApiError> {
  const { status } = response;
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  // Not all pages with this key come back at the same instant.
  const pauseMs = status === 429 && seconds >= 0 ? (seconds + Math.random()) * 1_000 : undefined;
  try {
    const body = (await response.json()) as Partial<ErrorBody>;
    if (body.error?.message && body.error.fix !== undefined)
      return new ApiError(status, body as ErrorBody, pauseMs);
  } catch {
    // It is no JSON.
  }
  const error = {
    code: `HTTP_${status}`,
    message: `The server answered with ${status}`,
    fix: 'Try again in a moment',
  };
  return new ApiError(status, { error }, pauseMs);
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
