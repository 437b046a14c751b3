import { cleanLine, withoutHidden } from '../../lib/text/hidden-characters.ts';
import { textForModel } from '../tools/text-for-model.ts';
import { exposedName } from '../tools/exposed-name.ts';
import { MAX_DESCRIPTION_LENGTH } from '../tools/tool-listing.ts';
import type { RawObject } from '../server/manager-event.ts';
import { exposedUri } from './resource-uri.ts';

/** Longest name or title, in UTF-16 units. */
const MAX_NAME_LENGTH = 200;

/**
 * A resource of a server, or a template of resources (`uriKey`), as agents are shown it: only known fields, each of
 * its type, so that one bad entry does not cost the client the list. `undefined`: it has no URI or no name.
 */
export function listedResource(
  serverId: string,
  resource: RawObject,
  uriKey: 'uri' | 'uriTemplate',
): RawObject | undefined {
  const { [uriKey]: uri, name, mimeType, size } = resource;
  if (typeof uri !== 'string' || typeof name !== 'string') return undefined;
  return {
    [uriKey]: exposedUri({ serverId, uri }),
    name: cleanLine(name, MAX_NAME_LENGTH),
    ...describedBy(resource),
    ...(typeof mimeType === 'string' ? { mimeType: cleanLine(mimeType, MAX_NAME_LENGTH) } : {}),
    ...(typeof size === 'number' ? { size } : {}),
  };
}

/** A prompt of a server in the same way. It is named as tools are: `mcp__{server}__{prompt}`. */
export function listedPrompt(serverId: string, prompt: RawObject): RawObject | undefined {
  const { name, arguments: args } = prompt;
  if (typeof name !== 'string' || name === '') return undefined;
  const listed = Array.isArray(args) ? args.flatMap(listedArgument) : [];
  return {
    name: exposedName(serverId, name),
    ...describedBy(prompt),
    ...(listed.length > 0 ? { arguments: listed } : {}),
  };
}

function listedArgument(argument: unknown): RawObject[] {
  if (typeof argument !== 'object' || argument === null) return [];
  const { name, description, required } = argument as RawObject;
  if (typeof name !== 'string') return [];
  return [
    {
      name: withoutHidden(name),
      ...describedBy({ description }),
      ...(typeof required === 'boolean' ? { required } : {}),
    },
  ];
}

function describedBy({ title, description }: RawObject): RawObject {
  return {
    ...(typeof title === 'string' ? { title: cleanLine(title, MAX_NAME_LENGTH) } : {}),
    ...(typeof description === 'string'
      ? { description: textForModel(description, MAX_DESCRIPTION_LENGTH) }
      : {}),
  };
}
