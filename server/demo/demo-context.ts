import type { PastApp } from './past-app.ts';

export type DemoContext = {
  pastApp: PastApp;
  /** Time of the first start. */
  epoch: Date;
  passwordHash: string;
  readArt: (name: string) => Promise<Buffer>;
  printProgress: () => void;
  ids: Map<string, string>;
};
