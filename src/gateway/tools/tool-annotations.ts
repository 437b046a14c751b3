import type { AnnotationCondition } from '../config/policy-config.ts';
import type { ServerTrust } from '../config/server-config.ts';
import { cleanLine } from '../../lib/text/hidden-characters.ts';

/** What an agent is told of a tool. Agents skip their own question for tools that say they are harmless. */
export type ListedAnnotations = AnnotationCondition & { readonly title?: string };

const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/** The worst of each: what is listed for a tool whose server is not believed. */
const worst: ListedAnnotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

/** What a tool says of itself, where its server is believed: for the policy. */
export function believedAnnotations(
  definition: Readonly<Record<string, unknown>>,
  trust: ServerTrust,
): AnnotationCondition | undefined {
  return trust === 'full' ? Object.fromEntries(hintsOf(definition)) : undefined;
}

/** For the agent. */
export function listedAnnotations(
  definition: Readonly<Record<string, unknown>>,
  trust: ServerTrust,
): ListedAnnotations | undefined {
  if (trust !== 'full') return worst;
  const { annotations } = definition;
  if (typeof annotations !== 'object' || annotations === null) return undefined;
  const title = 'title' in annotations ? annotations.title : undefined;
  return {
    ...(typeof title === 'string' ? { title: cleanLine(title, 200) } : {}),
    ...Object.fromEntries(hintsOf(definition)),
  };
}

function hintsOf({ annotations }: Readonly<Record<string, unknown>>): [string, boolean][] {
  if (typeof annotations !== 'object' || annotations === null) return [];
  const said = annotations as Record<string, unknown>;
  return hints.flatMap((hint) => {
    const value = Object.hasOwn(said, hint) ? said[hint] : undefined;
    return typeof value === 'boolean' ? [[hint, value] satisfies [string, boolean]] : [];
  });
}
