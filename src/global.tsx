import { message } from 'antd';
import './global.css';
import { registerRefusalDialog } from './utils/request';
import { storeVisitOrigin } from './utils/visitOrigin';

storeVisitOrigin(window.location.search);

/** The limits of level and balance open a dialog with the way out; it is loaded when first needed. */
registerRefusalDialog([25100, 25101, 25105, 25106], (refusal) => {
  import('./components/limitDialog').then(
    ({ showLimitDialog }) => showLimitDialog(refusal),
    // Without the dialog its words are enough; a reload would lose what the member typed.
    () => message.error({ key: `failure-${refusal.code}`, content: refusal.msg }),
  );
});
