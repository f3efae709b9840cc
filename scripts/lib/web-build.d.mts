export function ensureWebBuild(print?: (text: string) => void): Promise<{ built: boolean }>;
