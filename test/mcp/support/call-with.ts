import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { RequestOptions } from '@modelcontextprotocol/sdk/shared/protocol.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Progress } from '@modelcontextprotocol/sdk/types.js';
import { textOf } from './connect-agent.ts';

/** Calls a tool with options of the client's own, and returns the one text of its result. */
export async function callWith(
  client: Client,
  name: string,
  args: object,
  options: RequestOptions,
): Promise<string> {
  return textOf(
    CallToolResultSchema.parse(await client.callTool({ name, arguments: { ...args } }, undefined, options)),
  );
}

/** Collects progress: hand `onprogress` to a call, and wait until so much has come. */
export function progressLog(): {
  notes: Progress[];
  onprogress: (note: Progress) => void;
  until: (count: number) => Promise<void>;
} {
  const notes: Progress[] = [];
  const waiting = new Set<() => void>();
  return {
    notes,
    onprogress: (note) => {
      notes.push(note);
      for (const look of waiting) look();
    },
    until: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (notes.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}
