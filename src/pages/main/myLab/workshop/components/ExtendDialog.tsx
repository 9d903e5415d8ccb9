import { Link } from '@umijs/max';
import { useRequest } from 'ahooks';
import { Alert, Button, InputNumber, Modal } from 'antd';
import { useState } from 'react';
import type { Lab } from '@/components/LabCard/labFacts';
import { useText } from '@/hooks/useText';
import { extendWorkshop } from '@/services/workshop';
import { isSessionLost } from '@/utils/callError';
import { formatNumber } from '@/utils/formatNumber';
import { formatMoment } from '@/utils/formatTime';
import { membershipPath, topUpPath } from '@/utils/orderPaths';
import { limits } from '../../../../../../gateway/contract/limits';
import styles from '../index.less';

interface ExtendDialogProps {
  lab: Lab;
  isOpen: boolean;
  onDone: (lab: Lab) => void;
  onCancel: () => void;
}

type Session = NonNullable<Lab['session']>;

/** When it stops and why, and what would let it run longer where hours cannot. */
function Explained({ session, idleMinutes }: { session: Session; idleMinutes: number | null }) {
  const text = useText();
  const { stopsAt, stopsCause, idleSince, extendableHours } = session;
  const cause = stopsCause && text(`workshop.cause.${stopsCause}`);
  return (
    <>
      {stopsAt && cause && <p>{text('life.extend.now', { moment: formatMoment(stopsAt), cause })}</p>}
      {idleMinutes !== null && (
        <p>
          {idleSince
            ? text('life.extend.idleSince', { since: formatMoment(idleSince), minutes: idleMinutes })
            : text('life.extend.inUse', { minutes: idleMinutes })}
        </p>
      )}
      {stopsCause === 'BALANCE' && (
        <p>
          {text('life.extend.balance')} <Link to={topUpPath}>{text('life.way.topUp')}</Link>
        </p>
      )}
      {stopsCause !== 'BALANCE' && extendableHours === 0 && (
        <p>
          {text('life.extend.level')} <Link to={membershipPath}>{text('life.way.packages')}</Link>
        </p>
      )}
    </>
  );
}

interface HoursProps {
  session: Session;
  hours: number | null;
  most: number;
  onHours: (hours: number | null) => void;
}

function Hours({ session, hours, most, onHours }: HoursProps) {
  const text = useText();
  const { stopsAt, stopsCause, dcuPerHour } = session;
  const later = stopsCause === 'MAX_HOURS' && stopsAt && hours ? Date.parse(stopsAt) + hours * 3_600_000 : null;
  return (
    <div className={styles.hours}>
      <label htmlFor="extend-hours">{text('life.extend.hours')}</label>
      <InputNumber
        id="extend-hours"
        min={1}
        max={most}
        precision={0}
        value={hours}
        onChange={onHours}
        suffix={text('workshop.create.maxHours.unit')}
      />
      <small>
        {text('life.extend.most', { hours: session.extendableHours })}{' '}
        {hours !== null && text('life.extend.cost', { cost: formatNumber(hours * dcuPerHour), hours })}{' '}
        {later && text('life.extend.later', { moment: formatMoment(new Date(later).toISOString()) })}
      </small>
    </div>
  );
}

/** Lets a lab run longer: hours within what may still be added, or the time without use counted anew. */
export default function ExtendDialog({ lab, isOpen, onDone, onCancel }: ExtendDialogProps) {
  const text = useText();
  const { session, idleMinutes } = lab;
  const most = Math.min(limits.extendHours.maximum, session?.extendableHours ?? 0);
  const [hours, setHours] = useState<number | null>(1);
  const request = useRequest((added?: number) => extendWorkshop(lab.workshopId, added, { isSilent: true }), {
    manual: true,
    onSuccess: onDone,
    // Shown below, where it was asked.
    onError: () => undefined,
  });
  const { loading, error, run, params } = request;
  const isKeeping = loading && params[0] === undefined;
  const buttons = (
    <>
      <Button disabled={loading} onClick={onCancel}>
        {text('workshop.close')}
      </Button>
      {idleMinutes !== null && (
        <Button type={most > 0 ? 'default' : 'primary'} disabled={loading} loading={isKeeping} onClick={() => run()}>
          {text('workshop.action.keep')}
        </Button>
      )}
      {most > 0 && (
        <Button
          type="primary"
          disabled={hours === null}
          loading={loading && !isKeeping}
          onClick={() => hours !== null && run(hours)}
        >
          {text('life.extend.add', { hours: hours ?? 0 })}
        </Button>
      )}
    </>
  );
  return (
    <Modal
      centered
      open={isOpen && session !== null}
      title={text('life.extend.title', { name: lab.name })}
      footer={buttons}
      onCancel={() => loading || onCancel()}
    >
      {session && <Explained session={session} idleMinutes={idleMinutes} />}
      {session && most > 0 && <Hours session={session} hours={hours} most={most} onHours={setHours} />}
      {error && !isSessionLost(error) && <Alert type="error" showIcon message={error.message} />}
    </Modal>
  );
}
