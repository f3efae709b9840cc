import { type OfferBody, offerBody } from '@stagedoor/contract/content/subscription-offers.ts';
import type { OfferAudience, OwnTier } from '@stagedoor/contract/content/subscription-tiers.ts';
import { parseInteger } from '@stagedoor/contract/shared/money-input.ts';
import { validateFields } from '../../../platform/forms.ts';
import { parseWallTime, toWallTime, type WallTime } from '../../../ui/zoned-time.ts';
import * as texts from './texts.ts';
import type { FieldErrors } from './use-draft.ts';

const DAY_MS = 86_400_000;
const PROPOSED_DAYS = 30;

/** What is typed. An empty tier means all paid ones, an empty number of uses any number. */
export type OfferDraft = {
  code: string;
  percentOff: string;
  periods: string;
  tierId: OwnTier['id'] | '';
  audience: OfferAudience;
  maxUses: string;
  /** In the creator's time zone. */
  until: WallTime;
};

/** A new offer ends at the end of the 30th day. */
export function createOfferDraft(nowMs: number, zone: string): OfferDraft {
  const lastDay = toWallTime(new Date(nowMs + PROPOSED_DAYS * DAY_MS), zone).slice(0, 10);
  return {
    ...{ code: '', percentOff: '', periods: '1', tierId: '', audience: 'everyone', maxUses: '' },
    until: `${lastDay}T23:59`,
  };
}

const parseNumber = (text: string) => parseInteger(text) ?? Number.NaN;

/** Numbers that cannot be read are NaN, which the schema refuses. */
export function toOfferBody({ code, tierId, audience, until, ...typed }: OfferDraft, zone: string): OfferBody {
  return {
    code,
    percentOff: parseNumber(typed.percentOff),
    periods: parseNumber(typed.periods),
    tierId: tierId === '' ? null : tierId,
    audience,
    maxUses: typed.maxUses.trim() === '' ? null : parseNumber(typed.maxUses),
    endsAt: parseWallTime(until, zone)?.instant.toISOString() ?? '',
  };
}

/** The keys are the fields of the request. */
export function findOfferErrors(draft: OfferDraft, zone: string): FieldErrors {
  const body = toOfferBody(draft, zone);
  const errors = validateFields(offerBody, body);
  return 'endsAt' in errors ? { ...errors, endsAt: texts.chooseEnd } : errors;
}
