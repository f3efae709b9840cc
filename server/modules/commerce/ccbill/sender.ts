import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';

/** Compares in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

export function createNetworkCheck(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/', 2);
    const family = isIP(network);
    if (family === 0) throw new Error(`not a network: ${range}`);
    list.addSubnet(
      network,
      bits === undefined ? (family === 4 ? 32 : 128) : Number(bits),
      family === 4 ? 'ipv4' : 'ipv6',
    );
  }
  return (address) => {
    const family = isIP(address);
    return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6');
  };
}
