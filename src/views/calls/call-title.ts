import { filesInCall, type FilesInCall } from '../../events/call-files/files-in-call.ts';
import { agentOfServer } from '../../events/agent-server.ts';
import type { Approval } from '../../events/approval.ts';
import { isCut } from '../../events/cut-arguments.ts';
import { commandsOf, textsOf } from '../../events/call-fields.ts';
import type { Fields } from '../../events/call-files/field-names.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { escapeAgentLine } from '../../lib/text/sanitise.ts';
import { shownArgs } from './args-text.ts';
import { callChanges, type CallChange } from './call-changes.ts';
import { maskSecrets } from './masked.ts';
import { withinProject } from './within-project.ts';

/**
 * What a call is, as people tell it from others: the command it runs, `Edit src/a.ts +3 −1`, `github/create_issue Dark mode`.
 * As it was asked for, with what looks secret masked: it may be long, have lines, and hide characters.
 *
 * @param options.counts - How many lines an edit adds and removes. Default: true.
 * @param options.folder - Where its agent works: the files of its own tools are named from there. Default: they stand as they were
 *   named. What a command has in it always does.
 */
export function callTitle(
  approval: CalledTool,
  { counts = true, folder }: { readonly counts?: boolean; readonly folder?: string | undefined } = {},
): string {
  const { server, tool } = approval;
  const args = maskSecrets(approval.args);
  const agent = agentOfServer(server);
  if (agent === undefined) return `${server}/${tool}${before(' ', detailOf(undefined, args, { named: [] }))}`;
  const fields = fieldsOf(args);
  const command = fields && commandText(tool, fields);
  if (command !== undefined && command !== '') return command;
  const inCall = filesInCall(args);
  const changes = callChanges(inCall);
  const nameOf = (path: string) => (folder === undefined ? path : withinProject(folder, path));
  if (changes.length > 0) return changesText(changes, { counts, nameOf });
  const what = verbs.get(tool);
  const detail = detailOf(tool, args, { inCall, named: approval.paths ?? [], nameOf });
  return what === undefined || detail === ''
    ? `${tool} by ${agent}${before(': ', detail)}`
    : `${what} ${detail}`;
}

/** The same on one line, safe to print: where its lines end stands `⏎`. */
export function callLine(...called: Parameters<typeof callTitle>): string {
  return escapeAgentLine(callTitle(...called).replaceAll(/\r?\n/g, ' ⏎ '));
}

type CalledTool = Pick<Approval, 'server' | 'tool' | 'args' | 'paths'>;

/** What kinds of an agent's own tools do, where it is said of which thing. */
const verbs = new Map(
  ['read', 'edit', 'delete', 'move', 'search', 'fetch'].map((kind) => [
    kind,
    kind.charAt(0).toUpperCase() + kind.slice(1),
  ]),
);

/** What tells most of a call, after what it runs and what it is about. */
const tellingFields = [
  'url',
  'urls',
  'uri',
  'query',
  'pattern',
  'title',
  'name',
  'prompt',
  'question',
  'text',
];

type NameOf = (path: string) => string;

/** Of what a call is about the most telling; `''`: it says nothing. */
function detailOf(
  kind: string | undefined,
  args: Approval['args'],
  {
    inCall,
    named,
    nameOf = (path) => path,
  }: { readonly inCall?: FilesInCall; readonly named: readonly string[]; readonly nameOf?: NameOf },
): string {
  const fields = fieldsOf(args);
  if (!fields) return named.length > 0 ? listed(named.map(nameOf)) : bareText(args);
  const command = kind === undefined ? commandText('', fields) : '';
  if (command !== '') return command;
  const said = inCall ?? filesInCall(fields);
  const paths = unlike([...said.named, ...named].map(nameOf));
  if (paths.length > 0 && said.links.length === 0) return listed(paths);
  const [telling] = textsOf(fields, tellingFields);
  return telling ?? bareText(args);
}

function fieldsOf(args: Approval['args']): Fields | undefined {
  return isJsonObject(args) && !isCut(args) ? args : undefined;
}

/** All that it runs, once. */
function commandText(kind: string, fields: Fields): string {
  const all = unlike(commandsOf(kind, fields));
  return all.filter((each) => !all.some((other) => other !== each && other.includes(each))).join('; ');
}

/** What becomes of files, as a title has it; of several in several ways they are edited. */
const changeVerbs = {
  edit: 'Edit',
  write: 'Write',
  delete: 'Delete',
  move: 'Move',
  name: 'Edit',
} as const satisfies Record<CallChange['how'], string>;

function changesText(
  changes: readonly CallChange[],
  { counts, nameOf }: { readonly counts: boolean; readonly nameOf: NameOf },
): string {
  const [how = 'edit', ...others] = new Set(changes.map((change) => change.how));
  const verb = others.length > 0 ? changeVerbs.edit : changeVerbs[how];
  const paths = unlike(changes.map(({ path }) => nameOf(path)));
  const files = paths.map((path) => {
    const isCounted = (change: CallChange) => change.how === 'edit' && nameOf(change.path) === path;
    const edits = counts ? changes.filter(isCounted) : [];
    const lines = edits.flatMap((edit) => edit.lines);
    const much = (is: 'added' | 'removed') => lines.filter((line) => line.is === is).length;
    return edits.length === 0 ? path : `${path} +${much('added')} −${much('removed')}`;
  });
  return `${verb} ${listed(files)}`;
}

/** Arguments that have no name that we know. */
function bareText(args: Approval['args']): string {
  if (args === null) return '';
  if (isCut(args)) return args.cut;
  const values = isJsonObject(args) ? Object.values(args) : [];
  if (isJsonObject(args) && values.length === 0) return '';
  const [only] = values;
  return values.length === 1 && typeof only === 'string' ? only : shownArgs(args);
}

function listed(things: readonly string[]): string {
  return things.join(', ');
}

function unlike(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

function before(mark: string, text: string): string {
  return text === '' ? '' : mark + text;
}
