import { CliffordError } from '../../errors.ts';
import { messageOf } from '../../lib/message-of.ts';
import { shellWord } from '../../lib/text/shell-word.ts';
import { changesBetween } from '../../views/events/changes-between.ts';
import type { HistoryCursor } from '../../workflow/history/history-cursor.ts';
import type { Moment } from '../../workflow/history/history-of.ts';
import { parseUntil } from '../../workflow/history/until.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { ScreenActor } from '../screen/screen-actor.ts';
import type { Notice } from '../screen/screen-state.ts';
import { arrivedAt } from './arrived-at.ts';
import { changeLine } from './change-line.ts';
import { EventFinder } from './event-finder.ts';
import { Journey } from './journey.ts';
import type { Travel } from './past.ts';
import { Player } from './player.ts';
import { versionOf } from './version-of.ts';

/** After so long it is said that the history is being read, in ms. */
const SOON_MS = 300;

/** A command of Clifford with these words, as a person can type it. */
export type TypedLine = (...words: readonly string[]) => string;

type TravelDeps = {
  readonly actor: ScreenActor;
  readonly project: Project;
  readonly stream: string;
  /** Hands a text to the clipboard of the terminal. */
  readonly copy: (text: string) => void;
  /** Default: as where `clifford` is installed. */
  readonly typedLine?: TypedLine | undefined;
  readonly fail: (error: unknown) => void;
  /** Nothing is to move by itself. */
  readonly isStill?: boolean;
  /** Hears of each moment that is shown. Default: nobody does. */
  readonly onMoment?: (moment: Moment) => void;
};

/** Moves a screen in the past of its stream as it wants it: the stream is read when it goes there first. */
export class TimeTravel {
  readonly #deps: TravelDeps;
  readonly #journey: Journey;
  readonly #finder: EventFinder;
  readonly #player = new Player();
  #isBeginning = false;
  readonly #subscriptions: readonly { readonly unsubscribe: () => void }[];

