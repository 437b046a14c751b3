import { subjectOf } from '../../events/envelope.ts';
import type { HeldPolicy } from '../../gateway/permission/held-policy.ts';
import { permitCall } from '../../gateway/permission/permit-call.ts';
import { agentCallName } from '../../gateway/policy/agent-call-name.ts';
import { unaskedCall } from '../../gateway/permission/unasked-call.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { RequestState } from '../../machines/project-state.ts';
import {
  deliveredNotes,
  returnedNotes,
  takeNotes,
  type NotesPlace,
} from '../../workflow/notes/deliver-notes.ts';
import type { Project } from '../../workflow/project/project.ts';
import { requestById } from '../../workflow/requests/find-request.ts';
import type { SprintFolder } from '../../workflow/sprint/sprint-folders.ts';
import type { AcpOrder } from '../acp/acp-conversation.ts';
import type { AcpSpeech, Conversation, ConversationIo, NoteIo } from '../agents/agent-adapter.ts';
import { callIdOf } from '../output/signal-facts.ts';
import type { Attempt } from './attempt.ts';
import { CallFates } from './call-fates.ts';
import { noteUnasked, type Remarked } from './note-unasked.ts';

/** What an attempt is to its conversation. */
type SpokenWith = Pick<Attempt, 'write' | 'hangUp' | 'isAlive' | 'wake' | 'noteQueued' | 'noteFact'> &
  Remarked;

/** The attempt whose agent is spoken with, and where what it asks is decided and recorded. */
export type ConversationPlace = {
  readonly project: Project;
  readonly folder: SprintFolder;
  readonly agentPolicy: HeldPolicy;
  readonly taskId: string;
  readonly runId: string;
  /** How the agent is named as the one who asks. */
  readonly name: string;
  /** Only once the agent has been started. */
  readonly attempt: () => SpokenWith;
} & Pick<ConversationIo, 'isWanted'>;

/** Who speaks with the agent, where it speaks the Agent Client Protocol. Most runs need none of the protocol's code. */
export async function openConversation(
  speech: AcpSpeech | undefined,
  order: Omit<AcpOrder, 'speech'>,
  { project, folder, agentPolicy, taskId, runId, name, attempt, isWanted }: ConversationPlace,
): Promise<Conversation | undefined> {
  if (!speech) return undefined;
  const { AcpConversation } = await import('../acp/acp-conversation.ts');
  const stream = folder.manifest.id;
  const agent = { id: runId, runId, client: name };
  const isAlive = () => attempt().isAlive();
  const permissions = { project, agent, name, stream, taskId, policy: agentPolicy, isAlive };
  const fates = new CallFates();
  const conversation = new AcpConversation(
    { ...order, speech },
    {
      write: (text) => attempt().write(text),
      hangUp: () => attempt().hangUp(),
      onQueued: () => attempt().noteQueued(),
      isWanted,
      notes: notesFor(project, { stream, taskId, to: runId }, attempt),
      permit: async (call, { id, isRecorded, said }, signal) => {
        const known = { callId: callIdOf(runId, id), isRecorded, said };
        let request: RequestState | undefined;
        const onAsked = (asked: RequestState) => (request = asked);
        fates.noteAsked(id);
        const word = await permitCall(call, known, { ...permissions, onAsked }, signal);
        const ended = request && requestById(project.state, request.id);
        fates.note(id, word, ended);
        if (word.is !== 'allowed' || !word.giveBack) return word;
        const { giveBack } = word;
        const noteLate = () => {
          fates.noteLate(id, agentCallName(call), ended?.answer);
          attempt().noteQueued();
        };
        return { ...word, giveBack: () => (noteLate(), giveBack()) };
      },
      unasked: async (call, { id, hasFailed, wasRefused }) => {
        const found = await unaskedCall(call, { callId: callIdOf(runId, id), wasRefused }, permissions);
        if (found) noteUnasked(attempt(), subjectOf(stream, taskId), { ...found, hasFailed });
      },
    },
  );
  return fates.toldBy(conversation);
}

/** The notes that wait for the agent of an attempt, and what the log is told of them. */
function notesFor(project: Project, place: NotesPlace, attempt: () => SpokenWith): NoteIo {
  const note = (facts: readonly Candidate[]) => {
    for (const fact of facts) attempt().noteFact(fact);
  };
  return {
    wake: () => attempt().wake(),
    take: (way) => takeNotes(project, place, way),
    delivered: (notes, way) => note(deliveredNotes(notes, place, way)),
    returned: (notes, why) => note(returnedNotes(notes, place, why)),
  };
}
