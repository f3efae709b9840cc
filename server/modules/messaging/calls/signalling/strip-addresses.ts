/**
 * Removes a browser's own addresses from signals for the other side and leaves only those of the relay. A relay
 * candidate also contains the user's own address (`raddr`).
 */

export function relayCandidate(candidate: string): string | undefined {
  // An empty candidate marks the end of the candidates.
  if (candidate.trim() === '') return candidate;
  if (!/\styp relay(?:\s|$)/.test(candidate)) return undefined;
  return candidate.replace(/\sraddr \S+/, ' raddr 0.0.0.0').replace(/\srport \S+/, ' rport 0');
}

function stripLine(text: string): string | undefined {
  if (text.startsWith('a=candidate:')) return relayCandidate(text);
  if (text.startsWith('a=remote-candidates')) return undefined;
  if (text.startsWith('c=')) return 'c=IN IP4 0.0.0.0';
  if (text.startsWith('a=rtcp:')) return 'a=rtcp:9 IN IP4 0.0.0.0';
  if (text.startsWith('o=')) return text.replace(/\sIN IP[46] \S+$/, ' IN IP4 127.0.0.1');
  return text;
}

export function relayDescription(sdp: string): string {
  return sdp
    .split(/\r\n|\n|\r/)
    .flatMap((text) => stripLine(text) ?? [])
    .join('\r\n');
}
