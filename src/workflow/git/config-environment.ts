/** An environment in which git has these settings besides, stronger than those of any file. */
export function configEnvironment(
  settings: readonly (readonly [key: string, value: string])[],
): Readonly<Record<string, string>> {
  const given = Number(process.env['GIT_CONFIG_COUNT'] ?? 0);
  const entries = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${given + at}`, key] as const,
    [`GIT_CONFIG_VALUE_${given + at}`, value] as const,
  ]);
  return { GIT_CONFIG_COUNT: `${given + settings.length}`, ...Object.fromEntries(entries) };
}
