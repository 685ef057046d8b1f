// Loaded into olliesrv by its test: on SIGUSR2 it collects garbage and says how many bytes are in use, buffers outside the heap included.
process.on('SIGUSR2', () => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.stderr.write(`heap=${heapUsed + external}\n`);
});
