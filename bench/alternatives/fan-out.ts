/** One event to many sockets: frames that are written directly, compared with a broadcast of Socket.IO. */
import { createMessageEvent } from '../fixtures/conversations.ts';
import { startChild } from '../harness/child.ts';
import type { BenchContext } from '../harness/context.ts';
import type { Figure } from '../harness/report.ts';
import { calculateMedianBy, calculateRatio, getCpuMs, interleave, type LoadSample } from '../harness/rounds.ts';
import { startSockets } from '../harness/sockets.ts';
import type { FanOutJob } from '../servers/fan-out.ts';

const EMITS_PER_SECOND = 4;

export async function measureFanOutAlternative({ options, logProgress }: BenchContext): Promise<Figure[]> {
  const listeners = options.isQuick ? 500 : 5_000;
  const sockets = await startSockets();
  const server = await startChild('servers/fan-out.ts');
  const headers = Array.from({ length: listeners }, (_, n) => `x-listener: ${n}`);
  await sockets.open({ open: 'listeners', port: server.port, isSocketIo: true, headers });
  const event = createMessageEvent();
  const createVariant =
    (isDirect: boolean) =>
    async (seconds: number): Promise<LoadSample> => {
      const emits = seconds * EMITS_PER_SECOND;
      const count = emits * listeners;
      const before = await server.usage();
      await server.request({ ...event, emits, perSecond: EMITS_PER_SECOND, isDirect } satisfies FanOutJob);
      await sockets.await({ await: 'listeners', events: count });
      const cpuMs = ((await server.usage()).cpuMs - before.cpuMs) / count;
      return { rate: count / seconds, cpuMs, nodeMs: cpuMs, p50Ms: 0, p99Ms: 0, count };
    };
  const variants = { direct: createVariant(true), broadcast: createVariant(false) };
  const { direct, broadcast } = await interleave(options, variants, logProgress);
  for (const child of [server, sockets]) await child.stop();
  const format = (samples: readonly LoadSample[]) => `${(calculateMedianBy(samples, getCpuMs) * 1000).toFixed(1)} µs`;
  return [
    {
      name: `a delivery to ${listeners.toLocaleString('en')} sockets: direct frames ÷ Socket.IO’s broadcast`,
      ours: format(direct),
      limit: format(broadcast),
      ratio: calculateRatio(direct, broadcast, getCpuMs),
      aim: { atMost: 0.7 },
    },
  ];
}
