import { z } from 'zod';
import { LONGEST_TIMER_MS } from '../../lib/time/longest-timer.ts';
import { agentPolicySchema } from './agent-policy-schema.ts';
import { patternSchema, regexSchema } from './pattern-schema.ts';
import { type ArgCondition, type PolicyConfig, DEFAULT_APPROVAL_TIMEOUT_MS } from './policy-config.ts';
import { DEFAULT_START_TIMEOUT_MS, DEFAULT_TIMEOUT_MS } from './server-config.ts';

const nameSchema = z.string().regex(/^[^=\0]+$/, { error: 'must have no = in its name' });

/** One entry of `servers`. What has to hold between its keys is in server-rules.ts. */
export const serverSchema = z.strictObject({
  command: z.string().min(1).exactOptional().describe('The program that speaks MCP on its stdin and stdout'),
  args: z.array(z.string()).default([]).describe('Its arguments; no shell reads them'),
  cwd: z
    .string()
    .min(1)
    .exactOptional()
    .describe("Its working directory, from the project's root; default: that root"),
  env: z
    .record(nameSchema, z.string())
    .default({})
    .describe('Environment variables for it. It gets no others but a few harmless ones, as PATH and HOME'),
  url: z.string().min(1).exactOptional().describe('Where the server is, instead of command'),
  headers: z.record(nameSchema, z.string()).default({}).describe('HTTP headers for url'),
  transport: z
    .enum(['stdio', 'http', 'streamable-http', 'sse'])
    .exactOptional()
    .describe('How it is reached; default: stdio with command, http (streamable HTTP) with url'),
  type: z
    .enum(['stdio', 'http', 'streamable-http', 'sse'])
    .exactOptional()
    .describe('The same as transport, as other programs call it'),
  allowInsecure: z.boolean().default(false).describe('Whether url may be plain http: to another machine'),
  disabled: z.boolean().default(false).describe('Whether it is left out'),
  autoStart: z.boolean().default(true).describe('Whether it starts with Clifford, not with the first call'),
  timeout: z
    .int()
    .min(1)
    .max(LONGEST_TIMER_MS)
    .default(DEFAULT_TIMEOUT_MS)
    .describe('How long one call may take, in ms'),
  startTimeout: z
    .int()
    .min(1)
    .max(LONGEST_TIMER_MS)
    .default(DEFAULT_START_TIMEOUT_MS)
    .describe('How long it may take to start, in ms'),
  trust: z
    .enum(['untrusted', 'full'])
    .default('untrusted')
    .describe('Whether what it says of its own tools, e.g. that they only read, is believed'),
});

/** One entry of `servers`, with its defaults. */
export type ServerEntry = z.infer<typeof serverSchema>;

const wordSchema = z.enum(['allow', 'deny', 'confirm']);

const conditionSchema: z.ZodType<ArgCondition, ArgCondition> = z.union(
  [
    z.strictObject({ equals: z.json() }).describe('The argument is this value'),
    z.strictObject({ glob: patternSchema }).describe('The argument matches this pattern, with * and ?'),
    z.strictObject({ regex: regexSchema }).describe('This regular expression matches somewhere in it'),
    z.strictObject({ below: patternSchema }).describe('It is a path that stays below this folder'),
    z
      .strictObject({ startsWith: patternSchema })
      .describe('It is this command, with whatever words behind it'),
  ],
  { error: 'must have one of equals, glob, regex, below, startsWith, and nothing else' },
);

const argsSchema = z
  .record(z.string().min(1), conditionSchema)
  .describe('Conditions on arguments, by field as in options.path. All have to hold');

const listedSchema = z.strictObject({
  server: patternSchema.describe('Pattern of the id of a server, with * and ?'),
  tool: patternSchema.describe('Pattern of the name of a tool, as the server has it, with * and ?'),
  args: argsSchema.exactOptional(),
});

const ruleSchema = z.strictObject({
  server: patternSchema.exactOptional().describe('Pattern of the id of a server, with * and ?'),
  tool: patternSchema
    .exactOptional()
    .describe('Pattern of the name of a tool, as the server has it, with * and ?'),
  args: argsSchema.exactOptional(),
  annotations: z
    .strictObject({
      readOnlyHint: z.boolean().exactOptional(),
      destructiveHint: z.boolean().exactOptional(),
      idempotentHint: z.boolean().exactOptional(),
      openWorldHint: z.boolean().exactOptional(),
    })
    .exactOptional()
    .describe('What a server with "trust": "full" says of the tool'),
  sprint: patternSchema.exactOptional().describe('Pattern of the id of the sprint'),
  task: patternSchema.exactOptional().describe('Pattern of the id of the task'),
  decision: wordSchema,
  reason: z.string().min(1).exactOptional().describe('For the agent, or for the human who is asked'),
});

/** The `policy` of the file. */
export const policySchema = z.strictObject({
  default: wordSchema.default('confirm').describe('For calls that no rule matches'),
  allowlist: z.array(listedSchema).default([]).describe('Calls that run'),
  denylist: z.array(listedSchema).default([]).describe('Calls that are denied. This wins over all else'),
  rules: z.array(ruleSchema).default([]).describe('deny wins over confirm, confirm over allow, in any order'),
  agents: agentPolicySchema
    .prefault({})
    .describe('For what agents do with their own tools, e.g. shell commands, where they ask Clifford'),
  approvalTimeout: z
    .int()
    .min(1)
    .max(LONGEST_TIMER_MS)
    .default(DEFAULT_APPROVAL_TIMEOUT_MS)
    .describe('How long a human has to decide before a call is denied, in ms'),
});

/** A policy as it stands in the file, with its defaults. */
export type PolicyEntry = z.infer<typeof policySchema>;

/** The same as it is used. */
export function policyOf({ approvalTimeout, ...rest }: PolicyEntry): PolicyConfig {
  return { ...rest, approvalTimeoutMs: approvalTimeout };
}

const idSchema = z.string().regex(/^(?!clifford$)(?!.*__)[A-Za-z0-9_-]{1,24}$/);
const having = (key: string) => ({ properties: { [key]: {} }, required: [key] });
const eitherKey = { oneOf: [having('command'), having('url')] };
const serversSchema = z.record(idSchema, serverSchema.meta(eitherKey));

/** The whole file, for editors. */
export const mcpFileSchema = z.strictObject({
  $schema: z.string().exactOptional().describe('Where editors find the schema of this file'),
  servers: serversSchema.exactOptional().describe('Servers by id: 1 to 24 letters, digits, - or _'),
  mcpServers: serversSchema.exactOptional().describe('The same as servers, as other programs call it'),
  policy: policySchema.exactOptional().describe('Which calls run, are denied, or are shown to a human first'),
});
