export function isTest(path: string): boolean;
export function filesBelow(folder: string): string[];
export function withoutComments(text: string): string;
export function breaches(path: string, text: string): string[];
export function checkSources(): string[];
