import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { CreateMessageRequestSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { describeOnEachEngine } from '../../helpers/each-engine.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { allowAll } from '../../mcp/support/gateway-agent.ts';
import { published } from '../../mcp/support/gateway-servers.ts';
import { startEverything } from '../../mcp/support/published-server.ts';
import type { UrlTransport } from '../../mcp/support/published-server.ts';
import { calling, connect, servedHere, servedProject, startProgram } from './served-project.ts';
import type { ClientOptions, Served } from './served-project.ts';

/** A tool, and the arguments of one call of it. */
type Case = readonly [tool: string, args: object];

/** A client that is asked something says always the same. */
const answering = {
  capabilities: { sampling: {}, elicitation: { form: {}, url: {} } },
  prepare: (client: Client) => {
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      role: 'assistant' as const,
      content: { type: 'text' as const, text: 'made up' },
      model: 'none',
    }));
    client.setRequestHandler(ElicitRequestSchema, ({ params }) =>
      params.mode === 'url' ? { action: 'accept' } : { action: 'accept', content: { name: 'Ada' } },
    );
  },
} satisfies ClientOptions;

/** Every tool that the server has, with arguments that fit and some that do not. */
const everything: readonly Case[] = [
  ['echo', { message: 'ü \u2028 👩‍🚀' }],
  ['get-annotated-message', { messageType: 'error', includeImage: true }],
  ['get-env', {}],
  ['get-resource-links', { count: 3 }],
  ['get-resource-reference', { resourceType: 'Text', resourceId: 1 }],
  ['get-resource-reference', { resourceType: 'Blob', resourceId: 2 }],
  ['get-resource-reference', { resourceType: 'Text', resourceId: -1 }],
  ['get-structured-content', { location: 'Chicago' }],
  ['get-sum', { a: 0.1, b: 2 }],
  ['get-tiny-image', {}],
  ['gzip-file-as-resource', { name: 'a.gz', data: 'data:text/plain,hello', outputType: 'resource' }],
  ['gzip-file-as-resource', { name: 'a.gz', data: 'data:text/plain,hello', outputType: 'resourceLink' }],
  ['gzip-file-as-resource', { name: 'a.gz', data: 'file:///etc/passwd' }],
  ['toggle-simulated-logging', {}],
  ['toggle-subscriber-updates', {}],
  ['trigger-long-running-operation', { duration: 0.05, steps: 2 }],
  ['trigger-elicitation-request', {}],
  ['trigger-url-elicitation', { url: 'https://example.com/', elicitationId: 'one' }],
  ['trigger-sampling-request', { prompt: 'Say something', maxTokens: 10 }],
];

/** The same of the other server, for a folder that {@link freshFolder} made. They build on each other. */
const filesystem = (folder: string): readonly Case[] => {
  const path = (name: string) => join(folder, name);
  return [
    ['read_file', { path: path('note.txt') }],
    ['read_text_file', { path: path('note.txt'), head: 1 }],
    ['read_text_file', { path: path('missing.txt') }],
    ['read_text_file', { path: '/etc/passwd' }],
    ['read_text_file', { path: join(folder, '..', '..', 'etc', 'passwd') }],
    ['read_media_file', { path: path('pixel.png') }],
    ['read_multiple_files', { paths: [path('note.txt'), path('missing.txt')] }],
    ['write_file', { path: path('new.txt'), content: 'new\n' }],
    ['edit_file', { path: path('new.txt'), edits: [{ oldText: 'new', newText: 'old' }] }],
    ['edit_file', { path: path('new.txt'), edits: [{ oldText: 'nowhere', newText: '' }] }],
    ['create_directory', { path: path('deep/er') }],
    ['move_file', { source: path('new.txt'), destination: path('deep/er/moved.txt') }],
    ['list_directory', { path: folder }],
    ['list_directory_with_sizes', { path: folder, sortBy: 'size' }],
    ['directory_tree', { path: folder }],
    ['search_files', { path: folder, pattern: '**/*.txt' }],
    ['get_file_info', { path: path('deep/er/moved.txt') }],
    ['list_allowed_directories', {}],
  ];
};

/** How the server is reached: what stands in `mcp.json`, and by a client of its own. */
type Way = {
  readonly entry: (url: string) => object;
  readonly direct: (root: string, url: string) => Promise<Pick<Served, 'client' | 'raw'>>;
};

const ways: Readonly<Record<'stdio' | UrlTransport, Way>> = {
  stdio: {
    entry: () => ({ command: process.execPath, args: [published.everything], env: ofThisRun }),
    direct: (root) =>
      startProgram([published.everything], { cwd: root, env: { HOME: root, ...runOfTests() }, ...answering }),
  },
  http: {
    entry: (url) => ({ url, transport: 'http' }),
    direct: async (_root, url) =>
      calling(await connect(new StreamableHTTPClientTransport(new URL(url)), answering)),
  },
  sse: {
    entry: (url) => ({ url, transport: 'sse' }),
    // oxlint-disable-next-line typescript/no-deprecated -- servers that speak nothing else are what it is for
    direct: async (_root, url) => calling(await connect(new SSEClientTransport(new URL(url)), answering)),
  },
};

