import { isAbsolute } from 'node:path';
import type { AgentCall } from '../../gateway/permission/agent-call.ts';

/** So many things may have a yes that their agent has not used. */
const MAX_KEPT = 200;

type Wanted = Pick<AgentCall, 'kind' | 'commands' | 'cwd' | 'paths'>;

/**
 * What an agent was allowed in a turn of a session: each command and each file has its editor start a program, or write
 * it, once, without another question. Not in another turn, nor once the call is over that was asked about.
 */
export class AllowedWork {
  readonly #turn: () => number;
  #kept: { readonly key: string; readonly callId: string; readonly turn: number }[] = [];

  /** @param turn - Which one of the session goes on. */
  constructor(turn: () => number) {
    this.#turn = turn;
  }

  add(wanted: Wanted, callId: string): void {
    const turn = this.#turn();
    const more = keysOf(wanted).map((key) => ({ key, callId, turn }));
    this.#kept = [...this.#kept, ...more].slice(-MAX_KEPT);
  }

  /** Uses the yes of one. False: it has none. */
  use(wanted: Wanted): boolean {
    const [key] = keysOf(wanted);
    const at = this.#kept.findIndex((each) => each.key === key && each.turn === this.#turn());
    if (at !== -1) this.#kept.splice(at, 1);
    return at !== -1;
  }

  /** The call is over: what it was allowed, it has done by itself. */
  over(callId: string): void {
    this.#kept = this.#kept.filter((each) => each.callId !== callId);
  }
}

/** Paths count as they are written: what `..` leads to depends on links. */
function keysOf({ kind, commands, cwd, paths }: Wanted): readonly string[] {
  if (commands.length > 0) return [JSON.stringify([cwd, commands])];
  return kind === 'edit' ? paths.map((path) => (isAbsolute(path) ? path : `${cwd}/${path}`)) : [];
}
