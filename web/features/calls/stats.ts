/** Reads connection statistics (W3C "Identifiers for WebRTC's Statistics API"). */
import type { Sample } from './quality.ts';

type Numbers = Readonly<Record<string, unknown>>;
const numberIn = (report: Numbers, name: string) => {
  const value = report[name];
  return typeof value === 'number' ? value : undefined;
};

export function readStats(stats: RTCStatsReport): Sample & { received: number } {
  let received = 0;
  let loss = 0;
  let available: number | undefined;
  stats.forEach((report: Numbers) => {
    if (report.type === 'inbound-rtp') received += numberIn(report, 'packetsReceived') ?? 0;
    if (report.type === 'remote-inbound-rtp') loss = Math.max(loss, numberIn(report, 'fractionLost') ?? 0);
    if (report.type === 'candidate-pair' && report.nominated === true)
      available = numberIn(report, 'availableOutgoingBitrate') ?? available;
  });
  return { received, loss, available };
}
