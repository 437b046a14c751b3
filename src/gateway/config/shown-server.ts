import { secretsOf } from '../../events/secrets/redaction.ts';
import { maskArgs, maskUrl } from './mask-secrets.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';

/** A server of `mcp.json` as it can be shown: as it stands there, variables by their names, secrets masked. */
export type ShownServer = {
  readonly id: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly url?: string;
  /** Names only. */
  readonly env: readonly string[];
  /** Names only. */
  readonly headers: readonly string[];
  readonly disabled: boolean;
  /** True when what the server says of its own tools is believed. */
  readonly isFullyTrusted: boolean;
};

type Env = Readonly<Record<string, string | undefined>>;

/** Takes from an entry, right or wrong, what can be shown of it. */
export function shownServer(id: string, entry: unknown, env: Env): ShownServer {
  const fields = isJsonObject(entry) ? entry : {};
  const { redactText } = secretsOf(env);
  const { command, args, cwd, url } = fields;
  return {
    id,
    ...(typeof command === 'string' ? { command: redactText(command) } : {}),
    ...(Array.isArray(args) ? { args: maskArgs(args.map(textOf)).map(redactText) } : {}),
    ...(typeof cwd === 'string' ? { cwd: redactText(cwd) } : {}),
    ...(typeof url === 'string' ? { url: redactText(maskUrl(url)) } : {}),
    env: isJsonObject(fields['env']) ? Object.keys(fields['env']) : [],
    headers: isJsonObject(fields['headers']) ? Object.keys(fields['headers']) : [],
    disabled: fields['disabled'] === true,
    isFullyTrusted: fields['trust'] === 'full',
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
