import { NO_KEY, type AtModel } from '../at-model.ts';

/** GitHub Copilot CLI: all by variables. */
export function copilotAtModel(url: string): AtModel {
  return {
    env: {
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: NO_KEY,
      COPILOT_MODEL: 'gpt-5',
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
    },
  };
}
