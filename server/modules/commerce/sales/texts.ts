// refund
export const nothingLeftToRefund = 'Nothing is left to refund.';
