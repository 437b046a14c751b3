import { CliffordError } from '../../errors.ts';
import { loadMcpConfig } from '../config/load-mcp-config.ts';
import type { McpConfigReading } from '../config/mcp-config-reading.ts';
import { DEFAULT_POLICY } from '../config/policy-config.ts';
import type { McpServerConfig } from '../config/server-config.ts';
import { isBroken, loadSettledConfig } from '../config/settled-config.ts';
import { trustOf, type TrustState } from '../config/trust.ts';
import { watchMcpConfig } from '../config/watch-mcp-config.ts';
import { digestOf } from '../../lib/digest.ts';
import type { McpManager } from '../server/mcp-manager.ts';
import type { SessionPlace } from './session-place.ts';
import { errorText } from '../call/tool-result.ts';
import { within } from '../../lib/processes/settled-within.ts';
import type { PolicyInForce } from './policy-in-force.ts';

export type ServerSetDeps = Omit<SessionPlace, 'configMemory'> & {
  readonly manager: Pick<McpManager, 'connect' | 'disconnect'>;
  /** Servers came or went, or the policy changed. */
  readonly onChange: () => void;
  /** Whether the tools of a server that starts with its first call are known without starting it. */
  readonly isKnown: (serverId: string) => Promise<boolean>;
};

/** A start, and when it began, in ms of `performance.now()`. */
type Start = { readonly ready: Promise<void>; readonly begunAt: number };

/**
 * The servers that stand in a project's `mcp.json`, as it is trusted, and the policy for them. It follows the file:
 * what was changed is started again, nothing else is touched. A change that nobody trusts yet changes nothing.
 */
export class ServerSet implements PolicyInForce {
  readonly #deps: ServerSetDeps;
  readonly #opened = Promise.withResolvers<void>();
  readonly #starts = new Map<string, Start>();
  #servers: ReadonlyMap<string, McpServerConfig> = new Map();
  #policy: PolicyInForce['policy'] = DEFAULT_POLICY;
  #notice: string | undefined;
  #unwatch: (() => void) | undefined;
  #lastTold = '';
  #isReading = false;
  #isStale = false;
  #isClosed = false;

  constructor(deps: ServerSetDeps) {
    this.#deps = deps;
  }

  get policy(): PolicyInForce['policy'] {
    return this.#policy;
  }

