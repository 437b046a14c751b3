import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import {
  acceptedContent,
  createMcpHandler,
  inputRequired,
  inputResponse,
  McpServer,
} from '@modelcontextprotocol/server';
import type {
  CallToolResult,
  InputRequiredResult,
  RegisteredTool,
  ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** Where a server writes what it has to say beside the protocol. */
export type NewestNote = (words: string) => void;

const text = (words: unknown): CallToolResult => ({ content: [{ type: 'text', text: String(words) }] });
const json = (value: unknown) => text(JSON.stringify(value));
const formSchema = z.object({ age: z.int() });
const form = inputRequired.elicit({ message: 'Who are you?', requestedSchema: formSchema });
const rhyme = inputRequired.createMessage({
  messages: [{ role: 'user', content: { type: 'text', text: 'A rhyme on cat' } }],
  maxTokens: 5,
});

type Outcome = CallToolResult | InputRequiredResult;
type Tool = (args: Record<string, unknown>, context: ServerContext) => Outcome | Promise<Outcome>;

const toolsOf = (
  note: NewestNote,
  change: () => void,
  touch: (uri: string) => void,
): Record<string, Tool> => ({
  echo: ({ words }) => text(words),
  pid: () => text(process.pid),
  whole: () => ({ ...text('done'), structuredContent: { a: 1 }, _meta: { 'own/key': 1 } }),
  meta: (_args, { mcpReq }) => json({ envelope: mcpReq.envelope, meta: mcpReq._meta ?? {} }),
  failing: () => ({ ...text('it did not work'), isError: true }),
  // With progress its answer has begun, over HTTP.
  hang: async (_args, { mcpReq }) => {
    mcpReq.signal.addEventListener('abort', () => note('cancelled'));
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken !== undefined)
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
    note('hanging');
    return new Promise<CallToolResult>(() => {});
  },
  die: async () => {
    note('the disk is on fire');
    process.exit(4);
  },
  progress: async (_args, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken !== undefined)
      for (const progress of [1, 2, 3])
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 3, message: 'm' },
        });
    return text('there');
  },
  talk: async (_args, { mcpReq }) => {
    // oxlint-disable-next-line typescript/no-deprecated -- servers may go on logging for a while
    await mcpReq.log('warning', 'mind the gap');
    return text('said');
  },
  change: () => {
    change();
    return text('changed');
  },
  touch: ({ uris }) => {
    for (const uri of uris as string[]) touch(uri);
    return text('touched');
  },
  ask: (_args, { mcpReq: { inputResponses } }) => {
    const answer = inputResponse(inputResponses, 'who');
    return answer.kind === 'missing' ? inputRequired({ inputRequests: { who: form } }) : json(answer);
  },
  // Two at once, and then, by what it has of the first round alone, a third.
  interview: (_args, { mcpReq: { inputResponses, requestState } }) => {
    const state = requestState<string>();
    if (state === undefined)
      return inputRequired({ inputRequests: { who: form, rhyme }, requestState: 'first' });
    if (state === 'first') {
      const who = acceptedContent(inputResponses, 'who');
      const rhymed = inputResponse(inputResponses, 'rhyme');
      return inputRequired({
        inputRequests: { who: form },
        requestState: JSON.stringify([who, rhymed.kind]),
      });
    }
    return json([JSON.parse(state), acceptedContent(inputResponses, 'who')]);
  },
  later: (_args, { mcpReq: { requestState } }) =>
    requestState() === undefined ? inputRequired({ requestState: 'later' }) : text('now'),
  // Never content with what it is told.
  insist: (_args, { mcpReq: { requestState } }) =>
    inputRequired({ inputRequests: { who: form }, requestState: `${String(requestState() ?? '')}x` }),
  roots: () => inputRequired({ inputRequests: { roots: inputRequired.listRoots() } }),
});

/**
 * Servers of the revision 2026-07-28, made with the official package.
 *
 * @param args - `wrong-header`: one of the tools wants what may not be in a header there.
 */
export function newestServer(args: readonly string[], note: NewestNote) {
  let isChanged = false;
  let echo: RegisteredTool | undefined;
  let latest: McpServer | undefined;
  const descriptionOf = (name: string) =>
    isChanged && name === 'echo' ? 'Says it backwards' : `The tool ${name}`;
  const own = {
    /** Over stdio there is one, which tells by itself. */
    tellChange: (): void => echo?.update({ description: descriptionOf('echo') }),
    tellTouched: (uri: string): void => void latest?.server.sendResourceUpdated({ uri }),
    make,
  };
  const tools = toolsOf(
    note,
    () => {
      isChanged = true;
      own.tellChange();
    },
    (uri) => own.tellTouched(uri),
  );
  return own;

  function make(): McpServer {
    const server = new McpServer(
      { name: 'newest', version: '2.0.0' },
      { capabilities: { logging: {}, resources: { subscribe: true } }, instructions: 'Be brief' },
    );
    latest = server;
    for (const [name, run] of Object.entries(tools)) {
      const description = descriptionOf(name);
      const tool = server.registerTool(name, { description, inputSchema: z.looseObject({}) }, run);
      if (name === 'echo') echo = tool;
    }
    const region = z.string().optional().meta({ 'x-mcp-header': 'Region' });
    server.registerTool('regional', { inputSchema: z.object({ region }) }, (args, { http }) =>
      json({ ...args, header: http?.req?.headers.get('mcp-param-region') ?? null }),
    );
    const wrong = z.array(z.string().meta({ 'x-mcp-header': 'Wrong' }));
    if (args.includes('wrong-header'))
      server.registerTool('wrong', { inputSchema: z.object({ wrong }) }, () => text('called'));
    server.registerResource('one', 'a:one', {}, ({ href }) => ({ contents: [{ uri: href, text: 'first' }] }));
    server.registerPrompt('grüße', { argsSchema: z.object({}) }, (_args, { mcpReq: { inputResponses } }) => {
      const who = acceptedContent(inputResponses, 'who');
      if (who === undefined) return inputRequired({ inputRequests: { who: form } });
      return {
        messages: [{ role: 'user', content: { type: 'text', text: `Hello, ${String(who['age'])}` } }],
      };
    });
    return server;
  }
}

/** The same over HTTP; resolves when it listens. With `either` it speaks the older revisions, too. */
export async function listenNewest(port: number, args: readonly string[], note: NewestNote): Promise<Server> {
  const newest = newestServer(args, note);
  const handler = createMcpHandler(newest.make, { legacy: args.includes('either') ? 'stateless' : 'reject' });
  newest.tellChange = () => handler.notify.toolsChanged();
  newest.tellTouched = (uri) => handler.notify.resourceUpdated(uri);
  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const gone = new AbortController();
    response.on('close', () => gone.abort());
    const { status, headers, body } = await handler.fetch(requestOf(incoming, gone.signal));
    response.writeHead(status, Object.fromEntries(headers));
    if (body === null) response.end();
    else
      Readable.fromWeb(body as ReadableStream)
        .on('error', () => response.destroy())
        .pipe(response);
  };
  const http = createServer((incoming, response) => void serve(incoming, response));
  http.listen(port, '127.0.0.1');
  await once(http, 'listening');
  return http;
}

function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', url = '/', headers } = incoming;
  const body = method === 'POST' ? Readable.toWeb(incoming) : null;
  return new Request(`http://127.0.0.1${url}`, {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
    body,
    signal,
    ...(body ? { duplex: 'half' } : {}),
  } as RequestInit);
}
