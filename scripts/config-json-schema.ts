import { z } from 'zod';
import { configSchema } from '../src/workflow/config/config-schema.ts';

/** The JSON Schema (draft 7) of `clifford.json`, for editors, as the text of its file. */
export function configJsonSchema(): string {
  const schema = z.toJSONSchema(configSchema, { target: 'draft-7', io: 'input' });
  return `${JSON.stringify({ title: 'Configuration of Clifford', ...schema }, null, 2)}\n`;
}
