import type { UserType } from '@stagedoor/contract/accounts.ts';
import type { NavEntry, Room } from '../kernel/room.ts';
import { MODULES } from './modules.ts';

const navOf = (type: UserType): readonly NavEntry[] =>
  MODULES.flatMap(({ nav }) => nav?.[type] ?? []).sort((a, b) => a.order - b.order);

export const NAV: Readonly<Record<UserType, readonly NavEntry[]>> = {
  customer: navOf('customer'),
  creator: navOf('creator'),
  operator: navOf('operator'),
};

export const WIDGETS: NonNullable<Room['widget']> = Object.fromEntries(
  MODULES.flatMap(({ widget }) => Object.entries(widget ?? {})),
);
