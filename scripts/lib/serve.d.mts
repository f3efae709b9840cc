export const serverArguments: string[];
export function serverEnvironment(env?: Record<string, string | undefined>): Record<string, string | undefined>;
