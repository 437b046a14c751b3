import type { EventData } from '../../events/catalog.ts';
import { subjectOf } from '../../events/envelope.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { AgentGateCall } from '../policy/agent-rule-match.ts';
import type { Permissions } from './permissions.ts';
import { requestedData } from './requested-data.ts';

type Verdict =
  | { readonly type: 'tool.allowed'; readonly data: EventData<'tool.allowed'> }
  | { readonly type: 'tool.denied'; readonly data: EventData<'tool.denied'> };

/** The call in the log: that it was asked for stands in front of whatever follows from it, in the same append. */
export class CallRecord {
  readonly #call: AgentGateCall;
  readonly #callId: string;
  readonly #deps: Permissions;
  #isRecorded = false;

  constructor(call: AgentGateCall, callId: string, deps: Permissions) {
    this.#call = call;
    this.#callId = callId;
    this.#deps = deps;
  }

  /** What the log gets before the question. */
  readonly before = (): readonly Candidate[] => (this.#isRecorded ? [] : [this.#request()]);

  wasRecorded(): void {
    this.#isRecorded = true;
  }

  async decided(verdict: Verdict): Promise<void> {
    const { project, stream, taskId } = this.#deps;
    await project.record(stream, [...this.before(), { ...verdict, subject: subjectOf(stream, taskId) }]);
    this.wasRecorded();
  }

  #request(): Candidate {
    const { agent, name, project, stream, taskId } = this.#deps;
    return {
      type: 'tool.requested',
      subject: subjectOf(stream, taskId),
      data: requestedData(this.#call, { callId: this.#callId, name, runId: agent.runId, project }),
    };
  }
}
