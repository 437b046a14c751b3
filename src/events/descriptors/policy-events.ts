import { z } from 'zod';
import { ruleScopeSchema, type RuleScope } from '../approval.ts';
import { observation } from '../descriptor.ts';
import { nameSchema } from '../field-schemas.ts';

/** Facts about what agents may call without asking. They hold in the whole project. */
export const policyEvents = {
  /**
   * A human allowed every call of a tool, as it was defined then. Subject: where the call was that was
   * asked about. A definition digest of `''` is that of an old line, and allows nothing.
   */
  'policy.ruleadded': observation({
    data: () =>
      z.strictObject({
        ruleId: nameSchema,
        server: nameSchema,
        tool: nameSchema,
        definitionDigest: z.string(),
        scope: ruleScopeSchema,
        /** Of an agent's own tool: it holds for exactly this call. */
        callDigest: nameSchema.optional(),
        by: nameSchema,
      }),
    title: 'Rule added',
    text: ({ ruleId, server, tool, scope, callDigest, by }) =>
      `${server} ${tool}${callDigest === undefined ? '' : ', exactly that call,'} ${scopeText(scope)} by ${by} (${ruleId})`,
    projections: ['rules'],
    // It is compared.
    unredacted: { definitionDigest: true, callDigest: true },
    upcasters: [boundRule],
  }),
  /** Subject: as that of the rule. */
  'policy.ruleremoved': observation({
    data: () => z.strictObject({ ruleId: nameSchema, by: nameSchema }),
    title: 'Rule removed',
    text: ({ ruleId, by }) => `${ruleId} by ${by}`,
    projections: ['rules'],
  }),
};

function scopeText(scope: RuleScope): string {
  if (scope.kind === 'always') return 'always';
  return scope.kind === 'sprint' ? `in sprint ${scope.stream}` : `in task ${scope.taskId} of ${scope.stream}`;
}

/**
 * `{ rule, by }` of version 1 said nothing of the definition of the tool. It was never acted on, and is
 * read as a rule that no definition fits.
 */
function boundRule(data: unknown): unknown {
  const { rule, by } = data as { rule: Readonly<Record<string, unknown>>; by: unknown };
  const named = (value: unknown) => (typeof value === 'string' && value !== '' ? value : '*');
  return {
    ruleId: 'version-1',
    server: named(rule['server']),
    tool: named(rule['tool']),
    definitionDigest: '',
    scope: { kind: 'always' },
    by,
  };
}
