import type { Approval } from '../../events/approval.ts';
import { isCut } from '../../events/cut-arguments.ts';
import { commandsOf, unknownFieldIn } from '../../events/call-fields.ts';
import type { FilesInCall } from '../../events/call-files/files-in-call.ts';
import { isOneOf } from '../../events/call-files/same-file.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { escapeAgentLine } from '../../lib/text/sanitise.ts';

/**
 * What nobody here can say of a call of an agent's own tool: `whether` it changes files, `which` ones, what it
 * makes of some that it names, which of several texts of a file counts (`twofold`), or what it says in a field.
 */
export type Unclear =
  | { readonly is: 'whether' | 'which' }
  | { readonly is: 'twofold' }
  | { readonly is: 'field'; readonly field: string }
  | { readonly is: 'what'; readonly paths: readonly string[] };

/** See {@link Unclear}. `undefined`: it is clear. */
export function unclearFiles(
  { isOwn, tool, args }: Pick<Approval, 'isOwn' | 'tool'> & { readonly args: unknown },
  inCall: FilesInCall,
): Unclear | undefined {
  if (!isOwn || isCut(args)) return undefined;
  const fields = isJsonObject(args) ? args : {};
  const unclear = commandsOf(tool, fields).length > 0 ? undefined : unclearChange(tool, inCall);
  const field = unclear && unclear.is !== 'twofold' ? undefined : unknownFieldIn(tool, fields);
  return field === undefined ? unclear : { is: 'field', field };
}

/** The same of a call without a command. `undefined` also where its kind changes no files. */
function unclearChange(tool: string, inCall: FilesInCall): Unclear | undefined {
  const isChange = ['edit', 'delete', 'move'].includes(tool);
  if (!isChange && tool !== 'other') return undefined;
  const { paths, changes, guessed, links } = inCall;
  const hasUnread = inCall.hasUnread || guessed.length > 0;
  if (paths.length === 0) {
    if (isChange || hasUnread) return { is: 'which' };
    return links.length > 0 ? undefined : { is: 'whether' };
  }
  // That a file goes, or is another one then, is all of it.
  if (tool === 'delete' || tool === 'move') return undefined;
  const isKnown = isOneOf(changes.map(({ path }) => path));
  // Some name all of them in one text, too.
  const left = paths.filter((path) => !path.split(', ').every(isKnown));
  if (left.length > 0) return { is: 'what', paths: left };
  if (hasUnread) return { is: 'which' };
  return inCall.isTwofold ? { is: 'twofold' } : undefined;
}

/** Longest name of a field that is said, in UTF-16 units. */
const MAX_NAME = 100;

/** The same as a sentence. */
export function unclearText(unclear: Unclear): string {
  if (unclear.is === 'twofold')
    return 'It has several texts for a file, and which of them counts is not known';
  return `${whatText(unclear)} is not known: only its arguments are shown`;
}

function whatText(unclear: Exclude<Unclear, { readonly is: 'twofold' }>): string {
  switch (unclear.is) {
    case 'whether':
      return 'Whether this changes files';
    case 'which':
      return 'Which files this changes';
    case 'field':
      return `What it says in "${escapeAgentLine(unclear.field.slice(0, MAX_NAME))}"`;
    case 'what': {
      const [path = '', ...others] = unclear.paths;
      return `What this makes of ${others.length === 0 ? escapeAgentLine(path) : `${unclear.paths.length} of its files`}`;
    }
  }
}
