import { catalogCheck } from './catalogCheck';
import type { AnyCommand } from './command';
import { dcuAdjust, dcuGrant, pointsAdjust } from './corrections';
import { couponIssue } from './couponIssue';
import { pricePreview } from './pricePreview';
import { refundOrder } from './refundOrder';
import { trackReport } from './trackReport';

/**
 * Every command of the operator's, one line each, in the order of `--help`. One that changes something writes its audit entry in the
 * transaction of the change (`AuditService.write`, with its name as the action), so that neither is there without the other.
 */
export const commands: readonly AnyCommand[] = [
  trackReport,
  catalogCheck,
  couponIssue,
  refundOrder,
  dcuGrant,
  dcuAdjust,
  pointsAdjust,
  pricePreview,
];
