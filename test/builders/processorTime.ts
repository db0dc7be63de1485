/** Returns the processor's milliseconds so far: those that other programs take do not count. */
export const processorMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Returns the processor's milliseconds that something takes: the least of three tries, or the first that is short enough. */
export const timeOf = (act: () => void, enoughMs = 0): number => {
  let least = Infinity;
  for (let tries = 0; tries < 3 && least > enoughMs; tries++) {
    const start = processorMs();
    act();
    least = Math.min(least, processorMs() - start);
  }
  return least;
};
