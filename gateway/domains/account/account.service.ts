import { billingDayOf, startOfBillingDay, startOfBillingMonth } from '../../billingCalendar';
import type { AccountCalls, DcuChangeKind } from '../../contract/account';
import type { Db } from '../../db/client';
import { dcuFromMicro } from '../../dcu';
import type { Language } from '../../locales/messages';
import { invalidField } from '../../refusal';
import { accruedMicro, observedUntilMs } from '../metering/meter.rules';
import type { MeteringService } from '../metering/metering.service';
import { type ChangeFilter, type ChangeRow, pageChanges as pageChangeRows, selectUsageSince } from './account.repository';
import { spentSince, type Usage } from './account.rules';
import type { AlertService } from './alert.service';

type RemainDcu = AccountCalls['GET /gateway/account/remainDcu']['data'];
type Overview = AccountCalls['GET /gateway/account/overview']['data'];
type ChangePage = AccountCalls['POST /gateway/dcuChange/pageFind']['data'];

export type AccountService = ReturnType<typeof createAccountService>;

/** What a member sees of the books: the balance as it is this instant, what it is made of, and every change of it. */
export function createAccountService({
  db,
  metering,
  alerts,
}: {
  db: Db;
  metering: MeteringService;
  alerts: Pick<AlertService, 'viewOf'>;
}) {
  async function getRemainDcu(memberId: string): Promise<RemainDcu> {
    const { postedMicro, accruedMicro: accrued, availableMicro } = await metering.getPosition(memberId);
    return { remainDcu: dcuFromMicro(postedMicro - accrued), availableDcu: dcuFromMicro(availableMicro) };
  }

  /** Balance by lot, runway and spending; days and months are those of bills, and usage counts when it happened, not when it was charged. */
  async function getOverview(memberId: string): Promise<Overview> {
    const position = await metering.getPosition(memberId);
    const remainMicro = position.postedMicro - position.accruedMicro;
    const monthStart = startOfBillingMonth(position.at);
    const [charged, alert] = await Promise.all([selectUsageSince(db, memberId, monthStart), alerts.viewOf(memberId, remainMicro)]);
    const usage = [...charged, ...position.meters.flatMap(openUsage)];
    return {
      remainDcu: dcuFromMicro(remainMicro),
      availableDcu: dcuFromMicro(position.availableMicro),
      heldDcu: dcuFromMicro(position.heldMicro),
      lots: position.lots
        .filter((lot) => lot.remaining > 0n)
        .map((lot) => ({
          lotId: String(lot.lotId),
          source: lot.source,
          grantedDcu: dcuFromMicro(lot.granted),
          remainDcu: dcuFromMicro(lot.remaining),
          grantedAt: new Date(lot.grantedAtMs).toISOString(),
          expiresAt: instantOrNull(lot.expiresAtMs),
        })),
      burnDcuPerHour: dcuFromMicro(position.burnMicroPerHour),
      runningLabs: position.runningLabs,
      lastsUntil: instantOrNull(position.lastsUntilMs),
      runwayMs: position.runwayMs,
      spentTodayDcu: dcuFromMicro(spentSince(usage, startOfBillingDay(billingDayOf(position.at)).getTime())),
      spentMonthDcu: dcuFromMicro(spentSince(usage, monthStart.getTime())),
      alert,
      at: position.at.toISOString(),
    };
  }

  /** The member's balance changes, newest first. Refuses with `INVALID_INPUT` when `to` is not after `from`. */
  async function pageChanges(
    memberId: string,
    language: Language,
    request: { current: number; pageSize: number; kind?: DcuChangeKind; from?: string; to?: string; workshopId?: string },
  ): Promise<ChangePage> {
    const filter: ChangeFilter = {
      memberId,
      kind: request.kind ?? null,
      workshopId: request.workshopId ?? null,
      from: request.from === undefined ? null : new Date(request.from),
      to: request.to === undefined ? null : new Date(request.to),
    };
    if (filter.from && filter.to && filter.to <= filter.from) throw invalidField('body.to', 'afterFrom');
    const offset = (request.current - 1) * request.pageSize;
    const { rows, total } = await pageChangeRows(db, filter, { offset, size: request.pageSize });
    return { list: rows.map((row) => toChange(row, language)), total };
  }

  return { getRemainDcu, getOverview, pageChanges };
}

function openUsage(meter: Parameters<typeof accruedMicro>[0]): Usage[] {
  const toMs = observedUntilMs(meter);
  if (meter.segmentFromAtMs === null || toMs === null) return [];
  return [{ fromMs: meter.segmentFromAtMs, toMs, micro: accruedMicro(meter) }];
}

function toChange(row: ChangeRow, language: Language): ChangePage['list'][number] {
  return {
    changeId: String(row.txId),
    at: row.at.toISOString(),
    kind: row.kind,
    amountDcu: dcuFromMicro(row.amount),
    balanceAfterDcu: dcuFromMicro(row.balanceAfter),
    subject: row.titles?.[language] ?? row.subject,
    orderId: row.orderId,
    sessionId: row.sessionId,
    workshopId: row.workshopId,
    observedMs: row.observedMs === null ? null : Number(row.observedMs),
    dcuPerHour: row.rateMicroPerHour === null ? null : dcuFromMicro(row.rateMicroPerHour),
  };
}

function instantOrNull(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}
