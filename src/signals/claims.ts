import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeOwnFolder } from '../lib/files/own-folder.ts';
import { requestById } from '../workflow/requests/find-request.ts';
import { namesIn } from '../lib/files/sweep-temporaries.ts';
import { labelOf, changeFile, type SignalDeps } from './signal-deps.ts';
import { giveAnswer, isSame, lateReason, unfitReason, unknownReason } from './give-answer.ts';
import { moveFile } from '../lib/files/move-file.ts';
import { readAnswer } from './read-answer.ts';
import { recordReceived, wasReceived } from './record-received.ts';
import { rejectFile } from './reject-file.ts';
import { type Stamp, stampOf } from './signal-file.ts';

/** File systems take no longer name, in bytes. */
const MAX_NAME_LENGTH = 255;

/** An answer taken out of the sight of its author, and not yet acted on. */
type Claim = {
  readonly path: string;
  /** What the file was called. */
  readonly label: string;
  readonly requestId: string;
  /** Taken by a process that is gone, perhaps after it had acted on it. */
  readonly isInherited: boolean;
};

/**
 * Answers in files, from the moment they are taken. Taking one is a rename into `.clifford/claimed/`
 * under a name that says which request it answers: whoever serves the files next goes on from there,
 * wherever its predecessor was killed.
 */
export class Claims {
  readonly #deps: SignalDeps;
  readonly #folder: string;
  readonly #claims: Claim[];

  /** Takes up what a predecessor has left. */
  constructor(deps: SignalDeps) {
    this.#deps = deps;
    this.#folder = join(deps.project.dir, 'claimed');
    this.#claims = namesIn(this.#folder).flatMap((name) => this.#inherit(name));
  }

  /** Takes a file as the answer to a request, if it can be moved. It is acted on by {@link settle}. */
  take(path: string, requestId: string, stamp: Stamp): void {
    // Written anew since it was read: that one is read in its turn.
    if (stampOf(path)?.key !== stamp.key) return;
    const label = labelOf(this.#deps, path);
    const name = claimName(label, requestId);
    const claim = { path: join(this.#folder, name), label, requestId, isInherited: false };
    const taken = changeFile(this.#deps, path, 'take', (file) => {
      makeOwnFolder(this.#folder);
      moveFile(file, claim.path);
      return true;
    });
    if (taken) this.#claims.push(claim);
  }

  /** Hands every claim to the log. One that is still being written stays until it is finished. */
  async settle(): Promise<void> {
    for (const claim of this.#claims.slice()) {
      const isSettled = await this.#settle(claim);
      if (isSettled) this.#claims.splice(this.#claims.indexOf(claim), 1);
    }
  }

  async #settle(claim: Claim): Promise<boolean> {
    const { path, label, requestId } = claim;
    const reading = readAnswer(this.#deps.reader, path, label);
    if (reading.state === 'unfinished') return false;
    if (reading.state === 'absent' || reading.state === 'refused') return true;
    const request = requestById(this.#deps.project.state, requestId);
    const where = request ? { label, stream: request.stream } : { label };
    const reject = async (reason: string) => {
      await rejectFile(this.#deps, path, { reason, stamp: reading.stamp, ...where });
      return true;
    };
    if (reading.state === 'bad') return reject(reading.reason);
    if (!request) return reject(unknownReason(requestId));
    const unfit = unfitReason(request, reading.value);
    if (unfit !== undefined) return reject(unfit);
    const outcome = await giveAnswer(this.#deps.project, request, reading.value);
    const isOurs =
      outcome.accepted ||
      (claim.isInherited && outcome.request.answer?.via === 'file' && isSame(outcome.request, reading.value));
    if (!isOurs) return reject(lateReason(outcome.request));
    const received = { label, kind: reading.value.kind, digest: reading.digest };
    if (outcome.accepted || !(await wasReceived(this.#deps.project, request, received)))
      await recordReceived(this.#deps.project, request.stream, received);
    rmSync(path, { force: true });
    return true;
  }

  #inherit(name: string): Claim[] {
    const claimed = parseClaimName(name);
    return claimed ? [{ path: join(this.#folder, name), ...claimed, isInherited: true }] : [];
  }
}

/** Says what the file was called and which request it answers. Without its folder, where that is too long. */
function claimName(label: string, requestId: string): string {
  const unique = randomBytes(4).toString('hex');
  const named = (each: string) => [each, requestId, unique].map(encodeURIComponent).join('@');
  return named(label).length > MAX_NAME_LENGTH ? named(basename(label)) : named(label);
}

function parseClaimName(name: string): { label: string; requestId: string } | undefined {
  try {
    const [label, requestId, unique] = name.split('@').map(decodeURIComponent);
    return label && requestId && unique ? { label, requestId } : undefined;
  } catch {
    // Not one of ours.
    return undefined;
  }
}
