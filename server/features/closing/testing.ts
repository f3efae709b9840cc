export { closeDue, erase } from './service.ts';
export { closingSteps } from './steps.ts';
