/** What tests hold the tables to. */
export { STORED } from './texts/stored.ts';
