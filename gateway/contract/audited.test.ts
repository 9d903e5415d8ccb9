import type { TSchema } from '@sinclair/typebox';
import { ACTING_GETS } from '../plugins/crossSite';
import { calls } from './calls';
import type { CallContract, CallKey } from './contract';

/** Calls that act and still leave no row in the audit table, and why that is right. */
const unaudited: Partial<Record<keyof typeof calls, string>> = {
  'POST /gateway/account/setAlert': 'a wish to be told; it moves neither money nor rights',
  'POST /gateway/dcuChange/pageFind': 'reads; it is a POST for its many filters',
  'POST /gateway/order/previewSku': 'reads a price; it is a POST as the specification has it',
  'POST /gateway/order/estimateSkuPrice': 'reads a price; it is a POST as the specification has it',
  'POST /gateway/order/previewPackage': 'reads a price; it is a POST as the specification has it',
  'POST /gateway/order/estimatePackagePrice': 'reads a price; it is a POST as the specification has it',
  'POST /gateway/order/pageFind': 'reads; it is a POST for its many filters',
  'POST /gateway/purchasedPackageItem/find': 'reads; it is a POST as the specification has it',
  'POST /gateway/workshop/saveFile': 'a member’s own file; what is deleted for good is audited',
  'POST /gateway/workshop/makeFolder': 'a member’s own folder',
  'POST /gateway/workshop/renameFile': 'a member’s own file, never over another',
  'POST /gateway/workshop/upload': 'a member’s own file',
  'POST /gateway/track/events': 'a browser’s beacon about nobody; it changes nothing of anybody’s',
};

const entries = Object.entries(calls) as [CallKey, CallContract][];
const acting = entries.filter(([key]) => key.startsWith('POST ') || ACTING_GETS.has(key));

describe('a call that acts', () => {
  it.each(acting)('is audited, or says why not: %s', (key, call) => {
    const reason = unaudited[key as keyof typeof calls];

    expect(call.audited !== undefined || reason !== undefined).toBe(true);
    expect(call.audited !== undefined && reason !== undefined).toBe(false);
  });

  it.each(acting.filter(([, call]) => call.audited?.includes('.')))('has its subject where it says: %s', (_key, call) => {
    const [part = '', ...path] = call.audited?.split('.') ?? [];
    const schema = path.reduce<TSchema | undefined>(
      (inner, name) => inner?.properties?.[name],
      part === 'body' ? call.body : call.data,
    );

    expect(schema).toMatchObject({ type: 'string' });
  });

  it('is none of those that only read', () => {
    const reading = entries.filter(([key, call]) => key.startsWith('GET ') && !ACTING_GETS.has(key) && call.audited);

    expect(reading).toEqual([]);
  });
});
