import { Type } from '@sinclair/typebox';
import { type CallTypes, Dcu, defineCalls, Fields, Id, Instant, Nullable, OneOf, PageOf, Paging } from './contract';
import { CatalogueId, Fen, OptionalOrNone } from './money';

/** What a package permits while it runs. */
export const Ceilings = Fields({
  cpuCores: Type.Number(),
  dcuPerHour: Type.Number(),
  storageGb: Type.Integer(),
  runningLabs: Type.Integer(),
  privateImages: Type.Integer(),
  maxHours: Type.Integer(),
});

const Level = Type.Integer({ minimum: 0, maximum: 3 });

const Package = Fields({
  packageId: CatalogueId,
  levelFlag: Level,
  name: Type.String(),
  description: Type.String(),
  /** List prices of a month and of twelve; what students pay for them; what this member pays. */
  monthFen: Fen,
  yearFen: Fen,
  studentMonthFen: Nullable(Fen),
  studentYearFen: Nullable(Fen),
  ownMonthFen: Fen,
  ownYearFen: Fen,
  monthlyDcu: Dcu,
  ceilings: Ceilings,
});

/** What an order for this package would do now: begin, lengthen, replace a lower one, or wait for a higher one to end. */
export const packageEffects = ['NEW', 'RENEW', 'UPGRADE', 'QUEUE'] as const;
export type PackageEffect = (typeof packageEffects)[number];

/** What a custom package is built from. */
export const CustomPackage = Fields({
  cpuCores: Type.Integer({ minimum: 1, maximum: 1024 }),
  monthlyDcu: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
});

export const Months = Type.Integer({ minimum: 1, maximum: 12 });

/** ACTIVE runs now; QUEUED begins later; PAUSED waits behind a higher one; ENDED ran out; UPGRADED was credited to a higher one. */
export const itemStates = ['ACTIVE', 'QUEUED', 'PAUSED', 'ENDED', 'UPGRADED', 'REFUNDED'] as const;
export type ItemState = (typeof itemStates)[number];

export const itemSources = ['ORDER', 'GIFT'] as const;

const Item = Fields({
  itemId: Id,
  name: Type.String(),
  levelFlag: Level,
  source: OneOf(itemSources),
  orderId: Nullable(Id),
  state: OneOf(itemStates),
  startsAt: Instant,
  endsAt: Instant,
  /** DCU it brings in all, has brought so far, and how much of that was used. */
  promisedDcu: Dcu,
  grantedDcu: Dcu,
  usedDcu: Dcu,
  nextGrantAt: Nullable(Instant),
  ceilings: Ceilings,
});

export const membershipCalls = defineCalls({
  'GET /gateway/packageMembership/list': {
    summary:
      'Packages by level with the prices of whoever asks, what the custom package may be built from, and what the member has and uses now.',
    access: 'visitor',
    data: Fields({
      priceVersion: Type.Integer({ minimum: 1 }),
      isStudentPrice: Type.Boolean(),
      /** Level 0 first: what everybody has. It has no price. */
      freeCeilings: Ceilings,
      packages: Type.Array(Package),
      custom: Fields({
        cpuCores: Fields({ min: Type.Integer(), max: Type.Integer(), step: Type.Integer() }),
        monthlyDcu: Fields({ min: Type.Integer(), max: Type.Integer(), step: Type.Integer() }),
        months: Fields({ min: Type.Integer(), max: Type.Integer() }),
        /** Only with a verified real name. */
        needsRealName: Type.Boolean(),
      }),
      /** Null for a visitor. */
      current: Nullable(
        Fields({
          levelFlag: Level,
          packageName: Type.String(),
          memberExpirationDate: Type.String(),
          ceilings: Ceilings,
          usage: Fields({
            cpuCores: Type.Number(),
            dcuPerHour: Type.Number(),
            storageBytes: Type.Integer(),
            runningLabs: Type.Integer(),
          }),
        }),
      ),
    }),
    errors: [],
  },
  'GET /gateway/packageMembership/custom': {
    summary: 'What a custom package would cost: months × monthly DCU × CPU ceiling.',
    access: 'visitor',
    query: Fields({ ...CustomPackage.properties, months: Months }),
    data: Fields({
      priceVersion: Type.Integer({ minimum: 1 }),
      listFen: Fen,
      priceFen: Fen,
      monthFen: Fen,
      monthlyDcu: Dcu,
      ceilings: Ceilings,
    }),
    errors: ['PACKAGE_UNAVAILABLE'],
  },
  'POST /gateway/purchasedPackageItem/find': {
    summary: 'What the member owns: packages with level, DCU granted and used, and when they end. Newest first.',
    access: 'member',
    body: Fields({ ...Paging, state: OptionalOrNone(OneOf(itemStates)) }),
    data: PageOf(Item),
    errors: [],
  },
});

export type MembershipCalls = CallTypes<typeof membershipCalls>;
