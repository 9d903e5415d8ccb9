import { entitlementOf, type Flags, missingFor, type Permission, permissions } from '../gateway/contract/entitlements';
import type { SessionUser } from './services/user';

export interface MemberState {
  currentUser: SessionUser;
}

/** A permission as the routes' `access` and the pages spell it: `publishImage` → `canPublishImage`. */
export type PermissionKey = `can${Capitalize<Permission>}`;

const names = Object.keys(permissions) as Permission[];
const byKey = new Map<string, Permission>(names.map((name) => [keyOf(name), name]));

function keyOf(permission: Permission): PermissionKey {
  return `can${permission.charAt(0).toUpperCase()}${permission.slice(1)}` as PermissionKey;
}

/** The permission behind a route's access key; undefined where it asks for a signed-in member and no more. */
export function permissionOf(accessKey: string | undefined): Permission | undefined {
  return accessKey === undefined ? undefined : byKey.get(accessKey);
}

function permitted(isSignedIn: boolean, flags: Flags): Record<PermissionKey, boolean> {
  const rights = names.map((name) => [keyOf(name), isSignedIn && missingFor(name, flags) === null] as const);
  return Object.fromEntries(rights) as Record<PermissionKey, boolean>;
}

/** What the signed-in member may do. It hides what would be refused anyway: the gateway decides by the same entitlements. */
export default function access(state: MemberState | undefined) {
  const user = state?.currentUser;
  const isSignedIn = Boolean(user?.userId);
  const flags: Flags = {
    isStudent: isSignedIn && user?.isStudent === true,
    isRealName: isSignedIn && user?.isRealName === true,
    levelFlag: isSignedIn ? (user?.levelFlag ?? 0) : 0,
  };
  const entitlement = entitlementOf(flags.levelFlag);
  return {
    isSignedIn,
    ...flags,
    ...permitted(isSignedIn, flags),
    canUseCpuCores: (cpuCores: number) => isSignedIn && cpuCores <= entitlement.cpuCores,
    canSpendPerHour: (dcuPerHour: number) => isSignedIn && dcuPerHour <= entitlement.dcuPerHour,
  };
}
