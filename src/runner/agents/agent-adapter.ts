import type { NoteWay } from '../../events/descriptors/note-events.ts';
import type { TaskNote } from '../../machines/task-state.ts';
import type { AdapterName } from '../../workflow/config/adapter-names.ts';
import type { AtModel } from './at-model.ts';
import type { McpFile } from './mcp-file.ts';
import type { ModelFreeStart } from './model-free-start.ts';
import type { AcpCall } from '../acp/acp-call.ts';
import type { AgentCall, PermissionWord } from '../../gateway/permission/agent-call.ts';
import type { AgentSignal } from './output/agent-signal.ts';

/** How Clifford's MCP server is started by an agent CLI. `env` is all that it needs besides `PATH` and `HOME`. */
export type McpServerCommand = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

/** What an agent is to be started for. */
export type LaunchOrder = {
  readonly prompt: string;
  readonly model: string | undefined;
  /** The session to go on with; `undefined`: a new one. */
  readonly sessionId: string | undefined;
  /** A UUID of this run's own, for a CLI that lets a new session be named. */
  readonly newSessionId: string;
  /** The agent's own executable, where another program speaks for it. `undefined`: that one brings its own. */
  readonly cli?: string | undefined;
  readonly mcp: McpServerCommand;
  /** Absolute; the agent's working directory. */
  readonly projectRoot: string;
  /** Absolute; a private folder for the files of this run. It is made, and removed after the run. */
  readonly runDir: string;
  /** Further arguments, as configured. */
  readonly args: readonly string[];
  /** The environment of the agent but for `Launch.env`, which counts more: a variable of the user's is kept or merged. */
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** How an agent CLI is started. */
export type Launch = {
  /** Without the executable. */
  readonly args: readonly string[];
  /** Written to stdin, which is then closed. `undefined`: stdin is empty. */
  readonly input: string | undefined;
  /** Instead of an empty stdin one that stays open: answers to prompts are typed into it. */
  readonly keepsStdin?: boolean;
  /** Added to the environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Files it needs, written below `runDir` before it starts, mode 0600. */
  readonly files?: readonly { readonly path: string; readonly text: string }[];
  /** Links it needs, made below `runDir` before it starts. */
  readonly links?: readonly RunLink[];
  /** What is said with the opening of a session, beside what the protocol has fields for. */
  readonly sessionMeta?: Readonly<Record<string, unknown>>;
  /** The session it works in, where that is known before it says so itself. */
  readonly sessionId?: string;
  /** The user's own files it has to find changed, where a CLI takes its configuration from nowhere else. */
  readonly edits?: readonly TemporaryEdit[];
};

/** A link in the folder of a run. */
export type RunLink = {
  /** Absolute, as is the target. */
  readonly path: string;
  readonly target: string;
  /** The target is a folder of the CLI's that outlives the run: it is made where it is missing. */
  readonly isFolder?: boolean;
};

/** A file of the user's, JSON, that has an entry more during a run and is given back as it was. */
export type TemporaryEdit = {
  /** Absolute. */
  readonly path: string;
  /** Where the entry stands: `['mcpServers', 'clifford']`. */
  readonly keys: readonly string[];
  readonly value: object;
};

/** Reads what an agent CLI prints. One per run: it may remember what came before. */
export type OutputParser = {
  /** One line of stdout, without its end. A line that is not its format is `undefined`: it is shown as it is. */
  readonly line: (line: string) => readonly AgentSignal[] | undefined;
  /** One of stdout that is longer than is read: how it begins. Default: it is shown that there was one. */
  readonly longLine?: (beginning: string) => readonly AgentSignal[];
  /** One line of stderr, for what is only said there. It is shown in any case, but for a log. */
  readonly errorLine?: (line: string) => readonly AgentSignal[];
  /** What it says on stderr is its log: for the transcript alone, but for what {@link errorLine} finds in it. */
  readonly logsOnStderr?: true;
  /** What there is to say since it was asked last, that no line says. */
  readonly queued?: () => readonly AgentSignal[];
  /** What is left to say when it has ended. */
  readonly end?: () => readonly AgentSignal[];
};

/** Speaks with an agent on its stdin and stdout, instead of only reading what it prints. One per run. */
export type Conversation = OutputParser & {
  /** Says what the agent was started for, and answers what it asks. Resolves when its turn is over; never rejects. */
  readonly converse: () => Promise<void>;
  /** It has exited: nobody waits for a word any more. */
  readonly noteExit: () => void;
  /** Asks it to end its turn. */
  readonly cancel: () => Promise<void>;
  /** It is about to be ended, and gone on with later: it gets no word any more. */
  readonly leave: () => void;
  /** Whether it takes a further word now, in the middle of its turn. */
  readonly canSteer: () => boolean;
  /** Says the notes that wait into its turn. Returns once they are taken. */
  readonly steer: () => Promise<void>;
  /** Resolves when all that it has said is judged; never rejects. */
  readonly settled: () => Promise<void>;
};

/** The notes of a human that wait for the agent of a conversation, and what becomes of them. */
export type NoteIo = {
  /** A turn has begun, into which they may be said. */
  readonly wake: () => void;
  /** Takes those that wait, to tell them. */
  readonly take: (way: NoteWay) => Promise<readonly TaskNote[]>;
  readonly delivered: (notes: readonly TaskNote[], way: NoteWay) => void;
  readonly returned: (notes: readonly TaskNote[], why: string) => void;
};

/** What a conversation needs. */
export type ConversationIo = {
  /** Writes to the agent's stdin. Resolves to whether the system took it. */
  readonly write: (text: string) => Promise<boolean>;
  /** Its turn is over: it can go. */
  readonly hangUp: () => void;
  /** There is something to say, see {@link OutputParser.queued}. */
  readonly onQueued: () => void;
  /** Whether its task is still to be worked on. */
  readonly isWanted: () => boolean;
  /** Decides what the agent asks permission for. */
  readonly permit: (
    call: AgentCall,
    /** `said`: what it has said in this turn. */
    known: { readonly id: string; readonly isRecorded: boolean; readonly said: string },
    signal: AbortSignal,
  ) => Promise<PermissionWord>;
  /**
   * Judges what the agent says it has done without asking, or `wasRefused`: although it was told no. `hasFailed`: it may be that
   * it was not done.
   */
  readonly unasked: (
    call: AgentCall,
    known: { readonly id: string; readonly hasFailed: boolean; readonly wasRefused: boolean },
  ) => Promise<void>;
  readonly notes: NoteIo;
};

/** What is particular to an agent that speaks the Agent Client Protocol. */
export type AcpSpeech = {
  /** It takes MCP servers with its session; else its launch brings Clifford's. */
  readonly takesMcp: boolean;
  /** What it counts at the end of a turn is what the whole session has used. */
  readonly countsSession?: boolean;
  /** The mode in which it asks before it acts, where it begins in another one. */
  readonly mode?: string;
  /** Whether a call that it asks about is one of Clifford's tools, by the identity of the server: never by a title. */
  readonly isOwnTool?: (call: AcpCall) => boolean;
  /** Whether it tells of a call of one of Clifford's tools, which their server records: nobody has to ask about it. */
  readonly namesOwnTool: (call: AcpCall) => boolean;
};

/** Makes a parser for a run; without one, for output that has no folder of a run. */
export type CreateParser = (run?: Pick<LaunchOrder, 'runDir'>) => OutputParser;

/** The versions an adapter was verified with. */
export type SupportedVersions = {
  /** The oldest. */
  readonly from: string;
  /** The first that is known not to work, or not known at all. */
  readonly below: string;
};

/** What is particular to one agent CLI. Pure: it starts nothing and writes nothing. */
export type AgentAdapter = {
  readonly name: AdapterName | 'command';
  /** For people: `Claude Code`. */
  readonly title: string;
  /**
   * Whether it connects to Clifford's MCP server: an attempt that never does has failed. `perhaps`: it is offered that, and nobody knows
   * whether it takes it.
   */
  readonly connects: boolean | 'perhaps';
  /** Whether a later run can go on with a session. `untested`: it may, and nobody has tried. */
  readonly resumes: boolean | 'untested';
  readonly launch: (order: LaunchOrder) => Launch;
  /** `undefined`: it prints plain text. */
  readonly createParser: CreateParser | undefined;
  /** It is spoken with over the Agent Client Protocol. `undefined`: what it prints is read. */
  readonly speech?: AcpSpeech;
};

/** How an agent CLI is started to speak the Agent Client Protocol. */
export type AcpStart = AcpSpeech &
  Pick<AgentAdapter, 'resumes' | 'launch'> & {
    /** The versions of the agent that passed the tests with real agents over the protocol, the oldest first. */
    readonly tested: TestedVersions;
    /** What does not work over the protocol as by its command line, for people: it is not the default then. */
    readonly flaw?: string;
    /** It does not say over the protocol all the tokens that it uses: a budget in tokens would not hold. */
    readonly hidesTokens?: true;
    /** Another executable than the agent's own speaks for it: its name on the `PATH`, and how to get it. */
    readonly program?: { readonly bin: string; readonly install: string; readonly tested: TestedVersions };
  };

/** See {@link AcpStart}. */
export type TestedVersions = readonly [string, ...string[]];

/**
 * An adapter of an agent CLI that Clifford knows by name: everything that is known of it. One more is a folder here,
 * its name in `adapter-names.ts`, which configurations are checked with, and a line in `known-agents.ts`.
 */
export type KnownAgent = AgentAdapter & {
  readonly name: AdapterName;
  /** The executable, as it is looked up on the `PATH`. */
  readonly bin: string;
  /** How to get it, for people. */
  readonly install: string;
  readonly supported: SupportedVersions;
  /** How it speaks the Agent Client Protocol. `undefined`: it does not, or nobody tried. */
  readonly acp?: AcpStart;
  /** The name of a tool of Clifford's as its model sees it: `mcp__clifford__request_help`. */
  readonly toolName: (tool: string) => string;
  /** How long a call of one of Clifford's tools may last in a run, as its launch says, in ms. `undefined`: it says nothing. */
  readonly callLimitMs: number | undefined;
  /** How it starts its MCP servers without a model. `undefined`: there is no way. */
  readonly modelFree: ModelFreeStart | undefined;
  /** How it is made to ask a model at this address. `undefined`: nobody knows a way without an account. */
  readonly atModel?: (url: string) => AtModel;
  /** Where it finds Clifford's MCP server when people start it by hand. */
  readonly mcpFile: McpFile;
};
