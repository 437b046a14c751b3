import { z } from 'zod';
import { pickedFlags, requestLines, type ModelFreeStart } from '../model-free-start.ts';
import { jsonObject } from '../output/json-line.ts';

const sessionSchema = z.looseObject({ id: z.literal(2), error: z.looseObject({}).optional() });

/** A session of the agent client protocol starts its servers before the first prompt. */
export const copilotModelFree: ModelFreeStart = {
  needsLogin: true,
  args: ({ args }) => ['--acp', ...pickedFlags(args, ['--additional-mcp-config'])],
  input: (cwd) =>
    requestLines(
      { id: 1, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } },
      { id: 2, method: 'session/new', params: { cwd, mcpServers: [] } },
    ),
  isLoggedIn: (line) => {
    const said = sessionSchema.safeParse(jsonObject(line));
    return said.success ? said.data.error === undefined : undefined;
  },
};
