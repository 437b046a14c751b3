import { filesInCall, type FilesInCall } from '../../events/call-files/files-in-call.ts';
import { agentOfServer } from '../../events/agent-server.ts';
import { ruleText, type Approval } from '../../events/approval.ts';
import { isCut } from '../../events/cut-arguments.ts';
import { callChanges, type CallChange } from './call-changes.ts';
import { hintWords } from '../requests/hint-words.ts';
import { hiddenText } from './masked.ts';
import { riskOf, riskText } from './risk.ts';
import { unclearFiles, type Unclear } from './unclear-files.ts';
import { withinProject } from './within-project.ts';

/** The arguments of a call as they will run. */
export type Revealed = { readonly args: Approval['args'] };

/** What the cards of calls offer beside yes and no, by the id of the request: lines, not escaped yet. */
export type Offers = ReadonlyMap<string, readonly string[]>;

/** What a human has to see of a call to decide about it. Words of others in it are not escaped yet. */
export type CallCard = Pick<Approval, 'server' | 'tool' | 'change' | 'explanation'> & {
  /** The agent whose own tool it is, of which `tool` is the kind; `undefined`: it is a server's. */
  readonly agent: string | undefined;
  /** Whether what the server says of its tool is believed. */
  readonly isTrusted: boolean;
  readonly rule: string;
  /** What a yes may lead to: `may destroy`. */
  readonly risk: string;
  /** What it would make of files, as far as it says it. */
  readonly changes: readonly CallChange[];
  /** What the server says of its tool: `only reads`. */
  readonly hints: readonly string[];
  readonly args: Approval['args'];
  /** How much of arguments that are too long is shown: `10 of 70000 characters`. */
  readonly cut: string | undefined;
  /** What of them is masked: `1 value hidden: 1,674 characters, 27 lines`. */
  readonly hidden: string | undefined;
  /** What nobody can say of what it does to files. */
  readonly unclear: Unclear | undefined;
};

/**
 * The card of a call; with its whole arguments, where they are `revealed`.
 *
 * @param known.inCall - What it says of files, where that has been looked for.
 * @param known.changes - What it would make of them, where that has been compared with them.
 * @param known.folder - Where its agent works: its files are named from there. Default: as they were named.
 */
export function callCard(
  approval: Approval,
  revealed: Revealed | undefined,
  {
    inCall = filesInCall((revealed ?? approval).args),
    changes = callChanges(inCall),
    folder,
  }: {
    readonly inCall?: FilesInCall;
    readonly changes?: readonly CallChange[] | undefined;
    readonly folder?: string | undefined;
  } = {},
): CallCard {
  const { server, tool, isOwn, trust, annotations, change, args, explanation } = approval;
  const nameOf = (path: string) => (folder === undefined ? path : withinProject(folder, path));
  const unclear = unclearFiles({ isOwn, tool, args: (revealed ?? approval).args }, inCall);
  const { cut, length } = isCut(args) ? args : { cut: undefined, length: 0 };
  return {
    server,
    tool,
    agent: isOwn ? agentOfServer(server) : undefined,
    change,
    explanation,
    isTrusted: trust === 'full',
    rule: ruleText(approval),
    hints: hintWords(annotations),
    risk: riskText({ risk: riskOf(approval), kind: 'approval' }),
    changes,
    args: revealed ? revealed.args : args,
    cut: revealed || cut === undefined ? undefined : `${cut.length} of ${length} characters`,
    hidden: revealed ? undefined : hiddenText(approval),
    unclear: unclear?.is === 'what' ? { ...unclear, paths: unclear.paths.map(nameOf) } : unclear,
  };
}
