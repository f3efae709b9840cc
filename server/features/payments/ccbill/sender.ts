/** Whether a post can come from CCBill: the secret in its address, and the networks it sends from. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { BlockList, isIP } from 'node:net';

/** Compares without telling by the time it takes how much was right. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** Makes the check of an address against networks such as `64.38.212.0/24`; addresses alone are taken as themselves. */
export function networkCheck(ranges: readonly string[]): (address: string) => boolean {
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
