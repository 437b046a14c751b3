import { eventCatalog, type EventData, type EventType } from '../../events/catalog.ts';
import type { Says } from '../../events/descriptor.ts';
import type { StoredEvent } from '../../events/envelope.ts';
import { clipMiddle } from '../../lib/text/clip.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { callLine } from '../calls/call-title.ts';
import type { Asked } from '../sprints/task-about.ts';
import { withoutSecrets } from './without-secrets.ts';

type Texts = { readonly [T in EventType]: { readonly text: (data: EventData<T>, says: Says) => string } };

const texts: Texts = eventCatalog;

/** So much of what a call does stands in one row of a terminal, in UTF-16 units: its arguments may be whole files. */
const CALL_LENGTH = 160;

type Options = {
  /** Where the agent of its task works: the files of calls are named from there. Default: as they were named. */
  readonly folder?: string | undefined;
  /** So much of what a call does, in UTF-16 units. Default: as much as a row of a terminal has. */
  readonly callLength?: number;
};

function saysFrom({ folder, callLength = CALL_LENGTH }: Options): Says {
  const called = { counts: false, folder };
  return { call: (call) => clipMiddle(callLine(call, called), callLength) };
}

/**
 * What an event says beyond its type, on one line, safe to print.
 *
 * @param asked - What was asked in its sprint: what an answer shows depends on it.
 */
export function eventText(event: StoredEvent, asked: Asked | undefined, options: Options = {}): string {
  const { type, data } = withoutSecrets(event, asked);
  return visibleLine(textOf(type, data, saysFrom(options)));
}

function textOf<T extends EventType>(type: T, data: EventData<T>, says: Says): string {
  const { text }: Texts[T] = texts[type];
  return text(data, says);
}
