import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import { hideSecrets } from '../../events/secrets/hidden-secrets.ts';
import { unaskedText } from '../../events/descriptors/tool-events.ts';
import type { AgentCall } from '../../gateway/permission/agent-call.ts';
import { requestedData } from '../../gateway/permission/requested-data.ts';
import { unaskedCall } from '../../gateway/permission/unasked-call.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { Agent } from '../../workflow/project/agent.ts';
import { acpCallSchema } from '../acp/acp-call.ts';
import { AcpCalls, type OnUnasked } from '../acp/acp-calls.ts';
import { agentCallOf } from '../acp/agent-call-of.ts';
import { UnaskedCalls } from '../acp/unasked-calls.ts';
import type { ConversationIo } from '../agents/agent-adapter.ts';
import type { AgentSignal } from '../agents/output/agent-signal.ts';
import { callIdOf, factOf } from '../output/signal-facts.ts';
import { AllowedWork } from './allowed-work.ts';
import { EditorProject, type EditorProjectDeps } from './editor-project.ts';
import type { EditorSession } from './editor-sessions.ts';

/** Whose calls are recorded. */
export type EditorRecordDeps = EditorProjectDeps & {
  readonly agent: Agent;
  /** How the log calls the agent. */
  readonly name: string;
  /** Tells whoever sits at the editor, in a session. */
  readonly tell: (sessionId: string, text: string) => void;
};

/** A session as it is recorded. */
export type SessionRecord = Pick<EditorSession, 'id' | 'cwd' | 'root'> & {
  readonly project: EditorProject;
  /** What the agent has said of its tool calls. */
  readonly calls: AcpCalls;
  /** What it may have its editor do. */
  readonly allowed: AllowedWork;
  /** What its editor was told to do after it was decided on: no call of the agent's that is said to be over went unasked by that. */
  readonly done: AllowedWork;
  /** What the agent has said in this turn. */
  readonly said: () => string;
  /** Writes down what of it is for the log. */
  readonly note: (signals: readonly AgentSignal[]) => void;
  /** How the log calls a call of the session. */
  readonly callId: (name: string) => string;
};

/** What an agent does in an editor, each session in the log of its project. */
export class EditorRecord {
  readonly #deps: EditorRecordDeps;
  readonly #projects = new Map<string, EditorProject>();
  readonly #sessions = new WeakMap<EditorSession, SessionRecord>();
  readonly #unasked = new Set<UnaskedCalls>();
  /** Sessions in which somebody was told that the agent does not ask. */
  readonly #toldOf = new Set<string>();

  constructor(deps: EditorRecordDeps) {
    this.#deps = deps;
  }

  /** What is recorded of a session. */
  of(session: EditorSession): SessionRecord {
    const known = this.#sessions.get(session);
    if (known) return known;
    const { id, cwd, root } = session;
    const project = this.#projects.get(root) ?? new EditorProject(root, this.#deps);
    this.#projects.set(root, project);
    const callId = (callName: string) => callIdOf(`${this.#deps.agent.id} ${id}`, callName);
    const unasked = new UnaskedCalls((call, known) => this.#judge(call, known, record), this.#deps.report);
    this.#unasked.add(unasked);
    const onUnasked: OnUnasked = (call, { name, hasFailed, wasRefused, folder }) => {
      // What failed may be what the agent refused by itself, or a turn that was cancelled.
      if (hasFailed) return;
      const made = agentCallOf(call, root, { sessionFolder: cwd, told: folder });
      if (wasRefused || !record.done.use(made)) unasked.take(made, { id: name, hasFailed, wasRefused });
    };
    // Whose server a tool belongs to only the agent's configuration says, and that is not Clifford's here.
    const calls = new AcpCalls(() => false, onUnasked);
    const said = () => session.said;
    const note = (signals: readonly AgentSignal[]) =>
      project.note(signals.flatMap((signal) => this.#factOf(signal, record) ?? []));
    const allowed = new AllowedWork(() => session.turn);
    const done = new AllowedWork(() => session.turn);
    const record: SessionRecord = { id, cwd, root, project, calls, allowed, done, said, note, callId };
    this.#sessions.set(session, record);
    return record;
  }

  /** Writes down what an agent tells of a tool call, asked about or not. */
  note(session: EditorSession, update: unknown): void {
    const { data: call } = acpCallSchema.safeParse(update);
    if (!call) return;
    const record = this.of(session);
    record.note(record.calls.take(call));
    if (call.status === 'completed' || call.status === 'failed') record.allowed.over(call.toolCallId);
  }

  /** What has to be waited for before more can be written down. */
  pace(): Promise<void> | undefined {
    for (const project of this.#projects.values()) {
      const wait = project.pace();
      if (wait) return wait;
    }
    return undefined;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#unasked].map((unasked) => unasked.settled()));
    await Promise.all([...this.#projects.values()].map((project) => project.close()));
  }

  /** Records and tells what the agent did without asking, and should not have. */
  async #judge(
    call: AgentCall,
    { id: callName, wasRefused }: Parameters<ConversationIo['unasked']>[1],
    { id, project: place, callId }: SessionRecord,
  ) {
    const { agent, name, tell } = this.#deps;
    const { policy } = place;
    // What was said of the call stands before what the policy says of it.
    await place.settled();
    const deps = { project: await place.get(), agent, name, stream: ADHOC_STREAM, policy };
    const found = await unaskedCall(call, { callId: callId(callName), wasRefused }, deps);
    if (!found) return;
    place.note([{ type: 'tool.unasked', subject: ADHOC_STREAM, data: found.data }]);
    // An agent that is set to ask nothing would be told of with each command.
    const isDenied = found.data.decision === 'deny';
    if (isDenied || !this.#toldOf.has(id)) tell(id, unaskedText(found.data));
    if (!isDenied) this.#toldOf.add(id);
  }

  #factOf(signal: AgentSignal, { id }: SessionRecord): Candidate | undefined {
    const { agent, name, env } = this.#deps;
    const runId = `${agent.id} ${id}`;
    const project = { hideSecrets: () => hideSecrets(env) };
    return factOf(signal, {
      runId,
      subject: ADHOC_STREAM,
      ownCall: (callId, own) =>
        requestedData(own, { callId: callIdOf(runId, callId), name, runId: undefined, project }),
    });
  }
}
