// datalink
export const ccbillFailed = 'CCBill failed to do it';
export const dataLinkNotSetUp = 'DataLink is not set up for this account';
export const ccbillResultUnknown = 'CCBill didn’t confirm whether the request was completed';
export const ccbillAnswered = 'CCBill answered {result}';
export const dataLinkFailed = 'DataLink failed';

// verify
export const yourCardWasDeclined = 'Your card was declined.';
export const bankDeclinedCard = 'Your bank declined the card.';
export const cardDetailsNotAccepted = 'The card details were not accepted.';
export const paymentWasDeclined = 'The payment was declined.';
