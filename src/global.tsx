import { message } from 'antd';
import './global.css';
import { errorCodes } from './utils/errorCodes';
import { registerRefusalDialog } from './utils/request';
import { startTracker } from './utils/tracker';
import { storeVisitOrigin } from './utils/visitOrigin';

storeVisitOrigin(window.location.search);
startTracker();

/** The limits of level, balance and real name open a dialog with the way out; it is loaded when first needed. */
const limits = [
  errorCodes.MEMBER_MAX_LEVEL_CPU_LIMIT,
  errorCodes.MEMBER_RUNNING_LABS_LIMIT,
  errorCodes.MEMBER_STORAGE_LIMIT,
  errorCodes.MEMBER_DCU_LIMIT,
  errorCodes.MEMBER_NOT_MAX_LEVEL_CPU_LIMIT,
  errorCodes.REAL_NAME_REQUIRED,
];
registerRefusalDialog(limits, (refusal) => {
  import('./components/limitDialog').then(
    ({ showLimitDialog }) => showLimitDialog(refusal),
    // Without the dialog its words are enough; a reload would lose what the member typed.
    () => message.error({ key: `failure-${refusal.code}`, content: refusal.msg }),
  );
});
