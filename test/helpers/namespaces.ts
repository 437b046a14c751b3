import { spawnSync } from 'node:child_process';

/** An address that no interface of the machine of {@link otherNetwork} has, by which its processes may call all the same. */
export const ELSEWHERE = '198.51.100.7';

/** What becomes a program in a network of its own, in which a process that calls from {@link ELSEWHERE} is one of another machine. */
export const otherNetwork = [
  'unshare',
  '--map-root-user',
  '--net',
  'sh',
  '-c',
  `ip link set lo up && ip route add local ${ELSEWHERE} dev lo && exec "$@"`,
  'sh',
];

/** What becomes a program that cannot see the open files of processes outside, whoever it is, root included. */
export const otherUsers = ['unshare', '--map-root-user'];

/** What becomes a program that sees no processes but those that it starts, which end with it. */
export const ownProcesses = ['unshare', '--map-root-user', '--pid', '--fork', '--mount-proc', '--kill-child'];

/** What becomes a program that finds its machine started anew: the boot has the id in this file. */
export function anotherBoot(bootFile: string): string[] {
  const command = 'mount --bind "$0" /proc/sys/kernel/random/boot_id && exec "$@"';
  return ['unshare', '--map-root-user', '--mount', 'sh', '-c', command, bootFile];
}

/** What becomes a program in the network of a process that was started by {@link otherNetwork}. */
export function inNetworkOf(pid: number): string[] {
  return ['nsenter', `--target=${pid}`, '--user', '--net', '--preserve-credentials'];
}

/** Whether this machine lets such be made. */
export const hasNamespaces = works([...otherNetwork, 'true']) && works([...ownProcesses, 'true']);

function works([program = '', ...args]: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
