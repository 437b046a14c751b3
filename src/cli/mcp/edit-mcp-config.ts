import type { DocumentNode, ObjectNode } from '@humanwhocodes/momoa';
import { serverIdProblem } from '../../gateway/config/server-config.ts';
import { withoutMark, type Json } from '../../lib/json/json-edits.ts';
import { memberOf, parseJsonTree } from '../../lib/json/json-tree.ts';
import { mergeJson } from '../init/merge-json.ts';
import type { Merge } from '../init/merge.ts';
import { removeMember } from './remove-member.ts';

/** What becomes of an `mcp.json` from which a server is taken. */
export type Removal =
  | { readonly is: 'removed'; readonly text: string }
  /** It has no such server. */
  | { readonly is: 'missing' }
  | { readonly is: 'refused'; readonly reason: string };

/** The keys under which servers stand. The first is ours, the second that of other programs. */
const SECTIONS = ['servers', 'mcpServers'] as const;

/**
 * Adds a server to the text of `mcp.json`: where it stands already, else where the other servers stand. Comments,
 * order and layout stay. A blank text is an empty file.
 */
export function addServer(text: string, id: string, entry: { readonly [key: string]: Json }): Merge {
  const problem = serverIdProblem(id);
  if (problem !== undefined) return { is: 'refused', reason: `${JSON.stringify(id)} ${problem}` };
  return mergeJson(text, { path: [sectionFor(text, id), id], value: entry });
}

/** Takes a server out of the text of `mcp.json`, as often as it stands there. Comments around it stay. */
export function removeServer(text: string, id: string): Removal {
  const { mark, json: before } = withoutMark(text);
  let json = before;
  if (json.trim() === '') return { is: 'missing' };
  for (;;) {
    const document = parseJsonTree(json);
    if ('refused' in document) return { is: 'refused', reason: document.refused };
    const section = sectionsOf(document).find((each) => memberOf(each, id));
    const member = section && memberOf(section, id);
    if (!member) break;
    json = removeMember(json, document, section, member);
  }
  return json === before ? { is: 'missing' } : { is: 'removed', text: mark + json };
}

function sectionFor(text: string, id: string): string {
  const document = parseJsonTree(withoutMark(text).json);
  if ('refused' in document || document.body.type !== 'Object') return SECTIONS[0];
  const { body } = document;
  const present = SECTIONS.filter((name) => memberOf(body, name));
  const holding = present.find((name) => {
    const section = memberOf(body, name)?.value;
    return section?.type === 'Object' && memberOf(section, id) !== undefined;
  });
  return holding ?? present[0] ?? SECTIONS[0];
}

function sectionsOf({ body }: DocumentNode): ObjectNode[] {
  if (body.type !== 'Object') return [];
  const names: readonly string[] = SECTIONS;
  return body.members.flatMap(({ name, value }) => {
    const isSection = names.includes(name.type === 'String' ? name.value : name.name);
    return isSection && value.type === 'Object' ? [value] : [];
  });
}
