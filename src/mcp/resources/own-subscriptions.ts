import { pause } from '../../lib/pause.ts';
import { CliffordError } from '../../errors.ts';
import { descriptorOf } from '../../events/catalog.ts';
import { streamOf, type StoredEvent } from '../../events/envelope.ts';
import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import { digestOf } from '../../lib/digest.ts';
import { Throttle } from '../../lib/time/throttle.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import { describeSprint } from '../../views/sprints/describe-sprint.ts';
import type { Project } from '../../workflow/project/project.ts';
import { readOwnResource } from './own-resources.ts';
import { resourceName, type ResourceName } from './resource-name.ts';
import { shownLine, shownSprint, shownTask } from './shown-state.ts';

/** What has changed is told no more often than that, in ms: all that came meanwhile at once. */
const TOLD_EVERY_MS = 200;
/** How often is looked whether a log that is gone is there again, in ms. */
const REOPEN_MS = 500;
/** So many resources one client may have watched. */
const MOST = 1_000;

export type OwnSubscriptionsDeps = {
  /** The project as it is open now. */
  readonly project: () => Promise<Project>;
  readonly notify: (method: string, params?: { readonly uri: string }) => void;
  /** Keeps the server open until this is done, and reports it when it fails. */
  readonly background: (work: Promise<unknown>) => void;
  /** Aborts when the client leaves. */
  readonly ending: AbortSignal;
};

/** A resource of which the client wants to hear, and how it was when it was told last, by the sprints it is about. */
type Watched = { readonly name: ResourceName; readonly faces: Map<string, string> };

/** Tells a client which of Clifford's resources say something else than before, as the log grows. */
export class OwnSubscriptions {
  readonly #deps: OwnSubscriptionsDeps;
  readonly #watched = new Map<string, Watched>();
  readonly #touched = new Set<string>();
  readonly #throttle = new Throttle<void>(TOLD_EVERY_MS, () => this.#tell());
  #project: Project | undefined;
  #stop = () => {};
  #hasListed = false;
  #isListStale = false;

  constructor(deps: OwnSubscriptionsDeps) {
    this.#deps = deps;
    deps.ending.addEventListener('abort', () => this.#end(), { once: true });
  }

  /** From now on the client hears when other resources are listed. */
  async listed(): Promise<void> {
    this.#hasListed = true;
    this.#attach(await this.#deps.project());
  }

  /** @throws {CliffordError} `RESOURCE_UNKNOWN`, or that there are too many. */
  async subscribe(uri: string): Promise<void> {
    const project = await this.#deps.project();
    // Whatever can be read can be watched.
    await readOwnResource(project, uri);
    const name = resourceName(uri);
    if (name === undefined) return;
    if (!this.#watched.has(uri) && this.#watched.size >= MOST) throw tooMany();
    this.#attach(project);
    const faces = new Map(
      streamsOf(name, project.state).map((stream) => [stream, faceOf(project.state, name, stream)]),
    );
    this.#watched.set(uri, { name, faces });
  }

  unsubscribe(uri: string): void {
    this.#watched.delete(uri);
  }

  #attach(project: Project): void {
    if (this.#project === project || this.#deps.ending.aborted) return;
    this.#stop();
    const isAnother = this.#project !== undefined;
    this.#project = project;
    this.#stop = project.subscribe((events) => {
      if (events.length === 0) this.#deps.background(this.#lookAfter(project));
      else this.#take(events);
    });
    // Of another log than before nobody knows what has changed.
    if (isAnother) this.#changed(project.state.streams.loaded().map(({ id }) => id));
  }

  #take(events: readonly StoredEvent[]): void {
    // A sprint that goes on to another state is where others are listed, or other tasks of it.
    this.#isListStale ||= events.some(({ type }) => descriptorOf(type).reaches?.sprint === 'moves');
    this.#changed(events.map(({ subject }) => streamOf(subject)));
  }

  #changed(streams: readonly string[]): void {
    if (this.#watched.size === 0 && !this.#isListStale) return;
    for (const stream of streams) this.#touched.add(stream);
    this.#throttle.push();
  }

  #tell(): void {
    const { state } = this.#project ?? {};
    if (state === undefined) return;
    const touched = [...this.#touched].filter((stream) => stream !== ADHOC_STREAM);
    this.#touched.clear();
    for (const [uri, { name, faces }] of this.#watched) {
      const about = touched.filter((stream) => name.is === 'sprints' || name.sprint === stream);
      const changed = about.filter((stream) => {
        const face = faceOf(state, name, stream);
        const isSame = faces.get(stream) === face;
        faces.set(stream, face);
        return !isSame;
      });
      if (changed.length > 0) this.#deps.notify('notifications/resources/updated', { uri });
    }
    const isStale = this.#isListStale && this.#hasListed;
    this.#isListStale = false;
    if (isStale) this.#deps.notify('notifications/resources/list_changed');
  }

  /** A log that cannot be read any more may be another one. Whoever serves questions opens that: then that is what is told of. */
  async #lookAfter(project: Project): Promise<void> {
    const isLost = await project.refresh().then(
      () => false,
      (error: unknown) => error instanceof CliffordError && error.recovery === 'reopen',
    );
    while (isLost && this.#project === project && !this.#deps.ending.aborted) {
      const now = await this.#deps.project().catch(() => project);
      this.#attach(now);
      if (now === project) await pause(REOPEN_MS, this.#deps.ending);
    }
  }

  #end(): void {
    this.#stop();
    this.#throttle.drop();
    this.#watched.clear();
  }
}

/** The sprints that a resource is about, as far as their state is in memory. */
function streamsOf(name: ResourceName, { streams }: ProjectState): string[] {
  const loaded = streams.loaded().map(({ id }) => id);
  return name.is === 'sprints' ? loaded : loaded.filter((id) => id === name.sprint);
}

/** What a resource says of a sprint, as far as the log knows. */
function faceOf({ streams, limits }: ProjectState, name: ResourceName, stream: string): string {
  const sprint = streams.get(stream);
  if (sprint === undefined) return '';
  if (name.is === 'log') return String(sprint.version);
  const view = describeSprint(sprint, limits);
  switch (name.is) {
    case 'sprints':
      return digestOf(shownLine(view));
    case 'sprint':
      return digestOf(shownSprint(view));
    case 'task': {
      const task = view.tasks.find(({ id }) => id === name.task);
      return task ? digestOf(shownTask(stream, task, [...sprint.requests.values()])) : '';
    }
  }
}

function tooMany(): CliffordError {
  return new CliffordError(`Cannot watch more than ${MOST} resources`, {
    code: 'RESOURCES_TOO_MANY',
    fix: 'Unsubscribe from some, or subscribe to the sprint in place of its tasks',
  });
}
