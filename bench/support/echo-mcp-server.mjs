// A server with one tool that does next to nothing: what stands between it and its client is what takes time.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'echo', version: '1.0.0' });
server.registerTool('echo', { inputSchema: { words: z.string() } }, ({ words }) => ({
  content: [{ type: 'text', text: words }],
}));
await server.connect(new StdioServerTransport());
