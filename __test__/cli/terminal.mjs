// Loaded before the command: it sees terminals where the test has pipes.
for (const stream of [process.stdout, process.stderr]) Object.defineProperty(stream, 'isTTY', { value: true });
