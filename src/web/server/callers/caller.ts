import type { Socket } from 'node:net';
import type { Project } from '../../../workflow/project/project.ts';
import type { Env } from '../../../workflow/project/who-calls.ts';
import type { Among } from '../serving.ts';
import type { Identity } from '../tokens/authenticator.ts';

/** Who sends a request, and how. */
export type Caller = Identity & {
  readonly socket: Socket;
  /** The request comes from this machine, as far as the network tells: a tunnel ends here, too. */
  readonly isHere: boolean;
  /** Nobody on the way can read what is answered. */
  readonly isPrivate: boolean;
};

/** The project that a request is about, and where it is served. */
export type Place = {
  readonly env: Env;
  readonly project: Project;
  /** `undefined`: no other is served beside it. */
  readonly among: Pick<Among, 'places'> | undefined;
};
