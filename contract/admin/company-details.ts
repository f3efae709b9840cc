/** The details of the company that runs the platform, which the legal texts print. */
import * as z from 'zod/mini';
import { route } from '../shared/route.ts';
import { singleLineText } from '../shared/single-line-text.ts';

/** Empty details are omitted from the texts and shown to the operator as missing. */
export const COMPANY_DETAIL_KEYS = [
  'company',
  'address',
  'country',
  'contactMail',
  'dmcaAgent',
  'dmcaAddress',
  'dmcaMail',
  'dmcaPhone',
  'custodian',
  'custodianAddress',
  'custodianHours',
] as const;
export type CompanyDetailKey = (typeof COMPANY_DETAIL_KEYS)[number];

const detail = z._default(singleLineText(200), '');
const mail = z._default(
  singleLineText(200).check(
    z.refine((text) => text === '' || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text), 'Invalid email'),
  ),
  '',
);
export const companyDetails = z.object({
  company: detail,
  address: detail,
  country: detail,
  contactMail: mail,
  dmcaAgent: detail,
  dmcaAddress: detail,
  dmcaMail: mail,
  dmcaPhone: detail,
  custodian: detail,
  custodianAddress: detail,
  custodianHours: detail,
});
export type CompanyDetails = z.infer<typeof companyDetails>;

const companyDetailsView = z.object({
  details: z.record(z.enum(COMPANY_DETAIL_KEYS), z.string()),
  missingKeys: z.array(z.enum(COMPANY_DETAIL_KEYS)),
});
export const getCompanyDetails = route({
  method: 'GET',
  path: '/admin/company',
  summary: 'Retrieve the company details shown in the legal texts',
  auth: 'operator',
  rate: 'read',
  response: companyDetailsView,
});
export const updateCompanyDetails = route({
  method: 'POST',
  path: '/admin/company',
  summary: 'Update the company details. Fails with CONFLICT if the values have changed',
  auth: 'operator',
  rate: 'write',
  body: z.object({ from: companyDetails, to: companyDetails }),
  response: companyDetailsView,
  errors: ['CONFLICT'],
});
