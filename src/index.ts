export { CliffordError } from './errors.ts';
export { ServingMcpServer as CliffordMcpServer } from './serving-mcp-server.ts';
export type { CliffordMcpServerEvents, CliffordMcpServerOptions } from './mcp/server/clifford-mcp-server.ts';
export type { AgentTransport } from './mcp/transport/agent-transport.ts';
export type { AnswerOutcome, Block } from './mcp/server/block.ts';
export { SprintRunner } from './runner/sprint/sprint-runner.ts';
export type { SprintRunnerOptions } from './runner/sprint/sprint-runner.ts';
export type { SprintRunnerEvents } from './runner/sprint/runner-events.ts';
export type { RunEnd, RunOutcome } from './runner/sprint/run-end.ts';
