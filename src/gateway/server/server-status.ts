import type { McpServerConfig } from '../config/server-config.ts';
import type { ManagerEvent } from './manager-event.ts';
import type { ServerHealth, ServerIdentity, ServerState } from './server-state.ts';

type StatusOptions = {
  readonly config: Pick<McpServerConfig, 'id' | 'transport'>;
  /** Takes secrets of the server's configuration out of a text. */
  readonly redact: (text: string) => string;
  readonly tell: (event: ManagerEvent) => void;
  readonly toolCount: () => number;
};

/** How a server is, as everybody is told when it changes. */
export class ServerStatus {
  /** Who it says it is; `undefined` before it was reached. */
  identity: ServerIdentity | undefined;
  readonly #options: StatusOptions;
  #starts = 0;
  #health: ServerHealth = 'stopped';
  #since = new Date().toISOString();
  #problem: string | undefined;

  constructor(options: StatusOptions) {
    this.#options = options;
  }

  get isReady(): boolean {
    return this.#health === 'ready';
  }

  get state(): ServerState {
    const { config, toolCount } = this.#options;
    const { identity: server } = this;
    return {
      id: config.id,
      transport: config.transport,
      health: this.#health,
      since: this.#since,
      toolCount: toolCount(),
      server,
      ...(this.#problem === undefined ? {} : { problem: this.#problem }),
      restarts: Math.max(0, this.#starts - 1),
    };
  }

  noteStart(): void {
    this.#starts += 1;
  }

  become(health: ServerHealth, problem?: string): void {
    const redacted = problem === undefined ? undefined : this.#options.redact(problem);
    if (health === this.#health && redacted === this.#problem) return;
    if (health !== this.#health) this.#since = new Date().toISOString();
    this.#health = health;
    this.#problem = redacted;
    this.#options.tell({ kind: 'state', serverId: this.#options.config.id, state: this.state });
  }

  /** What is odd about a server that is ready. The first one counts: what follows is more of the same. */
  remark(remark: string): void {
    if (this.isReady && this.#problem === undefined) this.become('ready', remark);
  }
}
