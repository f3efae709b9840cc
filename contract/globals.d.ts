/** Globals that browsers and Node share. The contract includes the type libraries of neither. */
interface URL {
  readonly href: string;
  readonly origin: string;
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}
declare const URL: { new (address: string, base?: string): URL };
