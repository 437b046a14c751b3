import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { realPath } from '../../lib/files/real-path.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { findProjectRoot, STATE_DIR } from '../../workflow/project/project-root.ts';
import { saidAfter } from '../acp/said.ts';
import { keyOf, opensSession, paramsOf, type AcpMessage } from './acp-message.ts';

/** A session of the agent, as far as it matters here. */
export type EditorSession = {
  readonly id: string;
  /** The folder it works in, and the project that it is in, absolute. */
  readonly cwd: string;
  readonly root: string;
  /** What was is told again, until it is open. */
  isReplayed: boolean;
  /** How often the agent was prompted in it. */
  turn: number;
  /** What the agent has said in this turn: the last of it. */
  said: string;
};

/** Where sessions work. */
export type SessionPlace = {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where a session works whose folder nobody knows, absolute. */
  readonly cwd: string;
};

/** So many requests to open a session may be under way, and so many sessions be known. */
const MAX_OPENING = 1_000;
const MAX_SESSIONS = 10_000;

/** The sessions that an editor has opened, each in the project of its folder. */
export class EditorSessions {
  readonly #place: SessionPlace;
  readonly #sessions = new Map<string, EditorSession>();
  /** By the ids of the editor's requests; with the session, where the request names it. */
  readonly #opening = new Map<
    string,
    { readonly cwd: string; readonly session: EditorSession | undefined }
  >();

  constructor(place: SessionPlace) {
    this.#place = place;
  }

  /**
   * Takes note of a request that opens a session.
   *
   * @throws {CliffordError} `HOME_IS_NO_PROJECT`: it is not to be opened.
   */
  requested(message: AcpMessage): void {
    const { cwd, sessionId } = paramsOf(message);
    if (!opensSession(message['method']) || typeof cwd !== 'string') return;
    const root = this.#rootOf(cwd);
    refuseHome(root, this.#place.env);
    const isOld = message['method'] !== 'session/fork' && typeof sessionId === 'string';
    const session = isOld ? this.#open(sessionId, cwd) : undefined;
    if (session) session.isReplayed = true;
    keep(this.#opening, keyOf(message['id']), { cwd, session }, MAX_OPENING);
  }

  /** Takes note of the answer to such a request. Returns the session that is open then. */
  answered({ id, result }: AcpMessage): EditorSession | undefined {
    const opening = this.#opening.get(keyOf(id));
    if (!opening) return undefined;
    this.#opening.delete(keyOf(id));
    if (opening.session) opening.session.isReplayed = false;
    const named = isJsonObject(result) ? result['sessionId'] : undefined;
    if (typeof named === 'string' && named !== opening.session?.id) return this.#open(named, opening.cwd);
    return opening.session;
  }

  /** The session of this id; one that nobody has seen opened works where the agent was started. */
  get(id: string): EditorSession {
    return this.#sessions.get(id) ?? this.#open(id, this.#place.cwd);
  }

  /** The agent is prompted: what it has said before, and was allowed, is of another turn. */
  beginTurn(id: unknown): void {
    const session = typeof id === 'string' ? this.#sessions.get(id) : undefined;
    if (!session) return;
    session.turn += 1;
    session.said = '';
  }

  /** Takes note of words of the agent. */
  said(id: string, content: unknown): void {
    const session = this.#sessions.get(id);
    const text = isJsonObject(content) ? content['text'] : undefined;
    if (session && typeof text === 'string') session.said = saidAfter(session.said, text);
  }

  #open(id: string, cwd: string): EditorSession {
    const session = { id, cwd, root: this.#rootOf(cwd), isReplayed: false, turn: 0, said: '' };
    keep(this.#sessions, id, session, MAX_SESSIONS);
    return session;
  }

  #rootOf(cwd: string): string {
    return findProjectRoot({ env: this.#place.env, cwd });
  }
}

/** A home with a log would be the project of every folder below it, and the root of the file system that of all. */
function refuseHome(root: string, env: SessionPlace['env']): void {
  if (existsSync(join(root, STATE_DIR))) return;
  const isHome = realPath(root) === realPath(env['HOME'] ?? homedir());
  if (!isHome && dirname(root) !== root) return;
  throw new CliffordError(`Cannot work in ${root}: Clifford keeps its log in the project, and this is none`, {
    code: 'HOME_IS_NO_PROJECT',
    fix: 'Open the folder of a project; one that is in no git repository becomes one with: clifford init',
    recovery: 'fix-input',
  });
}

/** Adds an entry, and forgets the oldest of too many. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
