import type { McpManager } from '../server/mcp-manager.ts';
import type { RawObject } from '../server/manager-event.ts';
import { cleanLine } from '../../lib/text/hidden-characters.ts';

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** What servers log, as far as the agent's client wants to have it. */
export class ServerLog {
  readonly #manager: Pick<McpManager, 'states' | 'request'>;
  readonly #background: (work: Promise<unknown>) => void;
  #level: string | undefined;

  constructor(manager: Pick<McpManager, 'states' | 'request'>, background: (work: Promise<unknown>) => void) {
    this.#manager = manager;
    this.#background = background;
  }

  /** The least that is to be logged, by servers that are there and by those to come. */
  setLevel(level: string): void {
    this.#level = level;
    for (const { id, health } of this.#manager.states()) if (health === 'ready') this.tellLevel(id);
  }

  /** Tells a server that is ready of the level. */
  tellLevel(id: string): void {
    const server = this.#manager.states().find((state) => state.id === id)?.server;
    if (this.#level === undefined || server?.capabilities['logging'] === undefined) return;
    this.#background(this.#manager.request(id, 'logging/setLevel', { level: this.#level }));
  }

  /**
   * The parameters of `notifications/message` for the agent, of what a server logged: the server's name stands in
   * front of that of its logger. `undefined` when it is less than is wanted, or no log message.
   */
  message(serverId: string, { level, logger, data }: RawObject): RawObject | undefined {
    if (typeof level !== 'string' || !LEVELS.includes(level) || data === undefined) return undefined;
    if (this.#level !== undefined && LEVELS.indexOf(level) < LEVELS.indexOf(this.#level)) return undefined;
    const name = typeof logger === 'string' ? `${serverId}/${cleanLine(logger, 200)}` : serverId;
    return { level, logger: name, data };
  }
}
