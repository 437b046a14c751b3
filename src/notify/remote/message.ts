import { clip } from '../../lib/text/clip.ts';
import type { NoticeKind } from '../notice.ts';

/** What a press of a button says: which option, or a word to a call. */
export type Press = `option-${number}` | 'approve' | 'deny';

/** A button below a message. */
export type Button = { readonly label: string; readonly press: Press };

/** What a human who is elsewhere is told, as plain data for any service: no text in it hides anything, and secrets are replaced. */
export type Message = {
  /** The same whenever, and by whichever process, the same is told: a receiver may know it again by that. */
  readonly id: string;
  readonly kind: NoticeKind;
  /** One short line. It begins with a word of ours. */
  readonly title: string;
  /** May have several lines; may be empty. */
  readonly text: string;
  /** What its user calls the project. */
  readonly project: string;
  /** Its id. */
  readonly sprint: string;
  readonly task?: string | undefined;
  /** The request that it is about, where it is about one. */
  readonly request?: string | undefined;
  /** What can be chosen from, in words, in order. */
  readonly options: readonly string[];
  /** Which buttons it has, where the service has any. */
  readonly buttons: readonly Button[];
  /** A mark of the request for its buttons, at most 16 characters. */
  readonly tag: string;
  /** All of the tool call that waits is in its text: a yes to it is for that call. */
  readonly showsCall: boolean;
  /** How it is answered, in a line; empty: it needs no answer. */
  readonly hint: string;
  /** Where it is shown, and can be answered. No right to do so is in it. */
  readonly link?: string | undefined;
};

/** What a program is told: all of a message but what is for services that have buttons. */
export function plainMessage({ tag: _tag, buttons: _buttons, showsCall: _showsCall, ...message }: Message) {
  return message;
}

/**
 * All of a message but its title, as plain text. Where it is too long, its text and the list of its options are cut: how it is
 * answered is always in it.
 *
 * @param most - UTF-16 units.
 */
export function bodyText({ text, options, hint, link }: Message, most = Number.POSITIVE_INFINITY): string {
  const end = joined([hint, link ?? '']);
  const room = Math.max(0, most - (end === '' ? 0 : end.length + GAP.length));
  const list = optionList(options, Math.max(room - text.length - GAP.length, Math.floor(room / 2)));
  const shown = clip(text, Math.max(0, room - (list === '' ? 0 : list.length + GAP.length)));
  return joined([shown, list, end]);
}

/** A message as plain text, title and all, of at most so many UTF-16 units. */
export function messageText(message: Message, most = Number.POSITIVE_INFINITY): string {
  const title = clip(message.title, Math.floor(most / 2));
  return joined([title, bodyText(message, most - title.length - GAP.length)]);
}

/** The same once nothing more can be answered: how it was to be is not in it. */
export function overText(message: Message, most: number): string {
  return messageText({ ...message, hint: '' }, most);
}

/** Between the parts of a text. */
const GAP = '\n\n';
const MORE_LENGTH = '(and 10,000 more)\n'.length;

/** Options behind their numbers, as many as there is room for. */
function optionList(options: readonly string[], room: number): string {
  const lines: string[] = [];
  let left = room - MORE_LENGTH;
  for (const [at, option] of options.entries()) {
    const line = `${at + 1}. ${option}`;
    left -= line.length + 1;
    if (left < 0) break;
    lines.push(line);
  }
  const more = options.length - lines.length;
  return [...lines, ...(more > 0 ? [`(and ${more} more)`] : [])].join('\n');
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(GAP);
}