  constructor(deps: TravelDeps) {
    const { actor } = deps;
    this.#deps = deps;
    this.#journey = new Journey({ ...deps, onMoment: (moment, cursor) => this.#arrive(moment, cursor) });
    this.#finder = new EventFinder(
      (notice) => this.#tell(notice),
      () => deps.project.state.streams.get(deps.stream),
    );
    this.#subscriptions = [
      actor.on('travel', ({ travel }) => void this.go(travel)),
      actor.on('play', ({ speed }) => this.#play(speed)),
      actor.on('to-now', () => this.#toNow()),
      actor.on('compare', ({ versions }) => void this.#compare(versions)),
      actor.on('copy-moment', () => this.#copyMoment()),
      actor.on('copy-report', () => this.#copyCommand('report')),
    ];
  }

  /** The cursor, once it was needed. */
  get cursor(): HistoryCursor | undefined {
    return this.#journey.cursor;
  }

  /** The moment that the screen was told of last. */
  get moment(): Moment | undefined {
    return this.#journey.moment;
  }

  /** Begins at this time, whatever is asked now. @throws why that cannot be: what was to show the past shows nothing else */
  async begin(travel: Travel): Promise<void> {
    this.#isBeginning = true;
    await this.#to(travel).finally(() => (this.#isBeginning = false));
  }

  /** Goes to another time. Where that cannot be, the screen says why. */
  async go(travel: Travel): Promise<void> {
    try {
      await this.#to(travel);
    } catch (error) {
      if (travel.to === 'place' && isUnread(error))
        this.#tell({ tone: 'warning', text: noPlace(travel.text) });
      else this.#warn(error);
    }
  }

  async close(): Promise<void> {
    this.#finder.close();
    this.#player.stop();
    for (const each of this.#subscriptions) each.unsubscribe();
    await this.#journey.close();
  }

  /** Where a travel begins that is wanted now: each of several keys counts from where the one before leads. */
  #from({ length }: HistoryCursor): number {
    const isNow = this.#deps.actor.getSnapshot().context.past === undefined && !this.#journey.isTravelling;
    return isNow ? length : (this.#journey.goal ?? length);
  }

  async #to(travel: Travel): Promise<void> {
    const { returns } = this.#journey;
    const cursor = await this.#soon(this.#journey.open(), 'Reading the history…');
    if (this.#journey.returns !== returns) return;
    await this.#look(cursor, travel);
    if (this.#journey.returns !== returns) return;
    await this.#journey.seek(
      cursor,
      versionOf(cursor, travel, { from: this.#from(cursor), finder: this.#finder }),
    );
    const outside = travel.to === 'place' ? cursor.outsideText(parseUntil(travel.text)) : undefined;
    if (outside !== undefined)
      this.#tell({ tone: 'warning', text: outside.charAt(0).toUpperCase() + outside.slice(1) });
  }

  async #look(cursor: HistoryCursor, travel: Travel): Promise<void> {
    if (travel.to === 'words')
      await this.#soon(this.#finder.find(cursor, travel.words), 'Looking through the history…');
    if (travel.to === 'found') await this.#finder.readOn();
  }

  #arrive(moment: Moment, cursor: HistoryCursor): void {
    const arrived = {
      ...arrivedAt(moment, cursor, this.#deps),
      found: this.#finder.found,
      isBeginning: this.#isBeginning,
    };
    this.#deps.actor.send({ type: 'moment', arrived });
    this.#deps.onMoment?.(moment);
  }

  #play(speed: number | undefined): void {
    const { actor, isStill = false } = this.#deps;
    const { cursor } = this.#journey;
    this.#player.stop();
    if (speed === undefined || !cursor) return;
    const onEnd = () => actor.send({ type: 'played' });
    if (isStill) {
      onEnd();
      const text = 'Nothing plays by itself with CLIFFORD_REDUCED_MOTION: step with the arrows';
      return this.#tell({ tone: 'info', text });
    }
    const isSifted = actor.getSnapshot().context.past?.isSifted === true;
    const versions = isSifted ? this.#finder.found?.versions : undefined;
    const show = (version: number) => {
      if (version !== this.#journey.goal)
        void this.#journey.seek(cursor, version).catch((error: unknown) => this.#warn(error));
    };
    this.#player.play({ cursor, from: this.#journey.goal ?? 0, speed, versions, show, onEnd });
  }

  #toNow(): void {
    this.#journey.return();
    this.#player.stop();
  }

  async #compare(versions: readonly [number, number]): Promise<void> {
    const { actor, stream } = this.#deps;
    const [from, to] = [Math.min(...versions), Math.max(...versions)];
    try {
      const both = await this.#journey.both(from, to);
      if (!both) return;
      const [before, after] = both.map(({ state }) => state.streams.get(stream));
      actor.send({ type: 'compared', from, to, changes: changesBetween(before, after).map(changeLine) });
    } catch (error) {
      this.#warn(error);
    }
  }

  #copyMoment(): void {
    const { past } = this.#deps.actor.getSnapshot().context;
    if (past) this.#copyCommand('replay', '--at', `${past.moment.version}`);
  }

  #copyCommand(name: 'replay' | 'report', ...options: readonly string[]): void {
    const { stream, copy, typedLine = installedLine } = this.#deps;
    const command = typedLine(name, stream, ...options);
    copy(command);
    this.#tell({ tone: 'ok', text: 'Copied: ', tail: command });
  }

  #tell(notice: Notice): void {
    this.#deps.actor.send({ type: 'told', notice });
  }

  /** What takes long says so. */
  async #soon<T>(work: Promise<T>, text: string): Promise<T> {
    const timer = setTimeout(() => this.#tell({ tone: 'info', text }), SOON_MS);
    return work.finally(() => clearTimeout(timer));
  }

  #warn(error: unknown): void {
    if (this.#journey.isOver || isAborted(error)) return;
    if (!(error instanceof CliffordError)) return this.#deps.fail(error);
    this.#tell({ tone: 'warning', text: messageOf(error) });
  }
}

function installedLine(...words: readonly string[]): string {
  return ['clifford', ...words.map(shellWord)].join(' ');
}

/** What was typed names no place. */
function isUnread(error: unknown): boolean {
  return error instanceof CliffordError && error.code === 'UNTIL_INVALID';
}

function noPlace(text: string): string {
  return `${text} is neither the number of an event nor a time, e.g. 14:53, or -2h before the last one`;
}

function isAborted(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
