import type { ServerResponse } from 'node:http';
import { isReplaced } from '../../../events/log/log-replaced.ts';
import { ADHOC_STREAM } from '../../../events/adhoc-stream.ts';
import { streamOf, type StoredEvent } from '../../../events/envelope.ts';
import { Throttle } from '../../../lib/time/throttle.ts';
import { BEAT_EVERY_MS } from '../../api/beat.ts';
import type { Caller } from '../callers/caller.ts';
import type { Serving } from '../serving.ts';
import type { Identity } from '../tokens/authenticator.ts';
import { writtenBy } from '../written-by.ts';
import { CallsInView } from './calls-in-view.ts';
import { LiveClient, type Follows } from './live-client.ts';
import { LiveOutput } from './live-output.ts';
import { LiveStream } from './live-stream.ts';
import { MissedEvents } from './missed-events.ts';
import type { OpenStreams } from './open-streams.ts';
import { readyEvent } from './ready-event.ts';
import { LiveMessages } from './live-messages.ts';
import { snapshotOf } from './snapshot.ts';

/** Shortest time between two messages of a name to one reader, in ms. */
const EVERY_MS = 100;
/** How often is looked at what no event tells of, in ms: runners, folders, tokens. */
const LOOK_EVERY_MS = 1_000;
/** A reader that takes nothing for so long is closed, in ms. */
const PATIENCE_MS = 20_000;

/** What it needs to know. */
export type HubDeps = {
  readonly serving: Serving;
  /** Those of these whose tokens are not valid any more. */
  readonly ended: (identities: readonly Identity[]) => Promise<readonly Identity[]>;
  /** Of the server. */
  readonly streams: OpenStreams;
  /** Told that this project cannot be followed any more: its log is another one. */
  readonly fail: (error: unknown) => void;
  readonly patienceMs?: number | undefined;
};

/** Tells all readers of the stream what changes: what is the same for several is made once. */
export class LiveHub {
  readonly #serving: Serving;
  readonly #deps: HubDeps;
  readonly #clients = new Set<LiveClient>();
  readonly #output: LiveOutput;
  readonly #missed: MissedEvents;
  readonly #news: Throttle<void>;
  readonly #calls: CallsInView;
  readonly #unsubscribe: () => void;
  #looking: NodeJS.Timeout | undefined;
  #beating: NodeJS.Timeout | undefined;
  #isLooking = false;

