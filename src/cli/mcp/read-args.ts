import type { RawObject } from '../../gateway/server/manager-event.ts';
import type { Cli } from '../cli.ts';
import { readText } from '../input/read-text.ts';
import { badArguments } from './mcp-errors.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { messageOf } from '../../lib/message-of.ts';

/**
 * The arguments of a tool as they were typed: a JSON object, `-` for one on stdin, nothing for none.
 *
 * @throws {CliffordError} `MCP_ARGUMENTS_INVALID`, `TEXT_TOO_LONG`
 */
export async function readArgs(cli: Pick<Cli, 'stdin'>, typed: string | undefined): Promise<RawObject> {
  if (typed === undefined) return {};
  const text = await readText(cli, typed);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw badArguments(text, `it is not JSON (${messageOf(error)})`);
  }
  if (isJsonObject(value)) return value;
  throw badArguments(text, 'it has to be an object, with an argument for each key');
}
