/**
 * The end of a link to an MCP client, as the MCP SDK's transports are. Said here in own words, so that
 * our declarations do not need the SDK.
 */
export type AgentTransport = {
  start: () => Promise<void>;
  close: () => Promise<void>;
  send(message: object): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?(message: object): void;
};
