/** The variables that say where the log of the tests is, if it is not in the file: what they start has to have them, too. */
export function logEnv(): Record<string, string> {
  const { CLIFFORD_LOG: log } = process.env;
  return log ? { CLIFFORD_LOG: log } : {};
}
