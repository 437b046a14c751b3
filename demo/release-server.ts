import { mkdir, writeFile } from 'node:fs/promises';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

// The MCP server behind Clifford's gateway in `clifford demo`: one tool, which writes a file of the project it was
// started in. Anything that publishes for real would look the same to Clifford.
const server = new McpServer({ name: 'release', version: '1.0.0' });

server.registerTool(
  'publish',
  {
    title: 'Publish a release',
    description: 'Publishes a version with its notes. In this demo: writes published/<version>.md.',
    inputSchema: { version: z.string().regex(/^\d+\.\d+\.\d+$/), notes: z.string().max(10_000) },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  },
  async ({ version, notes }) => {
    await mkdir('published', { recursive: true });
    await writeFile(`published/${version}.md`, notes);
    return { content: [{ type: 'text', text: `Published ${version}: published/${version}.md` }] };
  },
);

await server.connect(new StdioServerTransport());