describeOnEachEngine('a call through clifford', () => {
  describe.each(['stdio', 'http', 'sse'] as const)('every tool of "everything" over %s', (transport) => {
    it('returns through clifford what it returns to a client of its own', async () => {
      const root = await tempRoot();
      const url = transport === 'stdio' ? '' : await startEverything(transport);
      const servers = { it: ways[transport].entry(url) };
      const serve = transport === 'stdio' ? servedProject : servedHere;
      const served = await serve({ servers, policy: allowAll }, { root, ...answering });
      const direct = await ways[transport].direct(root, url);

      await expectAllCovered({ direct, served }, everything);
      expect(await resultsOf(everything, served, exposed)).toEqual(await resultsOf(everything, direct));
      expect(await resourcesOf(served.client)).toEqual(await resourcesOf(direct.client));
      expect(await promptsOf(served.client, exposed)).toEqual(await promptsOf(direct.client));
    });
  });

  describe('every tool of "filesystem"', () => {
    it('returns through clifford what it returns to a client of its own', async () => {
      const root = await tempRoot();
      const folder = join(root, 'files');
      await freshFolder(folder);
      const server = { command: process.execPath, args: [published.filesystem, folder], env: ofThisRun };
      const served = await servedHere({ servers: { it: server }, policy: allowAll }, { root });
      const env = { HOME: root, ...runOfTests() };
      const direct = await startProgram([published.filesystem, folder], { cwd: root, env });
      const cases = filesystem(folder);

      await expectAllCovered({ direct, served }, cases);
      const results = await resultsOf(cases, direct);
      await freshFolder(folder);
      expect(await resultsOf(cases, served, exposed)).toEqual(results);
    });
  });
});

const exposed = (name: string) => `mcp__it__${name}`;

/** Servers that a run of the tests leaves behind are found by this. */
const ofThisRun = { CLIFFORD_TEST_RUN: '${CLIFFORD_TEST_RUN:-}' };

function runOfTests(): Record<string, string> {
  return { CLIFFORD_TEST_RUN: process.env['CLIFFORD_TEST_RUN'] ?? '' };
}

/** The cases are about every tool there is, and clifford lists each of them; none that only runs as a task. */
async function expectAllCovered(
  { direct, served }: Readonly<Record<'direct' | 'served', Pick<Served, 'client'>>>,
  cases: readonly Case[],
): Promise<void> {
  const names = [...new Set(cases.map(([tool]) => tool))].toSorted();
  // Some tools are offered a moment after a client has said what it can do.
  const listed = async ({ client }: Pick<Served, 'client'>) =>
    (await client.listTools()).tools
      .filter(({ execution }) => execution?.taskSupport !== 'required')
      .map(({ name }) => name);
  await expect.poll(async () => (await listed(direct)).toSorted()).toEqual(names);
  await expect
    .poll(async () => (await listed(served)).filter((name) => name.startsWith('mcp__')).toSorted())
    .toEqual(names.map(exposed));
}

async function resultsOf(
  cases: readonly Case[],
  { raw }: Pick<Served, 'raw'>,
  nameOf: (tool: string) => string = (tool) => tool,
): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const [tool, args] of cases) results.push([tool, args, timeless(await raw(nameOf(tool), args))]);
  return results;
}

/** What every listed resource says, and two of those that have a template. */
async function resourcesOf(client: Client): Promise<unknown> {
  const { resources } = await client.listResources();
  // Those that a tool has made for its session are the affair of that session; Clifford has some of its own.
  const listed = resources
    .map(({ uri }) => uri)
    .filter((uri) => !uri.includes('/session/') && !uri.startsWith('clifford:'));
  const prefix = /^mcp:\/\/it\//;
  const uris = [...listed, 'demo://resource/dynamic/text/1', 'demo://resource/dynamic/blob/1'];
  const read = uris.map(async (uri) => {
    const { contents } = await client.readResource({ uri });
    return contents.map((each) => ({ ...each, uri: each.uri.replace(prefix, '') }));
  });
  return timeless(await Promise.all(read));
}

/** What every prompt says. */
async function promptsOf(client: Client, nameOf: (prompt: string) => string = (name) => name) {
  const { prompts } = await client.listPrompts();
  const values: Readonly<Record<string, Record<string, string>>> = {
    'simple-prompt': {},
    'args-prompt': { city: 'Paris' },
    'completable-prompt': { department: 'Sales', name: 'David' },
    'resource-prompt': { resourceType: 'Text', resourceId: '1' },
  };
  const listed = prompts.map(({ name }) => name).filter((name) => name !== 'work-on-next-task');
  expect(listed.toSorted()).toEqual(Object.keys(values).map(nameOf).toSorted());
  const got = Object.entries(values).map(([name, args]) =>
    client.getPrompt({ name: nameOf(name), arguments: args }),
  );
  return timeless(await Promise.all(got));
}

/** A value without what differs from call to call: times, the ids of sessions. */
function timeless(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key, each: unknown) => {
    if (typeof each !== 'string') return each;
    const text = key === 'blob' ? Buffer.from(each, 'base64').toString('latin1') : each;
    return text
      .replaceAll(/\d{1,2}:\d\d:\d\d [AP]M/g, '<time>')
      .replaceAll(/^(created|modified|accessed): .*$/gm, '$1: <time>')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<id>');
  });
}

async function freshFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  await writeFile(join(folder, 'note.txt'), 'a note\nof two lines\n');
  await writeFile(join(folder, 'pixel.png'), Buffer.from('89504e470d0a1a0a', 'hex'));
}
