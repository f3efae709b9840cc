import type { ModuleHost } from '../../../platform/http/routing.ts';
import { startPresence } from './service.ts';

export function register({ ctx }: ModuleHost): void {
  startPresence(ctx);
}
