import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadMcpConfig } from '../../src/gateway/config/load-mcp-config.ts';
import type { McpConfigReading } from '../../src/gateway/config/mcp-config-reading.ts';
import { problemText } from '../../src/workflow/config/config-problem.ts';
import { tempRoot } from './temp-project.ts';

/** A project with this `mcp.json`, read with these variables: an object, or the text itself. */
export async function mcpProject(
  content: object | string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ root: string; reading: McpConfigReading }> {
  const root = await tempRoot();
  await writeMcpJson(root, content);
  return { root, reading: await loadMcpConfig({ root, env }) };
}

/** The same without the project: for tests that look at what was read only. */
export async function readMcpJson(
  content: object | string,
  env: Readonly<Record<string, string>> = {},
): Promise<McpConfigReading> {
  return (await mcpProject(content, env)).reading;
}

/** Writes a project's `mcp.json`. */
export async function writeMcpJson(root: string, content: object | string): Promise<void> {
  const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
  await writeFile(join(root, 'mcp.json'), text);
}

/** The problems, one line each, the project's root replaced by `/p`. */
export function problemLines({ file, problems }: McpConfigReading): string[] {
  return problems.map((problem) => problemText(problem).replaceAll(file, '/p/mcp.json'));
}

/** The warnings in the same way. */
export function warningLines({ file, warnings }: McpConfigReading): string[] {
  return warnings.map((line) => line.replaceAll(file, '/p/mcp.json'));
}
