import type { Server } from '../../kernel/bind.ts';
import { watchPresence } from './service.ts';

export function register({ ctx }: Server): void {
  watchPresence(ctx);
}
