import { buildTestApp, type TestApp } from '../testing/buildTestApp';
import { calls } from './calls';
import { errors } from './errors';

/** Every call the specification names, in its own words: built ones first, then those of slices to come. */
const built = [
  'GET user/sendVerificationCode',
  'POST user/login',
  'POST user/logout',
  'POST user/register',
  'POST user/forgetPassword',
  'GET user/getUserBySession',
  'GET account/remainDcu',
  'POST dcuChange/pageFind',
  'GET workshop/metricsStatistics',
  'GET workshop/page',
  'GET workshop/filterList',
  'GET workshop/cpuSpec',
  'POST workshop/create',
  'POST workshop/update',
  'POST workshop/start',
  'POST workshop/stop',
  'POST workshop/delete',
  'GET workshop/get',
  'POST workshop/terminal',
  'GET image/basicTree',
  'GET labImage/list',
  'GET labImage/detail',
  'GET labImage/download',
  'POST labImage/delete',
  'GET image/communityList',
  'GET image/privateList',
  'GET image/harborInfo',
  'GET product/pick',
  'GET membership/coupons',
  'GET packageMembership/custom',
  'POST purchasedPackageItem/find',
  'POST order/previewSku',
  'POST order/estimateSkuPrice',
  'POST order/placeSku',
  'POST order/previewPackage',
  'POST order/estimatePackagePrice',
  'POST order/placePackage',
  'POST order/pageFind',
  'GET order/find',
  'POST order/cancel',
  'POST order/payPending',
  'GET order/repayFind',
  'GET session/page',
  'POST session/copy',
  'POST session/delete',
];

/** May only shrink: a call moves up once the contract has it. */
const notYet = [
  'GET user/sendEmailCode',
  'POST user/studentValid',
  'POST certifies/verification',
  'GET certifies/getResult',
  'GET knowledge/list',
  'POST knowledge/upload',
  'POST knowledge/delete',
  'GET knowledge/download',
  'GET dataset/list',
  'GET dataset/detail',
  'POST dataset/upload',
  'POST dataset/delete',
];

const inContract = new Set(Object.keys(calls).map((key) => key.replace('/gateway/', '')));

interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, { description: string; requestBody?: object; parameters?: object[]; responses: object }>>;
}

describe('the specification’s calls', () => {
  it.each(built)('%s is in the contract', (call) => {
    expect(inContract).toContain(call);
  });

  it.each(notYet)('%s is marked as built once it is', (call) => {
    expect(inContract).not.toContain(call);
  });

  it('are each listed once', () => {
    const all = [...built, ...notYet];

    expect(all).toHaveLength(57);
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('the OpenAPI description', () => {
  let test: TestApp;
  let description: OpenApi;
  beforeAll(async () => {
    test = await buildTestApp();
    description = (await test.app.inject('/gateway/openapi.json')).json();
  });
  afterAll(() => test.close());

  it.each(Object.entries(calls))('holds %s with what it takes and refuses', (key, call) => {
    const [method = '', path = ''] = key.split(' ');

    const operation = description.paths[path]?.[method.toLowerCase()];

    expect(operation).toBeDefined();
    expect(operation?.requestBody !== undefined).toBe('body' in call);
    expect(operation?.parameters !== undefined).toBe('query' in call && Object.keys(call.query.properties).length > 0);
    for (const name of call.errors) expect(operation?.description).toContain(`\`${errors[name].code}\` ${name}`);
  });

  it('is version 3.1 and holds nothing that is not of the contract', () => {
    const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );

    expect(description.openapi).toBe('3.1.0');
    expect(operations.sort()).toEqual(Object.keys(calls).sort());
  });

  it.each([
    ['http://localhost:8000', 'atelier'],
    ['https://atelier.example', '__Host-atelier'],
  ])('names the cookie that a console at %s has', async (publicUrl, name) => {
    const own = await buildTestApp({ config: { publicUrl } });
    const { components } = (await own.app.inject('/gateway/openapi.json')).json<{ components: object }>();
    await own.close();

    expect(components).toMatchObject({ securitySchemes: { loginSession: { in: 'cookie', name } } });
  });
});
