import type { Press } from '../message.ts';

/** What somebody wrote or pressed in a chat. Nothing of it was checked. */
export type Reply = {
  /** The id of who wrote it, as the service names them. */
  readonly sender: string;
  /** The chat that it came from, as the service names it. */
  readonly chat: string;
  /** Which message it answers; `undefined`: none. */
  readonly ref: string | undefined;
  /** Nobody but them and us is in that chat. */
  readonly isDirect: boolean;
  readonly said:
    | { readonly text: string }
    /** A button: its word, and the mark of the request that it was made for. */
    | { readonly press: Press | undefined; readonly tag: string };
};

/** What is said to whoever has sent a file with their reply. */
export const FILES_STAY = 'The file stays here: the agent does not see it.';

/** The data of a button, which comes back when it is pressed: at most 40 characters. */
export function buttonData(press: Press, tag: string): string {
  return `${press} ${tag}`;
}

/** What a button that was pressed says. Its data come from outside. */
export function pressedButton(data: string): Extract<Reply['said'], { tag: string }> {
  const [word = '', tag = ''] = data.split(' ');
  const option = /^option-(\d{1,4})$/.exec(word);
  if (option) return { press: `option-${Number(option[1])}`, tag };
  return { press: word === 'approve' || word === 'deny' ? word : undefined, tag };
}
