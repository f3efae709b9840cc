// journal-export
export const journalDownloaded = 'Journal downloaded.';
export const verifyYourRecords = 'Verify your records';
export const publicLogExplanation =
  'Every transaction is recorded in a public, append-only log. We sign a checkpoint every minute, so past entries can’t be changed without anyone noticing.';
export const journalExplanation =
  'Your journal is a file with all your entries and the proof that each is in that log: sales and refunds, cleared earnings, payouts and returned payouts, outstanding balances and repayments, corrections, and referral earnings.';
export const downloadStep = 'Download your journal below.';
export const publicKeyStep = 'Save {keyLink} once. Anything signed with a different key isn’t from us.';
export const ourPublicKey = 'our public key';
export const verifyStep =
  'In a copy of our source code, run {command}. It works offline, shows how many entries are proven, and adds them up.';
export const completenessHint =
  'This proves that nothing in the file was changed. To check that it’s complete, compare the total with your pending, available and reserved balance, minus what you owe. Entries from the last few minutes may be missing.';
export const saving = 'Saving…';
export const downloadYourJournal = 'Download your journal';

// proof
export const checkingTheLedger = 'Checking the ledger…';
export const ledgerCheckError = 'Couldn’t check the ledger.';
export const tryAgain = 'Try again';
export const notRecordedYet = 'Not recorded yet. This takes about a minute.';
export const verifiedAgainstCheckpoint = 'Verified against checkpoint of {time}';
export const mismatchedCheckpoint = 'Doesn’t match the checkpoint of {time}. Contact support.';
export const entryPosition = 'Entry {position}';
