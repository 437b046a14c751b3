import { Throttle } from '../lib/time/throttle.ts';
import type { Project } from '../workflow/project/project.ts';
import type { NotifyConfig } from '../workflow/config/notify-keys.ts';
import type { NotifyRules } from '../workflow/config/notify-rule-keys.ts';
import { Caller } from './caller.ts';
import type { OpenChannel } from './channel.ts';
import { nameText } from './notice-text.ts';
import { LONGEST_SLEEP_MS, LOOK_EVERY_MS } from './pace.ts';
import { rulesOf } from './rules.ts';
import { standingOf, type Standing } from './standing.ts';

/** What a notifier needs. */
export type NotifierParts = {
  readonly project: Pick<Project, 'state' | 'subscribe' | 'asLogged'>;
  readonly stream: string;
  /** What the project is called, where its user has several. */
  readonly name?: string | undefined;
  readonly config: Pick<NotifyConfig, 'quietHours' | 'rules'>;
  readonly channels: readonly OpenChannel[];
  /** When a key was pressed last in front of this very screen, ms since the epoch. Default: nobody knows. */
  readonly lastKeyAt?: (() => number | undefined) | undefined;
};

/**
 * Follows the log of a sprint and calls whoever sits at this terminal through every open channel, by its rules: when a request waits for one, when a
 * task has failed while others go on, when the sprint has ended or nobody runs it any more, and when nothing goes on before
 * the end of a usage limit. What waited before is told in one notification, and so is what comes together.
 */
export class Notifier {
  readonly #parts: NotifierParts;
  readonly #callers: readonly Caller[];
  readonly #look: Throttle<void>;
  readonly #unsubscribe: () => void;
  #standing: Standing | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isHushed = false;
  #isAway = false;

  constructor(parts: NotifierParts) {
    this.#parts = parts;
    const { project, config, lastKeyAt = () => undefined } = parts;
    const wording = { asLogged: project.asLogged, project: parts.name };
    const written: Readonly<Partial<Record<string, NotifyRules>>> = config.rules;
    const limited = project.state.limits.map(({ agent }) => agent);
    this.#callers = parts.channels.map((channel) => {
      const { name } = channel;
      const rules = rulesOf({ channel: name, at: 'here' }, written[name] ?? {}, config);
      return new Caller({ channel, rules, lastKeyAt, wording }, limited);
    });
    this.#look = new Throttle(LOOK_EVERY_MS, () => this.#takeNews());
    this.#unsubscribe = project.subscribe(() => this.#look.push());
    this.#look.push();
  }

  /** Nobody is called any more: a human has just stopped it. How things stand is shown to the end. */
  hush(): void {
    this.#isHushed = true;
  }

  /** The terminal is somebody else's for a while, or is there again: nothing is shown meanwhile. */
  giveAway(isAway: boolean): void {
    this.#isAway = isAway;
    if (isAway) for (const { hide } of this.#parts.channels) hide?.();
    else if (this.#standing) this.#show(this.#standing);
  }

  /** Tells what there is to tell, and takes back what is shown. */
  close(): void {
    this.#unsubscribe();
    this.#look.drop();
    this.#takeNews();
    clearTimeout(this.#timer);
    for (const caller of this.#callers) caller.close();
    this.restore();
  }

  /** Takes back at once what is shown, in a process that ends. */
  restore(): void {
    for (const { close } of this.#parts.channels) close?.();
  }

  /** Has every channel call that is to, and sets the alarm for when it may be time again. */
  #takeNews(): void {
    const { project, stream } = this.#parts;
    const now = Date.now();
    const standing = standingOf(project.state, stream, now);
    this.#standing = standing;
    this.#show(standing);
    clearTimeout(this.#timer);
    if (this.#isHushed) return this.#callers.forEach((caller) => caller.drop());
    const ms = Math.min(LONGEST_SLEEP_MS, ...this.#callers.map((caller) => caller.look(standing, now)));
    this.#timer = setTimeout(() => this.#takeNews(), ms);
    this.#timer.unref();
  }

  #show({ name, open, done, total, end, stall }: Standing): void {
    if (this.#isAway) return;
    const shown = { name: nameText(name, this.#parts.project), open: open.length, done, total, end, stall };
    for (const { show } of this.#parts.channels) show?.(shown);
  }
}
