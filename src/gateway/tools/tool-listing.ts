import { isJsonObject } from '../../lib/json/json-object.ts';
import type { ServerTrust } from '../config/server-config.ts';
import type { DownstreamTool } from '../server/downstream-tool.ts';
import { exposedName } from './exposed-name.ts';
import { cleanLine } from '../../lib/text/hidden-characters.ts';
import { textForModel } from './text-for-model.ts';
import { schemaForAgent, type InputSchema } from './schema-for-agent.ts';
import { listedAnnotations, type ListedAnnotations } from './tool-annotations.ts';

/** A tool of another server as the agent is shown it. */
export type ToolListing = {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: InputSchema;
  readonly annotations?: ListedAnnotations;
  readonly _meta?: Readonly<Record<string, unknown>>;
};

/** Longest description, in UTF-16 units. */
export const MAX_DESCRIPTION_LENGTH = 8_192;

/** A listing costs checks of its schema: once per definition is enough. */
const listings = {
  full: new WeakMap<DownstreamTool['definition'], ToolListing>(),
  untrusted: new WeakMap<DownstreamTool['definition'], ToolListing>(),
} as const satisfies Record<ServerTrust, unknown>;

/**
 * What an agent is shown of a tool. Only known fields go on, and of an untrusted server neither `_meta` nor what
 * it says of its tool's harmlessness. There is no `outputSchema`: a client would hold results against it, and a
 * refusal or a result that was cut fits none.
 */
export function listingOf(tool: DownstreamTool, trust: ServerTrust): ToolListing {
  const known = listings[trust].get(tool.definition);
  if (known) return known;
  const listing = createListing(tool, trust);
  listings[trust].set(tool.definition, listing);
  return listing;
}

function createListing({ serverId, name, definition }: DownstreamTool, trust: ServerTrust): ToolListing {
  const { title, _meta: meta } = definition;
  const { schema, changed } = schemaForAgent(definition['inputSchema']);
  const annotations = listedAnnotations(definition, trust);
  const description = [
    ...(typeof definition['description'] === 'string'
      ? [textForModel(definition['description'], MAX_DESCRIPTION_LENGTH)]
      : []),
    ...(changed === undefined ? [] : [`(Clifford: the input schema of this tool ${changed}.)`]),
  ].join('\n\n');
  return {
    name: exposedName(serverId, name),
    ...(typeof title === 'string' ? { title: cleanLine(title, 200) } : {}),
    ...(description === '' ? {} : { description }),
    inputSchema: schema,
    ...(annotations ? { annotations } : {}),
    ...(trust === 'full' && isJsonObject(meta) ? { _meta: meta } : {}),
  };
}
