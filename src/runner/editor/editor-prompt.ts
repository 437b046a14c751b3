import { resolve } from 'node:path';
import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import type { AgentCall, PermissionWord } from '../../gateway/permission/agent-call.ts';
import { permitCall } from '../../gateway/permission/permit-call.ts';
import { messageOf } from '../../lib/message-of.ts';
import { cleanLine } from '../../lib/text/hidden-characters.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Agent } from '../../workflow/project/agent.ts';
import type { Project } from '../../workflow/project/project.ts';
import { decider, requireHuman } from '../../workflow/project/require-human.ts';
import { dismissRequest } from '../../workflow/requests/answer.ts';
import { approve, deny } from '../../workflow/requests/approval.ts';
import { recordDelivery } from '../../workflow/requests/deliver.ts';
import { requestById } from '../../workflow/requests/find-request.ts';
import { isHumansWord } from '../../machines/humans-word.ts';
import { closedBy } from '../../workflow/requests/outcome-text.ts';
import { folderOf, type AcpCall } from '../acp/acp-call.ts';
import { agentCallOf } from '../acp/agent-call-of.ts';
import type { AcpCalls } from '../acp/acp-calls.ts';
import type { SessionRecord } from './editor-record.ts';
import {
  ALWAYS,
  noOf,
  offeredOptions,
  outcomeSchema,
  yesOf,
  type PermissionParams,
  type PromptOption,
} from './prompt-options.ts';

/** How the log says that somebody has answered at the editor. */
const VIA = 'editor';

/** What a prompt needs to be decided, and to be shown. */
export type PromptDeps = {
  readonly agent: Agent;
  /** How rules and the log call the agent. */
  readonly name: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Who sits at the editor, as the log names them. */
  readonly by: string;
  /** Shows this prompt in the editor with these answers. Returns how to take it away again. */
  readonly show: (prompt: EditorPrompt, options: readonly PromptOption[]) => () => void;
  /** Tells whoever sits at the editor, in a session. */
  readonly tell: (sessionId: string, text: string) => void;
  readonly report: (problem: unknown) => void;
};

/** What the agent is told: one of the answers it offered, that its turn is cancelled, or that it did so itself. */
export type PromptEnd = { readonly optionId: string } | 'cancelled' | 'withdrawn';

/**
 * A call that an agent asks permission for: decided by the policy, else by whoever is first, at the editor or through
 * another face of Clifford. The others are told who.
 */
export class EditorPrompt {
  readonly params: PermissionParams;
  readonly session: SessionRecord;
  readonly #deps: PromptDeps;
  readonly #told: ReturnType<AcpCalls['asked']>;
  readonly #title: string;
  /** Before it asked. */
  readonly #said: string;
  readonly #over = new AbortController();
  /** The request that a human was asked by last. */
  #asked: { readonly project: Project; readonly requestId: string } | undefined;
  #takeAway: (() => void) | undefined;
  /** What was chosen at the editor, if that was the first answer. */
  #chosen: Promise<PromptOption | undefined> | undefined;
  #withdrawnBy: 'editor' | 'agent' | undefined;

