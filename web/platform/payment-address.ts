/** The browser may be sent only to http and https addresses. */
export function isPaymentAddress(text: unknown): text is string {
  if (typeof text !== 'string' || !/^https?:\/\//i.test(text)) return false;
  try {
    return new URL(text).host !== '';
  } catch {
    return false;
  }
}
