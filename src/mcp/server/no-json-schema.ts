import type { jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';

/**
 * Stands in for the SDK's JSON Schema validator, which compiles Ajv at start. A server needs one only
 * to check what a client's user typed into a form, and Clifford sends no forms.
 */
export const noJsonSchema: jsonSchemaValidator = {
  getValidator() {
    throw new Error('Clifford asks its clients for no forms');
  },
};
