import type { AgentCall } from '../../gateway/permission/agent-call.ts';

/** So many commands may have a yes that their agent has not used. */
const MAX_COMMANDS = 200;

type Command = Pick<AgentCall, 'commands' | 'cwd'>;

/** Commands of a session that were allowed: each has its editor start a program once, without another question. */
export class AllowedCommands {
  readonly #keys: string[] = [];

  add(command: Command): void {
    this.#keys.push(keyOf(command));
    if (this.#keys.length > MAX_COMMANDS) this.#keys.shift();
  }

  /** Uses the yes of one. False: it has none. */
  use(command: Command): boolean {
    const at = this.#keys.indexOf(keyOf(command));
    if (at !== -1) this.#keys.splice(at, 1);
    return at !== -1;
  }
}

function keyOf({ commands, cwd }: Command): string {
  return JSON.stringify([cwd, commands]);
}
