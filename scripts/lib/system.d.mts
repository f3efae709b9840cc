export function findChromium(): string | undefined;
export function ensurePrograms(say?: (text: string) => void): Promise<void>;
