import { randomInt } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { Ajv } from 'ajv';
import type { ErrorObject } from 'ajv';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { digestOf } from '../../src/lib/digest.ts';
import { isCut as isCutArguments } from '../../src/events/cut-arguments.ts';
import { verifyLog } from '../../src/cli/history/verify-log.ts';
import { openRequests } from '../../src/workflow/requests/find-request.ts';
import { approve, deny } from '../../src/workflow/requests/approval.ts';
import { isShownInPart } from '../../src/workflow/requests/shown-arguments.ts';
import type { Project } from '../../src/workflow/project/project.ts';
import { tempRoot } from '../helpers/temp-project.ts';
import { fuzzedArguments } from '../mcp/support/fuzzed-arguments.ts';
import { fixture, gatewayAgent } from '../mcp/support/gateway-agent.ts';
import { program, published, startManager } from '../mcp/support/gateway-servers.ts';
import { eventsOf } from '../mcp/support/project-log.ts';
import { propertyRuns } from '../helpers/property-runs.ts';

/** `FUZZ_RUNS=10000` is the whole of it, a minute; here is a part, each time another. `FUZZ_SEED` repeats what failed. */
const numRuns = Number(process.env['FUZZ_RUNS'] ?? propertyRuns(500));
const seed = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31));

type Schema = Readonly<Record<string, unknown>>;
type Definition = { readonly name: string; readonly inputSchema: Schema };
/** What has to become of a call, and words that a refusal has. */
type Outcome = { readonly is: 'served' | 'unfit' | 'denied' | 'declined'; readonly says: readonly string[] };
type Call = { readonly tool: string; readonly args: Readonly<Record<string, unknown>> };

/** With what the schemas of the published servers have not. */
const strict: Definition = {
  name: 'form',
  inputSchema: {
    type: 'object',
    properties: {
      id: { type: 'string', pattern: '^[a-z]{2}-[0-9]+$' },
      count: { type: 'integer', minimum: 1, maximum: 9 },
      kind: { anyOf: [{ const: 'all' }, { type: 'array', items: { type: 'string' }, minItems: 1 }] },
      'odd name': { type: 'object', properties: { deep: { type: 'boolean' } }, required: ['deep'] },
    },
    required: ['id'],
    additionalProperties: false,
  },
};

const policy = {
  default: 'allow',
  rules: [
    { tool: '*', args: { path: { glob: '*secret*' } }, decision: 'deny' },
    { tool: 'get-sum', args: { a: { equals: 0 } }, decision: 'confirm' },
  ],
};

const patience = { timeout: 60_000 + numRuns * 20 };
it('any call is served as it is or refused with a reason, and the log is sound', patience, async () => {
  const definitions = [...(await publishedTools()), strict];
  const root = await tempRoot();
  const file = join(root, 'tools.json');
  await writeFile(file, JSON.stringify(definitions));
  const servers = { it: fixture('mirror.ts', { args: [file] }) };
  const { client, project, told } = await gatewayAgent({ servers, policy }, { root });
  const dismissHuman = decideAsHuman(project);
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, ownProperties: true });
  const checks = new Map(definitions.map(({ name, inputSchema }) => [name, ajv.compile(inputSchema)]));
  const seen = { served: 0, unfit: 0, denied: 0, declined: 0 };

  const outcomeOf = ({ tool, args }: Call): Outcome => {
    const check = checks.get(tool);
    if (hasSecretPath(args)) return { is: 'denied', says: ['(rules[0] */*, which looks at path)'] };
    if (check?.(args) !== true) return { is: 'unfit', says: linesOf(check?.errors ?? []) };
    const isDeclined = isAsked({ tool, args }) && !isAllowedByHuman(args);
    if (isDeclined) return { is: 'declined', says: ['The human did not allow this call of it get-sum'] };
    return { is: 'served', says: [] };
  };
  const run = async ({ tool, args }: Call): Promise<void> => {
    const params = { name: `mcp__it__${tool}`, arguments: args };
    const result = await client.request({ method: 'tools/call', params }, ResultSchema);
    const { is, says } = outcomeOf({ tool, args });
    seen[is] += 1;
    expect(result).toEqual(is === 'served' ? { content: [], structuredContent: { tool, args } } : refusal);
    const text = JSON.stringify(result);
    expect(
      says.filter((words) => !text.includes(JSON.stringify(words).slice(1, -1)) && !isCut.test(text)),
      text,
    ).toEqual([]);
  };

  const calls = fc.oneof(
    ...definitions.map(({ name: tool, inputSchema }) =>
      fuzzedArguments(inputSchema).map((args): Call => ({ tool, args: wired(args) })),
    ),
  );
  // What chance may leave out comes first, once each.
  const examples: [Call][] = [
    [{ tool: 'get-sum', args: { a: 0, b: 0, 'y S': 'x'.repeat(5000) } }],
    [{ tool: 'get-sum', args: { a: 0, b: -1 } }],
  ];
  await fc.assert(fc.asyncProperty(calls, run), { seed, numRuns, examples, endOnFailure: numRuns > 1_000 });

  // None of the ways a call can go was left out.
  expect(
    Object.values(seen).every((count) => count > 0),
    JSON.stringify(seen),
  ).toBe(true);
  expect(told).toEqual([]);
  dismissHuman();
  await client.close();
  await expectSound(project, { calls: numRuns, ...seen });
});

