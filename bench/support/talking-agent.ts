import { setTimeout as pause } from 'node:timers/promises';

/** An agent that prints so many bytes a second, as lines with colours, until its stdout ends. */
const rate = Number(process.argv[2] ?? 1_000_000);

process.stdout.on('error', () => process.exit());
const start = performance.now();
let lines = 0;
for (let printed = 0; ;) {
  const due = ((performance.now() - start) / 1_000) * rate - printed;
  let text = '';
  while (text.length < due) text += lineOf((lines += 1));
  printed += text.length;
  if (text !== '' && !process.stdout.write(text))
    await new Promise((drained) => process.stdout.once('drain', drained));
  await pause(10);
}

function lineOf(number: number): string {
  const path = `src/pages/checkout/step-${number % 97}.ts`;
  return `\u001B[32m✓\u001B[39m ${path} \u001B[2m(${number % 13} tests)\u001B[22m passed ${number} in ${number % 41} ms, nothing is left to do\n`;
}
