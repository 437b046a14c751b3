import { wholeNumber, type NumberSource } from '../config/whole-number.ts';

/** What the environment says about the gateway. */
export type GatewaySettings = {
  /** How long `tools/list` waits for servers that are starting, in ms. */
  readonly listWaitMs: number;
  /** Largest result that is handed to the agent whole, in bytes of JSON. */
  readonly maxResultBytes: number;
};

/** A client lists the tools before it does anything else, and some give it no more than 10 s. */
const LIST_WAIT_MS = 5_000;

const MAX_RESULT_BYTES = 256 * 1024;

/** Reads `CLIFFORD_MCP_LIST_WAIT_MS` and `CLIFFORD_MCP_RESULT_BYTES`. */
export function readGatewaySettings(source: NumberSource): GatewaySettings {
  const read = (name: string, least: number) =>
    wholeNumber(source, name, { least, what: `a whole number from ${least}` });
  return {
    listWaitMs: read('CLIFFORD_MCP_LIST_WAIT_MS', 0) ?? LIST_WAIT_MS,
    maxResultBytes: read('CLIFFORD_MCP_RESULT_BYTES', 1_024) ?? MAX_RESULT_BYTES,
  };
}
