/** What each membership level permits. Source: the flags table of the rules; the catalogue sells exactly these levels. */
export interface Entitlement {
  levelFlag: LevelFlag;
  cpuCores: number;
  dcuPerHour: number;
  storageGb: number;
  runningLabs: number;
  privateImages: number;
  maxHours: number;
}

export type LevelFlag = 0 | 1 | 2 | 3;

export const levels: readonly [Entitlement, Entitlement, Entitlement, Entitlement] = [
  { levelFlag: 0, cpuCores: 2, dcuPerHour: 2, storageGb: 5, runningLabs: 1, privateImages: 2, maxHours: 4 },
  { levelFlag: 1, cpuCores: 8, dcuPerHour: 10, storageGb: 50, runningLabs: 3, privateImages: 10, maxHours: 24 },
  { levelFlag: 2, cpuCores: 32, dcuPerHour: 40, storageGb: 200, runningLabs: 8, privateImages: 50, maxHours: 72 },
  { levelFlag: 3, cpuCores: 64, dcuPerHour: 100, storageGb: 1000, runningLabs: 20, privateImages: 200, maxHours: 168 },
];

/** The entitlement of a level; an unknown level permits what level 0 permits. */
export function entitlementOf(levelFlag: number): Entitlement {
  return levels.find((level) => level.levelFlag === levelFlag) ?? levels[0];
}

/** What a member has shown or bought; the rest is what every signed-in member may do. */
export interface Flags {
  isStudent: boolean;
  isRealName: boolean;
  levelFlag: number;
}

/** What it takes: each that is named is needed. */
export interface Requirement {
  isStudent?: true;
  isRealName?: true;
  levelFlag?: LevelFlag;
}

/** The flags table of the rules, one line a permission: the console hides and the gateway refuses by the same line. */
export const permissions = {
  runLabs: {},
  runSeveralLabs: { levelFlag: 1 },
  seeStudentPrices: { isStudent: true },
  joinStudentTopics: { isStudent: true },
  publishImage: { isRealName: true },
  publishDataset: { isRealName: true },
  publishTopicResult: { isRealName: true },
  useLabNetwork: { isRealName: true },
  payLargeAmount: { isRealName: true },
  customisePackage: { isRealName: true },
} as const satisfies Readonly<Record<string, Requirement>>;

export type Permission = keyof typeof permissions;

/** What a member lacks for a permission; null when it is given. */
export function missingFor(permission: Permission, flags: Flags): Requirement | null {
  const required: Requirement = permissions[permission];
  const missing: Requirement = {
    ...(required.isStudent && !flags.isStudent ? { isStudent: true } : {}),
    ...(required.isRealName && !flags.isRealName ? { isRealName: true } : {}),
    ...(required.levelFlag !== undefined && entitlementOf(flags.levelFlag).levelFlag < required.levelFlag
      ? { levelFlag: required.levelFlag }
      : {}),
  };
  return Object.keys(missing).length === 0 ? null : missing;
}
