import type { Asked } from '../../api/endpoint.ts';
import type { Answered, EndpointName, endpoints } from '../../api/endpoints.ts';
import type { Caller } from '../callers/caller.ts';

/** Answers one endpoint. Throws a refusal, or an error whose sender can do something about it. */
type Handler<N extends EndpointName> = (
  asked: Asked<(typeof endpoints)[N]>,
  caller: Caller,
) => Answered<N> | Promise<Answered<N>>;

/** Who answers what. */
export type Handlers = { readonly [N in EndpointName]: Handler<N> };