  constructor(deps: HubDeps) {
    this.#deps = deps;
    this.#serving = deps.serving;
    this.#missed = new MissedEvents(deps.serving);
    this.#news = new Throttle<void>(EVERY_MS, () => this.#tell());
    this.#calls = new CallsInView(deps.serving, () => this.#news.push());
    this.#output = new LiveOutput(deps.serving.project, {
      wrote: (sprint, task, json) => this.#wrote(sprint, task, json),
      begun: (sprint, task) => this.#begun(sprint, task),
    });
    this.#unsubscribe = deps.serving.project.subscribe((events) => this.#take(events));
  }

  /**
   * Begins a stream.
   *
   * @param lastId - Of the last `events` that the reader has, as it came.
   * @throws {Refusal} 503 when there are too many.
   */
  open(
    response: ServerResponse,
    {
      caller,
      follows,
      lastId,
      headers,
    }: {
      readonly caller: Caller;
      readonly follows: Follows;
      readonly lastId: string | undefined;
      readonly headers: Readonly<Record<string, string>>;
    },
  ): void {
    // Whoever has asked is gone by now.
    if (response.closed) return;
    const discount = this.#deps.streams.add(caller.digest);
    response.once('close', discount);
    const client = new LiveClient({ stream: new LiveStream(response, headers), caller, follows });
    this.#clients.add(client);
    response.on('error', () => undefined);
    response.once('close', () => this.#leave(client));
    this.#startTimers();
    this.#calls.look();
    if (lastId !== undefined) void this.#missed.catchUp(client, lastId).then(() => this.#news.push());
    this.#greet(client).catch(() => response.destroy());
  }

  /** Ends all streams, each with what happened last. */
  close(): void {
    this.#unsubscribe();
    this.#news.drop();
    this.#output.close();
    const said = new LiveMessages(this.#serving);
    for (const client of this.#clients) this.#tellOne(client, said);
    for (const { stream } of this.#clients) stream.end('closing');
    this.#clients.clear();
    this.#stopTimers();
  }

  /** What a reader gets first. */
  async #greet(client: LiveClient): Promise<void> {
    const { sprint, task } = client.follows;
    this.#tellOne(client, new LiveMessages(this.#serving));
    await this.#readTitles(sprint);
    if (sprint === undefined || task === undefined || !this.#clients.has(client)) return;
    await this.#tellWritten([client], { sprint, task });
  }

  /** Of tasks of a sprint that were not there before. */
  async #readTitles(sprint: string | undefined): Promise<void> {
    const known = this.#serving.sprints.known().find(({ id }) => id === sprint);
    if (known && (await this.#serving.titles.read(known))) this.#news.push();
  }

  #leave(client: LiveClient): void {
    this.#clients.delete(client);
    const { sprint } = client.follows;
    const isFollowed = [...this.#clients].some(
      (other) => other.follows.task !== undefined && other.follows.sprint === sprint,
    );
    if (sprint !== undefined && !isFollowed) this.#output.leave(sprint);
    if (this.#clients.size === 0) this.#stopTimers();
  }

  /** What has happened, by whomever. */
  #take(events: readonly StoredEvent[]): void {
    const { rows, project } = this.#serving;
    if (events.length === 0) return this.#lookAtTrouble();
    const streams = new Set(events.map(({ subject }) => streamOf(subject)));
    // What is asked outside of any sprint has a row only while it waits.
    const isNew = [...streams].some((id) => id !== ADHOC_STREAM && !rows.has(id));
    for (const id of streams) rows.drop(id);
    if (this.#clients.size === 0) {
      // Nobody looks: whoever comes is told how everything stands, and that something is missing.
      this.#missed.forget();
      if (isNew) void rows.list();
      return;
    }
    const made = events.map((event) => readyEvent(event, project.state));
    this.#missed.keep(made);
    for (const client of this.#clients) {
      const { sprint } = client.follows;
      client.add(sprint === undefined ? made : made.filter((event) => event.sprint === sprint));
    }
    if (isNew) void rows.list().then(() => this.#news.push());
    this.#news.push();
  }

  /** The log cannot be read, or can be again. */
  #lookAtTrouble(): void {
    const { trouble } = this.#serving.project;
    if (trouble && isReplaced(trouble.error)) return this.#deps.fail(trouble.error);
    this.#news.push();
  }

  /** Nobody tells of a log that was written over in its place. */
  async #lookAtLog(): Promise<void> {
    const { project } = this.#serving;
    // Whoever follows it tries again.
    if (project.trouble) return;
    try {
      await project.refresh();
    } catch (error) {
      if (isReplaced(error)) this.#deps.fail(error);
    }
  }

  #tell(): void {
    if (this.#clients.size > 0) this.#calls.look();
    const said = new LiveMessages(this.#serving);
    for (const client of this.#clients) this.#tellOne(client, said);
  }

  #tellOne(client: LiveClient, said: LiveMessages): void {
    const { follows, caller } = client;
    const { sprint, question } = follows;
    client.tell('state', said.state(caller), snapshotOf({ now: new Date().toISOString() }));
    const ofSprint = sprint === undefined ? undefined : said.sprint(sprint);
    if (ofSprint) client.tell('sprint', ofSprint);
    const ofQuestion = question === undefined ? undefined : said.question(question, caller);
    if (ofQuestion) client.tell('question', ofQuestion);
    client.flush();
  }

  #wrote(sprint: string, task: string, json: string): void {
    for (const client of this.#clients)
      if (client.isListening && client.follows.sprint === sprint && client.follows.task === task)
        client.addOutput(json);
    this.#news.push();
  }

  /** Another agent was started on a task. */
  #begun(sprint: string, task: string): void {
    const readers = [...this.#clients].filter(
      ({ follows }) => follows.sprint === sprint && follows.task === task,
    );
    // Why the log cannot be read stands in the state.
    if (readers.length > 0) this.#tellWritten(readers, { sprint, task }).catch(() => undefined);
  }

  /** Tells readers what was written until now. What is written from then on comes behind it. */
  async #tellWritten(
    readers: readonly LiveClient[],
    of: { readonly sprint: string; readonly task: string },
  ): Promise<void> {
    // The rest happens in one turn: nothing is told twice, nor left out.
    const written = await writtenBy(this.#serving, of, () => this.#output.follow(of.sprint));
    const json = JSON.stringify(written);
    for (const client of readers) {
      if (!this.#clients.has(client)) continue;
      client.dropOutput();
      client.stream.send('written', json);
      client.isListening = true;
    }
  }

  #startTimers(): void {
    this.#looking ??= setInterval(() => {
      // Whatever the log does.
      this.#closeSlow();
      void this.#closeEnded();
      void this.#look();
    }, LOOK_EVERY_MS).unref();
    this.#beating ??= setInterval(() => {
      for (const { stream } of this.#clients) stream.beat();
    }, BEAT_EVERY_MS).unref();
  }

  #stopTimers(): void {
    clearInterval(this.#looking);
    clearInterval(this.#beating);
    this.#looking = undefined;
    this.#beating = undefined;
  }

  /** Looks at what no event tells of. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      await this.#lookAtLog();
      this.#calls.renew();
      if (await this.#serving.rows.look()) this.#news.push();
      else if ([...this.#clients].some((client) => client.stream.behindSince === undefined))
        this.#output.read();
      const followed = new Set([...this.#clients].map(({ follows }) => follows.sprint));
      await Promise.all([...followed].map((sprint) => this.#readTitles(sprint)));
    } catch {
      // What cannot be looked at now is looked at in a second.
    } finally {
      this.#isLooking = false;
    }
  }

  #closeSlow(): void {
    const { patienceMs = PATIENCE_MS } = this.#deps;
    for (const { stream } of this.#clients)
      if (stream.behindSince !== undefined && Date.now() - stream.behindSince > patienceMs)
        stream.end('slow');
  }

  async #closeEnded(): Promise<void> {
    const byToken = new Map([...this.#clients].map(({ caller }) => [caller.digest, caller]));
    // What cannot be looked at now is looked at in a second.
    const found = await this.#deps.ended([...byToken.values()]).catch(() => []);
    const ended = new Set(found.map(({ digest }) => digest));
    for (const { stream, caller } of this.#clients) if (ended.has(caller.digest)) stream.end('token');
  }
}
