import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, it } from 'vitest';
import { tempRoot } from '../helpers/temp-project.ts';
import { connectAgent } from './support/connect-agent.ts';

/** Every agent pays for them in every conversation. */
it('all tools together cost an agent less than 2,500 tokens, and the instructions less than 200', async () => {
  const { client } = await connectAgent(await tempRoot());
  const { tools } = await client.listTools();
  expect(countTokens(JSON.stringify(tools))).toBeLessThan(2_500);
  expect(countTokens(client.getInstructions() ?? '')).toBeLessThan(200);
});
