import { agentOfServer } from '../../events/agent-server.ts';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { isJsonObject } from '../../lib/json/json-object.ts';
import type { AgentRule } from '../config/agent-policy.ts';
import type { ArgCondition, PolicyRule } from '../config/policy-config.ts';
import { commandFields, textsOf } from '../../events/call-fields.ts';
import { filesInCall } from '../../events/call-files/files-in-call.ts';
import { says } from '../../events/call-files/field-names.ts';
import { isLiteral } from '../policy/pattern.ts';
import { wordsBeforeProgram } from '../policy/shell/starts-of.ts';
import { readCommand } from '../policy/shell/read-command.ts';
import { agentGateCall, serverGateCall } from './gate-calls.ts';
import type { Ground } from './decide-by.ts';
import type { RecordedCall } from './recorded-call.ts';

/** A rule without its word, and the list of the policy in which it would stand. */
export type RuleBody =
  | { readonly list: 'rules'; readonly rule: Omit<PolicyRule, 'decision'> }
  | { readonly list: 'agents.rules'; readonly rule: Omit<AgentRule, 'decision'> };

/**
 * What calls of one shape have in common: the tool, the first words of the command, the folder of the files, the machine.
 * As rules: `same` for calls that are the same in all of that, `alike` for all of the shape. Two calls are of one shape
 * when their `alike` is the same.
 */
export type CallShape = { readonly same: RuleBody; readonly alike: RuleBody };

/** Two conditions on one thing that a call names: exactly so, and as all of its shape. */
type Narrowing<Condition> = { readonly same: Condition; readonly alike: Condition };

/** The shape of a call; `undefined` where no rule says of it what it is: several commands, files all over the project. */
export function shapeOf(call: RecordedCall, ground: Ground): CallShape | undefined {
  const agent = agentOfServer(call.server);
  const shape = agent === undefined ? serverShape(call, ground) : agentShape(call, agent, ground.root);
  // In a rule this would be a variable, or a pattern.
  const isPlain = [call.server, call.tool].every(isLiteral) && !JSON.stringify(shape ?? '').includes('${');
  return call.isWhole && isPlain ? shape : undefined;
}

/** The least that rules out none of some calls of one shape. */
export function ruleFor(shapes: readonly CallShape[]): RuleBody | undefined {
  const [first] = shapes;
  if (!first) return undefined;
  return new Set(shapes.map(({ same }) => JSON.stringify(same))).size === 1 ? first.same : first.alike;
}

function serverShape(call: RecordedCall, { root, servers }: Ground): CallShape | undefined {
  const { server, tool, args } = call;
  const { cwd } = serverGateCall(
    call,
    servers.find(({ id }) => id === server),
  );
  const input = isJsonObject(args) ? args : {};
  const same: Record<string, ArgCondition> = {};
  const alike: Record<string, ArgCondition> = {};
  const paths = new Set<string>();
  for (const field of [...Object.keys(input).filter(says.path).toSorted(), ...commandFields]) {
    const texts = textsOf(input, [field]);
    if (texts.length === 0) continue;
    const isPath = says.path(field);
    if (isPath) texts.forEach((text) => paths.add(text));
    const found = isPath ? foldersOf(texts, cwd ?? undefined, root) : lineOf(texts);
    if (!found) return undefined;
    [same[field], alike[field]] = [found.same, found.alike];
  }
  // A folder that no rule of ours names.
  if (filesInCall(input).named.some((path) => !paths.has(path))) return undefined;
  const body = (conditions: Record<string, ArgCondition>): RuleBody => ({
    list: 'rules',
    rule: { server, tool, ...(Object.keys(conditions).length === 0 ? {} : { args: conditions }) },
  });
  return { same: body(same), alike: body(alike) };
}

function agentShape(call: RecordedCall, agent: string, root: string): CallShape | undefined {
  const { kind, commands, paths, hosts, cwd } = agentGateCall(call, agent, root);
  const [line, ...lines] = commands;
  const [host, ...others] = hosts;
  const body = (condition: Pick<AgentRule, 'command' | 'path' | 'host'>): RuleBody => ({
    list: 'agents.rules',
    rule: { agent, kind, ...condition },
  });
  if (line !== undefined) {
    const words = lines.length === 0 && hosts.length === 0 ? wordsOf(line) : undefined;
    const found = words && commandOf(words);
    return found && { same: body({ command: found.same }), alike: body({ command: found.alike }) };
  }
  if (host !== undefined) {
    if (others.length > 0 || paths.length > 0 || !host || !isLiteral(host)) return undefined;
    return { same: body({ host }), alike: body({ host }) };
  }
  const found = paths.length === 0 ? undefined : foldersOf(paths, cwd, root);
  return found && { same: body({ path: found.same }), alike: body({ path: found.alike }) };
}

/** The words of a line that runs one command and nothing else. */
function wordsOf(line: string): readonly string[] | undefined {
  const { commands, redirects, doubt } = readCommand(line);
  const [command, ...others] = commands;
  if (!command || others.length > 0 || doubt !== undefined) return undefined;
  if (command.assignments.length > 0 || redirects.some(({ writes }) => writes)) return undefined;
  const words = command.words.filter((word) => word !== undefined);
  return words.length === command.words.length ? words : undefined;
}

/** What a program calls its own parts: `run` of `npm run build`, neither an option nor a file. */
const plainWord = /^[A-Za-z][A-Za-z-]*$/;
const MAX_LEADING = 3;

/** A command as a whole, and its program with the parts of it that are named: `npm run build`, `git log`. */
function commandOf(
  words: readonly string[],
): Narrowing<{ equals: string } | { startsWith: string }> | undefined {
  if (words.length === 0) return undefined;
  const before = wordsBeforeProgram(words);
  const named = words.slice(0, before + MAX_LEADING);
  const end = named.findIndex((word, at) => at > 0 && !plainWord.test(word));
  const leading = end < 0 ? named : named.slice(0, end);
  const same = { equals: words.join(' ') };
  // A program alone is as good as all that it can do.
  return { same, alike: leading.length > before + 1 ? { startsWith: leading.join(' ') } : same };
}

/** The same of a server, which may hand the line to any shell, or to none. */
function lineOf(texts: readonly string[]): Narrowing<ArgCondition> | undefined {
  const [line = '', ...others] = texts;
  const words = others.length === 0 ? wordsOf(line) : undefined;
  const found = words && commandOf(words);
  return found && { same: { equals: line }, alike: 'equals' in found.alike ? { equals: line } : found.alike };
}

/**
 * The folder of some files: of one file itself and the folder it is in. Outside of the project, and right below its root,
 * no folder stands for the files in it.
 */
function foldersOf(
  paths: readonly string[],
  cwd: string | undefined,
  root: string,
): Narrowing<{ below: string }> | undefined {
  const folders = paths.map((path) => folderOf(path, cwd, root));
  const [first, ...others] = folders;
  if (!first) return undefined;
  if (others.length === 0) return first;
  const isOne = others.every((other) => other?.alike.below === first.alike.below);
  return isOne ? { same: first.alike, alike: first.alike } : undefined;
}

function folderOf(
  path: string,
  cwd: string | undefined,
  root: string,
): Narrowing<{ below: string }> | undefined {
  if (cwd === undefined && !isAbsolute(path)) return undefined;
  const whole = resolve(cwd ?? '/', path);
  const within = relative(root, whole);
  if (within === '' || whole === '/') return undefined;
  const isInside = within !== '..' && !within.startsWith('../');
  const same = { below: isInside ? within : whole };
  const folder = dirname(within);
  return { same, alike: isInside && folder !== '.' ? { below: folder } : same };
}
