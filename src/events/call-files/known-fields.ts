import { isDeletionWord, mayNameFiles, plainName, says, saysOfCommands } from './field-names.ts';

const namesOf = (names: string): ReadonlySet<string> => new Set(names.split(/\s+/));

/** Text for people or for a model, what is looked for, and what things are called within an agent: it does nothing. */
const ofFreeText =
  namesOf(`description displaydescription explanation instruction instructions reason justification
  intention purpose prompt title message summary thought query searchterm searchquery regex pattern glob include
  exclude ignore includepattern excludepattern alloweddomains blockeddomains callid turnid toolcallid approvalid itemid
  threadid sessionid shellid cellid taskid`);
/** Texts that become part of a file, or were one. */
const ofContent = namesOf('before after codeedit');
/** What is chosen out of few words, by the name of the field. */
const ofChoices: Readonly<Record<string, ReadonlySet<string>>> = {
  mode: namesOf('sync async detached edit create overwrite append insert replace'),
  outputmode: namesOf('content files_with_matches count'),
  editmode: namesOf('replace insert delete'),
  celltype: namesOf('code markdown raw'),
  format: namesOf('markdown text html json'),
  encoding: namesOf('utf8 utf-8 ascii latin1 base64'),
  livecrawl: namesOf('fallback preferred always never'),
};
/** What is so, or not, and says nothing of which files, commands or machines. */
const ofFlags =
  namesOf(`replaceall runinbackground isbackground background blocking casesensitive casei ignorecase i n o
  multiline literal fixedstrings regex isregex wholeword showlinenumbers shouldreadentirefile recursive
  respectgitignore requiresapproval requiresuserapproval hidden`);
/** What may have fields of its own, or one for each file. Of `_meta`, which the protocol has, some agents say in a word what becomes of it. */
const ofParts =
  namesOf(`meta changes filechanges files filepatches edits documentchanges updates writes operations
  replacements ranges range start end position locations action content`);
/** What an agent says again of its command, for people: it is held against the command itself. */
const ofParsed = namesOf('parsedcmd commandactions');
/** What an agent may be answered, and what else it would keep of that: Clifford says yes once, and no more. */
const ofAnswers = namesOf('availabledecisions proposedexecpolicyamendment');
/** What becomes of a file, or what a part is. Words by which files go have a list of their own. */
const kindWords =
  namesOf(`add added create created update updated modify modified edit edited write overwrite replace
  insert append strreplace move moved rename renamed copy read view list listfiles search grep glob find text file
  diff content code markdown raw unknown test format lint noop auto fast deep openpage findinpage
  addfile createfile updatefile editfile writefile movefile renamefile readfile`);

/** Which fields say a second time what others say, or nothing of the call itself. */
export const saysAgain = {
  parsed: (name: string) => ofParsed.has(plainName(name)),
  beside: (name: string) => ofAnswers.has(plainName(name)),
} as const;

/** Whether what stands below a field is said of the command a second time, or of what may be answered. */
export function isSaidAgain(field: string | number | undefined): boolean {
  return typeof field === 'string' && (saysAgain.parsed(field) || ofAnswers.has(plainName(field)));
}

/** Whether it is known what it means that a field is `true`. */
export function isKnownFlag(name: string): boolean {
  return ofFlags.has(plainName(name));
}

/** Whether a field may have fields. */
export function hasKnownParts(name: string): boolean {
  return ofParts.has(plainName(name));
}

/** Whether it is known what a text means in a field, whatever the call is: for people, a choice, or the folder that it starts in. */
export function isKnownText(name: string, text: string): boolean {
  const plain = plainName(name);
  return (
    ofFreeText.has(plain) || ofChoices[plain]?.has(text.toLowerCase()) === true || saysOfCommands.folder(name)
  );
}

/** Whether a text in a field names a file or a machine. */
export function isName(name: string): boolean {
  return says.path(name) || says.url(name) || says.move(name) || mayNameFiles(name);
}

/** Whether a text in a field is, or was, part of a file. */
export function isContent(name: string): boolean {
  const is = [says.old, says.new, says.whole, says.patch];
  return is.some((isSuch) => isSuch(name)) || ofContent.has(plainName(name));
}

/** Whether it is known what a word says that becomes of a file. */
export function isKnownWord(text: string): boolean {
  return kindWords.has(plainName(text)) || isDeletionWord(text);
}