  /** In the order of the file; none that are disabled. */
  get servers(): readonly McpServerConfig[] {
    return [...this.#servers.values()];
  }

  readonly configOf = (id: string): McpServerConfig | undefined => this.#servers.get(id);

  /** What a human has to do before there are servers, or those that the file asks for now. */
  get notice(): string | undefined {
    return this.#notice;
  }

  /** Resolves when the file was read for the first time, and what it asks for was begun. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  /** Reads the file, starts what is to be started, and follows the file from then on. */
  open(): void {
    this.#unwatch = watchMcpConfig(this.#deps, () => this.#read());
    this.#read();
  }

  /**
   * Waits until the servers that were started are ready or have failed, but no longer than `ms` from the start of
   * each: one that hangs is waited for once.
   */
  async settled(ms: number): Promise<void> {
    const deadline = performance.now() + ms;
    if (!(await within(ms, [this.opened]))) return;
    await Promise.all(
      [...this.#starts.values()].map(({ ready, begunAt }) =>
        within(Math.max(0, Math.min(deadline, begunAt + ms) - performance.now()), [ready]),
      ),
    );
  }

  /** Whether a server was started, or is being started. */
  isStarted(id: string): boolean {
    return this.#starts.has(id);
  }

  /** Starts a server, unless it was. @throws {CliffordError} `SERVER_UNREACHABLE` the first time. */
  async start(id: string): Promise<void> {
    const config = this.#servers.get(id);
    if (config === undefined || this.#isClosed) return;
    let start = this.#starts.get(id);
    if (start === undefined) {
      start = { ready: this.#deps.manager.connect(config), begunAt: performance.now() };
      this.#starts.set(id, start);
    }
    await start.ready;
  }

  close(): void {
    this.#isClosed = true;
    this.#unwatch?.();
  }

  /** One reading at a time: what changed meanwhile is read after it. */
  #read(): void {
    this.#isStale = true;
    if (this.#isReading) return;
    this.#isReading = true;
    void this.#readWhileStale()
      .catch((error: unknown) => this.#deps.report(messageOf(error)))
      .finally(() => {
        this.#isReading = false;
        this.#opened.resolve();
      });
  }

  async #readWhileStale(): Promise<void> {
    while (this.#isStale && !this.#isClosed) {
      this.#isStale = false;
      const { root, env } = this.#deps;
      const { reading, told } = await this.#load();
      this.#tell(told.join('\n'));
      try {
        await this.#take(reading, await trustOf(root, reading, env));
      } catch (error) {
        if (!(error instanceof CliffordError)) throw error;
        // Whether it is trusted nobody can tell: what was in force stays so.
        this.#warn(errorText(error));
      }
    }
  }

  /** While servers run, a file that cannot be read is read a second time. */
  async #load(): Promise<{ readonly reading: McpConfigReading; readonly told: readonly string[] }> {
    const { root, env } = this.#deps;
    const told: string[] = [];
    const place = { root, env, report: (line: string) => void told.push(line) };
    const reading = await (this.#servers.size === 0 ? loadMcpConfig(place) : loadSettledConfig(place));
    return { reading, told };
  }

  /** The same problems are told once. */
  #tell(text: string): void {
    if (text === this.#lastTold) return;
    this.#lastTold = text;
    for (const line of text.split('\n')) if (line !== '') this.#deps.report(line);
  }

  async #take(reading: McpConfigReading, trust: TrustState): Promise<void> {
    if (trust.is !== 'trusted') {
      this.#warn(untrustedNotice(trust, this.#servers.size > 0));
      return;
    }
    this.#notice = undefined;
    const before = digestOf([this.#policy, this.servers]);
    this.#policy = reading.policy;
    // A file that is being written, or is broken: calls are refused, but nothing has to start anew after it.
    if (!isBroken(reading)) await this.#become(reading.servers);
    if (digestOf([this.#policy, this.servers]) !== before) this.#deps.onChange();
  }

  #warn(notice: string): void {
    if (notice === this.#notice) return;
    this.#notice = notice;
    this.#deps.report(notice);
  }

  async #become(servers: readonly McpServerConfig[]): Promise<void> {
    const before = this.#servers;
    const wanted = new Map(servers.filter(({ disabled }) => !disabled).map((each) => [each.id, each]));
    this.#servers = wanted;
    const ended = [...before.values()].filter((old) => !isSame(old, wanted.get(old.id)));
    await Promise.all(
      ended.map(async ({ id }) => {
        this.#starts.delete(id);
        await this.#deps.manager.disconnect(id);
      }),
    );
    for (const config of wanted.values()) {
      if (isSame(config, before.get(config.id))) continue;
      if (config.autoStart || !(await this.#deps.isKnown(config.id))) this.#begin(config.id);
    }
  }

  /** Whoever needs the server waits for it; here nobody does. */
  #begin(id: string): void {
    this.start(id).catch((error: unknown) => {
      if (!this.#isClosed) this.#deps.report(messageOf(error));
    });
  }
}

function untrustedNotice(trust: Exclude<TrustState, { is: 'trusted' }>, isRunning: boolean): string {
  const what = trust.is === 'new' ? 'is not trusted yet' : `has changed (${trust.changes.join(', ')})`;
  const so = isRunning ? 'its previous content stays in effect' : 'none of its servers is started';
  return `mcp.json ${what}, so ${so}: a human has to look at it and run \`clifford mcp trust\``;
}

/** What a person can put right, in a line; a bug with its stack. */
function messageOf(error: unknown): unknown {
  return error instanceof CliffordError ? errorText(error) : error;
}

function isSame(one: McpServerConfig, other: McpServerConfig | undefined): boolean {
  return other !== undefined && digestOf(one) === digestOf(other);
}
