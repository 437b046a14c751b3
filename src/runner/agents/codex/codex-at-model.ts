import { NO_KEY, type AtModel } from '../at-model.ts';

/** Codex: its provider stands in the user's configuration. */
export function codexAtModel(url: string): AtModel {
  const config = `model = "gpt-5"
model_provider = "scripted"
check_for_update_on_startup = false
web_search = "disabled"

[model_providers.scripted]
name = "Scripted"
base_url = "${url}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"

[analytics]
enabled = false

[features]
plugins = false
`;
  return { files: { '.codex/config.toml': config }, env: { SCRIPTED_KEY: NO_KEY } };
}
