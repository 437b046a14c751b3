import { plainName, wordsOf } from './plain-name.ts';

/**
 * What a field of a call says. Beside each who judges by it: the rules of the policy on files (`path`), on commands (`command`)
 * and on machines (`host`), with what is protected; `delete`: rules on calls of that kind. Unless said otherwise, in calls of any kind.
 */
export type Meaning =
  /** Of which file an object is. Rules on files. */
  | 'file'
  /** Files and folders in any way: several, where from and where to. Rules on files. */
  | 'path'
  /** Where a file is moved to. Rules on files. */
  | 'move'
  /** A pattern of names of files. Where it says where to look: rules on files. */
  | 'glob'
  /** What stood in a file, and what is to stand there. Nobody, but what leaves nothing: `delete`. */
  | 'old'
  | 'new'
  /** Without what stood there before, a `new` that is all that the file is to have. The others are put among what is there. */
  | 'newWhole'
  /** All that a file is to have. */
  | 'whole'
  /** What becomes part of a file, or was one, and is not shown as that. */
  | 'part'
  /** A patch: rules on files by its heads, `delete`. */
  | 'patch'
  /** A word for what becomes of a file, or for what a part is. `delete`. */
  | 'kind'
  /** It may have a field for each file, by its path. Rules on files. */
  | 'map'
  /** It may have fields, which are looked at as those beside it are. */
  | 'parts'
  /** A command line. Rules on commands. */
  | 'command'
  /** One by its name, that no rule looks at: who has it is asked about. */
  | 'otherCommand'
  /** The words behind a command. Rules on commands. */
  | 'arguments'
  /** In which folder a command runs. Rules on files go by it. */
  | 'folder'
  /** The same of a call without a command: of others the name says what it is about. */
  | 'cwd'
  /** What an agent says again of its command: it is held against the command itself. */
  | 'parsed'
  /** What an agent may be answered, and what else it would keep of that. Nobody: Clifford says yes once, and no more. */
  | 'answer'
  /** Words for people or for a model, and what is looked for: no file, whatever it looks like. Nobody. */
  | 'words'
  /** What things are called within an agent. Nobody, but what looks like a path there is one. */
  | 'label'
  /** The same in a search. In another call it may well name a file. */
  | 'searchLabel'
  /** A number, or from which to which, also in a text. Nobody; any other text there may name a file. */
  | 'number'
  /** No file, whatever it looks like; where every field has to be known it is not. */
  | 'noFile'
  /** What is so, or not, and says nothing of which files, commands or machines. Nobody. */
  | 'flag'
  /** Beside it a pattern is what is looked for in files, and no name of one. Searches. */
  | 'grep';

type Row = readonly [names: string, means: readonly Meaning[]];

