import type { Approval } from '../../events/approval.ts';

const words: Readonly<Record<string, readonly [yes: string, no: string]>> = {
  readOnlyHint: ['only reads', 'may change things'],
  destructiveHint: ['may destroy', 'only adds'],
  idempotentHint: ['a repeat changes nothing more', 'each repeat changes more'],
  openWorldHint: ['reaches outside', 'does not reach outside'],
};

/** What a server says of its tool, in words; what nobody has words for as it says it. What may destroy may change things. */
export function hintWords(annotations: Approval['annotations'] = {}): string[] {
  const said = Object.entries(annotations).map(([name, value]) => {
    const known = Object.hasOwn(words, name) ? words[name] : undefined;
    return known && typeof value === 'boolean' ? known[value ? 0 : 1] : `${name} ${JSON.stringify(value)}`;
  });
  return said.includes('may destroy') ? said.filter((hint) => hint !== 'may change things') : said;
}
