/** What tests do by hand that the clock does otherwise. */
export { closeDue, erase } from './service.ts';
export { closingSteps } from './steps.ts';
