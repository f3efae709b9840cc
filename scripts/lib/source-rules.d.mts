export function isTest(path: string): boolean;
export function listFilesBelow(folder: string): string[];
export function stripComments(text: string): string;
export function listBreaches(path: string, text: string): string[];
export function checkSources(): string[];
