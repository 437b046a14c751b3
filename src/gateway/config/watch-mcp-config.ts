import { join } from 'node:path';
import { lookAt, type FolderWatch } from '../../lib/files/folder-watch.ts';
import { watchFile } from '../../lib/files/watch-file.ts';
import { MCP_CONFIG_FILE, type McpConfigPlace } from './load-mcp-config.ts';
import { trustFile } from './trust-store.ts';

/** Calls `onChange` when a project's `mcp.json`, or what is trusted of it, has changed, until the returned function is called. */
export function watchMcpConfig(
  { root, env }: Pick<McpConfigPlace, 'root' | 'env'>,
  onChange: () => void,
): () => void {
  const files = [join(root, MCP_CONFIG_FILE), trustFile(env)].filter((file) => file !== undefined);
  const stamps = () => files.map(stampOf).join(' ');
  let seen = stamps();
  const look = () => {
    const now = stamps();
    if (now === seen) return;
    seen = now;
    onChange();
  };
  const watches: readonly FolderWatch[] = files.map((file) => watchFile(file, look));
  return () => {
    for (const watch of watches) watch.close();
  };
}

/** Tells one content of a file from another, as far as can be told without reading it. */
function stampOf(file: string): string {
  const found = lookAt(file);
  return found ? `${found.ino}:${found.size}:${found.mtimeNs}` : 'none';
}
