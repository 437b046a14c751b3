export { CliffordError } from './errors.ts';
export { ServingMcpServer as CliffordMcpServer } from './serving-mcp-server.ts';
export type { CliffordMcpServerEvents, CliffordMcpServerOptions } from './mcp/clifford-mcp-server.ts';
export type { AgentTransport } from './mcp/agent-transport.ts';
export type { AnswerOutcome, Block } from './mcp/block.ts';
export { SprintRunner } from './runner/sprint-runner.ts';
export type { SprintRunnerOptions } from './runner/sprint-runner.ts';
export type { SprintRunnerEvents } from './runner/runner-events.ts';
export type { RunEnd, RunOutcome } from './runner/run-end.ts';
