export function ensureWebBuild(say?: (text: string) => void): Promise<{ built: boolean }>;
