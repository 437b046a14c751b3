import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Install } from '../project/install.ts';
import { findMerge } from './find-merge.ts';
import type { Finding } from './finding.ts';
import { mcpClients, mcpPlaceOf, type McpClient } from './mcp-entries.ts';
import { mergeJson } from './merge-json.ts';
import { mergeToml } from './merge-toml.ts';

/** What there is to do for these programs to start Clifford's MCP server by themselves: once per file. */
export async function findMcpEntries(
  root: string,
  clients: readonly McpClient[],
  { serve }: Pick<Install, 'serve'>,
): Promise<Finding[]> {
  const titles = new Map<string, string[]>();
  const where = isAbsolute(serve[0]) ? ', by paths of this machine' : '';
  const wanted = clients.flatMap((client) => {
    const { title, files, format, entry, head } = mcpPlaceOf(client);
    const file = files.find((each) => existsSync(join(root, each))) ?? files[0];
    const known = titles.get(file);
    titles.set(file, [...(known ?? []), title]);
    const merge = format === 'toml' ? mergeToml : mergeJson;
    return known ? [] : [{ file, entry: entry(serve), merge, head }];
  });
  return Promise.all(
    wanted.map((each) => {
      const about = `Clifford's tools in ${titles.get(each.file)?.join(' and ') ?? each.file}${where}`;
      return findMerge(root, { ...each, about });
    }),
  );
}

/** The programs that somebody may want to use by hand here: those found, and those the project has a folder of. */
export function likelyClients(root: string, installed: readonly McpClient[]): McpClient[] {
  const seen = mcpClients.filter((client) => {
    const { folder } = mcpPlaceOf(client);
    return folder !== undefined && existsSync(join(root, folder));
  });
  return [...new Set([...installed, ...seen])];
}
