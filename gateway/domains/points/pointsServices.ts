import type { GivingService } from '../coupon/giving.service';
import { createPointsService, type PointsDeps } from './points.service';
import { createPointsActionService } from './pointsActions.service';
import { createPointsViewService } from './pointsView.service';

/** The points of members and their centre, in the order in which they need each other. */
export function createPointsServices(deps: PointsDeps & { giving: Pick<GivingService, 'give'> }) {
  const points = createPointsService(deps);
  const pointsViews = createPointsViewService(deps);
  return { points, pointsViews, pointsActions: createPointsActionService({ ...deps, points, pointsViews }) };
}
