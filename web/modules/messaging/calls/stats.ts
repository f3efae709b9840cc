/** Reads connection statistics (W3C "Identifiers for WebRTC's Statistics API"). */
import type { ConnectionSample } from './quality.ts';

type StatsEntry = Readonly<Record<string, unknown>>;
const getNumber = (report: StatsEntry, name: string) => {
  const value = report[name];
  return typeof value === 'number' ? value : undefined;
};

export function toConnectionSample(stats: RTCStatsReport): ConnectionSample & { received: number } {
  let received = 0;
  let loss = 0;
  let available: number | undefined;
  stats.forEach((report: StatsEntry) => {
    if (report.type === 'inbound-rtp') received += getNumber(report, 'packetsReceived') ?? 0;
    if (report.type === 'remote-inbound-rtp') loss = Math.max(loss, getNumber(report, 'fractionLost') ?? 0);
    if (report.type === 'candidate-pair' && report.nominated === true)
      available = getNumber(report, 'availableOutgoingBitrate') ?? available;
  });
  return { received, loss, available };
}
