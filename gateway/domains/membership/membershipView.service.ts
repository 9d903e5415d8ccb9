import type { Catalogue } from '../../catalog/catalogue';
import { customCeilings, packagePrice, YEAR_MONTHS } from '../../catalog/price.rules';
import type { PackageEntry } from '../../catalog/saleEntries';
import type { MembershipCalls } from '../../contract/membership';
import type { Db, Tx } from '../../db/client';
import { dcuFromMicro } from '../../dcu';
import type { Language } from '../../locales/messages';
import { Refusal } from '../../refusal';
import { promisedMicro } from './grantSchedule.rules';
import { ceilingsOf, type Rights } from './membership.rules';
import { type ItemViewRow, pageItems } from './membershipView.repository';

type Answer<K extends keyof MembershipCalls> = MembershipCalls[K]['data'];
type PackageList = Answer<'GET /gateway/packageMembership/list'>;
type ItemPage = Answer<'POST /gateway/purchasedPackageItem/find'>;

/** Who looks: a visitor is no member. */
export interface Viewer {
  memberId: string | null;
  language: Language;
}

/** What a member's labs take of the ceilings now. */
export interface LabUsage {
  cpuCores: number;
  microPerHour: bigint;
  storageBytes: number;
  runningLabs: number;
}

export type MembershipViewService = ReturnType<typeof createMembershipViewService>;

/** What is on sale, what it permits and costs whoever asks, and what a member owns. */
export function createMembershipViewService(deps: {
  db: Db;
  catalogue: Pick<Catalogue, 'sale' | 'customPrice'>;
  membership: { getRights(memberId: string, reader?: Db | Tx, language?: Language): Promise<Rights> };
  users: { getProofs(memberId: string): Promise<{ isStudent: boolean }> };
  labs: { usageOf(memberId: string): Promise<LabUsage> };
}) {
  const { db, catalogue, membership, users, labs } = deps;
  const { sale } = catalogue;
  const isStudent = async (memberId: string | null) => memberId !== null && (await users.getProofs(memberId)).isStudent;

  async function currentOf(memberId: string, language: Language): Promise<PackageList['current']> {
    const [rights, usage] = await Promise.all([membership.getRights(memberId, db, language), labs.usageOf(memberId)]);
    const { cpuCores, microPerHour, storageBytes, runningLabs } = usage;
    return { ...rights, usage: { cpuCores, dcuPerHour: dcuFromMicro(microPerHour), storageBytes, runningLabs } };
  }

  return {
    /** Packages on sale by level with the prices of whoever asks; `current` for members. */
    async list({ memberId, language }: Viewer): Promise<PackageList> {
      const [isStudentPrice, current] = await Promise.all([
        isStudent(memberId),
        memberId === null ? null : currentOf(memberId, language),
      ]);
      const { cpuCores, monthlyDcu } = sale.custom;
      return {
        priceVersion: sale.priceVersion,
        isStudentPrice,
        freeCeilings: ceilingsOf(0, null),
        packages: sale.packages
          .filter((entry) => !entry.isRetired)
          .sort((a, b) => a.levelFlag - b.levelFlag)
          .map((entry) => presentPackage(entry, isStudentPrice, language)),
        custom: { cpuCores, monthlyDcu, months: { min: 1, max: YEAR_MONTHS }, needsRealName: true },
        current,
      };
    },

    /** Throws PACKAGE_UNAVAILABLE for parts that are not on offer. */
    async custom(
      { memberId }: Viewer,
      { cpuCores, monthlyDcu, months }: MembershipCalls['GET /gateway/packageMembership/custom']['query'],
    ): Promise<Answer<'GET /gateway/packageMembership/custom'>> {
      const ask = { cpuCores, monthlyDcu, isStudent: await isStudent(memberId) };
      try {
        const { listFen, priceFen } = catalogue.customPrice({ ...ask, months });
        const month = catalogue.customPrice({ ...ask, months: 1 });
        return {
          priceVersion: sale.priceVersion,
          listFen: Number(listFen),
          priceFen: Number(priceFen),
          monthFen: Number(month.priceFen),
          monthlyDcu,
          ceilings: ceilingsOf(3, customCeilings(sale.custom, cpuCores)),
        };
      } catch (error) {
        if (error instanceof RangeError) throw new Refusal('PACKAGE_UNAVAILABLE');
        throw error;
      }
    },

    async find(
      { memberId, language }: Viewer & { memberId: string },
      { current = 1, pageSize = 10, state = null }: MembershipCalls['POST /gateway/purchasedPackageItem/find']['body'],
    ): Promise<ItemPage> {
      const { rows, total } = await pageItems(db, { memberId, state }, { limit: pageSize, offset: (current - 1) * pageSize });
      return { list: rows.map((row) => presentItem(row, language)), total };
    },
  };
}

function presentPackage(entry: PackageEntry, isStudent: boolean, language: Language): PackageList['packages'][number] {
  const { packageId, levelFlag, monthFen, yearFen, studentMonthFen, studentYearFen, monthlyDcu } = entry;
  return {
    ...{ packageId, levelFlag, monthFen, yearFen, studentMonthFen, studentYearFen },
    name: entry.name[language],
    description: entry.description[language],
    ownMonthFen: Number(packagePrice(entry, 1, isStudent).priceFen),
    ownYearFen: Number(packagePrice(entry, YEAR_MONTHS, isStudent).priceFen),
    monthlyDcu: Number(monthlyDcu),
    ceilings: ceilingsOf(levelFlag, null),
  };
}

/** One that ended is shown until when it ran; what its rows keep beyond is what could come back to it. */
function presentItem(row: ItemViewRow, language: Language): ItemPage['list'][number] {
  const endsAt = row.endedAt ?? row.endsAt;
  const startsAt = new Date(Math.min(row.startsAt.getTime(), endsAt.getTime()));
  return {
    itemId: row.id,
    name: row.name[language],
    levelFlag: row.levelFlag,
    source: row.source,
    orderId: row.orderId,
    state: row.state,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    promisedDcu: dcuFromMicro(promisedMicro(row) - row.carriedMicro),
    grantedDcu: dcuFromMicro(row.grantedMicro),
    usedDcu: dcuFromMicro(row.usedMicro),
    nextGrantAt: row.nextGrantAt?.toISOString() ?? null,
    ceilings: ceilingsOf(row.levelFlag, row.ceilings),
  };
}
