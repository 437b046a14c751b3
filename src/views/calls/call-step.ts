import type { StoredEvent } from '../../events/envelope.ts';
import type { CallWord } from './tool-calls.ts';

/** What an event says of one call: that it was made, allowed, or how it ended. */
export type CallStep = {
  readonly id: string;
  readonly is: CallWord;
  /** How long it took, where its end says so. */
  readonly durationMs?: number | undefined;
};

/** The call that an event is about, and what it says of that; `undefined`: it is about none, or stands out by itself. */
export function callStep({ type, data }: Pick<StoredEvent, 'type' | 'data'>): CallStep | undefined {
  const is = stepWords[type];
  if (is === undefined || !('callId' in data)) return undefined;
  const id = data.callId;
  if (!('durationMs' in data)) return { id, is };
  const { durationMs } = data;
  return { id, is: 'isError' in data && data.isError ? 'failed' : is, durationMs };
}

const stepWords: Partial<Readonly<Record<StoredEvent['type'], CallWord>>> = {
  'tool.requested': 'open',
  'tool.allowed': 'allowed',
  'tool.denied': 'denied',
  'tool.withheld': 'late',
  'tool.returned': 'done',
  'tool.failed': 'failed',
};
