import { isAbsolute, resolve } from 'node:path';
import type { AgentCall } from '../../gateway/permission/agent-call.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import type { AcpCall } from './acp-call.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How agents name the fields of what they want to do. A list in the first is one command, word by word, or several. */
const commandFields = ['command', 'cmd', 'commands', 'script'];
const argumentFields = ['args', 'arguments'];
const pathFields = [
  'path',
  'paths',
  'file',
  'files',
  'file_path',
  'filePath',
  'filepath',
  'fileName',
  'filename',
  'file_name',
  'abs_path',
  'absolute_path',
  'notebook_path',
  'source',
  'destination',
  'movePath',
  'old_path',
  'new_path',
  'oldPath',
  'newPath',
  'target_file',
  'directory',
  'dir_path',
];
const cwdFields = ['cwd', 'workdir', 'directory'];
const urlFields = ['url', 'urls', 'uri'];

/** Kinds that change nothing. */
const READING = ['read', 'search', 'think'];

/** How deep in the input files are looked for: some agents list them, each with what becomes of it. */
const MAX_LEVELS = 5;

/** What an agent asks permission for, from the tool call that its request has. */
export function agentCallOf(call: AcpCall, projectRoot: string): AgentCall {
  const { rawInput, kind, title, content, locations } = call;
  const input = isJsonObject(rawInput) ? rawInput : {};
  const diffs = (content ?? []).flatMap((part) => ('newText' in part ? [part] : []));
  const [cwd = projectRoot, ...others] = new Set(textsOf(input, cwdFields));
  const told = [...diffs.map(({ path }) => String(path)), ...pathsIn(input, MAX_LEVELS), ...others];
  const located = (locations ?? []).map(({ path }) => path);
  const commands = commandsOf(call, input);
  const isChange = diffs.length > 0 && READING.includes(kind ?? '');
  return {
    kind: isChange ? 'edit' : (kind ?? 'other'),
    title: title ?? '',
    args: argsOf(call, {
      changes: diffs,
      locations: located.filter((path) => !told.includes(path)),
    }),
    commands,
    cwd: isAbsolute(cwd) ? cwd : resolve(projectRoot, cwd),
    paths: [...new Set([...located, ...told])],
    // What is no URL is no machine that a rule could name.
    hosts: textsOf(input, urlFields).map((url) => (URL.canParse(url) ? new URL(url).hostname : '')),
  };
}

/**
 * All that is said of what would happen: a yes is for it, and for nothing that differs. Some agents have it in the field
 * for the input, some in what they show.
 */
function argsOf(
  { rawInput, title, content }: AcpCall,
  more: Readonly<Record<string, readonly unknown[]>>,
): unknown {
  const isNothing = rawInput === undefined || rawInput === null;
  if (isNothing || (isJsonObject(rawInput) && Object.keys(rawInput).length === 0))
    return withMore({ title: title ?? '', content: content ?? [] }, { locations: more['locations'] ?? [] });
  return withMore(isJsonObject(rawInput) ? rawInput : { input: rawInput }, more);
}

/** No field takes the place of one that the agent has named so. */
function withMore(args: Fields, more: Readonly<Record<string, readonly unknown[]>>): Fields {
  const entries = Object.entries(more).flatMap(([name, value]) => {
    if (value.length === 0) return [];
    let free = name;
    while (Object.hasOwn(args, free)) free += ' shown';
    return [[free, value] as const];
  });
  return entries.length === 0 ? args : { ...args, ...Object.fromEntries(entries) };
}

/** Of a call without input the title is the command: that is how it is shown in an editor. */
function commandsOf({ kind, title, rawInput }: AcpCall, input: Fields): readonly string[] {
  const isRun = kind === 'execute';
  const told = commandFields.flatMap((field) => {
    const texts = textsOf(input, [field]);
    return texts.length > 1 && field !== 'commands' ? [asLine(texts), ...texts] : texts;
  });
  const [first] = told;
  const words = textsOf(input, argumentFields);
  // Some say it twice.
  if (first !== undefined)
    return [...new Set(words.length > 0 ? [`${first} ${asLine(words)}`, ...told] : told)];
  if (isRun && typeof rawInput === 'string' && rawInput !== '') return [rawInput];
  const isSilent = rawInput === undefined || rawInput === null;
  return isRun && isSilent && title ? [title] : [];
}

/** Words as a shell would have to read them. */
function asLine(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w./:=@+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(' ');
}

/** The files that an input names, wherever in it. */
function pathsIn(input: Fields, levels: number): string[] {
  const below = levels === 0 ? [] : Object.values(input).flat().filter(isJsonObject);
  return [...textsOf(input, pathFields), ...below.flatMap((each) => pathsIn(each, levels - 1))];
}

/** The texts in these fields, each of which may hold one or a list. */
function textsOf(input: Fields, fields: readonly string[]): string[] {
  return fields.flatMap((field) => {
    const value = Object.hasOwn(input, field) ? input[field] : undefined;
    const all: readonly unknown[] = Array.isArray(value) ? value : [value];
    return all.filter((each) => typeof each === 'string' && each !== '') as string[];
  });
}
