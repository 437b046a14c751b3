import type { StoredEvent } from '../../events/envelope.ts';
import type { Asked } from '../sprints/task-about.ts';
import type { CallWord } from './call-word.ts';
import { decidedOtherwise, type OtherWord } from './decided-otherwise.ts';

/** What an event says of one call: that it was made, allowed, made unasked, or how it ended. */
export type CallStep = {
  readonly id: string;
  readonly is: CallWord;
  /** How long it took, where its end says so. */
  readonly durationMs?: number | undefined;
  /** Of one that was denied, where people have another word for it. */
  readonly otherWord?: OtherWord | undefined;
};

/**
 * The call that an event is about, and what it says of that; `undefined`: it is about none.
 *
 * @param sprint - What was asked in its sprint.
 */
export function callStep({ type, data }: StoredEvent, sprint: Asked | undefined): CallStep | undefined {
  const is = wordOf(type);
  if (is === undefined || !('callId' in data)) return undefined;
  const id = data.callId;
  const request = 'requestId' in data ? data.requestId : undefined;
  const otherWord = is === 'denied' ? decidedOtherwise(sprint, request) : undefined;
  if (otherWord !== undefined) return { id, is, otherWord };
  if (!('durationMs' in data)) return { id, is };
  const { durationMs } = data;
  return { id, is: 'isError' in data && data.isError ? 'failed' : is, durationMs };
}

function wordOf(type: StoredEvent['type']): CallWord | undefined {
  switch (type) {
    case 'tool.requested':
      return 'open';
    case 'tool.allowed':
      return 'allowed';
    case 'tool.denied':
      return 'denied';
    case 'tool.withheld':
      return 'late';
    case 'tool.returned':
      return 'done';
    case 'tool.failed':
      return 'failed';
    case 'tool.unasked':
      return 'unasked';
    default:
      return undefined;
  }
}
