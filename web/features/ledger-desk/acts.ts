import { formatCents } from '@stagedoor/contract/atoms/money.ts';
import {
  DESK_PATHS,
  ledgerAccountPath,
  ledgerSearchPath,
  ledgerTransactionPath,
  payoutCasePath,
  verificationCasePath,
} from '@stagedoor/contract/desk-addresses.ts';

/** Converts `secondApprover` to `Second approver`. */
function spaced(name: string): string {
  const words = name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Converts `payoutBatch.send` to `Payout batch: send`. */
export function actWords(act: string): string {
  const [subject = act, done] = act.split('.');
  return done === undefined ? spaced(subject) : `${spaced(subject)}: ${spaced(done).toLowerCase()}`;
}

export function factWords([name, value]: [string, unknown]): { name: string; value: string } {
  if (name === 'alone' && value === true) return { name: 'Single approval', value: 'No one else could approve' };
  if (typeof value === 'number' && /^cents$|Cents$/.test(name))
    return { name: name === 'cents' ? 'Amount' : spaced(name.replace(/Cents$/, '')), value: formatCents(value) };
  return { name: spaced(name), value: value === null ? 'None' : String(value) };
}

const PLACES: Readonly<Record<string, (id: string) => string>> = {
  account: (id) => (id.includes(':') ? ledgerAccountPath(id) : ledgerSearchPath(id)),
  creator: verificationCasePath,
  payout: payoutCasePath,
  payoutBatch: (id) => `${DESK_PATHS.adminPayouts}?batchId=${id}`,
  person: ledgerSearchPath,
  transaction: ledgerTransactionPath,
};

export const placeOf = (subjectKind: string, id: string): string | undefined => PLACES[subjectKind]?.(id);
