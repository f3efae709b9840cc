/** What browsers and Node both bring, of what the contract reads: neither's types belong here. */
interface URL {
  readonly href: string;
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly hostname: string;
  readonly port: string;
}
declare const URL: { new (address: string): URL };
