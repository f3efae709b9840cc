/** How the server's process is started: by `npm start`, and by whatever measures it. */
import { join } from 'node:path';
import { cacheFolder, root } from './project.mjs';

/**
 * What comes before the server's own arguments. V8 lets the room for new objects grow to 48 MB, which pages, made and
 * forgotten at once, fill: with 12 MB the process holds 40 to 100 MB less under load, and a page costs no more.
 * What outlives that room is tidied when it has grown by three tenths: left to itself V8 lets it grow fourfold, up to the machine's size,
 * and 60 MB in use stand as 200 that are not.
 */
export const serverArguments = [
  '--max-semi-space-size=4',
  '--heap-growing-percent=30',
  join(root, 'server', 'main.ts'),
];

/**
 * The environment with the place for compiled code, and how many heaps the C library keeps for its threads, unless it says so itself:
 * left to itself it keeps eight for each processor, of which each holds on to what was freed, some 15 MB after load.
 */
export function serverEnvironment(env = process.env) {
  return {
    ...env,
    NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE ?? join(cacheFolder, 'compile'),
    MALLOC_ARENA_MAX: env.MALLOC_ARENA_MAX ?? '2',
  };
}
