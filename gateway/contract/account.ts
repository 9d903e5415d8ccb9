import { Type } from '@sinclair/typebox';
import { type CallTypes, Dcu, defineCalls, Fields, Id, Instant, Nullable, OneOf, PageOf, Paging } from './contract';
import { limits } from './limits';

export const lotSources = ['gift', 'membership', 'coupon', 'purchase', 'refund'] as const;
/** Why a balance changed. */
export const dcuChangeKinds = ['gift', 'grant', 'purchase', 'usage', 'expiry', 'refund', 'adjust'] as const;
export type DcuChangeKind = (typeof dcuChangeKinds)[number];

/** A part of the balance with its own source and expiry; listed in the order in which it is burnt. */
const Lot = Fields({
  lotId: Type.String(),
  source: OneOf(lotSources),
  grantedDcu: Dcu,
  remainDcu: Dcu,
  grantedAt: Instant,
  expiresAt: Nullable(Instant),
});

/** How a member is told of a low balance: on the page always, by text if they want. */
export const alertChannels = ['page', 'sms'] as const;

/** Below which balance the member wants to be told; null: never. */
const Alert = Nullable(Fields({ thresholdDcu: Dcu, channels: Type.Array(OneOf(alertChannels)), isBelow: Type.Boolean() }));

const DcuChange = Fields({
  changeId: Type.String(),
  at: Instant,
  kind: OneOf(dcuChangeKinds),
  amountDcu: Dcu,
  balanceAfterDcu: Dcu,
  /** What it was for: the workshop's name for usage, the title of the order or package, the gift's name else. */
  subject: Type.String(),
  orderId: Nullable(Id),
  sessionId: Nullable(Id),
  workshopId: Nullable(Id),
  /** For usage: milliseconds observed running and the rate they were charged at. */
  observedMs: Nullable(Type.Integer()),
  dcuPerHour: Nullable(Dcu),
});

export const accountCalls = defineCalls({
  'GET /gateway/account/remainDcu': {
    summary: 'The balance: `remainDcu` = posted − accrued; `availableDcu` = posted − held, what a new start may use.',
    access: 'member',
    query: Fields({ isInit: Type.Optional(Type.Boolean()) }),
    data: Fields({ remainDcu: Dcu, availableDcu: Dcu }),
    errors: [],
  },
  'GET /gateway/account/overview': {
    summary: 'Balance by lot in burn order, burn rate of all running labs, one runway number, and the alert of a low balance.',
    access: 'member',
    data: Fields({
      remainDcu: Dcu,
      availableDcu: Dcu,
      heldDcu: Dcu,
      lots: Type.Array(Lot),
      burnDcuPerHour: Dcu,
      runningLabs: Type.Integer(),
      /** When the balance is used up at this rate; null when nothing runs. */
      lastsUntil: Nullable(Instant),
      runwayMs: Nullable(Type.Integer()),
      spentTodayDcu: Dcu,
      spentMonthDcu: Dcu,
      alert: Alert,
      at: Instant,
    }),
    errors: [],
  },
  'POST /gateway/account/setAlert': {
    summary:
      'Sets below which balance the member is told, once each time it falls below; a threshold of null takes the alert away.',
    access: 'member',
    body: Fields({
      thresholdDcu: Nullable(Type.Integer({ minimum: 1, maximum: limits.alertMostDcu })),
      channels: Type.Array(OneOf(alertChannels), { maxItems: alertChannels.length, uniqueItems: true }),
    }),
    data: Alert,
    errors: [],
  },
  'POST /gateway/dcuChange/pageFind': {
    summary: 'The member’s balance changes, newest first.',
    access: 'member',
    body: Fields({
      ...Paging,
      kind: Type.Optional(OneOf(dcuChangeKinds)),
      from: Type.Optional(Instant),
      to: Type.Optional(Instant),
      /** Only what this workshop's usage cost; a foreign one has none. */
      workshopId: Type.Optional(Id),
    }),
    data: PageOf(DcuChange),
    errors: [],
  },
});

export type AccountCalls = CallTypes<typeof accountCalls>;
