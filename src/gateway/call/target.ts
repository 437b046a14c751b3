import type { CallOptions } from '../server/call-options.ts';
import type { RawObject } from '../server/manager-event.ts';

/** Something of another server that an agent can call: a tool, or the reading of a resource or prompt. */
export type Target = {
  readonly serverId: string;
  /** As its server and the policy know it: `write_file`, `resources/read`, `prompts/get`. */
  readonly name: string;
  /** What its result has the form of. */
  readonly method: 'tools/call' | CheckedMethod;
  readonly definition: RawObject;
  /** Of the definition. */
  readonly digest: string;
  /** What is wrong with arguments, in words for the agent. */
  readonly problemOf: (args: RawObject) => string | undefined;
  /** @throws {CliffordError} as `McpManager.callTool`. */
  readonly run: (args: RawObject, options: CallOptions) => Promise<RawObject>;
};

/** The methods that are judged, recorded and confirmed as if they were tools of their server. */
export type CheckedMethod = 'resources/read' | 'resources/subscribe' | 'prompts/get';

/** A method as a {@link Target}. Its definition never changes. */
export function methodTarget(serverId: string, method: CheckedMethod, run: Target['run']): Target {
  const definition = { name: method };
  // No tool has a digest like this: a yes to the method is none to a tool of its name.
  const digest = `method ${method}`;
  return {
    serverId,
    name: method,
    method,
    definition,
    digest,
    problemOf: () => undefined,
    run,
  };
}
