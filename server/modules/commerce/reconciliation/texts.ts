// settlements
export const settlementAlreadyRecorded =
  '{reference} is already recorded: {receivedAmount} received on {day}, {feeAmount} in fees. If that’s wrong, reverse it first.';
export const settlementAmountRequired = 'Enter an amount received or a fee.';
export const dateInFuture = 'This date is in the future.';
export const settlementExceedsBalance =
  'The processor owes {owedAmount}, but this settlement is {settlementAmount}. Check the amounts and for missing records.';
export const settlementAlreadyReversed = 'This was already reversed.';
