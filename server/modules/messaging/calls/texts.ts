// account-deletion
export const endCallFirst = 'You’re in a call. End it first.';

// admin
export const callHasEnded = 'This call has ended.';

// call/actions
export const callEndedOrAnsweredElsewhere = 'This call has ended or was answered on another device.';
export const pageOutOfDate = 'This page is out of date. Reload it.';

// call/start
export const callIdAlreadyUsed = 'This ID was used for another call.';
export const tooManyCallsThisHour = 'Too many calls this hour. Try again later.';
export const tooManyFreeCalls =
  'You’ve had several calls under {freeSeconds} seconds with this creator today. {availableAgain}';
export const availableAfterMidnight = 'You can call again after midnight UTC.';
export const availableAgainAt = 'Available again: {time}.';
export const onlyConversationsCall = 'This creator takes calls from people they chat with. Send a message first.';
export const onlyFollowersCall = 'This creator takes calls from followers. Follow them to call.';
export const onlyBuyersCall = 'This creator takes calls from fans who tipped or bought something before.';
export const onlySubscribersCall = 'This creator takes calls from subscribers. Subscribe to call.';
export const tierGone = 'This tier was deleted. Choose another one.';
export const creatorNoLongerOffersCalls = 'This creator no longer offers these calls.';
export const minimumMinutes = '{count} minutes';
export const insufficientCallFunds = 'You need at least {amount} ({minutes} min).';
export const callSpendingLimitTooLow = 'Your {limitName} leaves less than {duration}.';
export const alreadyInCall = 'You’re already in a call.';
export const creatorBlockedByYou = 'You blocked this creator.';

// call/step
export const callChargeNote = '{callType} call, {duration} at {rate} a minute';

// data-export
export const callPrices = 'Call prices';
export const callPricesExportDescription = 'Your prices per minute, when you take calls, and who may call.';
export const callsExportDescription = 'Your calls and what they cost. Calls are not recorded.';

// history/lists
export const callbackOnlyForMissedCalls = 'You can only request a callback for missed calls.';
export const userBlockedByYou = 'You blocked this person.';

// terms/call-settings
export const paidCalls = 'Paid calls';
