import { Link } from '@umijs/max';
import { Alert, Checkbox, Modal, message } from 'antd';
import { useState } from 'react';
import { useText } from '@/hooks/useText';
import { type LabImage, publishImage } from '@/services/labImage';
import { isCallError } from '@/utils/callError';
import { errorCodes } from '@/utils/errorCodes';
import styles from '../index.less';
import { calledOf } from './imageFacts';

interface PublishDialogProps {
  image: LabImage;
  isOpen: boolean;
  onDone: () => void;
  onCancel: () => void;
}

interface Secrets {
  paths: string[];
  isComplete: boolean;
}

/** The files a refused publishing names; null for another failure. */
function secretsOf(error: unknown): Secrets | null {
  if (!isCallError(error, errorCodes.IMAGE_HOLDS_SECRETS)) return null;
  const { paths, isComplete } = Object(error.data) as Partial<Secrets>;
  return { paths: Array.isArray(paths) ? paths : [], isComplete: isComplete === true };
}

/** Says what publishing means, and where files look secret asks to look at each of them first. */
export function PublishDialog({ image, isOpen, onDone, onCancel }: PublishDialogProps) {
  const text = useText();
  const [secrets, setSecrets] = useState<Secrets | null>(null);
  const [isAccepted, setIsAccepted] = useState(false);
  const [failure, setFailure] = useState<Error>();
  const [isBusy, setIsBusy] = useState(false);
  const name = calledOf(image);
  const isBlocked = secrets !== null && (!isAccepted || !secrets.isComplete);

  const handlePublish = async () => {
    setIsBusy(true);
    setFailure(undefined);
    try {
      const acceptedPaths = isAccepted && secrets ? { acceptedPaths: secrets.paths } : {};
      await publishImage({ imageId: image.imageId, isPublished: true, ...acceptedPaths });
      message.success(text('image.published', { name }));
      onDone();
    } catch (error) {
      const found = secretsOf(error);
      setSecrets(found);
      setIsAccepted(false);
      if (!found) setFailure(error instanceof Error ? error : new Error(String(error)));
    } finally {
      setIsBusy(false);
    }
  };
  const handleClosed = () => {
    setSecrets(null);
    setIsAccepted(false);
    setFailure(undefined);
  };
  return (
    <Modal
      centered
      open={isOpen}
      title={text('image.publish.title', { name })}
      okText={text('image.publish')}
      cancelText={text('image.keep')}
      confirmLoading={isBusy}
      okButtonProps={{ disabled: isBlocked }}
      onOk={handlePublish}
      onCancel={onCancel}
      afterClose={handleClosed}
    >
      <p>{text('image.publish.words')}</p>
      {secrets && (
        <>
          <Alert type="warning" showIcon message={text('image.publish.secrets')} />
          <ul className={styles.secrets}>
            {secrets.paths.map((path) => (
              <li key={path}>
                <bdi>{path}</bdi>
              </li>
            ))}
          </ul>
          {secrets.isComplete ? (
            <Checkbox checked={isAccepted} onChange={({ target }) => setIsAccepted(target.checked)}>
              {text('image.publish.accept')}
            </Checkbox>
          ) : (
            <p>{text('image.publish.tooMany')}</p>
          )}
        </>
      )}
      {failure && <Failure error={failure} />}
    </Modal>
  );
}

/** Where a proven name is missing, the way to prove it stands beside the refusal. */
function Failure({ error }: { error: Error }) {
  const text = useText();
  if (!isCallError(error, errorCodes.REAL_NAME_REQUIRED)) return <Alert type="error" showIcon message={error.message} />;
  const way = <Link to="/main/personalCenter/accountSettings?tab=realName">{text('access.toRealName')}</Link>;
  return <Alert type="info" showIcon message={text('image.publish.realName')} action={way} />;
}
