import { sha256 } from '../../lib/digest.ts';
import { cleanLine } from '../../lib/text/hidden-characters.ts';
import type { ChangelogPart } from '../../machines/project-state.ts';
import { listItem, plainText } from './markdown-text.ts';

/** The kinds of change of Keep a Changelog, in its order. */
const CATEGORIES = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'] as const;
type Category = (typeof CATEGORIES)[number];

/** `Added: …`, as an agent may begin an entry, with or without a bullet. */
const CATEGORY = new RegExp(`^(${CATEGORIES.join('|')})\\s*:\\s*(?=\\S)`, 'i');

/** A line that begins or ends a sprint's block. Comments are not shown. */
export const MARKER = /^<!-- (\/?)clifford:([A-Za-z0-9_-]{1,128})(?: ([A-Za-z0-9_-]{1,64}))? -->[ \t]*$/;

/** A sprint's part of the changelog, as it is written. */
export type ChangelogBlock = {
  /** Digest of what it says. A block in the file that carries it is left as it is. */
  readonly digest: string;
  /** Without a line break at its end. */
  readonly lines: readonly string[];
};

/** The block of a sprint: its name, and its entries by category, `Changed` when they name none. */
export function changelogBlock(stream: string, { name, entries }: ChangelogPart): ChangelogBlock {
  const sections = CATEGORIES.flatMap((category) => {
    const texts = entries.map(parse).filter((entry) => entry.category === category);
    return texts.length === 0 ? [] : [`### ${category}`, '', ...texts.map(({ text }) => `- ${text}`), ''];
  });
  const title = plainText(name ?? '') || stream;
  const body = ['', `**${title}**`, '', ...sections];
  const digest = sha256(body.join('\n')).slice(0, 16);
  return {
    digest,
    lines: [`<!-- clifford:${stream} ${digest} -->`, ...body, `<!-- /clifford:${stream} -->`],
  };
}

function parse(entry: string): { category: Category; text: string } {
  const line = cleanLine(entry).replace(/^[-*+] +/, '');
  const named = CATEGORY.exec(line)?.[1]?.toLowerCase();
  const category = CATEGORIES.find((each) => each.toLowerCase() === named) ?? 'Changed';
  return { category, text: listItem(line.replace(CATEGORY, '')) };
}
