import { createHash } from 'node:crypto';

/**
 * Longest name of a tool, in characters. Agents put `mcp__clifford__` (15) before it, and model providers take 64.
 *
 * @internal for tests
 */
export const MAX_NAME_LENGTH = 49;

/** What a hash adds: `_`, a digit, which few words begin with, and 7 characters. */
const HASH = /_[0-9][0-9a-v]{7}$/;
const HASH_LENGTH = 9;
/** Characters of a server's id that are kept where the name has to be cut. */
const KEPT_OF_SERVER = 16;

/**
 * The name an agent calls a tool by: `mcp__{server}__{tool}`, of letters, digits, `_` and `-`. Where that would lose
 * something, be too long or be readable in two ways, it is shortened and ends with a hash of both names.
 *
 * It depends on nothing but the two names, so that it stays the same whichever other servers are there.
 */
export function exposedName(serverId: string, toolName: string): string {
  const plain = `mcp__${serverId}__${toolName}`;
  if (isUnambiguous(serverId) && /^[A-Za-z0-9_-]+$/.test(plain) && isPlain(toolName) && fits(plain))
    return plain;
  const room = MAX_NAME_LENGTH - 'mcp____'.length - HASH_LENGTH;
  const tool = sanitised(toolName);
  const server = sanitised(serverId).slice(0, Math.max(KEPT_OF_SERVER, room - tool.length));
  return `mcp__${server}__${tool.slice(0, room - server.length)}_${hashOf(serverId, toolName)}`;
}

/** The end of the server is the first `__`, and nowhere else. */
function isUnambiguous(serverId: string): boolean {
  return serverId !== '' && !serverId.includes('__') && !serverId.endsWith('_');
}

/** A name of its own that ends like a hash gets one, too: no tool can take the name of another. */
function isPlain(toolName: string): boolean {
  return toolName !== '' && !HASH.test(`_${toolName}`);
}

function fits(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH;
}

function sanitised(name: string): string {
  // A name of many megabytes is not to be searched as a whole.
  return name.slice(0, 200).replaceAll(/[^A-Za-z0-9_-]/g, '_');
}

/** 38 bits as 8 characters. */
function hashOf(serverId: string, toolName: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([serverId, toolName]))
    .digest();
  return `${digest.readUInt8(5) % 10}${(digest.readUIntBE(0, 5) % 32 ** 7).toString(32).padStart(7, '0')}`;
}
