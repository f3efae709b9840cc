export function findChromium(): string | undefined;
export function findJourneysChromium(): string | undefined;
export function findFirefox(): string | undefined;
export function findTurnServer(): string | undefined;
export function findWebKit(): string | undefined;
export interface Program {
  name: string;
  find: () => string | undefined;
  /** Paths of test files that need it. */
  paths?: RegExp;
  /** What the code of test files that need it says. */
  text?: RegExp;
  without?: string;
  apt: string[];
  brew: string;
}
export const programs: readonly Program[];
export function ensurePrograms(optional?: readonly Program[], print?: (text: string) => void): Promise<void>;