  constructor(params: PermissionParams, session: SessionRecord, deps: PromptDeps) {
    this.params = params;
    this.session = session;
    this.#deps = deps;
    this.#told = session.calls.asked(params.toolCall);
    this.#said = session.said();
    session.note(this.#told.signals);
    const { title, kind } = this.#told.call;
    this.#title = cleanLine(title || kind || 'a call', 200);
  }

  /** What the editor does not know of the call, or is told of with another request: that it is made in another folder. */
  get shownAs(): { readonly title?: string } {
    const { call, folder } = this.#told;
    const { cwd } = this.session;
    const isElsewhere =
      folderOf(call) === undefined && folder !== undefined && resolve(cwd, folder) !== resolve(cwd);
    return isElsewhere
      ? { title: `${call.title || this.#title} (in ${cleanLine(resolve(cwd, folder), 500)})` }
      : {};
  }

  /** The call as it is judged. */
  get wanted(): AgentCall {
    const { call, folder } = this.#told;
    return wantedOf(call, this.session, folder);
  }

  /** Decides it. What becomes of it in the log and on the screens comes after `answer` was called. Never rejects. */
  async decide(answer: (end: PromptEnd) => void): Promise<void> {
    const word = await this.#word();
    const choice = await this.#chosen;
    // A rule may have come to refuse it, or somebody else, who was asked once more.
    const chosen = choice && isYes(choice) === (word.is === 'allowed') ? choice : undefined;
    const end = this.#end(word, chosen);
    this.#noteWord(word, end);
    answer(end);
    this.#takeAway?.();
    try {
      if (this.#withdrawnBy) await this.#dismiss();
      else if (choice && !chosen && word.is === 'refused') this.#tell(word.reason);
      else if (!chosen && word.is !== 'cancelled') this.#tellWho(word);
    } catch (error) {
      this.#deps.report(error);
    }
  }

  /** Takes the editor's answer, the `result` of its response. */
  answered(result: unknown): void {
    this.#takeAway = undefined;
    const { outcome } = outcomeSchema.safeParse(result).data ?? {};
    if (!outcome) this.#stillWaits('the editor did not answer');
    else if (outcome.outcome === 'cancelled') this.withdraw('editor');
    else this.#chosen = this.#take(outcome.optionId);
  }

  /** Nobody wants to know any more: the turn was cancelled in the editor, or the agent takes its request back. */
  withdraw(by: 'editor' | 'agent'): void {
    this.#withdrawnBy ??= by;
    this.#over.abort();
  }

  /** Nobody can be answered any more. The question stays open. */
  abandon(): void {
    this.#over.abort();
  }

  async #word(): Promise<PermissionWord> {
    const { agent, name } = this.#deps;
    const { project: place } = this.session;
    const { name: callName, isRecorded } = this.#told;
    try {
      // What was said of the call before stands before what becomes of it.
      await place.settled();
      const project = await place.get();
      const onAsked = (request: RequestState) => this.#ask(project, request);
      const deps = { project, agent, name, stream: ADHOC_STREAM, policy: place.policy, onAsked };
      const callId = this.session.callId(callName);
      const known = { callId, isRecorded, said: this.#said };
      return await permitCall(this.wanted, known, deps, this.#over.signal);
    } catch (error) {
      this.#deps.report(error);
      this.#tell(`not decided, so it is not done: ${messageOf(error)}`);
      return { is: 'cancelled' };
    }
  }

  /** What the agent says it has done is held against what it was told. */
  #noteWord({ is: word }: PermissionWord, end: PromptEnd): void {
    const { toolCallId } = this.params.toolCall;
    if (word === 'refused') this.session.calls.refused(toolCallId);
    else if (word === 'allowed' && typeof end === 'object') this.session.calls.allowed(toolCallId);
  }

  #end(word: PermissionWord, chosen: PromptOption | undefined): PromptEnd {
    if (this.#withdrawnBy === 'agent') return 'withdrawn';
    if (this.#withdrawnBy || word.is === 'cancelled') return 'cancelled';
    const decided = word.is === 'allowed' ? yesOf(this.params) : noOf(this.params);
    const optionId = chosen && chosen !== ALWAYS ? chosen.optionId : decided;
    return optionId === undefined ? 'cancelled' : { optionId };
  }

  /** A human is asked: the one at the editor, too, if that is one. */
  #ask(project: Project, { id, phase }: RequestState): void {
    this.#takeAway?.();
    this.#takeAway = undefined;
    this.#asked = { project, requestId: id };
    if (phase !== 'open') return;
    try {
      requireHuman(this.#deps, `answer ${id} through an editor`, project);
      this.#takeAway = this.#deps.show(this, offeredOptions(this.params));
    } catch (error) {
      this.#stillWaits(messageOf(error));
    }
  }

  /** Returns the answer if it was the first. */
  async #take(optionId: string): Promise<PromptOption | undefined> {
    const option = offeredOptions(this.params).find((each) => each.optionId === optionId);
    try {
      if (option && this.#asked && (await this.#close(option, this.#asked))) return option;
      if (!option) this.#stillWaits('the editor chose something else than was offered');
    } catch (error) {
      this.#stillWaits(messageOf(error));
    }
    return undefined;
  }

  async #close(
    { kind, optionId }: PromptOption,
    { project, requestId }: { readonly project: Project; readonly requestId: string },
  ): Promise<boolean> {
    if (!isYes({ kind })) {
      const { accepted } = await deny(project, requestId, { by: decider(this.#deps, project), via: VIA });
      return accepted;
    }
    // Whoever it was when the prompt was shown: an agent may have come between.
    requireHuman(this.#deps, `approve ${requestId}`, project);
    const scope = optionId === ALWAYS.optionId ? 'always' : 'once';
    const { accepted } = await approve(project, requestId, { scope, by: this.#deps.by, via: VIA });
    return accepted;
  }

  /** In the log as well, and not to be taken for the end of the next call. */
  async #dismiss(): Promise<void> {
    if (!this.#asked) return;
    const { project, requestId } = this.#asked;
    const { agent, name } = this.#deps;
    const isAgents = this.#withdrawnBy === 'agent';
    const { request } = await dismissRequest(project, requestId, {
      by: isAgents ? name : decider(this.#deps, project),
      via: isAgents ? 'acp' : VIA,
      reason: isAgents ? 'the agent does not ask any more' : 'it was cancelled in the editor',
    });
    if (request) await recordDelivery(project, [request], agent.id);
  }

  #tellWho(word: PermissionWord): void {
    const request = this.#asked && requestById(this.#asked.project.state, this.#asked.requestId);
    if (request && (request.answer || isHumansWord(request))) this.#tell(toldOf(request));
    else if (word.is === 'refused') this.#tell(word.reason);
    else if (request) this.#tell('the policy allows it by now');
  }

  #stillWaits(why: string): void {
    this.#deps.report(why);
    const { requestId } = this.#asked ?? {};
    this.#tell(`${why}. It waits for: clifford approve ${requestId}, or clifford deny ${requestId}`);
  }

  #tell(text: string): void {
    this.#deps.tell(this.session.id, `${this.#title}: ${text}`);
  }
}

/** A call of a session, as it is judged. `folder`: where the agent has said before that it is made. */
export function wantedOf(
  call: AcpCall,
  { cwd, root }: Pick<SessionRecord, 'cwd' | 'root'>,
  folder?: string,
): AgentCall {
  return agentCallOf(call, root, { sessionFolder: cwd, told: folder });
}

/** Who decided, and what is left to whoever sits at the editor: the agent has heard a yes or a no, and nothing else. */
function toldOf(request: RequestState): string {
  const { verdict, edited, response } = request.answer ?? {};
  const who = closedBy(request);
  if (verdict === 'questioned') return `${who} (the agent heard only a no: ask it)`;
  if (verdict !== 'edited') return who;
  const args = JSON.stringify(edited?.args);
  const these = args === response ? 'exactly these arguments' : `exactly these arguments: ${args}`;
  return `${who} (the agent heard only a no: tell it to make the same call, which then runs once unasked, with ${these})`;
}

function isYes({ kind }: Pick<PromptOption, 'kind'>): boolean {
  return kind.startsWith('allow');
}
