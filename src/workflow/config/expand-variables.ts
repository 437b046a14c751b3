/** What became of the variables in a value. */
export type Expanded =
  | { readonly value: unknown; readonly variables: readonly string[] }
  | { readonly unset: string }
  | { readonly malformed: string };

type Env = Readonly<Record<string, string | undefined>>;

/** `$${`, `${NAME}`, `${NAME:-default}`, and a `${` that is none of them, as one with another inside. */
const reference = /\$\$\{|\$\{([A-Za-z_]\w*)(?::-((?:[^$}]|\$(?!\{))*))?\}|\$\{[^}]*\}?/g;

/** Whether a value has to be expanded before it can be used. */
export function usesVariables(value: unknown): boolean {
  return Array.isArray(value) ? value.some(usesVariables) : typeof value === 'string' && value.includes('${');
}

/**
 * Replaces `${NAME}` and `${NAME:-default}` in a text, or in the texts of a list. Once: what a variable
 * brings in is not looked at again. `$${` stands for `${`; a default counts for an empty variable, too.
 */
export function expandVariables(value: unknown, env: Env): Expanded {
  if (typeof value === 'string') return expandText(value, env);
  if (!Array.isArray(value)) return { value, variables: [] };
  const parts = value.map((each) => expandVariables(each, env));
  const bad = parts.find((part) => !('value' in part));
  if (bad) return bad;
  const good = parts.filter((part) => 'value' in part);
  return {
    value: good.map((part) => part.value),
    variables: good.flatMap((part) => part.variables),
  };
}

function expandText(text: string, env: Env): Expanded {
  let problem: Expanded | undefined;
  const variables: string[] = [];
  const value = text.replaceAll(reference, (found: string, name?: string, fallback?: string) => {
    if (found === '$${') return '${';
    if (name === undefined) {
      problem ??= { malformed: found };
      return '';
    }
    variables.push(name);
    const set = fallback === undefined ? env[name] : env[name] || fallback;
    if (set === undefined) problem ??= { unset: name };
    return set ?? '';
  });
  return problem ?? { value, variables };
}
