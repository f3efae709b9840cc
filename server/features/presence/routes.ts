import type { ModuleHost } from '../../kernel/routing.ts';
import { startPresence } from './service.ts';

export function register({ ctx }: ModuleHost): void {
  startPresence(ctx);
}
