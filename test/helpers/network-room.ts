import { execFileSync } from 'node:child_process';

/** Runs `ip`. @throws what it says when it cannot. */
function ip(...args: readonly string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
}

/** Why no network of its own can be made on this machine; `undefined`: one can. */
export function whyNoNetworkRoom(): string | undefined {
  const room = new NetworkRoom();
  try {
    room.make();
    room.remove();
    return undefined;
  } catch {
    return 'it takes root and the program ip, of the package iproute2';
  }
}

/** A network of its own for programs, with one cable to this machine. */
export class NetworkRoom {
  readonly #name = `clifford-${process.pid}`;
  readonly #cable = `cliff${process.pid}`;
  /** A network of four addresses that nobody else here has. */
  readonly #net = `10.231.${process.pid % 256}.${(Math.floor(process.pid / 256) % 64) * 4}`;

  /** This machine, as seen from the room. */
  get host(): string {
    return this.#address(1);
  }

  /** What stands before the command line of a program that is to run in it. */
  get by(): readonly string[] {
    return ['ip', 'netns', 'exec', this.#name];
  }

  make(): void {
    const inside = `${this.#cable}in`;
    ip('netns', 'add', this.#name);
    ip('link', 'add', this.#cable, 'type', 'veth', 'peer', 'name', inside, 'netns', this.#name);
    ip('address', 'add', `${this.host}/30`, 'dev', this.#cable);
    ip('link', 'set', this.#cable, 'up');
    ip('-n', this.#name, 'address', 'add', `${this.#address(2)}/30`, 'dev', inside);
    ip('-n', this.#name, 'link', 'set', inside, 'up');
    ip('-n', this.#name, 'link', 'set', 'lo', 'up');
  }

  /** Nothing comes through any more, and nobody is told. */
  unplug(): void {
    ip('link', 'set', this.#cable, 'down');
  }

  plugIn(): void {
    ip('link', 'set', this.#cable, 'up');
  }

  remove(): void {
    ip('netns', 'delete', this.#name);
  }

  #address(host: number): string {
    const [a, b, c, d] = this.#net.split('.').map(Number);
    return [a, b, c, (d ?? 0) + host].join('.');
  }
}