/** The schemas of the tools that "everything" and "filesystem" have. */
async function publishedTools(): Promise<Definition[]> {
  const { manager } = await startManager();
  await Promise.all([
    manager.connect(program(published.everything, { id: 'everything' })),
    manager.connect(program(published.filesystem, { id: 'filesystem', args: [await tempRoot()] })),
  ]);
  const tools = ['everything', 'filesystem'].flatMap((id) => manager.getTools(id));
  await manager.close();
  return tools
    .map(({ definition }) => definition as unknown as Definition & { execution?: { taskSupport?: string } })
    .filter(({ execution }) => execution?.taskSupport !== 'required')
    .map(({ name, inputSchema }) => ({ name, inputSchema }));
}

/** Arguments as they arrive: JSON has no -0, and the SDK takes away an argument called `__proto__`. */
function wired(args: Call['args']): Call['args'] {
  const { ['__proto__']: _gone, ...rest } = JSON.parse(JSON.stringify(args)) as Call['args'];
  return rest;
}

/** What the rule about paths is about: a text, any in a list of them, and what cannot be read as one. */
function hasSecretPath(args: Call['args']): boolean {
  return Object.hasOwn(args, 'path') && mentionsSecret(args['path']);
}

function mentionsSecret(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(mentionsSecret);
  if (typeof value === 'object' && value !== null) return true;
  return typeof value === 'string' && value.includes('secret');
}

function isAsked({ tool, args }: Call): boolean {
  return tool === 'get-sum' && Object.hasOwn(args, 'a') && args['a'] === 0;
}

/** The human looks at nothing but the arguments that are asked about. */
function isAllowedByHuman(args: Call['args']): boolean {
  return Number(args['b']) >= 0;
}

/** Decides about every request as it comes, for this one call. Returns what ends that. */
function decideAsHuman(project: Project): () => void {
  const decided = new Set<string>();
  const human = { by: 'ann', via: 'cli' };
  return project.subscribe(() => {
    for (const { id, asked } of openRequests(project.state)) {
      if (decided.has(id)) continue;
      decided.add(id);
      const args = asked.approval?.args as Call['args'];
      void (isAllowedByHuman(args)
        ? approve(project, id, { ...human, scope: 'once' })
        : deny(project, id, human));
    }
  });
}

/** A result that says no. */
const refusal = { isError: true, content: [{ type: 'text', text: expect.any(String) as string }] };

/** Of more than ten things that are wrong, the others are counted. */
const isCut = /\\n- and (many|\d+) more\\n/;

/** How the lines begin that name the fields which a validator complains about. */
function linesOf(errors: readonly ErrorObject[]): string[] {
  return [...new Set(errors.map((error) => `\n- ${fieldOf(error)}`))];
}

/** The field of the arguments that an error is about, in the way the texts have it: `edits`, `["odd name"]`. */
function fieldOf({ instancePath, params }: ErrorObject): string {
  const [, step] = instancePath.split('/');
  const { missingProperty, additionalProperty } = params as Readonly<Record<string, unknown>>;
  const name = step?.replaceAll('~1', '/').replaceAll('~0', '~') ?? missingProperty ?? additionalProperty;
  if (typeof name !== 'string') return '(the arguments)';
  // Hidden characters are written out, long names are cut: how, is no matter here.
  if (!/^[ -~]{0,90}$/.test(name)) return '["';
  return /^[\w$-]+$/.test(name) ? name : `["${name.replaceAll('"', String.raw`\"`)}"]`;
}

/** Every call is in the log with what became of it, and a yes of the human stands for one call. */
async function expectSound(
  project: Project,
  { calls, served, unfit, denied, declined }: Readonly<Record<string, number>>,
): Promise<void> {
  await verifyLog(join(project.dir, 'events.jsonl'));
  const requested = await eventsOf(project, 'tool.requested');
  const allowed = await eventsOf(project, 'tool.allowed');
  const refused = await eventsOf(project, 'tool.denied');
  const returned = await eventsOf(project, 'tool.returned');
  expect({
    requested: requested.length,
    allowed: allowed.length,
    refused: refused.length,
    returned: returned.length,
  }).toEqual({
    requested: calls,
    allowed: served,
    refused: Number(denied) + Number(declined),
    returned: calls,
  });
  expect(returned.filter(({ data }) => data.isError)).toHaveLength(
    Number(unfit) + Number(denied) + Number(declined),
  );
  const words = await eventsOf(project, 'help.answered');
  const yes = new Set(
    words.filter(({ data }) => data.verdict === 'approved').map(({ data }) => data.requestId),
  );
  const used = allowed.filter(({ data }) => data.requestId !== undefined);
  expect(used.length).toBeGreaterThan(0);
  expect(used).toHaveLength(yes.size);
  expect(new Set(used.map(({ data }) => data.requestId))).toEqual(yes);
  const asked = await eventsOf(project, 'help.requested');
  for (const { data: fact } of used) {
    const call = requested.find(({ data }) => data.callId === fact.callId);
    const approval = asked.find(({ data }) => data.requestId === fact.requestId)?.data.approval;
    expect(asRecorded(approval?.args, call?.data.args)).toEqual(call?.data.args);
    // A number that chance has made may look like a secret.
    if (approval && isShownInPart(approval)) continue;
    expect(call?.data.argsDigest).toBe(digestOf(approval?.args));
  }
}

/** Arguments that a human is asked about, which stand there whole, as the log has those of their call: of long ones the beginning. */
function asRecorded(whole: unknown, recorded: unknown): unknown {
  const text = JSON.stringify(whole);
  return isCutArguments(recorded) ? { cut: text.slice(0, recorded.cut.length), length: text.length } : whole;
}
