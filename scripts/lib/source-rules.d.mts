export function breaches(path: string, text: string): string[];
export function checkSources(): string[];
