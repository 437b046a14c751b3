import { z } from 'zod';
import { mcpFileSchema } from '../src/gateway/config/mcp-schema.ts';

/** The JSON Schema (draft 7) of `mcp.json`, for editors, as the text of its file. */
export function mcpJsonSchema(): string {
  const schema = z.toJSONSchema(mcpFileSchema, { target: 'draft-7', io: 'input' });
  return `${JSON.stringify({ title: 'MCP servers behind Clifford', ...schema }, null, 2)}\n`;
}
