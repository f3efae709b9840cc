/** Every room, ground first. */
import type { Server } from '../kernel/bind.ts';

type Register = (server: Server) => Promise<void> | void;

export const FEATURES: readonly Register[] = [];
