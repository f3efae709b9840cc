// book
export const receivedAtBank = 'Received at bank';
export const bankAmountHint = 'As on the bank statement';
export const processorFees = 'Processor fees';
export const processorFeesHint = 'Kept by the processor. 0 for none.';
export const chargebackFees = 'Chargeback fees';
export const settlementRecorded = '{reference} recorded. The processor owes us {gross} less.';
export const recordSettlement = 'Record settlement';
export const reference = 'Reference';
export const referenceHint = 'From the processor’s statement';
export const bankDate = 'Bank date';
export const bankDateHint = 'The date on the bank statement';
export const owedToUsNow = 'Owed to us now';
export const thisSettlement = 'This settlement';
export const owedAfterwards = 'Owed afterwards';
export const recording = 'Recording…';
export const recordGross = 'Record {gross}';
export const recordButton = 'Record';

// rows
export const ledgerBalances = 'Ledger balances';
export const movements = 'Movements';
export const settlementReversed = '{reference} reversed. You can record it again.';
export const reverse = 'Reverse';
export const reverseGross = 'Reverse {gross}';
export const reverseConsequence =
  'The processor owes the amount again and the bank balance goes down. The settlement stays in the list, struck through.';
export const correction = 'Correction';
export const reason = 'Reason';
export const viewTransaction = 'View transaction';
export const settlements = 'Settlements';
export const dayAndFees = '{day} · {fees} in fees';
export const reversed = 'Reversed';
export const recorded = 'Recorded';
export const totalSettled = 'Total settled';
export const inTheLedger = 'In the ledger';
