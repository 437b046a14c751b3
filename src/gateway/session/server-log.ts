import type { RawObject } from '../server/manager-event.ts';
import { cleanLine } from '../../lib/text/hidden-characters.ts';

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/**
 * The parameters of `notifications/message` for the agent, of what a server logged: the server's name stands in
 * front of that of its logger. `undefined` when it is less than `least`, or no log message.
 */
export function loggedBy(
  serverId: string,
  params: RawObject,
  least: string | undefined,
): RawObject | undefined {
  const { level, logger, data } = params;
  if (typeof level !== 'string' || !LEVELS.includes(level) || data === undefined) return undefined;
  if (least !== undefined && LEVELS.indexOf(level) < LEVELS.indexOf(least)) return undefined;
  const name = typeof logger === 'string' ? `${serverId}/${cleanLine(logger, 200)}` : serverId;
  return { level, logger: name, data };
}
