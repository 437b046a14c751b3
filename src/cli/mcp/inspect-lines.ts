import type { DownstreamTool } from '../../gateway/server/downstream-tool.ts';
import type { ServerState } from '../../gateway/server/server-state.ts';
import type { DefinitionStanding } from '../../workflow/policy/pins.ts';
import type { PolicyWord } from '../../gateway/config/policy-config.ts';
import type { RawObject } from '../../gateway/server/manager-event.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import type { Cli } from '../cli.ts';
import { lineWidth, paragraph } from '../text/paragraph.ts';
import { visibleLine, visible } from '../../lib/text/visible.ts';
import { countText, countWords, wordStyles } from './decisions.ts';

/** A tool as its server defines it, and what becomes of a call of it. */
export type InspectedTool = {
  readonly definition: DownstreamTool['definition'];
  readonly name: string;
  /** The name agents call it by. */
  readonly exposed: string;
  /** What the policy says of it as such: rules about arguments may say something else. */
  readonly decision: PolicyWord;
  /** Whether it is defined as it was when it was seen first, or a human last allowed it. */
  readonly standing: DefinitionStanding;
};

/** All that a server offers. */
export type Inspection = {
  readonly id: string;
  readonly server: ServerState['server'];
  readonly tools: readonly InspectedTool[];
  readonly resources: readonly RawObject[];
  readonly resourceTemplates: readonly RawObject[];
  readonly prompts: readonly RawObject[];
  /** What could not be listed, or is wrong with the lists, in one line each. */
  readonly problems: readonly string[];
};

type Paper = Pick<Cli, 'style' | 'stdout' | 'env'>;

/** Longest description in the overview, in UTF-16 units. */
const BRIEF_LENGTH = 200;

/** What a server offers, so that it can be read in one go. */
export function inspectionLines(cli: Paper, inspection: Inspection): string[] {
  const { id, server, tools, problems } = inspection;
  const width = lineWidth(cli);
  const { name = '', version = '', protocol = '', instructions } = server ?? {};
  const count = countText(countWords(tools.map(({ decision }) => decision)));
  const title = cli.style('bold', visibleLine(id));
  return [
    `${title}  ${visibleLine(`${name} ${version}, protocol ${protocol}`)}`,
    ...(instructions === undefined ? [] : paragraph('  ', visibleLine(instructions), width)),
    ...problems.flatMap((problem) => paragraph('  note: ', visibleLine(problem), width)),
    '',
    `tools: ${tools.length}${tools.length === 0 ? '' : ` (${count})`}`,
    ...tools.flatMap((tool) => toolLines(cli, tool, width)),
    ...thingLines('resources', inspection.resources, 'uri', width),
    ...thingLines('resource templates', inspection.resourceTemplates, 'uriTemplate', width),
    ...thingLines('prompts', inspection.prompts, 'name', width),
    ...(tools.length === 0
      ? []
      : ['', ...paragraph('', `one in full: clifford mcp inspect ${id} <tool>`, width)]),
  ];
}

/** One tool with its whole definition. */
export function toolInFull(cli: Paper, tool: InspectedTool): string[] {
  const { definition, exposed, decision } = tool;
  const { name: _name, description, ...rest } = definition;
  const width = lineWidth(cli);
  return [
    headline(cli, tool),
    ...paragraph('  agents call it  ', visibleLine(exposed), width),
    `  policy says     ${cli.style(wordStyles[decision], decision)}`,
    ...(typeof description === 'string'
      ? [
          '',
          ...visible(description)
            .split('\n')
            .flatMap((line) => paragraph('  ', line, width)),
        ]
      : []),
    '',
    ...visible(JSON.stringify(rest, null, 2))
      .split('\n')
      .map((line) => `  ${line}`),
  ];
}

function toolLines(cli: Paper, tool: InspectedTool, width: number): string[] {
  const { description, inputSchema } = tool.definition;
  return [
    '',
    `  ${headline(cli, tool)}`,
    ...(typeof description === 'string' ? paragraph('    ', brief(description), width) : []),
    ...fieldLines(inputSchema, width),
  ];
}

function headline({ style }: Paper, { name, decision, standing }: InspectedTool): string {
  const changed = standing === 'changed' ? style('yellow', ', its definition has changed') : '';
  return `${style('bold', visibleLine(name))}  ${style(wordStyles[decision], decision)}${changed}`;
}

/** The fields of an object schema, a line each; anything else is in the full view. */
function fieldLines(schema: unknown, width: number): string[] {
  if (!isJsonObject(schema) || !isJsonObject(schema['properties'])) return [];
  const { properties, required } = schema;
  return Object.entries(properties).flatMap(([name, field]) => {
    const isRequired = Array.isArray(required) && required.includes(name);
    const kind = isJsonObject(field) ? kindOf(field) : 'any';
    const about =
      isJsonObject(field) && typeof field['description'] === 'string' ? `: ${field['description']}` : '';
    const optional = isRequired ? '' : '?';
    return hanging('      ', brief(`${name}${optional} (${kind})${about}`), width);
  });
}

function kindOf(field: RawObject): string {
  const { type, enum: choices, items } = field;
  if (Array.isArray(choices)) return choices.map((choice) => JSON.stringify(choice)).join(' | ');
  if (type === 'array') return isJsonObject(items) ? `list of ${kindOf(items)}` : 'list';
  if (Array.isArray(type)) return type.join(' | ');
  return typeof type === 'string' ? type : 'any';
}

function thingLines(title: string, things: readonly RawObject[], key: string, width: number): string[] {
  if (things.length === 0) return [];
  const lines = things.flatMap((thing) => {
    const { name, description, arguments: args } = thing;
    const about = [key === 'name' ? undefined : name, description].filter((text) => typeof text === 'string');
    const fields = Array.isArray(args) ? args.filter(isJsonObject).map((each) => argument(each)) : [];
    const call = fields.length === 0 ? '' : ` (${fields.join(', ')})`;
    const text = [`${String(thing[key])}${call}`, ...about].join(': ');
    return hanging('  ', brief(text), width);
  });
  return ['', `${title}: ${things.length}`, ...lines];
}

/** Lines after the first stand a little further in. */
function hanging(lead: string, text: string, width: number): string[] {
  const [first = '', ...more] = paragraph(lead, text, width - 2);
  return [first, ...more.map((line) => `  ${line}`)];
}

function argument({ name, required }: RawObject): string {
  return `${String(name)}${required === true ? '' : '?'}`;
}

/** Cut behind a word, where it has any. */
function brief(text: string): string {
  const line = visibleLine(text);
  if (line.length <= BRIEF_LENGTH) return line;
  const cut = line.slice(0, BRIEF_LENGTH).toWellFormed();
  const blank = line.charAt(BRIEF_LENGTH) === ' ' ? -1 : cut.lastIndexOf(' ');
  return `${(blank > 0 ? cut.slice(0, blank) : cut).trimEnd()} …`;
}
