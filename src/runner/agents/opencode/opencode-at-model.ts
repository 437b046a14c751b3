import { NO_KEY, type AtModel } from '../at-model.ts';

const off = ['MODELS_FETCH', 'AUTOUPDATE', 'LSP_DOWNLOAD', 'DEFAULT_PLUGINS', 'SHARE'] as const;

/** OpenCode: its provider stands in the user's configuration. */
export function opencodeAtModel(url: string): AtModel {
  const model = {
    name: 'Scripted',
    tool_call: true,
    limit: { context: 200_000, output: 8_000 },
    cost: { input: 3, output: 15 },
  };
  const config = {
    // It adds this line to a file that does not have it.
    $schema: 'https://opencode.ai/config.json',
    provider: {
      scripted: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Scripted',
        options: { baseURL: `${url}/v1`, apiKey: NO_KEY },
        models: { model },
      },
    },
    model: 'scripted/model',
    small_model: 'scripted/model',
    enabled_providers: ['scripted'],
  };
  return {
    files: { '.config/opencode/opencode.json': JSON.stringify(config) },
    env: {
      ...Object.fromEntries(off.map((name) => [`OPENCODE_DISABLE_${name}`, '1'])),
      // It installs what plugins need, whether there are any or not: from where nobody listens.
      npm_config_registry: 'http://127.0.0.1:9/',
    },
  };
}
