// The smallest server on the same SDK, started as it is: neither bundled nor cached.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

const server = new McpServer({ name: 'plain', version: '1.0.0' });
await server.connect(new StdioServerTransport());
