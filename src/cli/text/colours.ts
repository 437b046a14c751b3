import type { EventType } from '../../events/catalog.ts';
import type { Style } from '../printer.ts';

/** The colour of a state's word. The word itself always stands beside it. */
export function colourOfState(name: string): Style {
  if (name === 'done.failed') return 'red';
  if (name === 'done.skipped' || name === 'done.cancelled') return 'yellow';
  const [word] = name.split('.', 1);
  return word === 'done' ? 'green' : word === 'blocked' ? 'yellow' : word === 'active' ? 'cyan' : 'dim';
}

/** The colour of an event: what went wrong, what concerns a human, what is only detail. */
export function colourOfType(type: EventType): Style {
  if (/\.(failed|rejected|denied|lost|stalled)$/.test(type)) return 'red';
  if (type.startsWith('help.') || type === 'task.blocked') return 'yellow';
  if (/\.(skipped|cancelled)$/.test(type)) return 'yellow';
  return type.startsWith('tool.') || type.startsWith('agent.') ? 'dim' : 'cyan';
}
