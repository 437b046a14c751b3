import type { Approval } from '../../events/approval.ts';
import { isCut } from '../../events/cut-arguments.ts';
import { commandsOf } from '../../events/call-fields.ts';
import type { FilesInCall } from '../../events/call-files/files-in-call.ts';
import { isOneOf } from '../../events/call-files/same-file.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { escapeAgentLine } from '../../lib/text/sanitise.ts';

/**
 * What nobody here can say of what a call of an agent's own tool does to files: `whether` it changes any, `which` ones, or what it
 * makes of some that it names.
 */
export type Unclear =
  | { readonly is: 'whether' | 'which' }
  | { readonly is: 'what'; readonly paths: readonly string[] };

/** See {@link Unclear}. `undefined`: it is clear, or the call is of a kind that changes no files but by a command. */
export function unclearFiles(
  { isOwn, tool, args }: Pick<Approval, 'isOwn' | 'tool'> & { readonly args: unknown },
  inCall: FilesInCall,
): Unclear | undefined {
  const isChange = ['edit', 'delete', 'move'].includes(tool);
  if (!isOwn || isCut(args) || !(isChange || tool === 'other')) return undefined;
  if (commandsOf(tool, isJsonObject(args) ? args : {}).length > 0) return undefined;
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
  return hasUnread ? { is: 'which' } : undefined;
}

/** The same as a sentence. */
export function unclearText(unclear: Unclear): string {
  return `${whatText(unclear)} is not known: only its arguments are shown`;
}

function whatText(unclear: Unclear): string {
  switch (unclear.is) {
    case 'whether':
      return 'Whether this changes files';
    case 'which':
      return 'Which files this changes';
    case 'what': {
      const [path = '', ...others] = unclear.paths;
      return `What this makes of ${others.length === 0 ? escapeAgentLine(path) : `${unclear.paths.length} of its files`}`;
    }
  }
}
