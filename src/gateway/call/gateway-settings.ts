import { MAX_TIMEOUT_MS } from '../config/server-config.ts';

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

/**
 * Reads `CLIFFORD_MCP_LIST_WAIT_MS` and `CLIFFORD_MCP_RESULT_BYTES`. A value that is none is reported, and counts
 * as if it were not there.
 */
export function readGatewaySettings({
  env,
  report,
}: {
  env: Readonly<Record<string, string | undefined>>;
  report: (problem: string) => void;
}): GatewaySettings {
  const read = (name: string, least: number) => {
    const text = env[name];
    if (text === undefined || text === '') return undefined;
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= MAX_TIMEOUT_MS) return value;
    const shown = JSON.stringify(text.slice(0, 100));
    report(
      `${name} is ignored. It has to be a whole number from ${least} to ${MAX_TIMEOUT_MS}, and is ${shown}`,
    );
    return undefined;
  };
  return {
    listWaitMs: read('CLIFFORD_MCP_LIST_WAIT_MS', 0) ?? LIST_WAIT_MS,
    maxResultBytes: read('CLIFFORD_MCP_RESULT_BYTES', 1_024) ?? MAX_RESULT_BYTES,
  };
}
