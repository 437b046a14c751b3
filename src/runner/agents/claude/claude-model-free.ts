import { z } from 'zod';
import { pickedFlags, requestLines, type ModelFreeStart } from '../model-free-start.ts';
import { jsonObject } from '../output/json-line.ts';

const accountSchema = z.looseObject({
  type: z.literal('control_response'),
  response: z.looseObject({
    response: z.looseObject({
      account: z.looseObject({
        tokenSource: z.string().default('none'),
        apiKeySource: z.string().optional(),
      }),
    }),
  }),
});

/** Told that it will be driven over stdin, it starts its servers before the first message. */
export const claudeModelFree: ModelFreeStart = {
  args: ({ args }) => [
    '-p',
    '--verbose',
    '--input-format=stream-json',
    '--output-format=stream-json',
    ...pickedFlags(args, ['--mcp-config']),
    ...args.filter((arg) => arg === '--strict-mcp-config'),
  ],
  // It takes no notice of the version of JSON-RPC.
  input: () => requestLines({ type: 'control_request', request_id: '1', request: { subtype: 'initialize' } }),
  isLoggedIn: (line) => {
    const said = accountSchema.safeParse(jsonObject(line));
    if (!said.success) return undefined;
    const { tokenSource, apiKeySource = 'none' } = said.data.response.response.account;
    return tokenSource !== 'none' || apiKeySource !== 'none';
  },
};
