/** Sends the port (0: none) to the parent and answers its requests. `handle` answers those that are not about usage. */
export function respondToParent(
  port: number,
  handle: (question: unknown) => Promise<unknown> = async () => undefined,
): void {
  const send = (message: object) => void process.send?.(message);
  process.on('message', async (question: unknown) => {
    if (typeof question === 'object' && question !== null && 'usage' in question) {
      const { user, system } = process.cpuUsage();
      send({ answer: { cpuMs: (user + system) / 1000, rssMb: process.memoryUsage.rss() / 1024 / 1024 } });
      return;
    }
    try {
      send({ answer: await handle(question) });
    } catch (error) {
      console.error(error);
      process.exit(1);
    }
  });
  process.on('disconnect', () => process.exit(0));
  send({ ready: port });
}
