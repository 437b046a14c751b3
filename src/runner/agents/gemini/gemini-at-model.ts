import type { AtModel } from '../at-model.ts';

/** Gemini CLI: how it logs in, and its quiet, stand in the user's settings. */
export function geminiAtModel(url: string): AtModel {
  const settings = {
    security: { auth: { selectedType: 'gemini-api-key' } },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    model: { name: 'gemini-2.5-flash' },
  };
  return {
    files: { '.gemini/settings.json': JSON.stringify(settings) },
    env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'dummy' },
  };
}
