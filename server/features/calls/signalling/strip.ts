/**
 * What a browser says of its addresses, taken out of what goes to the other side: all but the relay's. A relay's candidate says
 * besides from where it was reached (`raddr`), which is the person's own.
 */

/** A candidate without what it must not tell; undefined for one that is not the relay's. */
export function relayCandidate(candidate: string): string | undefined {
  // The end of them.
  if (candidate.trim() === '') return candidate;
  if (!/\styp relay(?:\s|$)/.test(candidate)) return undefined;
  return candidate.replace(/\sraddr \S+/, ' raddr 0.0.0.0').replace(/\srport \S+/, ' rport 0');
}

function line(text: string): string | undefined {
  if (text.startsWith('a=candidate:')) return relayCandidate(text);
  if (text.startsWith('a=remote-candidates')) return undefined;
  if (text.startsWith('c=')) return 'c=IN IP4 0.0.0.0';
  if (text.startsWith('a=rtcp:')) return 'a=rtcp:9 IN IP4 0.0.0.0';
  if (text.startsWith('o=')) return text.replace(/\sIN IP[46] \S+$/, ' IN IP4 127.0.0.1');
  return text;
}

/** A session description (RFC 8866) whose only addresses are the relay's. */
export function relayDescription(sdp: string): string {
  return sdp
    .split(/\r\n|\n|\r/)
    .flatMap((text) => line(text) ?? [])
    .join('\r\n');
}
