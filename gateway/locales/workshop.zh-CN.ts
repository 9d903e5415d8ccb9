import type { WorkshopWords } from './workshopWords';

const zhCN: WorkshopWords = {
  specCores: '本机共有 {cores} 个 CPU 核。',
  specMemory: '本机共有 {gb} GB 内存。',
  specRetired: '已不再提供。',
  imageCommands: '本机缺少 {commands}。',
  imageRetired: '已不再提供。',
  engineUnreachable: '计算引擎没有响应，请稍后重试。',
  noneFits: '无',
  customFits: '也可定制 {cores} 核的套餐。',
  rateCeiling: '您的等级下，所有运行中的工坊合计每小时最多 {limit} DCU；已用 {used}，本次需要 {needed}。',

  waitsForEngine: '计算引擎没有响应，正在等待。',
  waitsForEarlierRun: '正在等待上一次运行结束。',
  lost: '无法连接计算引擎。重新连接之前不计费。',
  deleteFailed: '文件暂时未能删除，系统会自动重试。',
  pulling: '正在准备镜像和文件，首次可能需要几分钟。',
  engineNoNetwork: '本机的工坊不能联网。',
  levelAllowsMore: '{level} 级会员可延长更久。',

  START_FAILED: '工坊启动失败，请重试；若再次失败，请换一个镜像。',
  START_TIMEOUT: '工坊未能在两分钟内就绪，请重试。',
  OUT_OF_MEMORY: '工坊使用的内存超出规格。请选择更大的规格或减少占用，您的文件已保留。',
  DISK_FULL: '工坊磁盘已满。请选择磁盘更大的规格以便清理空间，您的文件已保留。',
  ENGINE_LOST: '运行工坊的机器已停止。您的文件已保留，请重新启动。',
  VANISHED: '工坊已结束，运行它的机器未说明原因。您的文件已保留，请重新启动。',
  ENGINE_UNSANDBOXED: '本机无法隔离工坊，因此不能启动，请联系运营人员。',
  ENGINE_IMAGE: '本机无法运行该镜像，请换一个。',
  ENGINE_CAPACITY: '本机目前没有足够资源，请选择更小的规格或稍后再试。',
  ENGINE_DISK_FULL: '本机磁盘已满，请稍后再试，您的文件已保留。',
  IMAGE_FILES: '镜像中的文件无法放入工坊。请选择更大的规格或其他镜像后重新启动。',
  fillingHome: '正在将镜像中的文件放入工坊。',
  ENGINE_ERROR: '计算引擎报告错误，请稍后重试。',
};

export default zhCN;
