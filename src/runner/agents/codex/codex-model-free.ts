import { z } from 'zod';
import { clientInfo, pickedFlags, requestLines, type ModelFreeStart } from '../model-free-start.ts';
import { jsonObject } from '../output/json-line.ts';

const accountSchema = z.looseObject({
  id: z.literal(2),
  result: z.looseObject({
    account: z.unknown().transform((account) => account ?? null),
    requiresOpenaiAuth: z.boolean(),
  }),
});

/** Its app server lists MCP servers, and starts them for that. */
export const codexModelFree: ModelFreeStart = {
  args: ({ args }) => ['app-server', ...pickedFlags(args, ['-c', '--config'], /^mcp_servers\./)],
  input: () =>
    requestLines(
      { id: 1, method: 'initialize', params: { clientInfo } },
      { method: 'initialized' },
      { id: 2, method: 'account/read', params: { refreshToken: false } },
      { id: 3, method: 'mcpServerStatus/list', params: {} },
    ),
  isLoggedIn: (line) => {
    const said = accountSchema.safeParse(jsonObject(line));
    return said.success
      ? said.data.result.account !== null || !said.data.result.requiresOpenaiAuth
      : undefined;
  },
};
