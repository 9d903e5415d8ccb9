import { entitlementOf } from '../gateway/contract/entitlements';
import type { SessionUser } from './services/user';

export interface MemberState {
  currentUser: SessionUser;
}

/** What the signed-in member may do. It hides what would be refused anyway: the gateway decides by the same entitlements. */
export default function access(state: MemberState | undefined) {
  const user = state?.currentUser;
  const isSignedIn = Boolean(user?.userId);
  const isStudent = isSignedIn && user?.isStudent === true;
  const isRealName = isSignedIn && user?.isRealName === true;
  const levelFlag = isSignedIn ? (user?.levelFlag ?? 0) : 0;
  const entitlement = entitlementOf(levelFlag);
  return {
    isSignedIn,
    isStudent,
    isRealName,
    levelFlag,
    canRunLabs: isSignedIn,
    canRunSeveralLabs: isSignedIn && entitlement.runningLabs > 1,
    canSeeStudentPrices: isStudent,
    canPublish: isRealName,
    canUseNetworkInLabs: isRealName,
    canCustomisePackage: isRealName,
    canUseCpuCores: (cpuCores: number) => isSignedIn && cpuCores <= entitlement.cpuCores,
    canSpendPerHour: (dcuPerHour: number) => isSignedIn && dcuPerHour <= entitlement.dcuPerHour,
  };
}
