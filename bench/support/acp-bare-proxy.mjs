// The smallest program between an editor and its agent: each line is read as JSON and passed on.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [command = '', ...args] = process.argv.slice(2);
const agent = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
passOn(process.stdin, agent.stdin);
passOn(agent.stdout, process.stdout);
process.stdin.on('end', () => agent.stdin.end());

function passOn(from, to) {
  createInterface({ input: from }).on('line', (line) => to.write(`${JSON.stringify(JSON.parse(line))}\n`));
}
