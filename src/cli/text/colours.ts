import type { EventType } from '../../events/catalog.ts';
import { plainWordOf } from '../../machines/status-words.ts';
import type { Style } from '../printer.ts';

const yellow = new Set(['blocked', 'idle', 'paused', 'retrying', 'skipped', 'cancelled']);

/** The colour of a state: of its word, or of its name as the machines have it. The state itself always stands there. */
export function colourOfState(name: string): Style {
  const [outer = '', inner] = name.split('.', 2);
  const word = plainWordOf(outer, inner);
  if (yellow.has(word)) return 'yellow';
  return word === 'failed'
    ? 'red'
    : word === 'done'
      ? 'green'
      : ['active', 'merging'].includes(word)
        ? 'cyan'
        : 'dim';
}

/** The colour of an event: what went wrong, what concerns a human, what is only detail. */
export function colourOfType(type: EventType): Style {
  if (/\.(failed|rejected|denied|unasked|lost|stalled)$/.test(type)) return 'red';
  if (type.startsWith('help.') || type === 'task.blocked') return 'yellow';
  if (/\.(skipped|cancelled)$/.test(type)) return 'yellow';
  return type.startsWith('tool.') || type.startsWith('agent.') ? 'dim' : 'cyan';
}
