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
  /** How it is answered, in a line; empty: it needs no answer. */
  readonly hint: string;
  /** Where it is shown, and can be answered. No right to do so is in it. */
  readonly link?: string | undefined;
};

/** All of a message but its title, as plain text. */
export function bodyText({ text, options, hint, link }: Message): string {
  const listed = options.map((option, at) => `${at + 1}. ${option}`).join('\n');
  return [text, listed, hint, link ?? ''].filter((part) => part !== '').join('\n\n');
}
