import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';

/** The newest version of the protocol that the SDK here speaks: `2025-11-25`. */
export const newestProtocol: string = LATEST_PROTOCOL_VERSION;
