export function findChromium(): string | undefined;
export function findJourneysChromium(): string | undefined;
export function findFirefox(): string | undefined;
export function findTurnServer(): string | undefined;
export function findWebKit(): string | undefined;
export function ensurePrograms(say?: (text: string) => void): Promise<void>;
