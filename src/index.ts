export { CliffordError } from './errors.ts';
export { CliffordMcpServer } from './mcp/clifford-mcp-server.ts';
export type { CliffordMcpServerEvents, CliffordMcpServerOptions } from './mcp/clifford-mcp-server.ts';
export type { AgentTransport } from './mcp/agent-transport.ts';
export type { AnswerOutcome, Block } from './mcp/block.ts';
