import { z } from 'zod';
import { ruleScopeSchema } from './approval.ts';
import { nameSchema } from './field-schemas.ts';

/** Facts about what agents may call without asking. They hold in the whole project. */
export const policyEvents = {
  /**
   * A human allowed every call of a tool, as it was defined then. Subject: where the call was that was
   * asked about. A definition digest of `''` is that of an old line, and allows nothing.
   */
  'policy.ruleadded': z.strictObject({
    ruleId: nameSchema,
    server: nameSchema,
    tool: nameSchema,
    definitionDigest: z.string(),
    scope: ruleScopeSchema,
    by: nameSchema,
  }),
  /** Subject: as that of the rule. */
  'policy.ruleremoved': z.strictObject({ ruleId: nameSchema, by: nameSchema }),
};
