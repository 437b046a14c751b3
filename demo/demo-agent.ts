process.stderr.write('Cannot work on a task: this version has no demo agent\n');
process.exitCode = 1;

export {};
