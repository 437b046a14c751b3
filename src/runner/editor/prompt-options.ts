import { z } from 'zod';
import { permissionRequestSchema, type PermissionRequest } from '../acp/permission-request.ts';

/** One of the answers that a prompt offers. */
export type PromptOption = PermissionRequest['options'][number];

/** How the editor calls {@link ALWAYS}. */
const ALWAYS_ID = 'clifford-always';

/** What an agent asks permission with. Its answers have to be told from each other, and from Clifford's own, by their ids. */
export const permissionSchema = permissionRequestSchema.refine(
  ({ options }) => new Set([ALWAYS_ID, ...options.map(idOf)]).size === options.length + 1,
);
/** See {@link permissionSchema}. */
export type PermissionParams = PermissionRequest;

/** What an editor answers. */
export const outcomeSchema = z.looseObject({
  outcome: z.union([
    z.looseObject({ outcome: z.literal('cancelled') }),
    z.looseObject({ outcome: z.literal('selected'), optionId: z.string() }),
  ]),
});

/** The longer yes that Clifford can keep, in place of the agent's. */
export const ALWAYS: PromptOption = {
  optionId: ALWAYS_ID,
  name: 'Always allow exactly this',
  kind: 'allow_always',
};

/**
 * The answers that an editor shows. An agent that was told "always" would not ask any more, and nothing would hold its
 * calls against the policy: the longer yes is Clifford's. Which mode to go on in is no such question: each answer
 * means another mode.
 */
export function offeredOptions({ options, toolCall }: PermissionParams): readonly PromptOption[] {
  if (toolCall.kind === 'switch_mode') return options;
  const first = options.findIndex(({ kind }) => kind === 'allow_always');
  return options.flatMap((option, index) => {
    if (option.kind !== 'allow_always') return [option];
    return index === first ? [ALWAYS] : [];
  });
}

/** The answer that lets the call happen once, and nothing besides. `undefined`: there is none. */
export function yesOf({ options, toolCall }: PermissionParams): string | undefined {
  const once = options.find(({ kind }) => kind === 'allow_once');
  const first =
    toolCall.kind === 'switch_mode' ? options.find(({ kind }) => kind === 'allow_always') : undefined;
  return (once ?? first)?.optionId;
}

/** The answer that refuses the call. `undefined`: there is none. */
export function noOf({ options }: PermissionParams): string | undefined {
  return options.find(({ kind }) => kind === 'reject_once')?.optionId;
}

function idOf({ optionId }: PromptOption): string {
  return optionId;
}
