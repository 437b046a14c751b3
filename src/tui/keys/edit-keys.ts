import {
  backspace,
  deleteForward,
  down,
  end,
  home,
  killToEnd,
  killToStart,
  killWord,
  left,
  right,
  up,
  wordLeft,
  wordRight,
  type TextBuffer,
} from '../text/text-buffer.ts';

const edits = new Map<string, (buffer: TextBuffer) => TextBuffer>([
  ['left', left],
  ['ctrl+b', left],
  ['right', right],
  ['ctrl+f', right],
  ['up', up],
  ['ctrl+p', up],
  ['down', down],
  ['ctrl+n', down],
  ['home', home],
  ['ctrl+a', home],
  ['end', end],
  ['ctrl+e', end],
  ['alt+b', wordLeft],
  ['ctrl+left', wordLeft],
  ['alt+left', wordLeft],
  ['alt+f', wordRight],
  ['ctrl+right', wordRight],
  ['alt+right', wordRight],
  ['backspace', backspace],
  ['delete', deleteForward],
  ['ctrl+d', deleteForward],
  ['ctrl+w', killWord],
  ['alt+backspace', killWord],
  ['ctrl+u', killToStart],
  ['ctrl+k', killToEnd],
]);

/** The text after an editing key; the same text for any other. */
export function edit(buffer: TextBuffer, key: string): TextBuffer {
  return edits.get(key)?.(buffer) ?? buffer;
}
