/** The oldest Node Clifford runs on. */
const oldest = { major: 22, minor: 12 };

/**
 * Says in one line why this Node cannot run Clifford, or `undefined` when it can.
 *
 * Old Nodes load this file before anything else: it imports nothing and keeps to old syntax.
 *
 * @param version - As in `process.versions.node`: `20.11.1`.
 */
export function nodeTooOld(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) return undefined;
  return `Cannot start Clifford on Node ${version}: it needs Node ${oldest.major}.${oldest.minor} or newer. Install a newer Node and run it again`;
}
