import { z } from 'zod';
import { askLevels, unaskedEnds, type AgentPolicy } from './agent-policy.ts';
import { patternSchema, regexSchema } from './pattern-schema.ts';

const commandSchema = z
  .union(
    [
      z.strictObject({ startsWith: patternSchema }).describe('These words, with whatever words behind them'),
      z.strictObject({ glob: patternSchema }).describe('A pattern, with * and ?'),
      z.strictObject({ regex: regexSchema }).describe('A regular expression that matches somewhere in it'),
      z.strictObject({ equals: patternSchema }).describe('Exactly this'),
    ],
    { error: 'must have one of startsWith, glob, regex, equals, and nothing else' },
  )
  .describe('Every command that the shell would run: each of them is held against it on its own');

const pathSchema = z
  .union(
    [
      z.strictObject({ below: patternSchema }).describe('A path that stays below this folder'),
      z.strictObject({ glob: patternSchema }).describe('A pattern of the path as written, with * and ?'),
    ],
    { error: 'must have one of below, glob, and nothing else' },
  )
  .describe('Files that the call is about. To allow, all have to fit; else one is enough');

/** One rule on what agents do with their own tools. What it does not name, it does not ask for. */
const agentRuleSchema = z.strictObject({
  agent: patternSchema.exactOptional().describe('Pattern of the name of the agent, with * and ?'),
  kind: patternSchema
    .exactOptional()
    .describe(
      'Pattern of what it does: execute, edit, delete, move, read, search, fetch, think, switch_mode, other',
    ),
  command: commandSchema.exactOptional(),
  path: pathSchema.exactOptional(),
  host: patternSchema.exactOptional().describe('Pattern of a machine that it would reach'),
  sprint: patternSchema.exactOptional().describe('Pattern of the id of the sprint'),
  task: patternSchema.exactOptional().describe('Pattern of the id of the task'),
  decision: z.enum(['allow', 'deny', 'confirm']),
  reason: z.string().min(1).exactOptional().describe('For the agent, or for the human who is asked'),
});

/** What agents may do with their own tools: shell commands, edits, …. */
export const agentPolicySchema: z.ZodType<AgentPolicy, unknown> = z.strictObject({
  ask: z
    .enum(askLevels)
    .default('what-matters')
    .describe(
      'What a human is asked about where no rule decides: everything; what-matters (commands, deletions, the network, ' +
        'all outside of the project); nothing (it runs, and is recorded; calls of servers that a human would be asked about are denied)',
    ),
  rules: z
    .array(agentRuleSchema)
    .default([])
    .describe('deny wins over confirm, confirm over allow, in any order'),
  unasked: z
    .enum(unaskedEnds)
    .exactOptional()
    .describe(
      'What becomes of an attempt whose agent has done unasked what is not allowed: record, or stop. ' +
        'Without it: stop for what is denied, record for the rest',
    ),
});
