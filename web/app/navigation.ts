import type { UserType } from '@stagedoor/contract/identity/accounts.ts';
import type { FeatureModule, NavEntry } from '../platform/module.ts';
import { MODULES } from './modules.ts';

const listNavEntries = (type: UserType): readonly NavEntry[] =>
  MODULES.flatMap(({ nav }) => nav?.[type] ?? []).sort((a, b) => a.order - b.order);

export const NAV: Readonly<Record<UserType, readonly NavEntry[]>> = {
  customer: listNavEntries('customer'),
  creator: listNavEntries('creator'),
  operator: listNavEntries('operator'),
};

export const WIDGETS: NonNullable<FeatureModule['widget']> = Object.fromEntries(
  MODULES.flatMap(({ widget }) => Object.entries(widget ?? {})),
);
