import {
  ADMIN_PATHS,
  adminPayoutPath,
  adminSubscriptionPath,
  adminVerificationPath,
  ledgerAccountPath,
  ledgerSearchPath,
  ledgerTransactionPath,
} from '@stagedoor/contract/admin/addresses.ts';
import { formatCents } from '@stagedoor/contract/shared/money.ts';

/** Converts `secondApprover` to `Second approver`. */
function toSentenceCase(name: string): string {
  const text = name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Converts `payoutBatch.send` to `Payout batch: send`. */
export function formatAction(action: string): string {
  const [subject = action, verb] = action.split('.');
  return verb === undefined
    ? toSentenceCase(subject)
    : `${toSentenceCase(subject)}: ${toSentenceCase(verb).toLowerCase()}`;
}

export function formatDetail([name, value]: [string, unknown]): { name: string; value: string } {
  if (name === 'alone' && value === true) return { name: 'Single approval', value: 'No one else could approve' };
  if (typeof value === 'number' && /^cents$|Cents$/.test(name))
    return {
      name: name === 'cents' ? 'Amount' : toSentenceCase(name.replace(/Cents$/, '')),
      value: formatCents(value),
    };
  return { name: toSentenceCase(name), value: value === null ? 'None' : String(value) };
}

const SUBJECT_PATHS: Readonly<Record<string, (id: string) => string>> = {
  account: (id) => (id.includes(':') ? ledgerAccountPath(id) : ledgerSearchPath(id)),
  creator: adminVerificationPath,
  payout: adminPayoutPath,
  subscription: adminSubscriptionPath,
  payoutBatch: (id) => `${ADMIN_PATHS.adminPayouts}?batchId=${id}`,
  user: ledgerSearchPath,
  transaction: ledgerTransactionPath,
};

export const findSubjectPath = (subjectKind: string, id: string): string | undefined =>
  SUBJECT_PATHS[subjectKind]?.(id);
