// Loaded into olliesrv by its test: on SIGUSR2 it collects garbage and says how much heap is in use.
process.on('SIGUSR2', () => {
  globalThis.gc();
  process.stderr.write(`heap=${process.memoryUsage().heapUsed}\n`);
});