/** The one list of fields: their plain names, what they mean, and which agents send them. `*`: none that is known. */
const ROWS: readonly Row[] = [
  ['path', ['file', 'path']], // ACP, Claude, Copilot, OpenCode, Zed
  ['filepath', ['file', 'path']], // Claude, Gemini, OpenCode
  ['notebookpath', ['file', 'path']], // Claude
  ['absolutepath', ['file', 'path']], // Gemini
  ['filename', ['file', 'path']], // Copilot
  ['targetfile', ['file', 'path']], // Cursor
  ['file abspath', ['file', 'path']], // *
  ['locations', ['path', 'parts']], // ACP
  ['directory', ['path', 'folder', 'cwd']], // *
  ['dirpath', ['path', 'folder']], // Gemini
  ['sourcepath destinationpath', ['path']], // Zed
  ['paths filepaths filenames abspaths source destination from to target', ['path']], // *
  ['sourcefile destinationfile targetpath oldpath newpath', ['path']], // *
  ['movepath', ['path', 'move']], // Codex, OpenCode
  ['files', ['path', 'map', 'parts']], // OpenCode
  ['changes', ['map', 'parts']], // Codex
  ['edits', ['map', 'parts']], // Claude
  ['filechanges filepatches documentchanges updates writes', ['map', 'parts']], // *
  ['meta', ['parts']], // ACP
  ['content', ['whole', 'parts']], // ACP, Claude, Codex, OpenCode
  ['operations replacements ranges range start end position', ['parts']], // *
  ['action', ['kind', 'parts']], // Codex
  ['type', ['kind']], // ACP, Claude, Codex, OpenCode
  ['kind', ['kind']], // Codex, Gemini
  ['op operation changetype', ['kind']], // *
  ['oldtext', ['old']], // ACP
  ['newtext', ['new', 'newWhole']], // ACP
  ['oldstring', ['old', 'grep']], // Claude, Gemini, OpenCode
  ['newstring', ['new', 'grep']], // Claude, Gemini, OpenCode
  ['oldstr', ['old']], // Copilot
  ['newstr', ['new']], // Copilot
  ['newsource', ['new']], // Claude
  ['oldcontent targetcontent', ['old']], // *
  ['newcontent', ['new', 'newWhole']], // *
  ['replacementcontent', ['new']], // *
  ['filetext', ['whole']], // Copilot
  ['contents filecontent codecontent text', ['whole']], // *
  ['codeedit', ['part']], // Cursor
  ['before after', ['part']], // *
  ['unifieddiff', ['patch']], // Codex
  ['patchtext', ['patch']], // OpenCode
  ['diff', ['patch']], // Copilot, OpenCode
  ['patch patches diffs', ['patch']], // *
  ['command', ['command']], // Claude, Codex, Copilot, Cursor, OpenCode, Zed
  ['cmd', ['command']], // *
  ['commands', ['command']], // Copilot
  ['script', ['command']], // *
  ['commandline cmdline commandstring shellcommand bashcommand shellscript', ['otherCommand']], // *
  ['args', ['arguments']], // *
  ['arguments', ['arguments']], // Codex, of a tool of a server
  ['cwd', ['folder', 'cwd']], // Codex
  ['workdir', ['folder', 'cwd']], // OpenCode
  ['workingdirectory', ['folder']], // Cursor
  ['cd', ['folder']], // Zed
  ['workingdir workdirectory dir folder currentdir currentdirectory', ['folder']], // *
  ['parsedcmd commandactions', ['parsed']], // Codex
  ['availabledecisions proposedexecpolicyamendment', ['answer']], // Codex
  ['glob', ['glob', 'words']], // Claude, Copilot
  ['include', ['glob', 'words']], // Gemini, OpenCode
  ['includepattern', ['glob', 'words']], // Cursor, Gemini
  ['globpattern', ['glob', 'searchLabel']], // Cursor
  ['globs includes', ['glob', 'searchLabel']], // *
  ['filepattern', ['glob', 'searchLabel']], // Cline
  ['ignoreglobs', ['searchLabel']], // Cursor
  ['exclude excludepattern', ['words']], // Cursor, Gemini
  ['ignore', ['words']], // Claude, Gemini
  ['pattern', ['words']], // Claude, Codex, Copilot, Gemini, OpenCode
  ['query', ['words']], // Claude, Codex, Gemini, OpenCode
  ['id queries', ['searchLabel']], // Codex, of the web
  ['searchterm', ['label']], // Cursor
  ['regex', ['words', 'flag']], // Cline
  ['description', ['words']], // Claude, Copilot, Gemini, OpenCode
  ['displaydescription', ['label']], // Zed
  ['instruction', ['words']], // Gemini
  ['explanation instructions', ['words']], // Cursor
  ['prompt', ['words']], // Claude, Gemini
  ['title', ['words']], // ACP
  ['reason', ['words']], // Codex
  ['todos', ['noFile']], // Claude, OpenCode
  ['justification intention purpose', ['label']], // *
  ['message summary thought', ['words']], // *
  ['alloweddomains blockeddomains', ['label']], // Claude
  ['callid turnid approvalid itemid threadid', ['label']], // Codex
  ['cellid', ['label']], // Claude
  ['pages', ['number']], // Claude
  ['processid', ['number']], // Codex
  ['sessionid shellid', ['label']], // Copilot
  ['toolcallid taskid', ['label']], // *
  ['outputmode', ['grep']], // Claude, Copilot
  ['multiline n i', ['flag', 'grep']], // Claude, Copilot
  ['o', ['flag']], // Claude
  ['replaceall', ['flag']], // Claude, OpenCode
  ['runinbackground', ['flag']], // Claude
  ['autoapproved', ['flag']], // Codex
  ['casesensitive respectgitignore respectgeminiignore recursive namesonly', ['flag']], // Gemini
  ['filefilteringoptions', ['parts']], // Gemini
  ['isbackground shouldreadentirefile', ['flag']], // Cursor
  ['requiresapproval', ['flag']], // Cline
  ['background blocking casei ignorecase literal fixedstrings isregex wholeword showlinenumbers', ['flag']], // *
  ['requiresuserapproval hidden', ['flag']], // *
];

const byMeaning = new Map<Meaning, Set<string>>();
for (const [names, means] of ROWS)
  for (const meaning of means) {
    const known = byMeaning.get(meaning) ?? new Set();
    byMeaning.set(meaning, known);
    for (const name of names.split(' ')) known.add(name);
  }

/** The plain names of all fields with a meaning, in their order. */
export function namesThatMean(meaning: Meaning): readonly string[] {
  return [...(byMeaning.get(meaning) ?? [])];
}

/** Whether a field has one of these meanings, however its name is written. */
export function hasMeaning(name: string, ...meanings: readonly Meaning[]): boolean {
  const plain = plainName(name);
  return meanings.some((meaning) => byMeaning.get(meaning)?.has(plain) === true);
}

/** Texts that are chosen out of few, by the plain names of their fields: Claude, Copilot, OpenCode, Zed. */
const choices = new Map(
  Object.entries({
    mode: ['sync', 'async', 'detached', 'edit', 'create', 'overwrite', 'append', 'insert', 'replace'],
    outputmode: ['content', 'files_with_matches', 'count'],
    editmode: ['replace', 'insert', 'delete'],
    celltype: ['code', 'markdown', 'raw'],
    format: ['markdown', 'text', 'html', 'json'],
    encoding: ['utf8', 'utf-8', 'ascii', 'latin1', 'base64'],
    livecrawl: ['fallback', 'preferred', 'always', 'never'],
  }),
);

/** Whether a text is one of the few that its field is known to have. */
export function isChoice(name: string, text: string): boolean {
  return choices.get(plainName(name))?.includes(text.toLowerCase()) === true;
}

const endsOfPaths = new Set(
  `path paths file files filename filenames filepath filepaths dir dirs directory directories folder folders location
  locations src dst dest destination`.split(/\s+/),
);
const endsOfUrls = new Set(['url', 'urls', 'uri', 'uris']);

/** Whether a field may name files, by the last word of its name: `output_path`, `dst`. */
export function mayNameFiles(name: string): boolean {
  return endsOfPaths.has(wordsOf(name).at(-1) ?? '');
}

/** Whether a field names machines, or files by their URL, by the last word of its name. */
export function namesUrl(name: string): boolean {
  return endsOfUrls.has(wordsOf(name).at(-1) ?? '');
}
