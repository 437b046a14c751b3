/** A tool that a request offers to the model. */
export type OfferedTool = {
  readonly name: string;
  /** Where the protocol keeps the server's name apart. */
  readonly namespace?: string;
  /** `freeform` takes one text instead of JSON. */
  readonly kind: 'function' | 'freeform';
  /** The names of its arguments. */
  readonly parameters: readonly string[];
};

/** One thing that stands in the history a request carries, whatever protocol it came by. */
export type Entry =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly MadeCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly text: string; readonly isError: boolean };

/** A call the model made earlier. */
export type MadeCall = { readonly id: string; readonly tool: string };

/** A request as its protocol's file has read it. */
export type ModelRequest = {
  readonly model: string;
  readonly stream: boolean;
  readonly tools: readonly OfferedTool[];
  readonly entries: readonly Entry[];
  /** The model was told how to ask that a command runs outside of its sandbox. */
  readonly mayEscalate?: boolean;
};

/** What a tool answered, as the model got it. */
export type ToolResult = {
  readonly tool: string;
  readonly callId: string;
  readonly text: string;
  readonly isError: boolean;
};

/** A conversation as the latest request tells it. Nothing is remembered: a client's retry changes nothing. */
export type Conversation = {
  /** All that the user's side said before the model's first turn. */
  readonly prompt: string;
  /** All that the user's side said since: a session that was resumed has its new prompt here. */
  readonly later: readonly string[];
  /** How many turns the model has had. */
  readonly step: number;
  /** The full names of the tools offered. */
  readonly tools: readonly string[];
  readonly results: readonly ToolResult[];
  readonly request: ModelRequest;
};

/** Claude Code hides most tools behind this one; looking a tool up is no turn of a script. */
export const TOOL_SEARCH = 'ToolSearch';

/** Tells a request as a conversation. */
export function conversationOf(request: ModelRequest): Conversation {
  const turns = assistantTurns(request.entries);
  const first = request.entries.findIndex(({ role }) => role === 'assistant');
  const beginning = first === -1 ? request.entries : request.entries.slice(0, first);
  const rest = first === -1 ? [] : request.entries.slice(first);
  const toolOf = new Map(turns.flatMap(({ calls }) => calls.map(({ id, tool }) => [id, tool])));
  return {
    prompt: userTexts(beginning).join('\n'),
    later: userTexts(rest),
    step: turns.filter(({ calls }) => !calls.some(({ tool }) => tool === TOOL_SEARCH)).length,
    tools: request.tools.map(fullName),
    results: request.entries.flatMap((entry) =>
      entry.role === 'tool'
        ? [
            {
              tool: toolOf.get(entry.callId) ?? '',
              callId: entry.callId,
              text: entry.text,
              isError: entry.isError,
            },
          ]
        : [],
    ),
    request,
  };
}

/** The conversation from the last thing the user's side said that contains this; `undefined` when nothing did. */
export function conversationSince({ request }: Conversation, text: string): Conversation | undefined {
  const { entries } = request;
  const at = entries.findLastIndex((entry) => entry.role === 'user' && entry.text.includes(text));
  return at === -1 ? undefined : conversationOf({ ...request, entries: entries.slice(at) });
}

/** The name of a tool with its namespace before it. */
export function fullName({ namespace, name }: OfferedTool): string {
  return namespace === undefined ? name : `${namespace}__${name}`;
}

function userTexts(entries: readonly Entry[]): string[] {
  return entries.flatMap((entry) => (entry.role === 'user' ? [entry.text] : []));
}

/** Some protocols list the text and each call of a turn one by one: what stands together is one turn. */
function assistantTurns(entries: readonly Entry[]): { calls: MadeCall[] }[] {
  const turns: { calls: MadeCall[] }[] = [];
  let before: Entry['role'] | undefined;
  for (const entry of entries) {
    if (entry.role === 'assistant') {
      if (before !== 'assistant') turns.push({ calls: [] });
      turns.at(-1)?.calls.push(...entry.calls);
    }
    before = entry.role;
  }
  return turns;
}
