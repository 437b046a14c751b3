import { isDeletionWord } from './field-names.ts';
import { hasMeaning, isChoice, mayNameFiles, namesUrl } from './field-table.ts';
import { plainName } from './plain-name.ts';

/** What becomes of a file, or what a part is. Words by which files go have a list of their own. */
const kindWords: ReadonlySet<string> = new Set(
  `add added create created update updated modify modified edit edited write overwrite replace
  insert append strreplace move moved rename renamed copy read view list listfiles search grep glob find text file
  diff content code markdown raw unknown test format lint noop auto fast deep openpage findinpage
  addfile createfile updatefile editfile writefile movefile renamefile readfile`.split(/\s+/),
);

/** Whether what stands in a field is said of the command a second time, or of what may be answered. */
export function isSaidAgain(field: string | number | undefined): boolean {
  return typeof field === 'string' && hasMeaning(field, 'parsed', 'answer');
}

/** Whether it is known what a text means in a field, whatever the call is: for people, a choice, a number, or the folder that it starts in. */
export function isKnownText(name: string, text: string): boolean {
  const isNumber = hasMeaning(name, 'number') && /^\d+(?:-\d*)?$/.test(text);
  return isNumber || hasMeaning(name, 'words', 'label', 'folder') || isChoice(name, text);
}

/** Whether a text in a field names a file or a machine. */
export function isName(name: string): boolean {
  return hasMeaning(name, 'path', 'move') || namesUrl(name) || mayNameFiles(name);
}

/** Whether a text in a field is, or was, part of a file. */
export function isContent(name: string): boolean {
  return hasMeaning(name, 'old', 'new', 'whole', 'patch', 'part');
}

/** Whether it is known what a word says that becomes of a file. */
export function isKnownWord(text: string): boolean {
  return kindWords.has(plainName(text)) || isDeletionWord(text);
}
