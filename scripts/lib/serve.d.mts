export const serverArguments: string[];
export function createServerEnvironment(env?: Record<string, string | undefined>): Record<string, string | undefined>;
